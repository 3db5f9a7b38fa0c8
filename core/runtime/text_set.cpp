#include <atomic>
#include <parley/text_set.hpp>

namespace parley {
namespace {

std::atomic<std::uint64_t> visits{0};

}  // namespace

std::uint64_t TextSet::visited() noexcept {
  return visits.load(std::memory_order_relaxed);
}

void TextSet::count_visits(std::size_t elements) noexcept {
  visits.fetch_add(elements, std::memory_order_relaxed);
}

TextSet::TextSet(const std::vector<std::string>& list) {
  if (list.empty()) return;
  texts_.reserve(list.size());
  texts_.insert(list.begin(), list.end());
  count_visits(list.size());
}

TextSet::TextSet(const std::optional<std::vector<std::string>>& list) {
  if (list) *this = TextSet(*list);
}

bool TextSet::contains(std::string_view text) const {
  if (texts_.empty()) return false;
  count_visits(1);
  return texts_.contains(text);
}

bool TextSet::insert(std::string_view text) {
  count_visits(1);
  return texts_.insert(text).second;
}

}  // namespace parley
