#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/ask.hpp>
#include <parley/screen.hpp>
#include <parley/session.hpp>
#include <parley/session_key.hpp>
#include <parley/task.hpp>
#include <parley/trace.hpp>
#include <parley/values.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley {

/// Slot name → the utterance's own words, or dialog slot → what is filled in.
using Slots = std::map<std::string, std::string>;

/// How something is spoken.
struct SpeakOptions {
  SpeakOptions() = default;
  bool listen = false;  ///< Ask the client to open the microphone afterwards.
  std::optional<Screen> screen;
  std::vector<ScreenOption> options;
};

/// How long an entry of the intent context lasts: until the first of its ends.
struct ContextOptions {
  ContextOptions() = default;
  std::optional<int> turns;          ///< For so many utterances, 1 or more; nothing: for any number.
  std::optional<Duration> lifetime;  ///< For so long, more than zero; nothing: as long as the session.
  bool shared = false;               ///< Every skill sees it under that name; else it is this skill's own.
};

/// What an utterance means according to the skill's own templates.
struct Understood {
  Understood(std::string name, Slots found) : intent(std::move(name)), slots(std::move(found)) {}
  std::string intent;
  Slots slots;  ///< The words as they were said.
};

/// What a handler may touch: the dispatch it answers and the ways to act in it. A cheap handle; copies
/// are the same turn. Use it on the skill's strand. Once the dispatch was stopped or timed out, waits
/// throw Cancelled and everything spoken is dropped and counted (D-6, P-6). A handler that simply
/// completed may keep its Turn and speak later, e.g. when a timer rings.
class Turn {
 public:
  class State;
  explicit Turn(std::shared_ptr<State> state) : state_(std::move(state)) {}

  /// What was said, as it was given.
  const std::string& text() const noexcept;
  /// The language the utterance was matched in (BCP-47).
  const std::string& lang() const noexcept;
  const Slots& slots() const noexcept;
  std::optional<std::string> slot(const std::string& name) const;
  /// The value of a typed slot (`{number:n}`): the type is the one this intent's template declares in the
  /// skill's own `locale/`, the words are those of slot(). Read once, at the first call. Dates are relative
  /// to the clock and time_zone() at that moment. Nothing when the slot is not filled, has no type, or its
  /// words give no such value ("a few"): types never keep an intent from matching.
  std::optional<SlotValue> slot_value(const std::string& name) const;
  const std::string& session_id() const noexcept;
  const std::string& utterance_id() const noexcept;
  /// The owner of the turn: the name of its client's token, `local` where there are no tokens (K-4).
  const std::string& owner() const noexcept;
  /// Both: what a skill keeps of the session in its own variables it keeps by this.
  SessionKey session_key() const { return {owner(), session_id()}; }
  /// The dispatch itself, `<skill_id>:<intent_name>` (D-1).
  const Message& message() const noexcept;

  /// The session as this handler sees it, with the changes that the handler made.
  SessionPtr session() const;
  /// Changes this handler's copy of the session; the round gets it when the handler ends (S-6).
  /// Changing `session_id` is ignored.
  void change_session(const std::function<void(Session&)>& change);
  /// The zone to tell times in: the session's `location.tz`, else the configured one, else "UTC".
  std::string time_zone() const;

  /// Says a finished text in lang().
  void speak(std::string utterance, SpeakOptions options = SpeakOptions());
  /// Says one phrase of `locale/<lang>/<name>.dialog` in the session's output language if the skill
  /// has it, else in lang() (L-3).
  /// @throws std::runtime_error naming the dialog, file and slot when there is no such dialog or a
  ///         slot is missing (T-8).
  void speak_dialog(const std::string& name, Slots slots = {}, SpeakOptions options = SpeakOptions());
  /// The phrase speak_dialog would say.
  std::string dialog(const std::string& name, const Slots& slots = {}) const;
  /// The language speak_dialog renders `name` in.
  std::string render_lang(const std::string& name) const;

