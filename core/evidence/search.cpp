#include "evidence/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "evidence/candidates.hpp"
#include "evidence/objects.hpp"
#include "evidence/question_vectors.hpp"
#include "evidence/terms.hpp"
#include "evidence/windows.hpp"
#include "runtime/guard.hpp"
#include "runtime/rfc3339.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::size_t kFewestCandidates = 60;
constexpr double kFusion = 60;          ///< The usual constant of reciprocal rank fusion.
constexpr double kRecencyShare = 0.01;  ///< Against words and time, which count 1.
constexpr double kImportanceShare = 0.1;
constexpr double kSuperseded = 0.5;
constexpr std::size_t kMostEdgesOfOne = 32;
constexpr std::size_t kMostExpanded = 100;

/// Which time a question names.
void read_time(const std::string& text, const Wording& wording, Found& found) {
  const auto window = find_window(text, wording.lang, wording.today);
  if (!window) return;
  const auto begin = [&](std::chrono::local_days day) {
    const auto since = std::chrono::sys_days(day.time_since_epoch()).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since) - wording.offset;
  };
  found.said_from = begin(window->first).count();
  found.said_to = begin(window->last + std::chrono::days(1)).count() - 1;
  const auto day_text = [&](std::chrono::local_days day) {
    return to_rfc3339((begin(day) + wording.offset).count()).substr(0, 10);
  };
  const bool is_day = window->first == window->last;
  found.steps.push_back(is_day
                            ? fmt::format("read \"{}\" as the day {}", window->words, day_text(window->first))
                            : fmt::format("read \"{}\" as {} to {}", window->words, day_text(window->first),
                                          day_text(window->last)));
}

/// Adds the ranks of several lists up.
class Fusion {
 public:
  void add(const std::vector<const Candidate*>& list, double weight, const std::string& why) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto [found, is_new] = entries_.try_emplace(list[i]->row, Entry(list[i]->object));
      found->second.score += weight / (kFusion + static_cast<double>(i) + 1);
      std::string& text = found->second.why;
      text += fmt::format("{}{} (rank {})", text.empty() ? "" : ", ", why, i + 1);
    }
  }
  std::size_t size() const { return entries_.size(); }
  std::vector<Hit> best(std::size_t most) {
    std::vector<std::pair<std::int64_t, Hit>> list;
    for (auto& [row, entry] : entries_) {
      Hit hit(entry.object);
      const bool holds = entry.object.superseded_by.empty();
      hit.score = entry.score * (holds ? 1 : kSuperseded);
      hit.why = entry.why + (holds ? "" : ", halved: it was superseded by " + entry.object.superseded_by);
      list.emplace_back(row, std::move(hit));
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return a.second.score != b.second.score ? a.second.score > b.second.score : a.first > b.first;
    });
    std::vector<Hit> hits;
    const double top = list.empty() ? 1 : list.front().second.score;
    for (auto& [row, hit] : list) {
      if (hits.size() == most) break;
      hit.score /= top;
      hits.push_back(std::move(hit));
    }
    return hits;
  }

 private:
  struct Entry {
    explicit Entry(Object what) : object(std::move(what)) {}
    Object object;
    double score = 0;
    std::string why;
  };
  std::map<std::int64_t, Entry> entries_;
};

std::vector<const Candidate*> ranked(const std::vector<Candidate>& list) {
  std::vector<const Candidate*> order;
  for (const auto& one : list) order.push_back(&one);
  return order;
}

/// All that is read while it lives is of one moment; and a lock is taken once, not for each of some hundred
/// statements.
class Snapshot {
 public:
  explicit Snapshot(Database& database) : database_(database) { database_.run("SAVEPOINT search"); }
  ~Snapshot() {
    failure_of([&] { database_.run("RELEASE search"); });
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Database& database_;
};

/// One search, from its words to its edges.
class Search {
 public:
  Search(Database& database, const Request& request, const Reach& reach, const Wording& wording,
         const Meaning* meaning)
      : database_(database),
        request_(request),
        reach_(reach),
        wording_(wording),
        meaning_(meaning),
        bounds_(bounds_of(database, request, reach)),
        most_(std::max(kFewestCandidates, static_cast<std::size_t>(2 * request.top_k))) {}

