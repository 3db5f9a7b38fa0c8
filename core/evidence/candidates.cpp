#include "evidence/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>

#include "evidence/objects.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr int kRow = 21;  ///< The column behind those of kObjectColumns.

std::string any_of(const std::vector<std::string>& words, const char* prefix) {
  std::string text;
  for (const auto& word : words) text += fmt::format("{}\"{}{}\"", text.empty() ? "" : " OR ", prefix, word);
  return text;
}

void narrow(std::string& tokens, const std::string& to) {
  if (!to.empty()) tokens += " AND (" + to + ")";
}

Candidate candidate_of(const Statement& row) {
  Candidate candidate(object_of(row));
  candidate.row = row.number(kRow);
  return candidate;
}

constexpr const char* kWarm = "object_text";
constexpr const char* kCold = "object_cold";

/// The indexes that are searched.
std::span<const char* const> tables_of(const Bounds& bounds) {
  static constexpr std::array kTables{kWarm, kCold};
  return std::span(kTables).first(bounds.cold ? 2 : 1);
}

/// One text for each form and index: the database keeps its statement.
const std::string& of_table(const char* form, const char* table) {
  static auto* const made = new std::map<std::pair<const char*, const char*>, std::string>();
  static auto* const mutex = new std::mutex();
  const std::lock_guard lock(*mutex);
  auto& text = (*made)[{form, table}];
  if (text.empty()) text = fmt::format(fmt::runtime(form), table, kObjectColumns);
  return text;
}

/// Of one word, at most so many of the rows that have it are looked at, the latest: a word that everything
/// has says little, and what it costs to ask for it has a bound.
constexpr std::int64_t kLongestPosting = 4'000;
/// For each candidate that is wanted so many rows are read, the best by which words they have.
constexpr std::size_t kLookedAt = 4;
// The usual constants of BM25.
constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.75;

/// Where a word of the question is.
struct Posting {
  Posting() = default;
  std::vector<std::int64_t> rows;  ///< The latest first.
  double weight = 0;               ///< The fewer have it, the more.
  bool is_cut() const { return std::ssize(rows) >= kLongestPosting; }
};

/// BM25 over what the bounds let through. FTS5's own reads every row of each word, those of the scopes too,
/// before it ranks the first.
class WordIndex {
 public:
  WordIndex(Database& database, const Bounds& bounds) : database_(database), bounds_(bounds) {
    last_row_ = static_cast<double>(database.number("SELECT ifnull(max(row), 0) FROM object"));
    size_ = count_of(latest(fmt::format("scopes : ({})", bounds.tokens), false));
  }

  Posting posting(const std::vector<std::string>& stems) const {
    Posting found;
    found.rows = latest(match_of({stems}), has_window());
    const double count = std::min(count_of(found.rows), size_);
    found.weight = std::log(1 + (size_ - count + 0.5) / (count + 0.5));
    return found;
  }
  std::vector<std::int64_t> rows_with_all(const std::vector<std::vector<std::string>>& terms) const {
    return latest(match_of(terms), has_window());
  }

