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
#include "evidence/surroundings.hpp"
#include "evidence/vector_index.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr int kRow = 22;  ///< The column behind those of kObjectColumns.

Candidate candidate_of(const Statement& row) {
  Candidate candidate(object_of(row));
  candidate.row = row.number(kRow);
  return candidate;
}

constexpr const char* kObjectByRow = "SELECT {}, o.row FROM object o WHERE o.row = ?";
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
  if (text.empty()) text = fmt::format(fmt::runtime(form), table);
  return text;
}

const std::string& with_columns(const char* form) {
  return of_table(form, kObjectColumns);
}

/// Of one word, at most so many of the rows that have it are looked at, the latest: a word that everything
/// has says little, and what it costs to ask for it has a bound.
constexpr std::int64_t kLongestPosting = 4'000;
/// By the latest so many it is guessed how many there are in the scope.
constexpr std::int64_t kSample = 1'000;
/// For each candidate that is wanted so many rows are read, the best by which words they have.
constexpr std::size_t kLookedAt = 4;
/// Of BM25. Less than the usual .75: what people say is short, and whoever says more has more to say.
constexpr double kLengthShare = 0.4;
/// An event and the memory made of it say the same: the memory goes first.
constexpr double kEventShare = 0.9;

void sort_by_score(std::vector<Scored>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
}

/// Where a word of the question is.
struct Posting {
  Posting() = default;
  std::vector<std::int64_t> rows;  ///< The latest first.
  double weight = 0;               ///< The fewer have it, the more.
  bool is_cut() const { return std::ssize(rows) >= kLongestPosting; }
};

/// One of these words, of a domain.
std::string in_domain(const std::string& domain, const std::vector<std::string>& words, const char* mark) {
  std::string text;
  for (const auto& word : words)
    text += fmt::format("{}\"{}{}{}\"", text.empty() ? "" : " OR ", domain, mark, word);
  return text;
}

