#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <parley/turn.hpp>
#include <random>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/cell.hpp"
#include "runtime/guard.hpp"
#include "session/session.hpp"
#include "turn/turn_state.hpp"

namespace parley {
namespace {

/// Of so many languages it is said that a skill lacks them; clients name them.
constexpr std::size_t kMostLacking = 32;

Slots slots_of(const Json& data) {
  Slots slots;
  const auto found = data.find("slots");
  if (found == data.end() || !found->is_object()) return slots;
  for (const auto& [name, value] : found->items()) {
    if (value.is_string()) slots.emplace(name, value.get<std::string>());
  }
  return slots;
}

/// Withdraws a timer of the loop when the wait for it ends, however it does.
class SleepGuard {
 public:
  SleepGuard(const TurnEnvironment& around, Clock::Time when, const std::shared_ptr<Cell<bool>>& cell)
      : around_(around), timer_(std::make_shared<Timer>()) {
    around_.post([&timers = around.bus.timers(), timer = timer_, when, cell] {
      *timer = timers.at(when, [cell] { cell->set(true); });
    });
  }
  SleepGuard(const SleepGuard&) = delete;
  SleepGuard& operator=(const SleepGuard&) = delete;
  ~SleepGuard() {
    around_.post([timer = timer_] { timer->reset(); });
  }