  /// The rows as they are, the best first.
  /// @param order  by what is known of their words already
  std::vector<Candidate> scored(const std::vector<std::pair<double, std::int64_t>>& order,
                                const std::vector<std::vector<std::string>>& terms,
                                const std::vector<Posting>& postings) const {
    std::vector<Candidate> list;
    std::vector<std::string> texts;  // of each, its words between blanks
    double length = 0;
    for (const auto& [weight, row] : order) {
      Statement found = database_.query(of_table(
          "SELECT {1}, o.row, o.terms FROM object o WHERE o.row = ? AND (? = '' OR o.owner = ?)", kWarm));
      found.bind(row).bind(bounds_.owner).bind(bounds_.owner);
      if (!found.step()) continue;
      list.push_back(candidate_of(found));
      texts.push_back(' ' + found.text(kRow + 1) + ' ');
      length += length_of(texts.back());
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double relative = length_of(texts[i]) * static_cast<double>(list.size()) / length;
      for (std::size_t term = 0; term < terms.size(); ++term)
        list[i].score += postings[term].weight * share_of(texts[i], terms[term], relative);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return list;
  }

 private:
  bool has_window() const { return bounds_.from != 0 || bounds_.to != INT64_MAX; }

  std::string match_of(const std::vector<std::vector<std::string>>& terms) const {
    std::string match = fmt::format("(scopes : ({}))", bounds_.tokens);
    for (const auto& stems : terms) match += fmt::format(" AND (terms : ({}))", any_of(stems, ""));
    return match;
  }

  std::vector<std::int64_t> latest(const std::string& match, bool in_window) const {
    std::vector<std::int64_t> rows;
    for (const char* const table : tables_of(bounds_)) {
      Statement found = database_.query(of_table(
          in_window ? "SELECT o.row FROM {0} JOIN object o ON o.row = {0}.rowid WHERE {0} MATCH ? AND o.time "
                      ">= ? AND o.time <= ? ORDER BY {0}.rowid DESC LIMIT ?"
                    : "SELECT rowid FROM {0} WHERE {0} MATCH ? ORDER BY rowid DESC LIMIT ?",
          table));
      found.bind(match);
      if (in_window) found.bind(bounds_.from).bind(bounds_.to);
      found.bind(kLongestPosting);
      while (found.step()) rows.push_back(found.number(0));
    }
    if (bounds_.cold) std::sort(rows.begin(), rows.end(), std::greater<>());
    return rows;
  }

  /// How many there are, by how close together the latest of them lie.
  double count_of(const std::vector<std::int64_t>& rows) const {
    const auto count = static_cast<double>(rows.size());
    if (std::ssize(rows) < kLongestPosting) return count;
    return count * last_row_ / (last_row_ - static_cast<double>(rows.back()) + 1);
  }

  static double length_of(const std::string& text) {
    return static_cast<double>(std::count(text.begin(), text.end(), ' ') - 1);
  }
  static double share_of(const std::string& text, const std::vector<std::string>& stems,
                         double relative_length) {
    double times = 0;
    for (const std::string& stem : stems) {
      const std::string word = ' ' + stem + ' ';
      for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size() - 1))
        ++times;
    }
    return times * (kSaturation + 1) /
           (times + kSaturation * (1 - kLengthShare + kLengthShare * relative_length));
  }

  Database& database_;
  const Bounds& bounds_;
  double last_row_ = 0;
  double size_ = 0;  ///< Objects in the scope.
};

}  // namespace

Bounds bounds_of(const Request& request, const Reach& reach) {
  Bounds bounds;
  const std::string place =
      digest((request.tenant_id.empty() ? kDefaultTenant : request.tenant_id) + std::string("\n") +
             (request.workspace_id.empty() ? kHousehold : request.workspace_id));
  const std::string own = reach.agent_id.empty()
                              ? fmt::format("\"o{}\"", digest(reach.owner))
                              : fmt::format("\"a{}\"", digest(reach.owner + '\n' + reach.agent_id));
  if (request.scope == "shared") {
    bounds.tokens = fmt::format("\"h{}\"", place);
  } else if (request.scope == "workspace") {
    bounds.tokens = fmt::format("(\"w{}\" OR ({} AND \"n{}\"))", place, own, place);
  } else {
    bounds.owner = reach.owner;
    bounds.tokens = own;
    if (request.scope == "session")
      narrow(bounds.tokens, fmt::format("\"s{}\"", digest(reach.owner + '\n' + request.session_id)));
    if (!request.tenant_id.empty() || !request.workspace_id.empty())
      narrow(bounds.tokens, fmt::format("\"n{}\"", place));
  }
  std::vector<std::string> types = request.object_types;
  std::string kinds;
  for (const auto& type : types) {
    const bool by_memory = type == "memory" && !request.memory_types.empty();
    kinds += fmt::format("{}{}", kinds.empty() ? "" : " OR ",
                         by_memory ? any_of(request.memory_types, "m") : "\"y" + type + "\"");
  }
  // Without object types, the types of memories hold for memories alone.
  if (types.empty() && !request.memory_types.empty())
    kinds = any_of(request.memory_types, "m") + R"( OR "yevent" OR "ystate" OR "yartifact")";
  narrow(bounds.tokens, kinds);
  bounds.cold = request.include_cold;
  bounds.from = request.from.value_or(0);
  bounds.to = request.to.value_or(INT64_MAX);
  return bounds;
}

