#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <parley/screen.hpp>
#include <parley/sentences.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"
#include "state.hpp"

namespace parley::guide {

/// What was said, and what it means by the skill's `.intent` files.
struct Heard {
  std::string text;                        ///< Empty: a policy is entered, nobody said anything to it yet.
  std::vector<Sentences::Match> meanings;  ///< The closest first.

  /// The closest meaning among those; null: none of them.
  const Sentences::Match* among(std::initializer_list<std::string_view> intents) const;
  bool is(std::string_view intent) const { return among({intent}) != nullptr; }
  std::string slot(std::string_view intent, const std::string& name) const;
  static Heard nothing() { return {}; }
  /// As if somebody had said what means `intent`.
  static Heard as(std::string intent);
};

/// What a policy may look at beside its arguments. It changes nothing.
struct World {
  const Shelf* shelf = nullptr;
  std::string lang;      ///< Of what was said.
  std::int64_t now = 0;  ///< Unix seconds.
  /// Whether a text has a phrase of a vocabulary in it; whether it is one.
  std::function<bool(std::string_view vocabulary, std::string_view text)> mentions, says;
  std::function<std::size_t(std::size_t)> random;
};

/// A phrase: a dialog and its slots, or a text as it is.
struct Line {
  std::string dialog;  ///< Empty: `text`.
  std::map<std::string, std::string> slots;
  std::string text;
};

struct WantedTimer {
  std::chrono::seconds length{0};
};

/// What is said.
struct Reply {
  std::vector<Line> lines;  ///< One after the other, in one go.
  bool understood = true;   ///< False: others may know better what was meant.
  bool close = false;       ///< The session ends with it.
  std::optional<WantedTimer> timer;
  std::optional<Screen> screen;
  std::vector<std::string> options;  ///< Dialogs "option_…", or texts that begin with "=".

  Reply& say(std::string dialog, std::map<std::string, std::string> slots = {});
  Reply& read(std::string text);
  Reply& offer(std::vector<std::string> what);
};
Reply saying(std::string dialog, std::map<std::string, std::string> slots = {});

/// What a policy decides: what to say, or (without a reply) that another phase goes on with `heard`.
struct Outcome {
  State state;
  std::optional<Reply> reply;
  Heard heard;
};
Outcome answer(State state, Reply reply);
/// The reply is not sure that it was meant.
Outcome unsure(State state, Reply reply);
Outcome go_to(State state, Phase phase, Heard heard);

/// Sends what was said to the policy of the phase, and on when that changes, five times at most.
Outcome route(State state, Heard heard, const World& world);

// The policies, each in its file.

/// Refuses what is dangerous, and closes.
std::optional<Outcome> safety(const State& state, const Heard& heard, const World& world);
/// Whether a text may be said at all: nothing dangerous in it, and no word to stop.
bool is_safe(const std::string& text, const World& world);
std::optional<Outcome> stop(const State& state, const Heard& heard, const World& world);
/// Timers, help by phase, cancel.
std::optional<Outcome> intents(const State& state, const Heard& heard, const World& world);
Outcome resume(State state, const Heard& heard, const World& world);
Outcome domain(State state, const Heard& heard, const World& world);
Outcome planning(State state, const Heard& heard, const World& world);
std::optional<Outcome> theme(const State& state, const Heard& heard, const World& world);
std::optional<Outcome> category(const State& state, const Heard& heard, const World& world);
Outcome elicitation(State state, const Heard& heard, const World& world);
Outcome validation(State state, const Heard& heard, const World& world);
Outcome execution(State state, const Heard& heard, const World& world);
std::optional<Outcome> condition(const State& state, const Heard& heard, const World& world);
/// Adds something extra to a step, now and then.
void extra_info(State& state, Reply& reply, const World& world);
Outcome farewell(State state, const Heard& heard, const World& world);

// What several of them need.

/// "Yes", and what says so in more words: "yes please, but slowly".
bool agrees(const Heard& heard, const World& world);

/// The task of a state; null: none was chosen, or it is there no more.
const TaskMap* task_of(const State& state, const World& world);
/// The answer to a question about the task ("how much flour?"); nothing: it is none.
std::optional<Reply> answer_about(const State& state, const Heard& heard, const World& world);
/// The same for what was offered and not chosen yet: of each, or of the one that is named.
std::optional<Reply> answer_about_choices(const State& state, const Heard& heard, const World& world);
/// The requirement that somebody named, by a part of its name or by what is taken instead; null: none.
const Requirement* meant_requirement(const TaskMap& task, const State& state, const std::string& said,
                                     const World& world);
/// "I have no eggs": what may be taken instead, if the task says so; from then on it is. "Nor that": the next
/// one. Nothing: nobody said so.
std::optional<Reply> substitute(State& state, const TaskMap& task, const Heard& heard, const World& world);
/// With its amount.
std::string spoken(const Requirement& requirement, const State& state, const World& world);
/// Where in the way a position is: its number and how many there are. Both from 1.
struct Progress {
  std::size_t number = 0, of = 0;
};
Progress progress(const TaskMap& task, const State& state);
/// The position after, or before, `at` that is on the way; nothing: none.
std::optional<std::size_t> next_position(const TaskMap& task, const State& state, std::size_t at);
std::optional<std::size_t> previous_position(const TaskMap& task, const State& state, std::size_t at);
/// The present step as it is told; what comes next may ask a condition.
/// @param again  it was told before: nothing extra comes with it
Reply tell_step(State& state, const World& world, bool again = false);
/// Three choices of `found`, from `first_shown` on.
Reply tell_choices(const State& state, const World& world, const std::string& dialog);
const std::string& pick(const std::vector<std::string>& all, const World& world);

}  // namespace parley::guide