 private:
  const TurnEnvironment& around_;
  std::shared_ptr<Timer> timer_;
};

}  // namespace

void TurnEnvironment::post(std::function<void()> work) const {
  boost::asio::post(loop, std::move(work));
}

Task<> TurnEnvironment::sleep_until(Clock::Time when) const {
  co_await wait(std::make_shared<Cell<bool>>(), when);
}

Task<> TurnEnvironment::wait(std::shared_ptr<Cell<bool>> cell, Clock::Time until) const {
  const SleepGuard guard(*this, until, cell);
  co_await Cell<bool>::wait(cell);
}

const LocaleResources& TurnEnvironment::with_dialog(std::string_view name, std::string_view lang) const {
  if (locale.has_dialog(name, lang)) return locale;
  if (common.has_dialog(name, lang)) return common;
  return locale.dialog_language(name, lang) || !common.dialog_language(name, lang) ? locale : common;
}

bool TurnEnvironment::says(std::string_view vocabulary, std::string_view text, std::string_view lang) const {
  return with_vocabulary(lang, vocabulary).vocabulary_equals(lang, vocabulary, words(text, lang));
}

bool TurnEnvironment::mentions(std::string_view vocabulary, std::string_view text,
                               std::string_view lang) const {
  return with_vocabulary(lang, vocabulary).vocabulary_occurs(lang, vocabulary, words(text, lang));
}

Turn::State::State(std::shared_ptr<const TurnEnvironment> around, const HandlerCall& call)
    : environment(std::move(around)),
      dispatch(call.dispatch),
      text(call.dispatch.text("utterance")),
      lang(tag_or_nothing(call.dispatch.text("lang"))),
      slots(slots_of(call.dispatch.data())),
      bound(call.bound),
      trace(call.trace),
      ended_turns(call.ended_turns),
      number(call.number),
      sessions(call.sessions),
      base(call.dispatch.context().session),
      session(base) {}

HandlerEnd Turn::State::end() const {
  HandlerEnd end;
  end.not_understood = not_understood;
  if (session != dispatch.context().session) {
    end.session = session;
    end.base = base;
  }
  return end;
}

SessionPtr Turn::State::outbound(const SessionPtr& from, const SessionPtr& own) const {
  const SessionPtr carried = sessions == nullptr ? own : sessions->outbound(from, own);
  if (!asking_ || carried->response_mode == asking_) return carried;
  auto waiting = std::make_shared<Session>(*carried);
  waiting->response_mode = asking_;
  return waiting;
}

void Turn::State::send(Message message) {
  if (environment->elsewhere != nullptr) return environment->elsewhere->send(*this, message);
  environment->post([self = shared_from_this(), sent = std::move(message), from = base, own = session] {
    const auto& around = *self->environment;
    if (!*self->over) {
      const SessionPtr carried = self->outbound(from, own);
      around.bus.publish(carried == sent.context().session ? sent : sent.with_session(carried));
      return;
    }
    around.counters.counter("parley_late_messages_dropped_total", {{"skill", around.owner}}).add();
    self->trace.step(TraceKind::kDropped, around.owner, sent.type());
  });
}

const std::string& Turn::text() const noexcept {
  return state_->text;
}
const std::string& Turn::lang() const noexcept {
  return state_->lang;
}
const Slots& Turn::slots() const noexcept {
  return state_->slots;
}
const Message& Turn::message() const noexcept {
  return state_->dispatch;
}
const std::string& Turn::session_id() const noexcept {
  return state_->dispatch.session_id();
}
const std::string& Turn::utterance_id() const noexcept {
  return state_->dispatch.context().utterance_id;
}
const std::string& Turn::owner() const noexcept {
  return state_->dispatch.owner();
}
const Trace& Turn::trace() const noexcept {
  return state_->trace;
}
bool Turn::cancelled() const noexcept {
  return *state_->over;
}
SessionPtr Turn::session() const {
  return state_->session;
}

std::optional<std::string> Turn::slot(const std::string& name) const {
  const auto found = state_->slots.find(name);
  if (found == state_->slots.end()) return std::nullopt;
  return found->second;
}

void Turn::change_session(const std::function<void(Session&)>& change) {
  Session changed = *state_->session;
  change(changed);
  changed.session_id = state_->session->session_id;
  state_->session = std::make_shared<const Session>(std::move(changed));
}

std::string Turn::State::time_zone() const {
  return zone_of(session.get(), environment->default_zone);
}

std::string Turn::time_zone() const {
  return state_->time_zone();
}

namespace {

Json to_json(const Screen& screen) {
  Json json = Json::object();
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  add("title", screen.title);
  add("subtitle", screen.subtitle);
  add("body", screen.body);
  add("picture", screen.picture);
  for (const auto& line : screen.list) {
    Json entry = {{"text", line.text}};
    if (line.done) entry["done"] = *line.done;
    json["list"].push_back(std::move(entry));
  }
  if (screen.step) json["step"] = {{"k", screen.step->number}, {"n", screen.step->of}};
  return json;
}

}  // namespace

Message speech(const Message& dispatch, std::string utterance, const std::string& lang,
               const SpeakOptions& options) {
  Speech said(std::move(utterance), lang, options.listen);
  if (options.screen) said.screen = std::make_shared<const Json>(to_json(*options.screen));
  Json choices = Json::array();
  for (const auto& option : options.options) choices.push_back({{"text", option.text}, {"say", option.say}});
  if (!choices.empty()) said.options = std::make_shared<const Json>(std::move(choices));
  return dispatch.forward(topic::kSpeak, said.to_json());
}

namespace {

/// The language to answer in: the session's output language if the skill has the dialog in it (L-3).
const std::string& wanted_lang(const Turn::State& state, const std::string& dialog) {
  const auto& output = state.session->output_lang;
  if (!output) return state.lang;
  return state.environment->with_dialog(dialog, *output).has_dialog(dialog, *output) ? *output : state.lang;
}

}  // namespace

/// As it was said then, else whatever it can say. Which phrase it was is not in the log; a dialog has few.
RenderedDialog Turn::State::render_as_then(const LocaleResources& from, const std::string& dialog,
                                           const std::string& wanted, const Slots& with) const {
  constexpr int kTries = 200;
  std::minstd_rand turns;  // the same each time
  const Picker pick = [&turns](std::size_t count) { return static_cast<std::size_t>(turns()) % count; };
  std::optional<RenderedDialog> best;
  RenderedDialog said = from.render(dialog, wanted, with, pick);
  for (int i = 0; i < kTries; ++i) {
    const RenderedDialog other = from.render(dialog, wanted, with, pick);
    const bool longer = !best || other.text.size() > best->text.size();
    if (longer && environment->said_then(other.text)) best = other;
  }
  return best.value_or(said);
}

RenderedDialog Turn::State::render(const std::string& dialog, const Slots& with) const {
  const std::string& wanted = wanted_lang(*this, dialog);
  const LocaleResources& from = environment->with_dialog(dialog, wanted);
  RenderedDialog said = environment->said_then ? render_as_then(from, dialog, wanted, with)
                                               : from.render(dialog, wanted, with, environment->pick);
  const std::string speaks = primary_language(wanted);
  if (primary_language(said.lang) == speaks) return said;
  trace.note(fmt::format("'{}' has no dialog '{}' in '{}': it is said in {}", environment->owner, dialog,
                         speaks, said.lang));
  if (environment->lacking->size() < kMostLacking && environment->lacking->insert(speaks).second) {
    log_warning("skill " + environment->owner,
                fmt::format("speaks '{}' where '{}' is spoken: it has no dialog '{}' in that language, said "
                            "once a language",
                            said.lang, speaks, dialog));
  }
  return said;
}

void Turn::State::say_it_failed(const char* dialog) {
  if (!environment->speaks_errors) return;
  // A dialog of that name that wants slots filled is meant for something else.
  if (const auto failure = failure_of([&] { Turn(shared_from_this()).speak_dialog(dialog); }))
    trace.note("does not say that it failed: " + *failure);
}

void Turn::speak(std::string utterance, SpeakOptions options) {
  if (state_->trace)
    state_->trace.step(TraceKind::kSpeak, state_->environment->owner, utterance, {{"lang", state_->lang}});
  state_->send(speech(state_->dispatch, std::move(utterance), state_->lang, options));
}

void Turn::speak_dialog(const std::string& name, Slots slots, SpeakOptions options) {
  RenderedDialog said = state_->render(name, slots);
  if (state_->trace)
    state_->trace.step(TraceKind::kSpeak, state_->environment->owner, said.text,
                       {{"lang", said.lang}, {"dialog", name}});
  state_->send(speech(state_->dispatch, std::move(said.text), said.lang, options));
}

std::string Turn::dialog(const std::string& name, const Slots& slots) const {
  return state_->render(name, slots).text;
}

std::string Turn::render_lang(const std::string& name) const {
  const std::string& wanted = wanted_lang(*state_, name);
  return state_->environment->with_dialog(name, wanted).dialog_language(name, wanted).value_or(wanted);
}

void Turn::not_understood() noexcept {
  state_->not_understood = true;
}

bool Turn::corrects() const noexcept {
  const auto said = state_->dispatch.data().find("corrects");
  return said != state_->dispatch.data().end() && said->is_boolean() && said->get<bool>();
}

void Turn::emit(std::string topic, Json data) {
  state_->send(state_->dispatch.forward(std::move(topic), std::move(data)));
}

Task<> Turn::sleep(Duration time) {
  const auto state = state_;  // the wait may outlive this handle
  const auto span = std::chrono::duration_cast<Clock::Time::duration>(time);
  co_await state->environment->sleep_until(state->environment->clock().now() + span);
}

Duration Turn::remaining() const {
  return state_->bound->remaining();
}

}  // namespace parley
