#include "app/conversation.hpp"

#include <nlohmann/json.hpp>
#include <parley/trace.hpp>

#include "app/assistant.hpp"
#include "message/topics.hpp"
#include "runtime/random_id.hpp"

namespace parley {

/// A turn that is not over: under way, or reported with a question that nobody has answered yet.
struct Conversation::Turn {
  Turn(std::string utterance_id, std::string session, bool wants_trace, Done callback)
      : id(std::move(utterance_id)),
        session_id(std::move(session)),
        tracing(wants_trace),
        done(std::move(callback)) {
    result.utterance_id = id;
  }
  enum class State { kRunning, kAsking, kOver };
  const std::string id, session_id;  ///< Together they tell what belongs to it (M-8).
  TurnResult result;
  bool tracing;
  Done done;
  State state = State::kRunning;
  std::string skill_id;    ///< Who handles it.
  std::string resumes;     ///< The turn whose question it answers.
  std::string resumed_by;  ///< The turn that answered its last question.
  bool reported = false;
};

Conversation::Conversation(Assistant& assistant, SessionPtr session)
    : assistant_(assistant), session_(std::move(session)) {
  hear(topic::kMatched, &Conversation::matched);
  hear(topic::kSpeak, &Conversation::spoken);
  hear(topic::kHandlerComplete, &Conversation::completed);
  hear(topic::kHandlerError, &Conversation::failed);
  hear(topic::kHandled, &Conversation::handled);
}

void Conversation::hear(const std::string& topic, void (Conversation::*callback)(Turn&, const Message&)) {
  subscriptions_.push_back(assistant_.told().subscribe(topic, [this, callback](const Message& message) {
    const auto found = turns_.find(message.context().utterance_id);
    if (found == turns_.end() || found->second->session_id != message.session_id()) return;
    const auto turn = found->second;  // the callback may be its end
    (this->*callback)(*turn, message);
  }));
}

std::string Conversation::say(TurnInput input, Done done) {
  std::string id = input.utterance_id.empty() ? random_id() : input.utterance_id;
  const bool trace = input.trace;
  // Traces are only made while somebody hears them.
  if (trace && !std::exchange(hears_traces_, true)) {
    hear(topic::kTrace, &Conversation::traced);
    if (&assistant_.told() != &assistant_.bus())
      subscriptions_.push_back(assistant_.bus().subscribe(topic::kTrace, [](const Message&) {}));
  }
  if (!input.session) input.session = session_;
  const Message entry = entry_of(std::move(input));
  turns_.emplace(id, std::make_shared<Turn>(id, entry.session_id(), trace, std::move(done)));
  Context context = entry.context();
  context.utterance_id = id;
  assistant_.say(entry.with_context(std::move(context)));
  return id;
}

Message Conversation::entry_of(TurnInput input) {
  Utterance said;
  said.utterances = std::move(input.utterances);
  said.lang = std::move(input.lang);
  Context context;
  context.source = "parley.client";
  context.session = std::move(input.session);
  context.sender = std::move(input.sender);
  return Message(topic::kUtterance, said.to_json(), std::move(context));
}

void Conversation::stop() {
  Context context;
  context.source = "parley.client";
  context.session = session_;
  assistant_.bus().publish(Message(topic::kStop, Json::object(), std::move(context)));
}

Conversation::Turn* Conversation::find(const std::string& utterance_id) {
  const auto found = turns_.find(utterance_id);
  return found == turns_.end() ? nullptr : found->second.get();
}

TurnResult* Conversation::result_of(Turn& turn) {
  if (!turn.reported) return &turn.result;
  Turn* const answer = find(turn.resumed_by);
  return answer == nullptr || answer->reported ? nullptr : &answer->result;
}

void Conversation::matched(Turn& turn, const Message& message) {
  MatchedIntent matched(message);
  turn.skill_id = matched.skill_id;
  const bool answers = matched.intent_name == reserved::kResponse;
  if (turn.result.skill_id.empty()) {  // of a sequence the first
    turn.result.pipeline_id = std::move(matched.pipeline_id);
    turn.result.skill_id = std::move(matched.skill_id);
    turn.result.intent_name = std::move(matched.intent_name);
  }
  Turn* const asking = answers ? find(asking_) : nullptr;
  if (asking == nullptr || asking->skill_id != turn.skill_id) return;
  turn.resumes = std::exchange(asking_, {});
  asking->resumed_by = turn.id;
  asking->state = Turn::State::kRunning;
}

void Conversation::keep_session(Turn& turn, const Message& message) {
  if (session_) session_ = message.context().session;
  TurnResult* const result = result_of(turn);
  if (result == nullptr) return;
  result->session = message.context().session;
  result->session_id = message.session_id();
}

void Conversation::spoken(Turn& turn, const Message& message) {
  Speech speech(message);
  if (TurnResult* const result = result_of(turn)) {
    result->speech.emplace_back(std::move(speech.utterance), std::move(speech.lang));
    result->listen = speech.listen;
    if (speech.screen) result->screen = std::move(speech.screen);
    if (speech.options) result->options = std::move(speech.options);
  }
  const auto& session = message.context().session;
  if (!speech.listen || !session || !session->response_mode ||
      session->response_mode->skill_id != turn.skill_id)
    return;
  keep_session(turn, message);
  asking_ = turn.id;
  if (turn.tracing) return;  // that comes next
  turn.state = Turn::State::kAsking;
  settle(turn);
}

void Conversation::completed(Turn& turn, const Message& message) {
  if (HandlerReport(message).not_understood) {
    if (TurnResult* const result = result_of(turn)) result->status = TurnStatus::kUnmatched;
    return;
  }
  if (!turn.reported && turn.result.status == TurnStatus::kUnmatched)
    turn.result.status = TurnStatus::kAnswered;
}

void Conversation::failed(Turn& turn, const Message& message) {
  TurnResult* const result = result_of(turn);
  if (result == nullptr) return;
  result->error = HandlerReport(message).exception.value_or("");
  result->status = result->error.starts_with("cancelled") ? TurnStatus::kCancelled : TurnStatus::kError;
}

void Conversation::handled(Turn& turn, const Message& message) {
  // What it answered may have been asked again already; then the session that waits is the later one.
  if (turn.resumes.empty() || asking_ != turn.resumes) keep_session(turn, message);
  if (asking_ == turn.id) asking_.clear();
  if (turn.tracing) return;  // that comes next
  turn.state = Turn::State::kOver;
  settle(turn);
}

void Conversation::traced(Turn& turn, const Message& message) {
  if (!turn.tracing) return;
  auto trace = std::make_shared<const Json>(message.data());
  const bool asks = message.data().at("outcome") == "waiting";
  if (!turn.reported) {
    for (const auto& step : trace->at("steps")) {
      if (step.at("kind") == to_string(TraceKind::kMatch)) turn.result.pipeline_entry = step.at("subject");
    }
    turn.result.trace = std::move(trace);
  } else if (TurnResult* const result = result_of(turn)) {
    result->resumed_trace = std::move(trace);
  }
  turn.state = asks ? Turn::State::kAsking : Turn::State::kOver;
  settle(turn);
}

/// Reports what has come to rest: over, or asking, and so is the turn it goes on with.
void Conversation::settle(Turn& turn) {
  Turn* const due = turn.reported ? find(turn.resumed_by) : &turn;
  const Turn* const resumed = due == nullptr ? nullptr : find(due->resumes);
  const bool rests = due != nullptr && !due->reported && due->state != Turn::State::kRunning &&
                     (resumed == nullptr || resumed->state != Turn::State::kRunning);
  Done done;
  TurnResult result;
  if (rests) {
    due->reported = true;
    done = std::move(due->done);
    result = std::move(due->result);
    if (due->state == Turn::State::kAsking) result.status = TurnStatus::kAnswered;
  }
  std::erase_if(turns_, [](const auto& one) {
    return one.second->reported && one.second->state == Turn::State::kOver;
  });
  if (done) done(std::move(result));  // last: it may be the end of this
}

TurnResult::TurnResult() = default;

std::string_view to_string(TurnStatus status) noexcept {
  switch (status) {
    case TurnStatus::kAnswered:
      return "answered";
    case TurnStatus::kUnmatched:
      return "unmatched";
    case TurnStatus::kError:
      return "error";
    case TurnStatus::kCancelled:
      return "cancelled";
  }
  return "error";
}

std::string TurnResult::speech_text() const {
  std::string text;
  for (const auto& one : speech) {
    if (!text.empty()) text += ' ';
    text += one.utterance;
  }
  return text;
}

void converse(Assistant& assistant, TurnInput input, Conversation::Done done) {
  const auto conversation = std::make_shared<Conversation>(assistant, input.session);
  conversation->say(std::move(input),
                    [conversation, done = std::move(done)](TurnResult result) { done(std::move(result)); });
}

}  // namespace parley
