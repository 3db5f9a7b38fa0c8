#include "model/lifecycle_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>

namespace parley::testing {
namespace {

constexpr std::string_view kTrio = "ovos.intent.handler.";

bool is_poll(std::string_view topic) {
  return topic.ends_with(".ping") || topic.ends_with(":common_query");
}

/// Handlers of these names do not make a skill active (D-2).
bool is_passive(std::string_view intent) {
  return intent == "converse" || intent == "response" || intent == "stop" || intent == "common_query";
}

constexpr std::string_view kPart = " part ";

/// Empty after the last part, and for what is none.
std::string part_after(const std::string& said) {
  const auto at = said.rfind(kPart);
  if (at == said.npos) return {};
  const std::string_view numbers = std::string_view(said).substr(at + kPart.size());
  const auto number = static_cast<std::size_t>(numbers.front() - '0');
  const auto count = static_cast<std::size_t>(numbers.back() - '0');
  return number == count ? "" : LifecycleChecker::part_of(said.substr(0, at), number + 1, count);
}

}  // namespace

std::string LifecycleChecker::part_of(const std::string& said, std::size_t number, std::size_t count) {
  return fmt::format("{}{}{} of {}", said, kPart, number, count);
}

void LifecycleChecker::fault(const Message& message, const std::string& what) {
  faults_.push_back(fmt::format("{} of turn '{}': {}", message.type(), message.context().utterance_id, what));
}

void LifecycleChecker::hear(const Message& message) {
  const std::string& topic = message.type();
  if (!just_unmatched_.empty() &&
      (topic != "ovos.utterance.handled" || message.context().utterance_id != just_unmatched_))
    fault(message, "came between unmatched and handled (U-8)");
  just_unmatched_.clear();
  if (topic == "ovos.utterance.handle") {
    enter(message);
  } else if (topic == "ovos.intent.matched") {
    hear_match(message);
  } else if (topic == "ovos.intent.unmatched") {
    advance(message, Phase::kEntered, Phase::kUnmatched);
    just_unmatched_ = message.context().utterance_id;
  } else if (topic == "ovos.utterance.handled") {
    hear_handled(message);
  } else if (topic == "ovos.utterance.speak") {
    hear_speech(message);
  } else if (topic.starts_with(kTrio)) {
    hear_end(message);
  } else if (topic.find(':') != std::string::npos && is_matched(message)) {
    hear_dispatch(message);
  } else if (is_poll(topic) && closed_.contains(message.context().utterance_id)) {
    fault(message, "asked in a turn that is over");
  }
}

/// Not asked in a contest, whose requests have the form of a dispatch.
bool LifecycleChecker::is_matched(const Message& message) const {
  const auto turn = open_.find(message.context().utterance_id);
  return !is_poll(message.type()) || (turn != open_.end() && turn->second.phase == Phase::kMatched);
}

void LifecycleChecker::enter(const Message& entry) {
  ++entries_;
  const std::string& id = entry.context().utterance_id;
  if (id.empty() || open_.contains(id)) {
    ++unnamed_[entry.session_id()];
    return;
  }
  closed_.erase(id);
  silenced_.erase(id);
  open_.emplace(id, Turn(entry.session_id()));
}

LifecycleChecker::Turn* LifecycleChecker::turn_of(const Message& message) {
  const std::string& id = message.context().utterance_id;
  auto turn = open_.find(id);
  if (turn == open_.end() && !closed_.contains(id) && unnamed_[message.session_id()] > 0) {
    --unnamed_[message.session_id()];
    turn = open_.emplace(id, Turn(message.session_id())).first;
  }
  if (turn == open_.end()) {
    fault(message, closed_.contains(id) ? "is of a turn that is over" : "is of a turn that never began");
    return nullptr;
  }
  if (turn->second.session_id != message.session_id())
    fault(message, fmt::format("carries session '{}' in a turn of '{}' (M-7)", message.session_id(),
                               turn->second.session_id));
  return &turn->second;
}

void LifecycleChecker::advance(const Message& message, Phase from, Phase to) {
  Turn* const turn = turn_of(message);
  if (turn == nullptr) return;
  if (turn->phase != from) fault(message, fmt::format("came in phase {}", static_cast<int>(turn->phase)));
  turn->phase = to;
}

/// The first part, or the next of a sequence whose parts so far went well.
void LifecycleChecker::hear_match(const Message& message) {
  Turn* const turn = turn_of(message);
  if (turn == nullptr) return;
  const std::string said = message.text("utterance");
  if (turn->phase == Phase::kEnded) {
    if (!turn->went_well) fault(message, "follows a part that failed (U-9)");
    if (said != turn->next_part) fault(message, "is not the next part (U-9): " + said);
  } else if (turn->phase != Phase::kEntered) {
    fault(message, fmt::format("came in phase {}", static_cast<int>(turn->phase)));
  }
  turn->phase = Phase::kMatched;
  turn->skill_id = message.text("skill_id");
  turn->intent_name = message.text("intent_name");
  turn->next_part = part_after(said);
}

void LifecycleChecker::hear_dispatch(const Message& message) {
  advance(message, Phase::kMatched, Phase::kDispatched);
  const auto turn = open_.find(message.context().utterance_id);
  if (turn == open_.end()) return;
  if (message.type() != turn->second.skill_id + ":" + turn->second.intent_name)
    fault(message, "is not what was matched");
  check_session(message, turn->second);
}

void LifecycleChecker::hear_end(const Message& message) {
  const bool starts = message.type().ends_with(".start");
  advance(message, starts ? Phase::kDispatched : Phase::kStarted, starts ? Phase::kStarted : Phase::kEnded);
  const auto turn = open_.find(message.context().utterance_id);
  if (turn != open_.end())
    turn->second.went_well = message.type().ends_with(".complete") && message.text("outcome") != "unmatched";
  const std::string exception = message.text("exception");
  if (exception.starts_with("timeout") || exception.starts_with("cancelled"))
    silenced_[message.context().utterance_id] = message.text("skill_id");
}

void LifecycleChecker::hear_handled(const Message& message) {
  Turn* const turn = turn_of(message);
  if (turn == nullptr) return;
  if (turn->phase != Phase::kEnded && turn->phase != Phase::kUnmatched && turn->phase != Phase::kEntered)
    fault(message,
          fmt::format("came in phase {}: a dispatch has no terminal", static_cast<int>(turn->phase)));
  if (!message.context().session) fault(message, "carries no session (U-1)");
  if (turn->phase == Phase::kEnded && turn->went_well && !turn->next_part.empty())
    fault(message, "came before the last part (U-9): " + turn->next_part);
  open_.erase(message.context().utterance_id);
  closed_.insert(message.context().utterance_id);
}

void LifecycleChecker::hear_speech(const Message& message) {
  const auto silenced = silenced_.find(message.context().utterance_id);
  if (silenced != silenced_.end() && silenced->second == message.context().skill_id)
    fault(message, "was said after the handler was cut short (D-6): " + message.text("utterance"));
}

void LifecycleChecker::check_session(const Message& dispatch, const Turn& turn) {
  const Session& session = *dispatch.context().session;
  const auto check_list = [&](const char* name, const std::optional<std::vector<ActiveHandler>>& list) {
    if (!list || list->empty() || list->front().skill_id != turn.skill_id) {
      fault(dispatch, fmt::format("'{}' is not at the head of {}", turn.skill_id, name));
      return;
    }
    for (const auto& one : *list) {
      if (&one != &list->front() && one.skill_id == turn.skill_id)
        fault(dispatch, fmt::format("'{}' is twice in {}", turn.skill_id, name));
      if (one.activated_at > list->front().activated_at)
        fault(dispatch, fmt::format("'{}' is later than the head of {} (D-4)", one.skill_id, name));
    }
  };
  if (!is_passive(turn.intent_name)) check_list("active_handlers", session.active_handlers);
  if (!stages_.contains(turn.skill_id)) {
    check_list("converse_handlers", session.converse_handlers);
    if (session.converse_handlers && session.converse_handlers->size() > max_owners_)
      fault(dispatch, "converse_handlers is longer than it may be (D-3)");
  }
  if (turn.intent_name == "response" && session.response_mode)
    fault(dispatch, "a response leaves a response_mode (C-1)");
}

void LifecycleChecker::finish() {
  for (const auto& [id, turn] : open_)
    faults_.push_back(
        fmt::format("turn '{}' was never handled (phase {})", id, static_cast<int>(turn.phase)));
  for (const auto& [session, count] : unnamed_) {
    if (count != 0) faults_.push_back(fmt::format("{} turns of session '{}' never showed", count, session));
  }
}

}  // namespace parley::testing