  /// Asks the user with a dialog and suspends until the next utterance of this session (C-4). Other
  /// sessions and other handlers go on; the handler bound stands still. Silence, "never mind" and a question
  /// that replaces this one come back as a Reply without a value.
  /// Name slots and options before the call: g++ 12 destroys temporaries of a co_await expression twice.
  /// @throws Cancelled after a stop or when the skill is unloaded
  /// @throws std::runtime_error like speak_dialog
  Task<Reply<std::string>> ask(std::string dialog, Slots slots = Slots(), AskOptions options = AskOptions());
  /// Like ask(), for yes or no, by `yes.voc` and `no.voc` of the skill or else of the core.
  Task<Confirmation> confirm(std::string dialog, Slots slots = Slots(), AskOptions options = AskOptions());
  /// Like ask(), for one of several things: by name, by number ("the second one"), or "the last one"
  /// (`last.voc`). Returns the index of the chosen one; kNotUnderstood when `choices` is empty.
  Task<Reply<std::size_t>> choose(std::string dialog, std::vector<std::string> choices, Slots slots = Slots(),
                                  AskOptions options = AskOptions());

  /// Like ask(), for an answer of the skill's own kind. `parse` gets what was said and its language. It gives
  /// a std::optional. Without a value in it, the answer does not fit, and the user is asked again
  /// (AskOptions::not_understood). Name a lambda with captures before the call, too.
  template <class Parse>
  requires std::invocable<Parse&, const std::string&, const std::string&>
  auto ask(std::string dialog, Parse parse, Slots slots = Slots(), AskOptions options = AskOptions()) -> Task<
      Reply<typename std::invoke_result_t<Parse&, const std::string&, const std::string&>::value_type>>;

  /// Like ask(), for a value of a type: a number, a duration, a date, … (see read_value()). The value must be
  /// the whole of what was said.
  /// @throws std::invalid_argument for SlotType::kNone
  Task<Reply<SlotValue>> ask(std::string dialog, SlotType type, Slots slots = Slots(),
                             AskOptions options = AskOptions());

  /// Matches a text word for word against these `.intent` files (see Sentences). For what is said inside a
  /// conversation; the files need not be registered. Returns the first of those that fit best, or nothing if
  /// none fits. The files of a language are compiled at its first use.
  std::optional<Understood> understand(const std::string& text,
                                       const std::vector<std::string>& intents) const;

  /// Sets an entry of the session's intent context, with change_session(). The entry opens and shuts intents
  /// (see ContextGates), and its value may fill a slot of that name that an utterance leaves open. An
  /// entry without a value fills none.
  /// @throws std::invalid_argument when `key` is not made of letters, digits, '.', '_' and '-', or an option
  ///         not in its range
  void set_context(const std::string& key, std::optional<std::string> value = std::nullopt,
                   ContextOptions options = ContextOptions());
  /// Removes the entry; `shared` as it was set.
  void remove_context(const std::string& key, bool shared = false);

  /// Marks that the handler has no answer to what was said. The turn's outcome is `unmatched`, but what the
  /// handler speaks is heard all the same (U-10). For handlers that take what no other skill took.
  void not_understood() noexcept;
  /// Whether the user corrects what was said just before ("no, five", "make that fifteen"). Then the handler
  /// changes what it did for that, instead of doing it once more.
  bool corrects() const noexcept;

  /// Puts any message on the bus, as a `forward` of the dispatch.
  void emit(std::string topic, Json data);

  /// Suspends; the skill's other handlers go on. @throws Cancelled
  Task<> sleep(Duration time);
  /// What is left of the handler bound, which stands still while the user is asked (D-6).
  Duration remaining() const;
  bool cancelled() const noexcept;

  const Trace& trace() const noexcept;

 private:
  Task<AskEnd> ask_until(std::string dialog, Understands understands, Slots slots, AskOptions options);

  std::shared_ptr<State> state_;
};

template <class Parse>
requires std::invocable<Parse&, const std::string&, const std::string&>
auto Turn::ask(std::string dialog, Parse parse, Slots slots, AskOptions options) -> Task<
    Reply<typename std::invoke_result_t<Parse&, const std::string&, const std::string&>::value_type>> {
  using Answer = std::invoke_result_t<Parse&, const std::string&, const std::string&>;
  const auto answer = std::make_shared<Answer>();
  Understands understands = [answer, parse = std::move(parse)](const std::string& said,
                                                               const std::string& lang) mutable {
    *answer = parse(said, lang);
    return answer->has_value();
  };
  const AskEnd end =
      co_await ask_until(std::move(dialog), std::move(understands), std::move(slots), std::move(options));
  if (end != AskEnd::kAnswered) co_return Reply<typename Answer::value_type>(end);
  co_return Reply<typename Answer::value_type>(std::move(**answer));
}

}  // namespace parley
