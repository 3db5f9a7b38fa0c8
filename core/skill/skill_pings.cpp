#include "skill/skill_pings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/guard.hpp"
#include "session/session.hpp"

namespace parley {
namespace {

bool is_active_in(const Message& ping, const std::string& skill_id) {
  const auto& session = ping.context().session;
  if (!session || !session->active_handlers) return false;
  return std::any_of(session->active_handlers->begin(), session->active_handlers->end(),
                     [&](const ActiveHandler& one) { return one.skill_id == skill_id; });
}

}  // namespace

void SkillPings::listen() {
  auto& presence = environment_->bus.presence();
  hear(topic::fallback_ping(skill_id()), &SkillPings::fallback);
  hear(topic::kStopPing, &SkillPings::can_stop);
  if (handlers_.has_converse()) {
    presence.declare(skill_id(), Ability::kConverse);
    hear(topic::converse_ping(skill_id()), &SkillPings::converse);
  }
  if (handlers_.has_answers()) {
    presence.declare(skill_id(), Ability::kQuestion);
    hear(topic::kQuestionPing, &SkillPings::question);
    hear(topic::dispatch(skill_id(), reserved::kQuestion), &SkillPings::answer_question);
  }
  if (handlers_.has_stop()) {
    presence.declare(skill_id(), Ability::kStop);
    hear(topic::kStop, &SkillPings::stop_everything);
  }
}

void SkillPings::hear(const std::string& topic, void (SkillPings::*callback)(const Message&)) {
  subscriptions_.push_back(environment_->bus.subscribe(
      topic, [this, callback](const Message& message) { (this->*callback)(message); }));
}

void SkillPings::answer(const Message& ping, std::string topic, Json data) const {
  data["skill_id"] = skill_id();
  Message pong = ping.reply(std::move(topic), std::move(data));
  Context context = pong.context();
  context.skill_id = skill_id();
  environment_->post(
      [around = environment_, pong = pong.with_context(std::move(context))] { around->bus.publish(pong); });
}

Query SkillPings::query_of(const Message& ping, std::vector<std::string> utterances) const {
  auto session = ping.context().session ? ping.context().session : std::make_shared<const Session>();
  Query query(std::move(utterances), tag_or_nothing(ping.text("lang")), std::move(session));
  query.message = std::make_shared<const Message>(ping);
  query.time_zone = zone_of(query.session.get(), environment_->default_zone);
  return query;
}

void SkillPings::warn_of_no(const char* what, const std::string& failure) const {
  environment_->counters.counter("parley_skill_faults_total", {{"skill", skill_id()}}).add();
  log_warning("skill " + skill_id(), fmt::format("its {} threw, which counts as a no: {}", what, failure));
}

void SkillPings::fallback(const Message& ping) {
  runner_.on_strand("can_answer", [this, ping] {
    auto utterances = Utterance(ping).utterances;
    const bool willing =
        !utterances.empty() &&
        handlers_.promise_fallback(ping.context().utterance_id, query_of(ping, std::move(utterances)));
    answer(ping, topic::fallback_pong(skill_id()), {{"can_handle", willing}});
  });
}

void SkillPings::converse(const Message& ping) {
  runner_.on_strand("its converse decision", [this, ping] {
    auto utterances = Utterance(ping).utterances;
    ConverseAnswer decision(false);
    std::optional<std::string> failure;
    if (!utterances.empty())
      failure = failure_of([&] { decision = handlers_.takes(query_of(ping, std::move(utterances))); });
    Json data = {{"result", decision.yes()}, {"can_handle", decision.yes()}};
    if (decision.is_done()) data["error_code"] = "done";
    if (failure) {
      warn_of_no("converse decision", *failure);
      data["error_code"] = "handler_error";
    }
    answer(ping, topic::converse_pong(skill_id()), std::move(data));
  });
}

void SkillPings::question(const Message& ping) {
  runner_.on_strand("its claim to a question", [this, ping] {
    std::optional<QuestionClaim> claim;
    const std::string utterance = ping.text("utterance");
    if (const auto failure = failure_of([&] { claim = handlers_.claims(query_of(ping, {utterance})); }))
      warn_of_no("claim", *failure);
    Json data = {{"utterance", utterance}, {"can_answer", claim.has_value()}};
    if (claim) data["latency_ms"] = std::chrono::duration<double, std::milli>(claim->latency).count();
    answer(ping, topic::kQuestionPong, std::move(data));
  });
}

Task<> SkillPings::run_question(Message request) {
  const std::string utterance = request.text("utterance");
  std::optional<QuestionAnswer> found;
  try {
    const auto answers = handlers_.answers();
    if (!answers) co_return;
    Query query = query_of(request, std::vector<std::string>(1, utterance));
    found = co_await (*answers)(std::move(query));
  } catch (const Cancelled&) {
    co_return;
  } catch (...) {
    warn_of_no("answer to a question", text_of_current_exception());
  }
  Json data = {{"utterance", utterance}};
  if (found) data.update({{"answer", found->answer}, {"conf", found->conf}});
  answer(request, topic::question_answer(skill_id()), std::move(data));
}

void SkillPings::answer_question(const Message& request) {
  runner_.go_on("its answer to a question", run_question(request), nullptr);
}

/// Only whom the stop could reach answers: the stage counts nobody else.
void SkillPings::can_stop(const Message& ping) {
  if (!is_active_in(ping, skill_id())) return;
  const bool running = runs_in_(ping.session_key());
  if (running || !handlers_.knows_of_stops()) {
    answer(ping, topic::kStopPong, {{"can_handle", running}});
    return;
  }
  runner_.on_strand("can_stop", [this, ping] {
    bool can = false;
    bool offers = false;
    const auto failure = failure_of([&] {
      can = handlers_.can_stop(ping.session_key());
      offers = !can && handlers_.can_offer(ping.session_key());
    });
    if (failure) warn_of_no("can_stop", *failure);
    Json data = {{"can_handle", can}};
    if (offers) data["offers"] = true;
    answer(ping, topic::kStopPong, std::move(data));
  });
}

void SkillPings::stop_everything(const Message& stop) {
  runner_.on_strand("on_stop", [this, stop] {
    const bool any = handlers_.stops(stop.session_key());
    answer(stop, topic::kStopDone, {{"stopped", any}});
  });
}

}  // namespace parley
