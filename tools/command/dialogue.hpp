#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spoken_pattern.hpp"

namespace parley::script {

/// What a dialogue script may say of a turn.
enum class Claim {
  kSays,       ///< `< text`
  kStage,      ///< `@ stage NAME`
  kSkill,      ///< `@ skill NAME`
  kIntent,     ///< `@ intent NAME`
  kUnmatched,  ///< `@ unmatched`
  kSilent,     ///< `@ silent`
  kError,      ///< `@ error` or `@ error TEXT`
  kMessage,    ///< `@ message TOPIC` or `@ message TOPIC {…}`
};

struct Expectation {
  Expectation(Claim what, std::string value, std::size_t at)
      : claim(what), text(std::move(value)), line(at) {}
  Claim claim;
  std::string text;
  std::size_t line;  ///< 1-based.
};

/// A line that does something. Say and Wait are followed by what is expected of them.
struct Say {
  explicit Say(std::string text) : utterance(std::move(text)) {}
  std::string utterance;
};
struct Wait {
  explicit Wait(std::chrono::milliseconds span) : time(span) {}
  std::chrono::milliseconds time;
};
struct SetLanguage {
  explicit SetLanguage(std::string value) : tag(std::move(value)) {}
  std::string tag;
};
struct SetClock {
  explicit SetClock(std::chrono::system_clock::time_point when) : time(when) {}
  std::chrono::system_clock::time_point time;
};
struct SetSession {
  explicit SetSession(std::string value) : json(std::move(value)) {}
  std::string json;  ///< An object.
};
struct SwitchSession {
  explicit SwitchSession(std::string id) : name(std::move(id)) {}
  std::string name;
};
/// What a server answers from here on.
struct GiveAnswer {
  GiveAnswer(std::string verb, std::string where, int code, std::string body_file)
      : method(std::move(verb)), url(std::move(where)), status(code), file(std::move(body_file)) {}
  std::string method, url;
  int status;
  std::string file;  ///< With the body, relative to the script; empty: there is none.
};
/// What skills draw next, one number a draw.
struct SetRandom {
  explicit SetRandom(std::vector<std::size_t> next) : numbers(std::move(next)) {}
  std::vector<std::size_t> numbers;
};
struct NewSession {
  NewSession() noexcept = default;
};

struct Step {
  using Action = std::variant<NewSession, Say, Wait, SetLanguage, SetClock, SetSession, SwitchSession,
                              SetRandom, GiveAnswer>;
  Step(Action what, std::size_t at) : action(std::move(what)), line(at) {}
  Action action;
  std::size_t line;  ///< 1-based.
  std::vector<Expectation> expected;
};

/// A dialogue script that could be read. `docs/scripts.md` describes the format.
struct Dialogue {
  Dialogue() = default;
  std::string name;                ///< The file, as it is shown.
  std::vector<std::string> lines;  ///< Without line ends.
  bool crlf = false;
  std::vector<Step> steps;  ///< The first is a NewSession. What stands before the first utterance is
                            ///< repeated at the start of every session, so a line may occur in several.
};

struct Fault {
  Fault(std::size_t at, std::string text) : line(at), message(std::move(text)) {}
  std::size_t line;
  std::string message;
};

struct ParsedDialogue {
  ParsedDialogue() = default;
  Dialogue dialogue;
  std::vector<Fault> faults;  ///< The dialogue is only fit for use when there are none.
};

ParsedDialogue parse_dialogue(std::string_view text, std::string name);

/// `2026-01-03T12:00:00Z`; nothing when it is no such time.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view text);

/// One that was on the bus.
struct PassedMessage {
  PassedMessage(std::string type, std::string json) : topic(std::move(type)), data(std::move(json)) {}
  std::string topic;
  std::string data;  ///< JSON.
};

/// What a turn, or a time of waiting, brought.
struct Outcome {
  Outcome() = default;
  std::vector<PassedMessage> messages;  ///< Of the topics that the script names.
  std::vector<std::string> speech;
  bool matched = false;
  bool not_understood = false;  ///< By the handler that ran (U-10).
  std::string pipeline_id, pipeline_entry, skill_id, intent_name;
  std::string error;  ///< Empty: it did not fail.
};

/// An expectation that was not met.
struct Difference {
  Difference(std::size_t at, std::string what, std::string wanted, std::string was)
      : line(at), subject(std::move(what)), expected(std::move(wanted)), got(std::move(was)) {}
  std::size_t line;
  std::string subject;   ///< "says", "stage", …
  std::string expected;  ///< Empty: nothing.
  std::string got;       ///< Empty: nothing.
};

/// The topics of its `@ message` lines.
std::set<std::string> topics_of(const Dialogue& dialogue);

/// Compares; a failed turn is a difference even where nothing is expected.
std::vector<Difference> compare(const Step& step, const Outcome& outcome);

/// The text of the script with the expectations of these steps (by index) brought in line with what
/// happened. Those that are met stay as they are; a turn without any gets what was said.
std::string updated(const Dialogue& dialogue, const std::map<std::size_t, Outcome>& outcomes);

}  // namespace parley::script