  Found run() {
    read_time(request_.query_text, wording_, found_);
    if (bounds_.cold) found_.steps.emplace_back("the cold index was searched, too (evidence.cold_after)");
    find_words();
    find_meaning();
    find_time();
    fuse();
    if (!request_.objects_only) expand();
    return std::move(found_);
  }

 private:
  void find_words() {
    terms_ = query_terms(request_.query_text, wording_.lang);
    auto found = by_words(database_, bounds_, terms_, most_, [this](const Object& one) { return fits(one); });
    words_ = std::move(found.list);
    found_.paths.emplace_back("sparse");
    found_.steps.push_back(fmt::format("sparse retrieval (BM25 over {} words) produced {} candidates",
                                       terms_.size(), found.with_words));
    if (found.with_words == 0) return;
    found_.steps.push_back(fmt::format(
        "what was said next to a candidate and in its session was counted in, and brought {} more; kept {}",
        found.beside, words_.size()));
  }

  void find_meaning() {
    if (meaning_ == nullptr) return;
    if (meaning_->vector.empty()) {
      const std::string& why = meaning_->failure.empty() ? meaning_->reason : meaning_->failure;
      found_.steps.push_back("dense retrieval was left out: " + why);
      if (!meaning_->failure.empty())
        found_.missing = "the embedding server gave no vector of the question: " + meaning_->failure;
      return;
    }
    auto found = by_meaning(database_, bounds_, *meaning_->index, meaning_->vector, most_,
                            [this](const Object& one) { return fits(one); });
    near_ = std::move(found.list);
    found_.paths.emplace_back("dense");
    found_.steps.push_back(
        fmt::format("dense retrieval (cosine with {} vectors in reach) produced {} candidates",
                    found.compared, near_.size()));
  }

  bool fits(const Object& object) const {
    const auto is_among = [](const std::string& word, const std::vector<std::string>& list) {
      return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
    };
    return is_visible(object, request_, reach_) && object.time >= bounds_.from && object.time <= bounds_.to &&
           is_among(object.type, request_.object_types) &&
           (object.type != "memory" || is_among(object.memory_type, request_.memory_types));
  }

  double coverage_of(const Object& object) const {
    if (terms_.empty()) return 0;
    const std::string text = ' ' + index_terms(object.summary, object.lang) + ' ';
    const auto is_in = [&](const std::vector<std::string>& stems) {
      return std::any_of(stems.begin(), stems.end(), [&](const std::string& stem) {
        return text.find(' ' + stem + ' ') != std::string::npos;
      });
    };
    const auto hit = std::count_if(terms_.begin(), terms_.end(), is_in);
    return static_cast<double>(hit) / static_cast<double>(terms_.size());
  }

  void find_time() {
    Bounds within = bounds_;
    if (found_.said_from) {
      within.from = std::max(within.from, *found_.said_from);
      within.to = std::min(within.to, *found_.said_to);
    } else if (!request_.from && !request_.to) {
      return;
    }
    times_ = by_time(database_, within, most_);
    found_.paths.emplace_back("time");
    found_.steps.push_back(fmt::format("the time window brought its latest {} objects", times_.size()));
  }

  void fuse() {
    Fusion fusion;
    fusion.add(ranked(words_), 1, "words");
    fusion.add(ranked(near_), 1, "meaning");
    // A window that the request sets has bounded the words already: its objects come after those.
    fusion.add(ranked(times_), found_.said_from ? 1 : 0.1, "time");
    auto order = ranked(words_);
    std::stable_sort(order.begin(), order.end(),
                     [](const Candidate* a, const Candidate* b) { return a->object.time > b->object.time; });
    fusion.add(order, kRecencyShare, "recency");
    order = ranked(words_);
    std::erase_if(order, [](const Candidate* one) { return one->object.importance < 2; });
    fusion.add(order, kImportanceShare, "importance");
    const std::size_t unique = fusion.size();
    found_.hits = fusion.best(static_cast<std::size_t>(request_.top_k));
    for (auto& hit : found_.hits) hit.coverage = coverage_of(hit.object);
    found_.paths.emplace_back("filter");
    found_.steps.push_back(
        fmt::format("merged to {} unique objects by reciprocal rank, with recency and importance; kept {}",
                    unique, found_.hits.size()));
  }

