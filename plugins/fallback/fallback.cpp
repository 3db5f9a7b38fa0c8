#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/stage.hpp>

#include "pong.hpp"
#include "pool.hpp"

namespace parley::fallback {
namespace {

using namespace std::chrono_literals;

/// How many silent skills are pinged in a round without waiting for them: clients choose how many there are.
constexpr std::size_t kMostTold = 32;

Policy policy_from(const Json& options) {
  Policy policy;
  policy.priorities = options.at("fallback_priorities").get<std::map<std::string, int, std::less<>>>();
  policy.whitelist = options.at("fallback_whitelist").get<std::set<std::string, std::less<>>>();
  policy.blacklist = options.at("fallback_blacklist").get<std::set<std::string, std::less<>>>();
  const std::string mode = options.at("fallback_mode");
  if (mode == "whitelist") policy.mode = Mode::kWhitelist;
  if (mode == "blacklist") policy.mode = Mode::kBlacklist;
  return policy;
}

Range range_from(const Json& entry) {
  const auto priority = entry.find("priority");
  if (priority == entry.end()) return {};
  return {priority->at(0).get<int>(), priority->at(1).get<int>()};
}

/// Asks the skills of the pool one after the other who wants what nobody else claimed.
class Fallback final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Skills that have an answer when nobody else has. Lower priorities are asked first.";
  static constexpr std::array kOptions{
      Option::duration("query_timeout", "500ms", 1ms, 1min,
                       "How long one skill may take to say whether it can answer."),
      Option::duration(
          "round_timeout", "2s", 1ms, 1min,
          "How long all skills together may take; those not asked by then are skipped this time."),
      Option::map("fallback_priorities", "{}",
                  "Priorities by skill id, instead of those the skills ask for; lower is asked earlier."),
      Option::word("fallback_mode", "accept_all", "accept_all whitelist blacklist",
                   "Which skills may be a fallback."),
      Option::list("fallback_whitelist", "[]", "The only skills that may be a fallback, in mode 'whitelist'.",
                   TextForm::kId),
      Option::list("fallback_blacklist", "[]", "Skills that may not be a fallback, in mode 'blacklist'.",
                   TextForm::kId)};
  static constexpr std::array kEntryOptions{Option::range(
      "priority", nullptr, "The priorities this entry asks, both ends included; default: all.")};
  static constexpr std::array kEntries{DefaultEntry("fallback_high", 400, "{priority: [0, 49]}"),
                                       DefaultEntry("fallback_medium", 800, "{priority: [50, 74]}"),
                                       DefaultEntry("fallback_low", 1000, "{priority: [75, 100]}")};

  void start() override {
    const Json& options = context().options();
    policy_ = policy_from(options);
    query_timeout_ = std::chrono::milliseconds(options.at("query_timeout").get<std::int64_t>());
    round_timeout_ = std::chrono::milliseconds(options.at("round_timeout").get<std::int64_t>());
    context().on("ovos.fallback.register", [this](const Message& message) { warn_of(pool_.add(message)); });
    context().on("ovos.fallback.deregister",
                 [this](const Message& message) { warn_of(pool_.remove(message)); });
    context().on("ovos.skill.deregister", [this](const Message& message) { skill_gone(message); });
    context().on_departure([this](const std::string& skill) { silent_.erase(skill); });
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    const auto range = range_from(request.options());
    if (pool_.has_any(request.session(), range, policy_)) return {};
    if (request.trace()) pool_for(request);  // says who was left out
    return QuickAnswer(std::nullopt);
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    std::vector<Member> pool = pool_for(request);
    std::vector<Member> silent;
    if (!silent_.empty()) {
      const auto first = std::stable_partition(pool.begin(), pool.end(), [this](const Member& member) {
        return !silent_.contains(member.skill_id);
      });
      silent.assign(first, pool.end());
      pool.erase(first, pool.end());
    }
    const auto end = context().clock().now() + round_timeout_;
    for (const auto& member : pool) {
      const std::string obstacle = obstacle_to(request, member.skill_id);
      if (!obstacle.empty()) {
        request.trace().step(TraceKind::kSkip, member.skill_id, obstacle);
        continue;
      }
      const Duration left = end - context().clock().now();
      if (left <= Duration::zero()) {
        request.trace().step(TraceKind::kSkip, member.skill_id,
                             "the others have taken the time of this round");
        break;
      }
      const bool willing = co_await ask(request, member.skill_id, left);
      if (willing) co_return Match(member.skill_id, "fallback", request.lang(), request.utterance());
    }
    tell(request, silent);
    co_return std::nullopt;
  }

 private:
  /// A remote skill that let a ping pass in silence (F-3).
  struct Silent {
    explicit Silent(Subscription listens) : pong(std::move(listens)) {}
    Subscription pong;
    std::uint64_t told = 0;  ///< When it was pinged last, counted in pings.
  };

  void skill_gone(const Message& message) {
    const std::string skill = message.text("skill_id");
    if (skill.empty() || skill != message.context().skill_id) return;  // the registry warns of it
    pool_.forget(message.session_id(), skill);
  }

