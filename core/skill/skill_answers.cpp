// What a hosted skill answers when stages ask around: fallback, converse, questions, stop. On the loop; what
// is the skill's own to say, it says on its strand.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/guard.hpp"
#include "skill/hosted_skill.hpp"

namespace parley {
namespace {

/// For how many turns it is remembered which handler said yes.
constexpr std::size_t kMostPromised = 64;

Query query_of(const Message& ping, std::vector<std::string> utterances) {
  auto session = ping.context().session ? ping.context().session : std::make_shared<const Session>();
  return Query(std::move(utterances), tag_or_nothing(ping.text("lang")), std::move(session));
}

bool is_active_in(const Message& ping, const std::string& skill_id) {
  const auto& session = ping.context().session;
  if (!session || !session->active_handlers) return false;
  return std::any_of(session->active_handlers->begin(), session->active_handlers->end(),
                     [&](const ActiveHandler& one) { return one.skill_id == skill_id; });
}

}  // namespace

void HostedSkill::hear(const std::string& topic, void (HostedSkill::*callback)(const Message&)) {
  subscriptions_.push_back(environment_->bus.subscribe(
      topic, [this, callback](const Message& message) { (this->*callback)(message); }));
}

void HostedSkill::answer(const Message& ping, std::string topic, Json data) const {
  data["skill_id"] = skill_id();
  Message pong = ping.reply(std::move(topic), std::move(data));
  Context context = pong.context();
  context.skill_id = skill_id();
  environment_->post(
      [around = environment_, pong = pong.with_context(std::move(context))] { around->bus.publish(pong); });
}

void HostedSkill::warn_of_no(const char* what, const std::string& failure) const {
  log_warning("skill " + skill_id(), fmt::format("its {} threw, which counts as a no: {}", what, failure));
}

// ---- fallback

std::shared_ptr<const FallbackHandler> HostedSkill::willing_fallback(const Query& query) const {
  for (const auto& handler : fallbacks_) {
    bool willing = false;
    if (const auto failure = failure_of([&] { willing = handler->can_answer(query); }))
      warn_of_no("can_answer", *failure);
    if (willing) return handler;
  }
  return nullptr;
}

std::shared_ptr<const FallbackHandler> HostedSkill::chosen_fallback(const Turn& turn) {
  const auto promise = std::find_if(promised_.begin(), promised_.end(),
                                    [&](const auto& one) { return one.first == turn.utterance_id(); });
  if (promise == promised_.end()) return willing_fallback(Query({turn.text()}, turn.lang(), turn.session()));
  auto handler = std::move(promise->second);
  promised_.erase(promise);
  return handler;
}

void HostedSkill::answer_fallback_ping(const Message& ping) {
  on_strand("can_answer", [this, ping] {
    auto utterances = Utterance(ping).utterances;
    std::shared_ptr<const FallbackHandler> handler;
    if (!utterances.empty()) handler = willing_fallback(query_of(ping, std::move(utterances)));
    const bool willing = handler != nullptr;
    const std::string& turn = ping.context().utterance_id;
    if (willing && !turn.empty()) promised_.emplace_back(turn, std::move(handler));
    if (promised_.size() > kMostPromised) promised_.pop_front();
    answer(ping, topic::fallback_pong(skill_id()), {{"can_handle", willing}});
  });
}

// ---- converse

void HostedSkill::answer_converse_ping(const Message& ping) {
  on_strand("its converse decision", [this, ping] {
    auto utterances = Utterance(ping).utterances;
    ConverseAnswer decision(false);
    std::optional<std::string> failure;
    if (!utterances.empty())
      failure = failure_of([&] { decision = converses_(query_of(ping, std::move(utterances))); });
    Json data = {{"result", decision.yes()}, {"can_handle", decision.yes()}};
    if (decision.is_done()) data["error_code"] = "done";
    if (failure) {
      warn_of_no("converse decision", *failure);
      data["error_code"] = "handler_error";
    }
    answer(ping, topic::converse_pong(skill_id()), std::move(data));
  });
}

// ---- questions

void HostedSkill::answer_question_ping(const Message& ping) {
  on_strand("its claim to a question", [this, ping] {
    std::optional<QuestionClaim> claim;
    const std::string utterance = ping.text("utterance");
    if (const auto failure = failure_of([&] { claim = claims_(query_of(ping, {utterance})); }))
      warn_of_no("claim", *failure);
    Json data = {{"utterance", utterance}, {"can_answer", claim.has_value()}};
    if (claim) data["latency_ms"] = std::chrono::duration<double, std::milli>(claim->latency).count();
    answer(ping, topic::kQuestionPong, std::move(data));
  });
}

Task<> HostedSkill::run_question(std::shared_ptr<HostedSkill> self, Message request) {
  const std::string utterance = request.text("utterance");
  std::optional<QuestionAnswer> found;
  try {
    const auto answers = self->answers_;
    if (!answers) co_return;
    Query query = query_of(request, std::vector<std::string>(1, utterance));
    found = co_await (*answers)(std::move(query));
  } catch (const Cancelled&) {
    co_return;
  } catch (...) {
    self->warn_of_no("answer to a question", text_of_current_exception());
  }
  Json data = {{"utterance", utterance}};
  if (found) data.update({{"answer", found->answer}, {"conf", found->conf}});
  self->answer(request, topic::question_answer(self->skill_id()), std::move(data));
}

void HostedSkill::answer_question(const Message& request) {
  scope_.spawn(strand_, run_question(shared_from_this(), request));
}

// ---- stop

/// Only whom the stop could reach answers: the stage counts nobody else.
void HostedSkill::answer_stop_ping(const Message& ping) {
  if (!is_active_in(ping, skill_id())) return;
  const bool running = runs_in(ping.session_id());
  if (running || !(can_stop_ || can_offer_)) {
    answer(ping, topic::kStopPong, {{"can_handle", running}});
    return;
  }
  on_strand("can_stop", [this, ping] {
    bool can = false;
    bool offers = false;
    const auto failure = failure_of([&] {
      can = can_stop_ && can_stop_(ping.session_id());
      offers = !can && can_offer_ && can_offer_(ping.session_id());
    });
    if (failure) warn_of_no("can_stop", *failure);
    Json data = {{"can_handle", can}};
    if (offers) data["offers"] = true;
    answer(ping, topic::kStopPong, std::move(data));
  });
}

void HostedSkill::stop_everything(const Message& stop) {
  on_strand("on_stop", [this, stop] {
    const bool any = stop_(stop.session_id());
    answer(stop, topic::kStopDone, {{"stopped", any}});
  });
}

}  // namespace parley