  bool wants(const Edge& edge) const {
    const auto& types = request_.edge_types;
    return types.empty() || std::find(types.begin(), types.end(), edge.type) != types.end();
  }

  void expand() {
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (std::size_t i = 0; i < found_.hits.size(); ++i)
      known.emplace(std::pair(found_.hits[i].object.owner, found_.hits[i].object.id), i);
    const std::size_t seeds = found_.hits.size();
    const double least = seeds == 0 ? 0 : found_.hits.back().score;
    std::map<std::string, Edge> edges;
    std::size_t begin = 0;
    for (int depth = 1; depth <= request_.max_hops; ++depth) {
      const std::size_t end = found_.hits.size();
      for (std::size_t i = begin; i < end; ++i) walk(i, depth, least, known, edges);
      begin = end;
    }
    std::set<std::string> types;
    for (const auto& [id, edge] : edges) {
      found_.edges.push_back(edge);
      types.insert(edge.type);
    }
    found_.expanded_types.assign(types.begin(), types.end());
    const std::size_t added = found_.hits.size() - seeds;
    found_.expansion.push_back(fmt::format(
        "expanded {} hop{} over {}: {} edges, {} more objects", request_.max_hops,
        request_.max_hops == 1 ? "" : "s",
        request_.edge_types.empty() ? "all edge types" : "the edge types named", edges.size(), added));
    if (added >= kMostExpanded)
      found_.expansion.push_back(fmt::format("expansion ended at {} objects", kMostExpanded));
    found_.steps.insert(found_.steps.end(), found_.expansion.begin(), found_.expansion.end());
  }

  void walk(std::size_t from, int depth, double least,
            std::map<std::pair<std::string, std::string>, std::size_t>& known,
            std::map<std::string, Edge>& edges) {
    const std::string owner = found_.hits[from].object.owner;
    const std::string id = found_.hits[from].object.id;
    for (auto& edge : edges_of(database_, owner, id, kMostEdgesOfOne)) {
      if (!wants(edge)) continue;
      const std::string& other = edge.src == id ? edge.dst : edge.src;
      if (!known.contains({owner, other})) {
        const bool is_full = found_.hits.size() >= kMostExpanded + static_cast<std::size_t>(request_.top_k);
        const auto object = is_full ? std::nullopt : find_object(database_, owner, other);
        if (!object || !is_visible(*object, request_, reach_)) continue;
        Hit hit(*object);
        hit.depth = depth;
        hit.score = least / (1 << depth);
        hit.why = fmt::format("{} of {}", edge.type, id);
        known.emplace(std::pair(owner, other), found_.hits.size());
        found_.hits.push_back(std::move(hit));
      }
      std::string key = edge.id();
      edges.emplace(std::move(key), std::move(edge));
    }
  }

  Database& database_;
  const Request& request_;
  const Reach& reach_;
  const Wording& wording_;
  const Meaning* const meaning_;
  const Bounds bounds_;
  const std::size_t most_;
  std::vector<std::vector<std::string>> terms_;  ///< The words of the question, each with its stems.
  std::vector<Candidate> words_, near_, times_;
  Found found_;
};

}  // namespace

bool is_visible(const Object& object, const Request& request, const Reach& reach) {
  const bool is_here =
      object.tenant_id == (request.tenant_id.empty() ? kDefaultTenant : request.tenant_id) &&
      object.workspace_id == (request.workspace_id.empty() ? kHousehold : request.workspace_id);
  const bool is_own =
      object.owner == reach.owner && (reach.agent_id.empty() || object.agent_id == reach.agent_id);
  if (request.scope == "shared") return is_here && object.scope == "shared";
  if (request.scope == "workspace")
    return is_here && (is_own || object.scope == "workspace" || object.scope == "shared");
  const bool is_named = !request.tenant_id.empty() || !request.workspace_id.empty();
  if (!is_own || (is_named && !is_here)) return false;
  return request.scope == "private" || object.session_id.empty() || object.session_id == request.session_id;
}

Found search(Database& database, const Request& request, const Reach& reach, const Wording& wording,
             const Meaning* meaning) {
  const Snapshot snapshot(database);
  return Search(database, request, reach, wording, meaning).run();
}

}  // namespace parley::evidence
