#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/stage.hpp>

#include "pong.hpp"
#include "pool.hpp"
#include "silences.hpp"

namespace parley::fallback {
namespace {

constexpr std::chrono::milliseconds kQueryTimeout(500);
constexpr std::chrono::milliseconds kDemoteFor(300'000);

Policy policy_from(const Json& options) {
  Policy policy;
  policy.priorities = options.value("fallback_priorities", std::map<std::string, int>());
  policy.whitelist = options.value("fallback_whitelist", std::vector<std::string>());
  policy.blacklist = options.value("fallback_blacklist", std::vector<std::string>());
  const std::string mode = options.value("fallback_mode", "accept_all");
  if (mode == "whitelist") policy.mode = Mode::kWhitelist;
  if (mode == "blacklist") policy.mode = Mode::kBlacklist;
  return policy;
}

Range range_from(const Json& entry) {
  const auto priority = entry.find("priority");
  if (priority == entry.end() || !priority->is_array() || priority->size() != 2) return {};
  return {priority->at(0).get<int>(), priority->at(1).get<int>()};
}

/// Asks the skills of the pool one after the other who wants what nobody else claimed.
class Fallback final : public Stage {
 public:
  void start() override {
    const Json& options = context().options();
    policy_ = policy_from(options);
    query_timeout_ = std::chrono::milliseconds(options.value("query_timeout", kQueryTimeout.count()));
    silences_ = Silences(options.value("demote_after", 0),
                         std::chrono::milliseconds(options.value("demote_for", kDemoteFor.count())));
    context().on("ovos.fallback.register", [this](const Message& message) { warn_of(pool_.add(message)); });
    context().on("ovos.fallback.deregister", [this](const Message& message) { deregister(message); });
    context().on("ovos.skill.deregister", [this](const Message& message) { skill_gone(message); });
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    const auto range = range_from(request.options());
    if (!pool_.effective(request.session(), range, policy_, nullptr).empty()) return {};
    pool_for(request);  // for the trace
    return QuickAnswer(std::nullopt);
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    const std::vector<Member> pool = pool_for(request);
    for (const auto& member : pool) {
      const std::string obstacle = obstacle_to(request, member.skill_id);
      if (!obstacle.empty()) {
        request.trace().step("skip", member.skill_id, obstacle);
        continue;
      }
      const bool willing = co_await ask(request, member.skill_id);
      if (willing) co_return Match(member.skill_id, "fallback", request.lang(), request.utterance());
    }
    co_return std::nullopt;
  }

 private:
  void deregister(const Message& message) {
    const auto fault = pool_.remove(message);
    warn_of(fault);
    if (!fault) silences_.forgive(message.text("skill_id"));
  }

  void skill_gone(const Message& message) {
    const std::string skill = message.text("skill_id");
    if (skill.empty() || skill != message.context().skill_id) return;  // the registry warns of it
    pool_.forget(message.session_id(), skill);
    silences_.forgive(skill);
  }

  std::vector<Member> pool_for(const MatchRequest& request) const {
    std::vector<Excluded> excluded;
    auto pool = pool_.effective(request.session(), range_from(request.options()), policy_,
                                request.trace() ? &excluded : nullptr);
    for (const auto& one : excluded) request.trace().veto(one.skill_id, "fallback", one.why);
    silences_.sort(pool, context().clock().now());
    return pool;
  }

  /// Why a member need not be asked by now, be it that the round began with it.
  std::string obstacle_to(const MatchRequest& request, const std::string& skill) const {
    if (context().presence(skill) == Presence::kNone) return "nobody speaks for it any more";
    if (!pool_.holds(request.session().session_id, skill)) return "it has deregistered";
    return {};
  }

  Task<bool> ask(MatchRequest request, std::string skill) {
    const Message ping = request.message().reply(
        skill + ".fallback.ping", {{"utterances", request.utterances()}, {"lang", request.lang()}});
    PollRequest poll(ping, skill + ".fallback.pong", query_timeout_);
    poll.expected.push_back(skill);
    poll.judge = [skill, ping](const Message& pong) {
      return read_pong(pong, ping, skill) == Pong::kStrange ? PollVerdict::kIgnore : PollVerdict::kClose;
    };
    const PollResult result = co_await context().poll(std::move(poll));
    const double took_us = std::chrono::duration<double, std::micro>(result.took).count();
    if (result.answers.empty()) {
      unanswered(request, skill, took_us, !result.departed.empty());
      co_return false;
    }
    silences_.forgive(skill);
    const Pong pong = read_pong(result.answers.back().message, ping, skill);
    if (pong == Pong::kMalformed) {
      context().warn("the fallback pong of skill '" + skill +
                     "' must have its own 'skill_id' and a boolean " + "'can_handle': taken as a no");
    }
    if (request.trace()) {
      const char* const said = pong == Pong::kYes ? "yes" : pong == Pong::kNo ? "no" : "neither yes nor no";
      request.trace().step("answer", skill, said, {{"took_us", took_us}});
    }
    co_return pong == Pong::kYes;
  }

  void unanswered(const MatchRequest& request, const std::string& skill, double took_us, bool gone) {
    if (gone) {
      if (request.trace()) request.trace().step("skip", skill, "it went away", {{"took_us", took_us}});
      return;
    }
    const bool news = silences_.silent(skill, context().clock().now());
    context().count("silent", skill);
    if (news) {
      context().warn("skill '" + skill + "' did not answer its fallback ping within " +
                     std::to_string(query_timeout_.count()) +
                     " ms: taken as a no; said again only once it has answered");
    }
    if (request.trace()) request.trace().step("silent", skill, "in time", {{"took_us", took_us}});
  }

  void warn_of(const std::optional<std::string>& fault) {
    if (fault) context().warn(*fault);
  }

  Pool pool_;
  Policy policy_;
  Silences silences_;
  std::chrono::milliseconds query_timeout_ = kQueryTimeout;
};

}  // namespace
}  // namespace parley::fallback

PARLEY_STAGE(parley::fallback::Fallback)
