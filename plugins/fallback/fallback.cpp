#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/stage.hpp>

#include "pool.hpp"

namespace parley::fallback {
namespace {

constexpr std::chrono::milliseconds kQueryTimeout(500);

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
    policy_ = policy_from(context().options());
    query_timeout_ =
        std::chrono::milliseconds(context().options().value("query_timeout", kQueryTimeout.count()));
    context().on("ovos.fallback.register", [this](const Message& message) { warn_of(pool_.add(message)); });
    context().on("ovos.fallback.deregister",
                 [this](const Message& message) { warn_of(pool_.remove(message)); });
    context().on("ovos.skill.deregister", [this](const Message& message) {
      const std::string skill = message.text("skill_id");
      if (skill == message.context().skill_id) pool_.forget(message.session_id(), skill);
    });
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    std::vector<Excluded> excluded;
    const auto pool = pool_.effective(request.session(), range_from(request.options()), policy_,
                                      request.trace() ? &excluded : nullptr);
    for (const auto& one : excluded) request.trace().veto(one.skill_id, "fallback", one.why);
    for (const auto& member : pool) {
      const bool willing = co_await ask(request, member);
      if (willing) co_return Match(member.skill_id, "fallback", request.lang(), request.utterance());
    }
    co_return std::nullopt;
  }

 private:
  Task<bool> ask(MatchRequest request, Member member) {
    const std::string& skill = member.skill_id;
    if (context().presence(skill) == Presence::kNone) {
      request.trace().veto(skill, "fallback", "nobody speaks for it any more");
      co_return false;
    }
    const std::string topic = skill + ".fallback.";
    PollRequest poll(request.message().reply(
                         topic + "ping", {{"utterances", request.utterances()}, {"lang", request.lang()}}),
                     topic + "pong", query_timeout_);
    poll.expected.push_back(skill);
    poll.judge = [skill](const Message& pong) {
      const auto handle = pong.data().find("can_handle");
      const bool from_skill = pong.text("skill_id") == skill;
      const bool well_formed = from_skill && handle != pong.data().end() && handle->is_boolean();
      if (well_formed) return PollVerdict::kClose;
      // Malformed, but from whom was asked: a no at once. Anyone else has no say.
      return pong.context().skill_id == skill ? PollVerdict::kClose : PollVerdict::kIgnore;
    };
    PollResult result = co_await context().poll(std::move(poll));
    co_return judged(request, skill, result);
  }

  bool judged(const MatchRequest& request, const std::string& skill, const PollResult& result) {
    const double took_us = std::chrono::duration<double, std::micro>(result.took).count();
    if (result.answers.empty()) {
      const bool gone = !result.departed.empty();
      if (!gone)
        context().warn("skill '" + skill + "' did not answer its fallback ping in time: taken as a no");
      if (request.trace()) {
        request.trace().step("silent", skill, gone ? "went away" : "no answer in time",
                             {{"took_us", took_us}});
      }
      return false;
    }
    const Message& pong = result.answers.back().message;
    const auto handle = pong.data().find("can_handle");
    const bool willing = pong.text("skill_id") == skill && handle != pong.data().end() &&
                         handle->is_boolean() && handle->get<bool>();
    if (request.trace()) {
      request.trace().step("answer", skill, willing ? "yes" : "no", {{"took_us", took_us}});
    }
    return willing;
  }

  void warn_of(const std::optional<std::string>& fault) {
    if (fault) context().warn(*fault);
  }

  Pool pool_;
  Policy policy_;
  std::chrono::milliseconds query_timeout_ = kQueryTimeout;
};

}  // namespace
}  // namespace parley::fallback

PARLEY_STAGE(parley::fallback::Fallback)
