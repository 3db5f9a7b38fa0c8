#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <parley/text.hpp>

namespace parley::guide {
namespace {

constexpr float kTitle = 1.0F, kTags = 0.9F, kRequirement = 0.7F, kSummary = 0.5F, kSteps = 0.25F;
/// A stem in a field of this weight or more names the task.
constexpr float kNames = 0.85F;
/// Letters from which on a word may have a slip in it.
constexpr std::size_t kLongEnough = 5;
/// The same in a story, where other words are no names at all.
constexpr std::size_t kSurelyLongEnough = 9;
/// Below this a name is one by chance.
constexpr double kSure = 0.8;
/// What a word with a slip in it counts.
constexpr double kSlip = 0.8;
/// A word that no task has counts for so many rare ones.
constexpr double kUnknown = 1.0;

/// Whether one is the other with one letter wrong, missing, too many, or two neighbours swapped.
bool near(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (same == a.size()) return true;
  const std::string_view x = a.substr(same), y = b.substr(same);
  if (a.size() != b.size()) return x == y.substr(1);
  if (x.substr(1) == y.substr(1)) return true;
  return x.size() > 1 && x[0] == y[1] && x[1] == y[0] && x.substr(2) == y.substr(2);
}

}  // namespace

Search::Search(const std::vector<TaskMap>& tasks, const SearchWords& how) : tasks_(tasks), how_(how) {
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    const TaskMap& task = tasks[at];
    std::map<std::string, float, std::less<>> terms;
    add(task.title, kTitle, terms);
    for (const std::string& tag : task.tags) add(tag, kTags, terms);
    add(task.category, kTags, terms);
    for (const Requirement& one : task.requirements) add(one.name, kRequirement, terms);
    add(task.summary, kSummary, terms);
    for (const Step& step : task.steps) add(filled_in(step.say, {}), kSteps, terms);
    for (const Requirement& one : task.requirements) {
      for (const std::string& stem : how.stems(one.name)) {
        auto& in = required_[stem];
        if (in.empty() || in.back() != at) in.push_back(at);
      }
    }
    for (const auto& [stem, weight] : terms)
      index_[stem].push_back(Posting{static_cast<std::uint32_t>(at), weight});
  }
  for (const auto& [stem, list] : index_) by_length_[stem.size()].push_back(&stem);
  for (auto& [length, all] : by_length_)
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return *a < *b; });
}

void Search::add(const std::string& text, float weight,
                 std::map<std::string, float, std::less<>>& terms) const {
  for (const std::string& stem : how_.stems(text)) {
    float& best = terms[stem];
    best = std::max(best, weight);
  }
}

const Search::Postings* Search::postings(const std::string& stem) const {
  const auto found = index_.find(stem);
  return found == index_.end() ? nullptr : &found->second;
}

const Search::Postings* Search::nearest(const std::string& stem) const {
  if (stem.size() < kLongEnough) return nullptr;
  const Postings* best = nullptr;
  for (std::size_t length = stem.size() - 1; length <= stem.size() + 1; ++length) {
    const auto all = by_length_.find(length);
    if (all == by_length_.end()) continue;
    for (const std::string* one : all->second) {
      if (!near(stem, *one)) continue;
      const Postings& found = index_.at(*one);
      if (best == nullptr || found.size() > best->size()) best = &found;
    }
  }
  return best;
}

double Search::rarity(std::size_t found_in) const {
  const auto all = static_cast<double>(tasks_.size());
  const auto in = static_cast<double>(found_in);
  return std::log(1 + (all - in + 0.5) / (in + 0.5)) + 0.5;
}

bool Search::passes(std::size_t at, const Filters& filters) const {
  const TaskMap& task = tasks_[at];
  if (filters.most_time && task.time > *filters.most_time) return false;
  for (const std::string& tag : filters.tags) {
    const bool vegan =
        tag == "vegetarian" && std::find(task.tags.begin(), task.tags.end(), "vegan") != task.tags.end();
    if (!vegan && std::find(task.tags.begin(), task.tags.end(), tag) == task.tags.end()) return false;
  }
  return std::none_of(filters.without.begin(), filters.without.end(), [&](const std::string& stem) {
    const auto found = required_.find(stem);
    return found != required_.end() && std::binary_search(found->second.begin(), found->second.end(), at);
  });
}

const Search::Postings* Search::naming(const std::string& stem) const {
  const Postings* found = postings(stem);
  if (found == nullptr && stem.size() >= kSurelyLongEnough) found = nearest(stem);
  const auto names = [](const Posting& one) { return one.weight >= kNames; };
  return found != nullptr && std::ranges::any_of(*found, names) ? found : nullptr;
}

