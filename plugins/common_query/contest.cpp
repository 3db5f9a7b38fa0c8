#include "contest.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace parley::common_query {
namespace {

std::chrono::milliseconds span(const Json& options, const char* key) {
  return std::chrono::milliseconds(options.at(key).get<std::int64_t>());
}

std::optional<double> number_in(const Json& data, const char* key) {
  const auto found = data.find(key);
  if (found == data.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// The answer of a response; nothing when the skill has none, or it is malformed.
std::optional<Response> response_in(const Message& message) {
  const auto answer = message.data().find("answer");
  const auto conf = number_in(message.data(), "conf");
  const bool sound =
      answer != message.data().end() && answer->is_string() &&
      answer->get_ref<const std::string&>().find_first_not_of(" \t\r\n") != std::string::npos && conf &&
      *conf >= 0 && *conf <= 1;
  if (!sound) return std::nullopt;
  return Response(message.text("skill_id"), *answer, *conf);
}

}  // namespace

Limits::Limits(const Json& options)
    : poll_window(span(options, "poll_window")),
      collection_window(span(options, "collection_window")),
      collection_ceiling(span(options, "collection_ceiling")),
      latency_slack(span(options, "latency_slack")),
      min_confidence(options.at("min_confidence")),
      fast_win(options.at("fast_win")) {}

Contest::Contest(const MatchRequest& request, std::shared_ptr<Wakeup> wakeup)
    : utterance_(request.utterance()),
      lang_(request.lang()),
      message_(request.message()),
      trace_(request.trace()),
      wakeup_(std::move(wakeup)) {}

/// The turn is compared only where both name one.
bool Contest::is_ours(const Message& answer) const {
  const std::string& theirs = answer.context().utterance_id;
  const std::string& ours = message_.context().utterance_id;
  return answer.session_id() == message_.session_id() && answer.text("utterance") == utterance_ &&
         (theirs.empty() || ours.empty() || theirs == ours);
}

Heard Contest::hear_pong(const Message& pong) {
  const std::string skill = pong.text("skill_id");
  if (phase_ != Phase::kPolling || skill.empty() || !is_ours(pong) || pongs_.contains(skill))
    return Heard::kStray;
  const auto can = pong.data().find("can_answer");
  const bool sound = can != pong.data().end() && can->is_boolean();
  const bool claims = sound && can->get<bool>();
  pongs_.emplace(skill, claims);
  if (!claims) return sound ? Heard::kTaken : Heard::kMalformed;
  const auto latency = number_in(pong.data(), "latency_ms");
  claimants_.emplace(skill, latency && *latency >= 0 ? latency : std::nullopt);
  return Heard::kTaken;
}

std::vector<std::string> Contest::begin_collecting(Clock::Time now, const Limits& limits) {
  if (phase_ == Phase::kOver) return {};
  const auto& session = message_.context().session;
  TextSet denied;
  if (session) denied = TextSet(session->blacklisted_skills);
  std::erase_if(claimants_, [&](const auto& one) {
    const bool is_denied = denied.contains(one.first);
    if (is_denied) trace_.veto(one.first, "common_query", "blacklisted for this session");
    return is_denied;
  });
  std::vector<std::string> asked;
  std::optional<double> slowest = 0;
  for (const auto& [skill, latency] : claimants_) {
    asked.push_back(skill);
    open_.insert(skill);
    trace_.step(TraceKind::kClaim, skill, latency ? "has an answer" : "has an answer, some time");
    slowest = slowest && latency ? std::optional(std::max(*slowest, *latency)) : std::nullopt;
  }
  const auto ceiling = std::chrono::duration_cast<Clock::Time::duration>(limits.collection_ceiling);
  auto window = std::chrono::duration_cast<Clock::Time::duration>(limits.collection_window);
  if (slowest) {
    const double most = std::chrono::duration<double, std::milli>(ceiling).count();
    const std::chrono::duration<double, std::milli> wanted(std::min(*slowest, most));
    window = std::chrono::duration_cast<Clock::Time::duration>(wanted + limits.latency_slack);
  }
  ceiling_end_ = now + ceiling;
  window_end_ = now + std::min(window, ceiling);
  phase_ = Phase::kCollecting;
  return asked;
}

Heard Contest::hear_response(const Message& response) {
  const std::string skill = response.text("skill_id");
  const bool theirs = response.type() == skill + ".common_query.response";
  if (phase_ != Phase::kCollecting || !theirs || !is_ours(response) || !claimants_.contains(skill) ||
      answered_.contains(skill))
    return Heard::kStray;
  auto answer = response_in(response);
  answered_.insert(skill);
  open_.erase(skill);
  if (trace_) {
    const std::string text = answer ? answer->answer : "none after all";
    std::vector<TraceFact> facts;
    if (answer) facts.emplace_back("conf", answer->conf);
    trace_.step(TraceKind::kAnswer, skill, text, facts);
  }
  const bool sound = answer || !response.data().contains("answer");
  if (answer) responses_.push_back(std::move(*answer));
  wakeup_->notify();
  return sound ? Heard::kTaken : Heard::kMalformed;
}

void Contest::finish() {
  phase_ = Phase::kOver;
  wakeup_->notify();
}

/// Whom the session denies can't matter any more, answered or not.
bool Contest::all_answered(const TextSet& denied) const {
  return std::all_of(open_.begin(), open_.end(),
                     [&](const std::string& skill) { return denied.contains(skill); });
}

std::optional<Contest::Verdict> Contest::judge(const TextSet& denied, Clock::Time now, const Limits& limits,
                                               const Reranker& rank) const {
  if (phase_ == Phase::kPolling) return std::nullopt;
  std::vector<Response> survivors;
  for (const auto& response : responses_) {
    if (response.conf < limits.min_confidence || denied.contains(response.skill_id)) continue;
    Verdict fast;
    fast.winner = response;
    if (response.conf >= limits.fast_win) return fast;
    survivors.push_back(response);
  }
  const bool closed = phase_ == Phase::kOver || all_answered(denied) || now >= ceiling_end_ ||
                      (now >= window_end_ && !survivors.empty());
  if (!closed) return std::nullopt;
  Verdict verdict;
  if (!survivors.empty()) verdict.winner = rank(utterance_, lang_, std::move(survivors));
  return verdict;
}

Clock::Time Contest::next_look(Clock::Time now, const Limits& limits) const {
  if (phase_ == Phase::kPolling) return now + limits.poll_window;
  return now < window_end_ ? window_end_ : ceiling_end_;
}

}  // namespace parley::common_query