/// The numbers of what lies in the time window, in rising order.
std::vector<std::int64_t> rows_in_window(Database& database, const Bounds& bounds) {
  constexpr std::int64_t kMost = 100'000;  ///< The latest of a domain.
  std::vector<std::int64_t> rows;
  for (const auto& domain : bounds.domains) {
    Statement found =
        domain.opened == 0
            ? database.query(
                  "SELECT row FROM object WHERE owner = ? AND time >= ? AND time <= ? ORDER BY "
                  "time DESC LIMIT ?")
            : database.query(
                  "SELECT row FROM object WHERE workspace_domain = ? AND workspace_domain <> 0 AND "
                  "time >= ? AND time <= ? ORDER BY time DESC LIMIT ?");
    if (domain.opened == 0) {
      found.bind(bounds.owner);
    } else {
      found.bind(domain.opened);
    }
    found.bind(bounds.from).bind(bounds.to).bind(kMost);
    while (found.step()) rows.push_back(found.number(0));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// BM25 over what the bounds let through. FTS5's own reads every row of each word before it ranks the first.
class WordIndex {
 public:
  WordIndex(Database& database, const Bounds& bounds) : database_(database), bounds_(bounds) {
    if (bounds.has_window()) window_ = rows_in_window(database, bounds);
    last_row_ = static_cast<double>(database.number("SELECT ifnull(max(row), 0) FROM object"));
    size_ = size_of_scope();
  }

  Posting posting(const std::vector<std::string>& stems) const {
    Posting found;
    found.rows = latest({stems});
    const double count = std::min(count_of(found.rows), size_);
    found.weight = std::log(1 + (size_ - count + 0.5) / (count + 0.5));
    return found;
  }
  std::vector<std::int64_t> rows_with_all(const std::vector<std::vector<std::string>>& terms) const {
    return latest(terms);
  }

  /// The rows by BM25 of their own words, the best first.
  /// @param order  by what is known of their words already
  std::vector<Scored> scored(const std::vector<std::pair<double, std::int64_t>>& order,
                             const std::vector<std::vector<std::string>>& terms,
                             const std::vector<double>& weights) const {
    std::vector<Scored> list;
    std::vector<double> lengths;
    double length = 0;
    for (const auto& [weight, row] : order) {
      Statement found = database_.query(
          "SELECT terms, time, owner, session_id, type, memory_type FROM object WHERE row = ?");
      if (!found.bind(row).step()) continue;
      const std::string text = ' ' + found.text(0) + ' ';
      Scored& one = list.emplace_back();
      one.row = row;
      one.time = found.number(1);
      one.owner = found.text(2);
      one.session_id = found.text(3);
      one.type = found.text(4);
      one.memory_type = found.text(5);
      for (const auto& stems : terms) one.times.push_back(times_in(text, stems));
      lengths.push_back(static_cast<double>(std::count(text.begin(), text.end(), ' ') - 1));
      length += lengths.back();
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double relative = lengths[i] * static_cast<double>(list.size()) / length;
      const double slow = kSaturation * (1 - kLengthShare + kLengthShare * relative);
      for (std::size_t term = 0; term < terms.size(); ++term)
        list[i].score +=
            weights[term] * list[i].times[term] * (kSaturation + 1) / (list[i].times[term] + slow);
    }
    sort_by_score(list);
    return list;
  }

 private:
  /// Everything within the bounds that has one of each of these words.
  std::string match_of(const std::vector<std::vector<std::string>>& terms) const {
    std::string match;
    for (const auto& domain : bounds_.domains) {
      std::string part;
      const auto narrow = [&part](const std::string& to) {
        if (!to.empty()) part += fmt::format("{}({})", part.empty() ? "" : " AND ", to);
      };
      for (const auto& stems : terms) narrow(in_domain(domain.id, stems, "_"));
      narrow(in_domain(domain.id, bounds_.kinds, ""));
      if (!domain.agent_token.empty()) narrow(in_domain(domain.id, std::vector{domain.agent_token}, ""));
      if (!bounds_.session_token.empty())
        narrow(in_domain(domain.id, std::vector{bounds_.session_token}, ""));
      if (part.empty()) part = in_domain(domain.id, {"_"}, "");
      match += fmt::format("{}({})", match.empty() ? "" : " OR ", part);
    }
    return match;
  }

  std::vector<std::int64_t> latest(const std::vector<std::vector<std::string>>& terms,
                                   std::int64_t most = kLongestPosting) const {
    const std::string match = match_of(terms);
    std::vector<std::int64_t> rows;
    for (const char* const table : tables_of(bounds_)) {
      Statement found =
          database_.query(of_table("SELECT rowid FROM {0} WHERE {0} MATCH ? ORDER BY rowid DESC", table));
      found.bind(match);
      for (std::int64_t count = 0; count < most && found.step();) {
        if (bounds_.has_window() && !std::binary_search(window_.begin(), window_.end(), found.number(0)))
          continue;
        rows.push_back(found.number(0));
        ++count;
      }
    }
    if (bounds_.cold) std::sort(rows.begin(), rows.end(), std::greater<>());
    return rows;
  }

  double size_of_scope() const { return count_of(latest({}, kSample), kSample); }

  /// How many there are, by how close together the latest of them lie.
  /// @param most  that were looked for
  double count_of(const std::vector<std::int64_t>& rows, std::int64_t most = kLongestPosting) const {
    const auto count = static_cast<double>(rows.size());
    if (std::ssize(rows) < most) return count;
    return count * last_row_ / (last_row_ - static_cast<double>(rows.back()) + 1);
  }

  static double times_in(const std::string& text, const std::vector<std::string>& stems) {
    double times = 0;
    for (const std::string& stem : stems) {
      const std::string word = ' ' + stem + ' ';
      for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size() - 1))
        ++times;
    }
    return times;
  }

  Database& database_;
  const Bounds& bounds_;
  std::vector<std::int64_t> window_;
  double last_row_ = 0;
  double size_ = 0;  ///< Objects in the scope.
};