std::set<std::size_t> Search::tasks_named_by(const std::string& text) const {
  std::set<std::size_t> tasks;
  for (const std::string& stem : how_.stems(text)) {
    const Postings* const found = naming(stem);
    if (found == nullptr) continue;
    for (const Posting& one : *found)
      if (one.weight >= kNames) tasks.insert(one.task);
  }
  return tasks;
}

std::optional<std::size_t> Search::told_of(const std::string& text, const std::string& trouble) const {
  constexpr double kClearly = 1.25;
  struct Sum {
    double weight = 0;
    int words = 0;
    bool is_rare = false;
  };
  const std::set<std::size_t> troubled = tasks_named_by(trouble);
  std::vector<Sum> sums(tasks_.size());
  for (const std::string& stem : how_.stems(text)) {
    const Postings* const found = naming(stem);
    if (found == nullptr) continue;
    const auto named = std::ranges::count_if(*found, [](const Posting& one) { return one.weight >= kNames; });
    for (const Posting& one : *found) {
      if (one.weight < kNames || (!troubled.empty() && !troubled.contains(one.task))) continue;
      Sum& sum = sums[one.task];
      sum.weight += rarity(static_cast<std::size_t>(named));
      sum.is_rare |= named <= 2;
      ++sum.words;
    }
  }
  const auto best = std::ranges::max_element(sums, {}, &Sum::weight);
  if (best == sums.end() || best->words < 2 || !best->is_rare) return std::nullopt;
  for (auto other = sums.begin(); other != sums.end(); ++other) {
    if (other != best && other->weight * kClearly > best->weight) return std::nullopt;
  }
  return static_cast<std::size_t>(best - sums.begin());
}

bool Search::is_required(const std::string& text) const {
  const auto stems = how_.stems(text);
  return !stems.empty() &&
         std::ranges::all_of(stems, [this](const std::string& stem) { return required_.contains(stem); });
}

std::string Search::naming_words(const std::string& text) const {
  std::string named;
  for (const Word& word : words(text, how_.lang())) {
    const auto stems = how_.stems(word.norm);
    const bool names = !stems.empty() && std::ranges::all_of(stems, [this](const std::string& stem) {
      return naming(stem) != nullptr;
    });
    if (names) named += (named.empty() ? "" : " ") + word.norm;
  }
  return named;
}

std::optional<Search::Hit> Search::named(const std::string& text) const {
  const Wanted wanted = how_.read(text);
  if (wanted.stems.empty()) return std::nullopt;
  const auto hits = find(wanted, std::nullopt, 1);
  if (hits.empty() || !hits.front().named || hits.front().score < kSure) return std::nullopt;
  return hits.front();
}

bool Search::is_unique(const std::string& text) const {
  const auto hits = find(text, std::nullopt);
  return std::ranges::count_if(hits, [](const Hit& one) { return one.named && one.score >= kSure; }) == 1;
}

std::vector<Search::Hit> Search::find(const std::string& text, std::optional<Domain> domain,
                                      std::size_t most) const {
  return find(how_.read(text), domain, most);
}

std::vector<Search::Hit> Search::find(const Wanted& wanted, std::optional<Domain> domain,
                                      std::size_t most) const {
  struct Sum {
    double score = 0;
    std::size_t named = 0;
  };
  std::vector<Hit> hits;
  const auto take = [&](std::size_t at, double score, bool named) {
    if ((!domain || tasks_[at].domain == *domain) && passes(at, wanted.filters))
      hits.emplace_back(at, score, named);
  };
  if (wanted.stems.empty()) {
    if (!wanted.filters.any()) return hits;
    for (std::size_t at = 0; at < tasks_.size() && hits.size() < most; ++at) take(at, 1, false);
    return hits;
  }
  std::vector<Sum> sums(tasks_.size());
  double all = 0;
  for (const std::string& stem : wanted.stems) {
    double slip = 1;
    const Postings* found = postings(stem);
    if (found == nullptr) {
      found = nearest(stem);
      slip = kSlip;
    }
    const double weight = found == nullptr ? rarity(0) * kUnknown : rarity(found->size());
    all += weight;
    if (found == nullptr) continue;
    for (const Posting& one : *found) {
      Sum& sum = sums[one.task];
      sum.score += weight * slip * static_cast<double>(one.weight);
      sum.named += one.weight >= kNames ? 1U : 0U;
    }
  }
  for (std::size_t task = 0; task < sums.size(); ++task) {
    const double score = sums[task].score / all;
    if (score >= kFits) take(task, score, sums[task].named == wanted.stems.size());
  }
  const auto better = [](const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.task < b.task;
  };
  const std::size_t keep = std::min(most, hits.size());
  std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(keep), hits.end(), better);
  hits.erase(hits.begin() + static_cast<std::ptrdiff_t>(keep), hits.end());
  return hits;
}

}  // namespace parley::guide
