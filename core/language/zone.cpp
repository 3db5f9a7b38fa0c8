#include <algorithm>
#include <parley/files.hpp>
#include <parley/zone.hpp>
#include <utility>

#include "language/icu.hpp"
#include "language/zone_rules.hpp"

namespace parley {
namespace {

constexpr std::size_t kLongestZone = 64;
constexpr std::size_t kLargestZone = std::size_t{1} << 20U;

class IcuRules final : public ZoneRules {
 public:
  explicit IcuRules(std::unique_ptr<icu::TimeZone> zone) : zone_(std::move(zone)) {}

  std::chrono::seconds offset_at(std::chrono::sys_seconds moment) const override {
    const auto when = std::chrono::milliseconds(moment.time_since_epoch());
    std::int32_t raw = 0;
    std::int32_t saving = 0;
    UErrorCode status = U_ZERO_ERROR;
    zone_->getOffset(static_cast<UDate>(when.count()), 0, raw, saving, status);
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::milliseconds(raw + saving));
  }

 private:
  std::unique_ptr<icu::TimeZone> zone_;
};

// The name becomes part of a path, and it may come from a client.
bool is_zone_name(std::string_view id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-' || c == '+';
  };
  return !id.empty() && id.size() <= kLongestZone && id.front() != '/' && std::ranges::all_of(id, allowed);
}

std::shared_ptr<const ZoneRules> from_file(const std::filesystem::path& file) {
  const auto bytes = read_file(file, kLargestZone);
  return bytes ? parse_tzif(*bytes) : nullptr;
}

// A newer system may have dropped the old spelling of a name, or not know the new one.
std::shared_ptr<const ZoneRules> from_other_spelling(std::string_view id,
                                                     const std::filesystem::path& files) {
  const icu::UnicodeString name = from_icu::text(id);
  const std::int32_t spellings = icu::TimeZone::countEquivalentIDs(name);
  for (std::int32_t i = 0; i < spellings; ++i) {
    const std::string other = from_icu::utf8(icu::TimeZone::getEquivalentID(name, i));
    if (auto rules = from_file(files / other)) return rules;
  }
  return nullptr;
}

std::shared_ptr<const ZoneRules> own_rules_of_icu(std::string_view id) {
  auto zone = from_icu::zone(id);
  return zone ? std::make_shared<IcuRules>(std::move(zone)) : nullptr;
}

}  // namespace

Zone::Zone(std::string id, std::shared_ptr<const ZoneRules> rules)
    : id_(std::move(id)), rules_(std::move(rules)) {}

std::optional<Zone> Zone::named(std::string_view id, const std::filesystem::path& files) {
  if (!is_zone_name(id)) return std::nullopt;
  auto rules = from_file(files / id);
  if (!rules) rules = from_other_spelling(id, files);
  if (!rules) rules = own_rules_of_icu(id);
  if (!rules) return std::nullopt;
  return Zone(std::string(id), std::move(rules));
}

std::chrono::local_seconds Zone::local(std::chrono::system_clock::time_point moment) const {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(moment);
  return std::chrono::local_seconds(seconds.time_since_epoch() + rules_->offset_at(seconds));
}

std::chrono::system_clock::time_point Zone::moment(std::chrono::local_seconds local) const {
  const std::chrono::sys_seconds as_utc(local.time_since_epoch());
  // Clocks change at most once in two days: what holds at this moment held a day before or holds a day after.
  const auto before = as_utc - rules_->offset_at(as_utc - std::chrono::days(1));
  const auto after = as_utc - rules_->offset_at(as_utc + std::chrono::days(1));
  const auto shows = [&](std::chrono::sys_seconds moment) { return this->local(moment) == local; };
  if (shows(std::min(before, after))) return std::min(before, after);
  if (shows(std::max(before, after))) return std::max(before, after);
  return before;
}

std::chrono::local_days Zone::today(std::chrono::system_clock::time_point moment) const {
  return std::chrono::floor<std::chrono::days>(local(moment));
}

}  // namespace parley
