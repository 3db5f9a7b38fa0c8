#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <parley/turn.hpp>
#include <set>
#include <string>

#include "bus/bus.hpp"
#include "runtime/counters.hpp"
#include "turn/awake_languages.hpp"
#include "turn/handler_bound.hpp"
#include "turn/handler_host.hpp"
#include "turn/questions.hpp"

namespace parley {

/// The `.intent` files of a skill as it matches them itself, by language; compiled at first use. On its
/// strand.
using SentenceCache = std::map<std::string, Sentences, std::less<>>;

/// Turns whose core is in another process: this one runs the skill, in a child. On its loop.
class TurnsElsewhere {
 public:
  /// Has a message sent that is a forward of the turn's dispatch.
  virtual void send(Turn::State& turn, const Message& message) = 0;
  /// Asks the user, once.
  virtual Task<Heard> ask(std::shared_ptr<Turn::State> turn, RenderedDialog question, Duration timeout,
                          std::string kind, CheckAnswer check) = 0;

 protected:
  ~TurnsElsewhere() = default;
};

/// What every turn of one skill (or stage) shares. Lives as long as any of its turns.
struct TurnEnvironment {
  TurnEnvironment(std::string id, Bus& the_bus, Counters& the_counters, boost::asio::any_io_executor the_loop,
                  LocaleResources resources, std::string zone, Questions* asked = nullptr)
      : owner(std::move(id)),
        bus(the_bus),
        counters(the_counters),
        loop(std::move(the_loop)),
        locale(std::move(resources)),
        default_zone(std::move(zone)),
        questions(asked) {}

  /// Where the dialog of that name is: the skill's own, else the core's.
  const LocaleResources& with_dialog(std::string_view name, std::string_view lang) const;
  /// Runs something on the loop, from any thread, in the order of the calls.
  void post(std::function<void()> work) const;
  const Clock& clock() const noexcept { return bus.timers().clock(); }
  /// Suspends until then. @throws Cancelled
  Task<> sleep_until(Clock::Time when) const;
  /// Suspends until the cell is set, by an answer or because it is time. @throws Cancelled
  Task<> wait(std::shared_ptr<Cell<bool>> cell, Clock::Time until) const;
  /// Where the words of that name are: the skill's own, else the core's.
  const LocaleResources& with_vocabulary(std::string_view lang, std::string_view name) const {
    return locale.vocabulary(lang, name) != nullptr ? locale : common;
  }
  bool says(std::string_view vocabulary, std::string_view text, std::string_view lang) const;
  bool mentions(std::string_view vocabulary, std::string_view text, std::string_view lang) const;

  std::string owner;
  Bus& bus;  ///< On the loop only.
  Counters& counters;
  boost::asio::any_io_executor loop;
  LocaleResources locale;
  LocaleResources common;                       ///< The core's own words: yes, no, never mind.
  bool speaks_errors = false;                   ///< A handler that throws says so.
  std::string default_zone;                     ///< IANA.
  Questions* questions;                         ///< On the loop only; null: its turns can't ask.
  std::shared_ptr<const AwakeLanguages> awake;  ///< Null: all that the locale has are.
  Picker pick = pick_randomly;                  ///< Chooses among the phrases of a dialog.
  Picker random;                                ///< Skill::random(). Null: as TurnChance.
  /// Of a replay: whether a text was part of what was said then. Of the phrases of a dialog such a one is
  /// chosen. Null: it is no replay.
  std::function<bool(const std::string& text)> said_then;
  TurnsElsewhere* elsewhere = nullptr;  ///< Where messages and questions go; null: the core is here.
  std::shared_ptr<SentenceCache> sentences = std::make_shared<SentenceCache>();
  /// Languages in which a dialog was missing. Where its turns run.
  std::shared_ptr<std::set<std::string>> lacking = std::make_shared<std::set<std::string>>();
};

/// What kind of answer a question waits for.
struct Expected {
  Expected() = default;
  /// @param what  as ResponseMode::expects
  Expected(std::string what, Understands test)
      : kind(std::move(what)), understands(std::make_shared<const Understands>(std::move(test))) {}
  std::string kind;
  std::shared_ptr<const Understands> understands;  ///< Called on the skill's strand; null: any text.
};

/// Behind Turn. Used by the handler on its strand; `over` is set from the loop.
class Turn::State : public std::enable_shared_from_this<Turn::State> {
 public:
  State(std::shared_ptr<const TurnEnvironment> around, const HandlerCall& call);

  /// How it ended, with the session if the handler changed it.
  HandlerEnd end() const;
  /// Sends a message of this turn, unless the turn is over by then.
  void send(Message message);
  /// One phrase of a dialog in the session's output language if the skill has it, else in lang (L-3).
  RenderedDialog render(const std::string& dialog, const Slots& slots) const;
  /// Says that it failed, in the skill's words or the core's, unless it is not to.
  void say_it_failed(const char* dialog = "error");
  std::string time_zone() const;
  /// What a typed slot says, read at the first call.
  const std::optional<SlotValue>& slot_value(const std::string& name);
  /// What a text says, told from the user's clock.
  std::optional<SlotValue> read(SlotType type, const std::string& words, const std::string& tag) const;

  /// Asks until there is an answer, or none is to be expected any more.
  static Task<Heard> ask(std::shared_ptr<State> self, std::string dialog, Slots slots, AskOptions options,
                         Expected expected);
  /// Puts a question to the user and waits for what comes of it, once. On the loop or a strand.
  /// @param kind  as ResponseMode::expects
  static Task<Heard> put_question(std::shared_ptr<State> self, RenderedDialog question, Duration timeout,
                                  std::string kind, CheckAnswer check);

  const std::shared_ptr<const TurnEnvironment> environment;
  const Message dispatch;
  const std::string text, lang;
  Slots slots;  ///< Those that were asked for before the handler ran included.
  const std::shared_ptr<HandlerBound> bound;
  const Trace trace;
  const bool ended_turns;        ///< See HandlerCall.
  const std::uint64_t number;    ///< Likewise.
  SessionStore* const sessions;  ///< On the loop only; may be null.
  SessionPtr base;               ///< The session as it came, last with an answer; changes start from it.
  SessionPtr session;            ///< With what the handler changed.
  bool not_understood = false;
  /// Shared with messages under way: what arrives on the loop after it was set is dropped.
  const std::shared_ptr<std::atomic<bool>> over = std::make_shared<std::atomic<bool>>(false);

 private:
  RenderedDialog render_as_then(const LocaleResources& from, const std::string& dialog,
                                const std::string& wanted, const Slots& with) const;
  class OpenQuestion;
  static Task<Heard> ask_once(std::shared_ptr<State> self, RenderedDialog question, Duration timeout,
                              Expected expected);
  void go_on_with(const Heard& heard);
  /// What a message carries that leaves now. On the loop.
  SessionPtr outbound(const SessionPtr& from, const SessionPtr& own) const;

  SlotType slot_type(const std::string& name) const;
  std::optional<SlotValue> read_slot(const std::string& name) const;

  std::map<std::string, std::optional<SlotValue>> slot_values_;  ///< Those that were asked for.
  std::optional<ResponseMode> asking_;                           ///< On the loop only.
};

/// `ovos.utterance.speak` as a forward of a dispatch (D-9).
Message speech(const Message& dispatch, std::string utterance, const std::string& lang,
               const SpeakOptions& options);

}  // namespace parley