std::vector<Candidate> by_words(Database& database, const Bounds& bounds,
                                const std::vector<std::vector<std::string>>& terms, std::size_t most) {
  if (terms.empty()) return {};
  const WordIndex index(database, bounds);
  std::vector<Posting> postings;
  for (const auto& stems : terms) postings.push_back(index.posting(stems));
  std::unordered_map<std::int64_t, double> weights;
  for (const auto& posting : postings)
    for (const std::int64_t row : posting.rows) weights[row] += posting.weight;
  // Where words are cut off, what has them all may be older than what is left of each.
  const auto is_cut = [](const Posting& posting) { return posting.is_cut(); };
  if (std::count_if(postings.begin(), postings.end(), is_cut) > 1) {
    double all = 0;
    for (const auto& posting : postings) all += posting.weight;
    for (const std::int64_t row : index.rows_with_all(terms)) weights[row] = all;
  }
  std::vector<std::pair<double, std::int64_t>> order;
  order.reserve(weights.size());
  for (const auto& [row, weight] : weights) order.emplace_back(weight, row);
  const std::size_t looked_at = std::min(order.size(), most * kLookedAt);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looked_at), order.end(),
                    std::greater<>());
  order.resize(looked_at);
  auto list = index.scored(order, terms, postings);
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return list;
}

std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most) {
  std::vector<Candidate> list;
  for (const char* const table : tables_of(bounds)) {
    Statement found = database.query(of_table(
        "SELECT {1}, o.row FROM {0} JOIN object o ON o.row = {0}.rowid WHERE {0} MATCH ? AND (? = '' OR "
        "o.owner = ?) AND o.time >= ? AND o.time <= ? ORDER BY o.time DESC, o.row DESC LIMIT ?",
        table));
    found.bind(fmt::format("scopes : ({})", bounds.tokens)).bind(bounds.owner).bind(bounds.owner);
    found.bind(bounds.from).bind(bounds.to).bind(static_cast<std::int64_t>(most));
    while (found.step()) list.push_back(candidate_of(found));
  }
  if (!bounds.cold) return list;
  std::stable_sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.object.time, a.row) > std::pair(b.object.time, b.row);
  });
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return list;
}

std::vector<Candidate> beside(Database& database, const Bounds& bounds, const Candidate& of) {
  std::vector<Candidate> list;
  for (const char* const form :
       {"SELECT {1}, o.row FROM object o WHERE o.owner = ? AND o.session_id = ? AND (o.time, o.row) < (?, ?) "
        "AND o.type = 'memory' AND o.cold <= ? ORDER BY o.time DESC, o.row DESC LIMIT 1",
        "SELECT {1}, o.row FROM object o WHERE o.owner = ? AND o.session_id = ? AND (o.time, o.row) > (?, ?) "
        "AND o.type = 'memory' AND o.cold <= ? ORDER BY o.time, o.row LIMIT 1"}) {
    Statement found = database.query(of_table(form, kWarm));
    found.bind(of.object.owner).bind(of.object.session_id).bind(of.object.time).bind(of.row);
    found.bind(std::int64_t{bounds.cold ? 1 : 0});
    if (found.step()) list.push_back(candidate_of(found));
  }
  return list;
}

}  // namespace parley::evidence
