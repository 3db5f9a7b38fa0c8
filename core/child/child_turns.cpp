#include "child/child_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "child/frames.hpp"
#include "child/outlet.hpp"
#include "turn/questions.hpp"

namespace parley::child {
namespace {

constexpr std::size_t kMostOver = 256;

void take_sessions(Turn::State& state, const Json& head) {
  const auto& given = state.dispatch.context().session;
  state.base = head.contains("base") ? session_from(head.at("base")) : given;
  state.session = head.contains("session") ? session_from(head.at("session")) : given;
}

}  // namespace

ChildTurns::ChildTurns(std::shared_ptr<const TurnEnvironment> environment, Senders& senders, Send send,
                       std::function<void()> idle)
    : environment_(std::move(environment)),
      senders_(senders),
      send_(std::move(send)),
      idle_(std::move(idle)) {}

void ChildTurns::run(HandlerCall call) {
  const std::uint64_t turn = call.number = ++count_;
  auto state = std::make_shared<Turn::State>(environment_, call);
  Running& running =
      running_.emplace(turn, Running(std::move(state), call.intent_name, std::move(call.done))).first->second;
  if (there_) dispatch(turn, running);
}

void ChildTurns::dispatch(std::uint64_t turn, Running& running) {
  running.sent = true;
  const Turn::State& state = *running.state;
  Json head = {{"k", frame::kDispatch},
               {"t", turn},
               {"intent", running.intent},
               {"left_ns", ns_of(state.bound->remaining())},
               {"traced", static_cast<bool>(state.trace)},
               {"ended", state.ended_turns}};
  senders_.note(state.dispatch.context().sender);
  put_sender(head, state.dispatch);
  send_(head, state.dispatch.wire());
}

void ChildTurns::begin() {
  there_ = true;
  ++children_;
  for (auto& [turn, running] : running_) dispatch(turn, running);
}

void ChildTurns::lose(const std::string& failure) {
  there_ = false;
  for (const auto& [n, question] : std::exchange(questions_, {})) question.job->cancel();
  for (const auto& [n, done] : std::exchange(checks_, {})) done(AnswerFit::kFits);
  std::vector<Running> lost;
  for (auto one = running_.begin(); one != running_.end();) {
    const auto here = one++;
    if (here->second.sent) lost.push_back(std::move(running_.extract(here).mapped()));
  }
  for (auto& running : lost) {
    *running.state->over = true;
    running.done(HandlerEnd(failure));
  }
  if (!lost.empty() && running_.empty()) idle_();
}

void ChildTurns::end_all(const std::string& failure) {
  for (auto& [turn, running] : running_) running.sent = true;
  lose(failure);
}

bool ChildTurns::cancel(const std::string& utterance_id) {
  const auto found = std::find_if(running_.begin(), running_.end(), [&](const auto& one) {
    return one.second.state->dispatch.context().utterance_id == utterance_id;
  });
  if (found == running_.end()) return false;
  auto node = running_.extract(found);
  *node.mapped().state->over = true;
  keep(node.key(), node.mapped().state);
  for (auto one = questions_.begin(); one != questions_.end();) {
    const auto question = one++;
    if (question->second.turn == node.key()) questions_.extract(question).mapped().job->cancel();
  }
  if (running_.empty()) idle_();
  return node.mapped().sent && there_;
}

void ChildTurns::withdraw_questions() {
  for (const auto& [turn, running] : running_) {
    const auto question = environment_->questions->take(running.state->dispatch, environment_->owner);
    if (question) question->set(Heard(AskEnd::kCancelled));
  }
}

void ChildTurns::keep(std::uint64_t turn, std::shared_ptr<Turn::State> state) {
  over_.emplace_back(turn, std::move(state));
  if (over_.size() > kMostOver) over_.pop_front();
}

/// Null: that one has been over for long.
std::shared_ptr<Turn::State> ChildTurns::state_of(const Json& head) const {
  const auto turn = head.at("t").get<std::uint64_t>();
  if (const auto found = running_.find(turn); found != running_.end()) return found->second.state;
  const auto over =
      std::find_if(over_.rbegin(), over_.rend(), [&](const auto& one) { return one.first == turn; });
  return over == over_.rend() ? nullptr : over->second;
}

void ChildTurns::take(const Frame& frame) {
  const std::string& kind = frame.kind();
  if (kind == frame::kSay) return say(frame);
  if (kind == frame::kAsk) return ask(frame);
  if (kind == frame::kEnded) return ended(frame.head);
  if (kind == frame::kStep) return step(frame.head);
  if (kind == frame::kFit) return fit(frame.head);
  const auto node = questions_.extract(frame.head.at("q").get<std::uint64_t>());
  if (!node.empty()) node.mapped().job->cancel();
}

void ChildTurns::say(const Frame& frame) {
  const auto state = state_of(frame.head);
  if (!state) return;
  auto data = parse_json(frame.body);
  if (!data) throw std::runtime_error(data.error().message);
  take_sessions(*state, frame.head);
  state->send(state->dispatch.forward(frame.head.at("topic").get<std::string>(), std::move(*data)));
}

void ChildTurns::step(const Json& head) const {
  const auto state = state_of(head);
  if (!state) return;
  std::vector<TraceFact> facts;
  for (const auto& fact : head.at("facts")) {
    auto name = fact.at(0).get<std::string>();
    if (fact.at(1).is_number())
      facts.emplace_back(std::move(name), fact.at(1).get<double>());
    else
      facts.emplace_back(std::move(name), fact.at(1).get<std::string>());
  }
  const int kind = head.at("kind").get<int>();
  if (kind < 0 || kind > static_cast<int>(TraceKind::kHandled))
    throw std::runtime_error("there is no such step of a trace");
  state->trace.step(static_cast<TraceKind>(kind), head.at("subject").get<std::string>(),
                    head.at("text").get<std::string>(), facts);
}

void ChildTurns::ended(const Json& head) {
  HandlerEnd end;
  if (head.contains("exception")) end.exception = head.at("exception").get<std::string>();
  end.not_understood = head.at("not_understood").get<bool>();
  const auto turn = head.at("t").get<std::uint64_t>();
  const auto found = running_.find(turn);
  if (found == running_.end()) return;  // it was cancelled meanwhile
  if (head.contains("session")) {
    take_sessions(*found->second.state, head);
    end.session = found->second.state->session;
    end.base = found->second.state->base;
  }
  // After what it said, which goes the same way.
  environment_->post([self = shared_from_this(), turn, end = std::move(end)]() mutable {
    auto node = self->running_.extract(turn);
    if (node.empty()) return;
    self->keep(turn, node.mapped().state);
    node.mapped().done(std::move(end));
    if (self->running_.empty()) self->idle_();
  });
}

// ---- questions to the user

void ChildTurns::ask(const Frame& frame) {
  const Json& head = frame.head;
  const auto state = state_of(head);
  const auto question = head.at("q").get<std::uint64_t>();
  if (!state) return;
  take_sessions(*state, head);
  const std::chrono::nanoseconds timeout(head.at("timeout_ns").get<std::int64_t>());
  auto job = scope_.spawn(environment_->loop,
                          wait_for_answer(shared_from_this(), children_, question, state,
                                          RenderedDialog(frame.body, head.at("lang").get<std::string>()),
                                          timeout, head.at("expects").get<std::string>()));
  if (job) questions_.emplace(question, Question(state->number, std::move(job)));
}

Task<> ChildTurns::wait_for_answer(std::shared_ptr<ChildTurns> self, std::uint64_t child,
                                   std::uint64_t question, std::shared_ptr<Turn::State> state,
                                   RenderedDialog text, Duration timeout, std::string kind) {
  CheckAnswer check = self->check_of(question);
  Heard heard(AskEnd::kCancelled);
  heard =
      co_await Turn::State::put_question(state, std::move(text), timeout, std::move(kind), std::move(check));
  if (child != self->children_ || self->questions_.erase(question) == 0) co_return;
  Json head = Json::object();
  head.emplace("k", frame::kHeard);
  head.emplace("q", question);
  head.emplace("end", static_cast<int>(heard.end));
  head.emplace("text", heard.text);
  head.emplace("lang", heard.lang);
  if (heard.session) head.emplace("session", to_json(*heard.session));
  self->send_(head, std::string_view());
}

CheckAnswer ChildTurns::check_of(std::uint64_t question) {
  return [weak = weak_from_this(), question](std::string said, std::string lang,
                                             std::function<void(AnswerFit)> done) {
    const auto self = weak.lock();
    if (!self || !self->there_) return done(AnswerFit::kFits);
    const std::uint64_t n = ++self->count_;
    self->checks_.emplace(n, std::move(done));
    self->send_({{"k", frame::kCheck}, {"n", n}, {"q", question}, {"text", said}, {"lang", lang}},
                std::string_view());
  };
}

void ChildTurns::fit(const Json& head) {
  const auto node = checks_.extract(head.at("n").get<std::uint64_t>());
  const int fit = head.at("fit").get<int>();
  if (node.empty()) return;
  const bool known = fit >= 0 && fit <= static_cast<int>(AnswerFit::kAnything);
  node.mapped()(known ? static_cast<AnswerFit>(fit) : AnswerFit::kFits);
}

void ChildTurns::close(std::function<void()> then) {
  scope_.close();
  scope_.when_idle(std::move(then));
}

}  // namespace parley::child