  std::vector<Member> pool_for(const MatchRequest& request) const {
    std::vector<Excluded> excluded;
    auto pool = pool_.effective(request.session(), range_from(request.options()), policy_,
                                request.trace() ? &excluded : nullptr);
    for (const auto& one : excluded) request.trace().veto(one.skill_id, "fallback", one.why);
    return pool;
  }

  /// Why a member need not be asked by now, be it that the round began with it.
  std::string obstacle_to(const MatchRequest& request, const std::string& skill) const {
    if (context().presence(skill) == Presence::kNone) return "nobody speaks for it any more";
    if (!pool_.holds(request.session().session_id, skill)) return "it has deregistered";
    return {};
  }

  static Message ping(const MatchRequest& request, const std::string& skill) {
    return request.message().reply(skill + ".fallback.ping",
                                   {{"utterances", request.utterances()}, {"lang", request.lang()}});
  }

  /// Pings, when all others have declined, those that are not waited for: who pongs is asked in its place
  /// again.
  void tell(const MatchRequest& request, const std::vector<Member>& members) {
    std::vector<std::pair<std::uint64_t, std::string>> longest_ago;
    for (const auto& member : members) {
      const auto silent = silent_.find(member.skill_id);
      if (silent == silent_.end() || !obstacle_to(request, member.skill_id).empty()) continue;
      longest_ago.emplace_back(silent->second.told, member.skill_id);
    }
    std::stable_sort(longest_ago.begin(), longest_ago.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (longest_ago.size() > kMostTold) longest_ago.resize(kMostTold);
    for (const auto& [told, skill] : longest_ago) {
      const auto silent = silent_.find(skill);
      if (silent == silent_.end()) continue;  // a pong to an earlier one of these
      silent->second.told = ++told_;
      request.trace().step(TraceKind::kSilent, skill, "was silent before: not waited for");
      context().publish(ping(request, skill));  // its pong may take it off the list
    }
  }

  /// @param left  of the round; who got less than the usual time is not blamed for its silence
  Task<bool> ask(MatchRequest request, std::string skill, Duration left) {
    const bool hurried = left < query_timeout_;
    const Message question = ping(request, skill);
    PollRequest poll(question, skill + ".fallback.pong", hurried ? left : query_timeout_);
    poll.expected.push_back(skill);
    poll.judge = [skill, question](const Message& pong) {
      return read_pong(pong, question, skill) == Pong::kStrange ? PollVerdict::kIgnore : PollVerdict::kClose;
    };
    poll.farewell_topics = {"ovos.fallback.deregister", "ovos.skill.deregister"};
    poll.has_left = [this, session_id = request.session().session_id](const std::string& leaving) {
      return !pool_.holds(session_id, leaving);
    };
    const PollResult result = co_await context().poll(std::move(poll));
    const double took_us = std::chrono::duration<double, std::micro>(result.took).count();
    if (result.answers.empty()) {
      unanswered(request, skill, took_us, !result.departed.empty(), hurried);
      co_return false;
    }
    const Pong pong = read_pong(result.answers.back().message, question, skill);
    if (pong == Pong::kMalformed) {
      context().warn("the fallback pong of skill '" + skill +
                     "' must have its own 'skill_id' and a boolean " + "'can_handle': taken as a no");
    }
    if (request.trace()) {
      const char* const said = pong == Pong::kYes ? "yes" : pong == Pong::kNo ? "no" : "neither yes nor no";
      request.trace().step(TraceKind::kAnswer, skill, said, {{"took_us", took_us}});
    }
    co_return pong == Pong::kYes;
  }

  void unanswered(const MatchRequest& request, const std::string& skill, double took_us, bool gone,
                  bool hurried) {
    if (gone) {
      if (request.trace())
        request.trace().step(TraceKind::kSkip, skill, "it went away", {{"took_us", took_us}});
      return;
    }
    context().count("silent", skill);
    if (!hurried && context().presence(skill) == Presence::kRemote) fell_silent(skill);
    if (request.trace()) request.trace().step(TraceKind::kSilent, skill, "in time", {{"took_us", took_us}});
  }

  void fell_silent(const std::string& skill) {
    if (silent_.contains(skill)) return;
    context().warn("skill '" + skill + "' did not answer its fallback ping within " +
                   std::to_string(query_timeout_.count()) +
                   " ms: it is asked last and not waited for until it answers one");
    silent_.emplace(skill, context().subscribe(skill + ".fallback.pong", [this, skill](const Message& pong) {
      if (pong.text("skill_id") == skill) silent_.erase(std::string(skill));
    }));
  }

  void warn_of(const std::optional<std::string>& fault) {
    if (fault) context().warn(*fault);
  }

  Pool pool_;
  Policy policy_;
  std::chrono::milliseconds query_timeout_{};
  std::chrono::milliseconds round_timeout_{};
  std::map<std::string, Silent, std::less<>> silent_;
  std::uint64_t told_ = 0;
};

}  // namespace
}  // namespace parley::fallback

PARLEY_STAGE(parley::fallback::Fallback)