/// The latest of one domain.
std::vector<Candidate> latest_of(Database& database, const Bounds& bounds, const Domain& domain,
                                 std::size_t most) {
  const bool is_own = domain.opened == 0;
  const bool of_session = is_own && !bounds.session_id.empty();
  Statement found = database.query(with_columns(
      of_session ? "SELECT {}, o.row FROM object o WHERE o.owner = ? AND o.session_id = ? AND o.own_domain = "
                   "? AND o.time >= ? AND o.time <= ? AND o.cold <= ? AND (? = '' OR o.agent_id = ?) AND (? "
                   "= '' OR instr(?, '__y' || o.type || ' ') OR instr(?, '__m' || o.memory_type || ' ')) "
                   "ORDER BY o.time DESC, o.row DESC LIMIT ?"
      : is_own ? "SELECT {}, o.row FROM object o WHERE o.owner = ? AND o.own_domain = ? AND o.time >= ? AND "
                 "o.time <= ? AND o.cold <= ? AND (? = '' OR o.agent_id = ?) AND (? = '' OR instr(?, "
                 "'__y' || o.type || ' ') OR instr(?, '__m' || o.memory_type || ' ')) ORDER BY o.time DESC, "
                 "o.row DESC LIMIT ?"
               : "SELECT {}, o.row FROM object o WHERE o.workspace_domain = ? AND o.workspace_domain <> 0 "
                 "AND ? IN (o.workspace_domain, o.shared_domain) AND o.time >= ? AND o.time <= ? AND o.cold "
                 "<= ? AND (? = '' OR o.agent_id = ?) AND (? = '' OR instr(?, '__y' || o.type || ' ') OR "
                 "instr(?, '__m' || o.memory_type || ' ')) ORDER BY o.time DESC, o.row DESC LIMIT ?"));
  if (is_own) {
    found.bind(bounds.owner);
  } else {
    found.bind(domain.opened);
  }
  if (of_session) found.bind(bounds.session_id);
  std::string kinds;
  for (const auto& kind : bounds.kinds) kinds += kind + ' ';
  found.bind(static_cast<std::int64_t>(std::stoll(domain.id))).bind(bounds.from).bind(bounds.to);
  found.bind(std::int64_t{bounds.cold ? 1 : 0}).bind(domain.agent_id).bind(domain.agent_id);
  found.bind(kinds).bind(kinds).bind(kinds).bind(static_cast<std::int64_t>(most));
  std::vector<Candidate> list;
  while (found.step()) list.push_back(candidate_of(found));
  return list;
}

/// The rows that have most of the words, by weight, so many at most.
std::vector<std::pair<double, std::int64_t>> best_rows(const WordIndex& index,
                                                       const std::vector<std::vector<std::string>>& terms,
                                                       const std::vector<Posting>& postings,
                                                       std::size_t most) {
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
  const std::size_t looked_at = std::min(order.size(), most);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looked_at), order.end(),
                    std::greater<>());
  order.resize(looked_at);
  return order;
}

}  // namespace

WordCandidates by_words(Database& database, const Bounds& bounds,
                        const std::vector<std::vector<std::string>>& terms, std::size_t most,
                        const std::function<bool(const Object&)>& fits) {
  WordCandidates found;
  if (terms.empty() || bounds.domains.empty()) return found;
  const WordIndex index(database, bounds);
  std::vector<Posting> postings;
  std::vector<double> weights;  // of the words
  for (const auto& stems : terms) {
    postings.push_back(index.posting(stems));
    weights.push_back(postings.back().weight);
  }
  auto rows = index.scored(best_rows(index, terms, postings, most * kLookedAt), terms, weights);
  found.with_words = rows.size();
  found.beside = add_surroundings(database, rows, weights, most, bounds.cold);
  for (auto& row : rows) {
    if (row.type == "event") row.score *= kEventShare;
  }
  sort_by_score(rows);
  for (const auto& row : rows) {
    if (found.list.size() == most) break;
    Statement object = database.query(with_columns(kObjectByRow));
    if (!object.bind(row.row).step()) continue;
    Candidate candidate = candidate_of(object);
    candidate.score = row.score;
    if (fits(candidate.object)) found.list.push_back(std::move(candidate));
  }
  return found;
}

NearCandidates by_meaning(Database& database, const Bounds& bounds, VectorIndex& index,
                          const std::string& vector, std::size_t most,
                          const std::function<bool(const Object&)>& fits) {
  index.follow(database);
  const VectorIndex::Near near = index.nearest(bounds, vector, most);
  NearCandidates found;
  found.compared = near.compared;
  for (const auto& [cosine, row] : near.rows) {
    Statement object = database.query(with_columns(kObjectByRow));
    if (!object.bind(row).step()) continue;
    Candidate candidate = candidate_of(object);
    candidate.score = static_cast<double>(cosine);
    if (fits(candidate.object)) found.list.push_back(std::move(candidate));
  }
  return found;
}

std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most) {
  std::vector<Candidate> list;
  for (const auto& domain : bounds.domains) {
    for (auto& one : latest_of(database, bounds, domain, most)) list.push_back(std::move(one));
  }
  std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.object.time, a.row) > std::pair(b.object.time, b.row);
  });
  const auto is_same = [](const Candidate& a, const Candidate& b) { return a.row == b.row; };
  list.erase(std::unique(list.begin(), list.end(), is_same), list.end());
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return list;
}

}  // namespace parley::evidence
