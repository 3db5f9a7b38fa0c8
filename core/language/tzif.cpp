#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "language/posix_rule.hpp"
#include "language/zone_rules.hpp"

namespace parley {
namespace {

constexpr std::size_t kHeaderSize = 44;
constexpr std::size_t kTypeSize = 6;

class FileRules final : public ZoneRules {
 public:
  FileRules(std::vector<std::int64_t> changes, std::vector<std::int32_t> offsets, std::int32_t before,
            std::optional<PosixRule> afterwards)
      : changes_(std::move(changes)),
        offsets_(std::move(offsets)),
        before_(before),
        afterwards_(afterwards) {}

  std::chrono::seconds offset_at(std::chrono::sys_seconds moment) const override {
    const auto next = std::ranges::upper_bound(changes_, moment.time_since_epoch().count());
    if (next == changes_.end() && afterwards_) return afterwards_->offset_at(moment);
    if (next == changes_.begin()) return std::chrono::seconds(before_);
    return std::chrono::seconds(offsets_[static_cast<std::size_t>(next - changes_.begin() - 1)]);
  }

 private:
  std::vector<std::int64_t> changes_;  // moments, ascending
  std::vector<std::int32_t> offsets_;  // in force from the change of the same index on
  std::int32_t before_;
  std::optional<PosixRule> afterwards_;
};

// Big-endian, two's complement; the caller has checked the bounds.
template <typename Int>
Int read(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Int); ++i) {
    value = (value << 8U) | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return static_cast<Int>(value);
}

struct Header {
  char version = '\0';
  std::size_t utc_flags = 0;
  std::size_t standard_flags = 0;
  std::size_t leaps = 0;
  std::size_t changes = 0;
  std::size_t types = 0;
  std::size_t letters = 0;

  // What follows the header, with moments of that many bytes.
  std::size_t body_size(std::size_t moment) const {
    return changes * (moment + 1) + types * kTypeSize + letters + leaps * (moment + 4) + standard_flags +
           utc_flags;
  }
};

std::optional<Header> read_header(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("TZif")) return std::nullopt;
  const auto count = [bytes](std::size_t index) { return read<std::uint32_t>(bytes, 20 + index * 4); };
  return Header{bytes[4], count(0), count(1), count(2), count(3), count(4), count(5)};
}

std::optional<PosixRule> read_footer(std::string_view bytes) {
  if (!bytes.starts_with('\n')) return std::nullopt;
  bytes.remove_prefix(1);
  return PosixRule::parse(bytes.substr(0, bytes.find('\n')));
}

std::shared_ptr<const ZoneRules> read_body(const Header& header, std::string_view bytes) {
  constexpr std::size_t kMoment = 8;
  const std::size_t indexes = header.changes * kMoment;
  const std::size_t types = indexes + header.changes;
  const auto offset_of = [&](std::size_t type) {
    return read<std::int32_t>(bytes, types + type * kTypeSize);
  };
  std::vector<std::int64_t> changes(header.changes);
  std::vector<std::int32_t> offsets(header.changes);
  for (std::size_t i = 0; i < header.changes; ++i) {
    const auto type = static_cast<std::uint8_t>(bytes[indexes + i]);
    if (type >= header.types) return nullptr;
    changes[i] = read<std::int64_t>(bytes, i * kMoment);
    offsets[i] = offset_of(type);
  }
  if (!std::ranges::is_sorted(changes)) return nullptr;
  return std::make_shared<FileRules>(std::move(changes), std::move(offsets), offset_of(0),
                                     read_footer(bytes.substr(header.body_size(kMoment))));
}

}  // namespace

std::shared_ptr<const ZoneRules> parse_tzif(std::string_view bytes) {
  const auto old = read_header(bytes);  // for readers that only know 32-bit moments
  if (!old || old->version < '2') return nullptr;
  bytes.remove_prefix(std::min(bytes.size(), kHeaderSize + old->body_size(4)));
  const auto header = read_header(bytes);
  if (!header || header->types == 0) return nullptr;
  bytes.remove_prefix(kHeaderSize);
  if (bytes.size() < header->body_size(8)) return nullptr;
  return read_body(*header, bytes);
}

}  // namespace parley
