#include <parley/language.hpp>

#include <algorithm>

#include "language/ascii.hpp"

namespace parley {
namespace {

constexpr std::size_t kMaxSubtag = 8;
constexpr std::size_t kMaxTag = 64;

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) noexcept {
  return lower(c) >= 'a' && lower(c) <= 'z';
}

std::string_view take_subtag(std::string_view& tag) noexcept {
  const std::string_view subtag = tag.substr(0, tag.find('-'));
  tag.remove_prefix(std::min(tag.size(), subtag.size() + 1));
  return subtag;
}

std::size_t shared_subtags(std::string_view a, std::string_view b) noexcept {
  std::size_t shared = 0;
  while (!a.empty() && !b.empty() && same_language(take_subtag(a), take_subtag(b))) ++shared;
  return shared;
}

}  // namespace

bool same_language(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string primary_language(std::string_view tag) {
  std::string primary(take_subtag(tag));
  std::transform(primary.begin(), primary.end(), primary.begin(), lower);
  return primary;
}

bool is_language_tag(std::string_view tag) noexcept {
  if (tag.empty() || tag.size() > kMaxTag || tag.back() == '-') return false;
  const std::string_view primary = take_subtag(tag);
  if (primary.size() < 2 || primary.size() > kMaxSubtag) return false;
  if (!std::all_of(primary.begin(), primary.end(), is_letter)) return false;
  while (!tag.empty()) {
    const std::string_view subtag = take_subtag(tag);
    if (subtag.empty() || subtag.size() > kMaxSubtag) return false;
    if (!std::all_of(subtag.begin(), subtag.end(), [](char c) { return is_letter(c) || is_ascii_digit(c); }))
      return false;
  }
  return true;
}

std::string tag_or_nothing(std::string_view text) {
  return std::string(is_language_tag(text) ? text : std::string_view());
}

std::optional<std::filesystem::path> language_file(const std::filesystem::path& folder, std::string_view tag,
                                                   std::string_view extension) {
  if (!is_language_tag(tag)) return std::nullopt;
  const std::string wanted = primary_language(tag);
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == extension && file.stem() == wanted && entry.is_regular_file(failure)) return file;
  }
  return std::nullopt;
}

std::optional<std::string> closest_language(std::string_view wanted,
                                            const std::vector<std::string>& available) {
  const std::string* best = nullptr;
  std::size_t best_shared = 0;
  for (const std::string& candidate : available) {
    if (same_language(wanted, candidate)) return candidate;
    const std::size_t shared = shared_subtags(wanted, candidate);
    if (shared == 0) continue;
    const bool better =
        best == nullptr || shared > best_shared || (shared == best_shared && candidate.size() < best->size());
    if (!better) continue;
    best = &candidate;
    best_shared = shared;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace parley
