#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <string>
#include <utility>
#include <vector>

#include "duration.hpp"

namespace parley::timer {
namespace {

using std::chrono::seconds;

constexpr seconds kLongest = std::chrono::hours(24 * 7);
/// Of all sessions together.
constexpr std::size_t kMostInAll = 10'000;

constexpr const char* kDue = "ring";
/// So much later than it should, a timer is told of once instead of rung.
constexpr seconds kLate(60);

/// Who began the turn; null: this process.
SenderPtr client_of(const Turn& turn) {
  return turn.message().context().sender;
}

using Id = std::uint64_t;

/// A timer that runs or rings. The schedule has it too, so it lasts; but the schedule goes by the calendar,
/// and here what counts is how long it takes.
struct Running {
  Running(Id number, std::string what_for, seconds how_long, Clock::Time when, std::optional<Turn> by)
      : id(number), name(std::move(what_for)), length(how_long), due(when), turn(std::move(by)) {}
  Id id;
  std::string name;  ///< As given; empty: none.
  seconds length;
  Clock::Time due;
  std::optional<Turn> turn;  ///< It speaks through the one that set it. Nothing: set before a restart.
  std::string scheduled;     ///< Its id in the schedule; empty: not there (any more).
  TimerId alarm = 0;
  int rings = 0;  ///< How often it has rung.
};
using Timers = std::vector<Running>;

/// Sets timers, tells what is left of them, and rings in the session they were set in.
class Timer final : public Skill {
 public:
  static constexpr const char* kAbout = "Timers.";
  static constexpr std::array kSettings{
      Option::integer("max_timers", "20", 1, 1000, "How many timers a session may have."),
      Option::integer(
          "max_timers_per_client", "1000", 1, 10'000,
          "How many timers all sessions of one connection may have; all clients together: 10000."),
      Option::integer("rings", "5", 1, 100, "How often a timer rings before it gives up."),
      Option::duration("ring_pause", "10s", std::chrono::seconds(1), std::chrono::minutes(10),
                       "From one ring to the next.")};

  void start() override {
    on_intent("set", &Timer::set);
    on_intent("set_two", &Timer::set_two);
    on_intent("left", &Timer::left);
    on_intent("list", &Timer::list);
    on_intent("cancel", &Timer::cancel);
    on_intent("cancel_all", &Timer::cancel_all);
    on_due(kDue, &Timer::due);
    on_stop([this](const SessionId& session) { return remove(session, rings); },
            [this](const SessionId& session) { return any_rings(session); });
    on_stop_offer(&Timer::has_any, &Timer::offer_to_cancel);
    at(clock().wall(), [this] { return load(); });  // what ran before a restart may be meant by a "stop"
  }

  void stop() override { sessions_.clear(); }

 private:
  // ---- setting

  Task<> set(Turn turn) {
    co_await load();
    const std::optional<Id> corrected = corrected_by(turn);
    if (!corrected && is_full(turn)) co_return;
    if (durations(turn.lang()).read(turn.text()).negative) co_return turn.speak_dialog("negative");
    Spoken wanted = said_at_once(turn);
    if (!wanted.duration) {
      Spoken answer = co_await ask_how_long(turn);
      if (!answer.duration) co_return;
      wanted.duration = answer.duration;
      if (wanted.rest.empty()) wanted.rest = std::move(answer.rest);
      if (is_full(turn)) co_return;
    }
    if (corrected)
      remove(turn.session_id(), [corrected](const Running& one) { return one.id == *corrected; });
    co_await begin(turn, std::move(wanted));
  }

  /// The timer that the turn corrects, if it does: its session's newest, if that was set just now.
  std::optional<Id> corrected_by(const Turn& turn) const {
    constexpr std::chrono::minutes kJustNow(2);
    const auto found = sessions_.find(turn.session_id());
    if (!turn.corrects() || found == sessions_.end()) return std::nullopt;
    const Timers& timers = found->second;
    const auto newest = std::max_element(timers.begin(), timers.end(),
                                         [](const Running& a, const Running& b) { return a.id < b.id; });
    if (newest == timers.end() || clock().now() - (newest->due - newest->length) > kJustNow)
      return std::nullopt;
    return newest->id;
  }

  /// "Two timers, one for {five minutes} and one for {ten}": minutes where nobody says of what.
  Task<> set_two(Turn turn) {
    co_await load();
    const DurationReader& reader = durations(turn.lang());
    std::vector<Spoken> both;
    for (const char* const slot : {"first", "second"})
      both.push_back(reader.read_answer(turn.slot(slot).value_or("")));
    if (both.front().negative || both.back().negative) co_return turn.speak_dialog("negative");
    for (Spoken& wanted : both) {
      if (is_full(turn)) co_return;
      if (!wanted.duration) {
        wanted = co_await ask_how_long(turn);
        if (!wanted.duration) co_return;
      }
      co_await begin(turn, wanted);
    }
  }

  /// "A {ten minute pasta} timer", "a {pasta} timer for {ten minutes}", "{ten} minute timer".
  Spoken said_at_once(const Turn& turn) {
    const DurationReader& reader = durations(turn.lang());
    if (turn.slot("count")) return reader.read(turn.text());
    Spoken wanted = reader.read(turn.slot("what").value_or(""));
    Spoken more = reader.read_answer(turn.slot("duration").value_or(""));
    if (!wanted.duration) wanted.duration = more.duration;
    if (wanted.rest.empty()) wanted.rest = std::move(more.rest);
    if (const auto name = turn.slot("name")) {
      wanted.rest = reader.read(*name).rest;
    } else if (!wanted.duration) {  // in words that no template has, of which slots got a part or nothing
      const Spoken all = reader.read(turn.text());
      wanted.duration = all.duration;
      if (all.duration && all.rest.find(wanted.rest) == std::string::npos) wanted.rest.clear();
    }
    return wanted;
  }

  /// Without a duration when there is none; then that was said.
  Task<Spoken> ask_how_long(Turn turn) {
    const auto read = [this](const std::string& said, const std::string& lang) {
      Spoken spoken = durations(lang).read_answer(said);
      return spoken.duration ? std::optional(std::move(spoken)) : std::nullopt;
    };
    AskOptions options;
    options.not_understood = "how_long_again";
    const Reply<Spoken> answer = co_await turn.ask("how_long", read, Slots(), options);
    if (answer) co_return *answer;
    // After another question the user is elsewhere.
    if (answer.end() != AskEnd::kReplaced) turn.speak_dialog("never_mind");
    co_return Spoken();
  }

  bool is_full(Turn turn) {
    const auto most = static_cast<std::size_t>(settings().integer("max_timers"));
    const auto share = static_cast<std::size_t>(settings().integer("max_timers_per_client"));
    const SenderPtr client = client_of(turn);
    const std::size_t here = timers(turn).size();
    std::size_t in_all = 0;
    std::size_t of_client = 0;
    for (const auto& [session, all] : sessions_) {
      in_all += all.size();
      for (const Running& one : all)
        of_client += client && one.turn && client_of(*one.turn) == client ? 1U : 0U;
    }
    if (here < most && of_client < share && in_all < kMostInAll) return false;
    if (here < most) {
      turn.speak_dialog("too_many_elsewhere");
    } else {
      turn.speak_dialog("too_many", {{"count", std::to_string(here)}});
    }
    return true;
  }

  Task<> begin(Turn turn, Spoken wanted) {
    const seconds length = *wanted.duration;
    if (length > kLongest) {
      co_return turn.speak_dialog("too_long",
                                  {{"limit", say_duration(kLongest, turn.render_lang("too_long"))}});
    }
    const SessionId session = turn.session_id();
    const Id id = ++count_;
    Running& added = sessions_[session].emplace_back(id, wanted.rest, length, clock().now() + length, turn);
    ring_in(session, added, length);
    co_await keep(session, id, turn);
    const std::string dialog = wanted.rest.empty() ? "set" : "set_named";
    turn.speak_dialog(dialog,
                      {{"name", wanted.rest}, {"duration", say_duration(length, turn.render_lang(dialog))}});
  }

  // ---- lasting

  /// Puts a timer into the schedule. One that can't be kept runs all the same, until the process ends.
  Task<> keep(SessionId session, Id id, Turn turn) {
    const Running* timer = find(session, id);
    if (timer == nullptr) co_return;
    const Json payload = {{"id", id}, {"name", timer->name}, {"seconds", timer->length.count()}};
    const auto when = clock().wall() + (timer->due - clock().now());
    std::string scheduled;
    try {
      scheduled = co_await schedule().at(when, kDue, payload, turn);
    } catch (const StorageError& error) {
      log(LogLevel::kError, error.what());
      co_return;
    }
    Running* const kept = find(session, id);
    if (kept != nullptr && !rings(*kept)) {
      kept->scheduled = scheduled;
    } else {  // it was cancelled meanwhile, or rings
      co_await schedule().cancel(scheduled);
    }
  }

  Task<> forget(std::string scheduled) { co_await schedule().cancel(std::move(scheduled)); }

  /// Takes it out of the schedule soon, for callers that don't wait.
  void forget_soon(Running& timer) {
    if (timer.scheduled.empty()) return;
    at(clock().wall(),
       [this, scheduled = std::exchange(timer.scheduled, std::string())] { return forget(scheduled); });
  }

  /// The timers that were set before a restart, when they are first asked about.
  Task<> load() {
    if (loaded_) co_return;
    const std::vector<Scheduled> kept = co_await schedule().list(kDue);
    if (std::exchange(loaded_, true)) co_return;
    for (const Scheduled& one : kept) {
      Running timer = read(one);
      timer.due = clock().now() + (one.due - clock().wall());
      timer.scheduled = one.id;
      count_ = std::max(count_, timer.id);
      sessions_[one.session_id].push_back(std::move(timer));
    }
  }

  static Running read(const Scheduled& kept) {
    const Json& payload = kept.payload();
    return Running(payload.value("id", Id{0}), payload.value("name", ""),
                   seconds(payload.value("seconds", std::int64_t{1})), Clock::Time(), std::nullopt);
  }

  /// The schedule says that it is time.
  Task<> due(Due due) {
    co_await load();
    const SessionId session = due.turn.session_id();
    const Running kept = read(due.scheduled);
    Running* timer = find(session, kept.id);
    if (timer == nullptr && due.late >= kLate) co_return say_late(due.turn, kept, due.late);
    if (timer == nullptr) {
      timer = &sessions_[session].emplace_back(kept);
      timer->due = clock().now();
    }
    if (rings(*timer)) co_return;
    const auto left = timer->due - clock().now();
    const bool set_before_restart = !timer->turn;
    timer->turn = due.turn;
    timer->scheduled.clear();
    if (!set_before_restart && left > seconds(1)) {  // somebody set the machine's clock
      co_await keep(session, kept.id, due.turn);
    } else if (set_before_restart && due.late >= kLate) {
      remove(session, [id = kept.id](const Running& one) { return one.id == id; });
      say_late(due.turn, kept, due.late);
    } else {
      cancel_timer(timer->alarm);
      ring(session, kept.id);
    }
  }

  void say_late(Turn turn, const Running& timer, Duration late) {
    const std::string dialog = timer.name.empty() ? "late" : "late_named";
    const std::string lang = turn.render_lang(dialog);
    turn.speak_dialog(dialog, {{"name", timer.name},
                               {"duration", say_duration(timer.length, lang)},
                               {"late", say_duration(late, lang, Precision::kMinutes)}});
  }

  // ---- ringing

  void ring_in(const SessionId& session, Running& timer, std::chrono::milliseconds time) {
    timer.alarm = at(clock().wall() + time, [this, session, id = timer.id] { ring(session, id); });
  }

  void ring(const SessionId& session, Id id) {
    Running* const timer = find(session, id);
    if (timer == nullptr) return;
    forget_soon(*timer);
    const Running now = *timer;
    if (++timer->rings < settings().integer("rings")) {
      ring_in(session, *timer, settings().duration("ring_pause"));
    } else {
      remove(session, [id](const Running& one) { return one.id == id; });
    }
    say_time_is_up(now);
  }

  void say_time_is_up(const Running& timer) {
    const std::string dialog = timer.name.empty() ? "ringing" : "ringing_named";
    Turn turn = *timer.turn;
    turn.speak_dialog(
        dialog, {{"name", timer.name}, {"duration", say_duration(timer.length, turn.render_lang(dialog))}});
  }

  static bool rings(const Running& timer) { return timer.rings > 0; }

  bool any_rings(const SessionId& session) const {
    const auto found = sessions_.find(session);
    return found != sessions_.end() && std::any_of(found->second.begin(), found->second.end(), rings);
  }

  bool has_any(const SessionId& session) const { return sessions_.contains(session); }

  /// "Stop", and nothing rings: is it the one that runs?
  Task<> offer_to_cancel(Turn turn) {
    std::vector<Id> meant = ids(timers(turn));
    if (meant.size() > 1) {
      meant = co_await ask_which(turn, meant);
      if (!meant.empty()) co_await cancel_these(turn, meant);
      co_return;
    }
    const Running& only = *find(turn, meant.front());
    const std::string dialog = only.name.empty() ? "cancel_it" : "cancel_it_named";
    const Slots slots_of_it = slots(turn, only, dialog);
    const Confirmation sure = co_await turn.confirm(dialog, slots_of_it);
    if (sure.end() == AskEnd::kReplaced) co_return;
    if (!sure.yes()) co_return turn.speak_dialog("keeps_running");
    if (timers(turn).empty()) co_return turn.speak_dialog("none");  // it has rung and gone meanwhile
    co_await cancel_these(turn, meant);
  }

  // ---- telling

  Task<> left(Turn turn) {
    co_await load();
    const auto name = turn.slot("name");
    const Timers& all = timers(turn);
    if (all.empty()) {
      turn.speak_dialog("none");
    } else if (const auto meant = name ? named(turn, *name) : ids(all); meant.empty()) {
      turn.speak_dialog("no_such", {{"name", *name}});
    } else {
      tell(turn, meant);
    }
    co_return;
  }

  Task<> list(Turn turn) {
    co_await load();
    if (timers(turn).empty()) {
      turn.speak_dialog("none");
    } else {
      tell(turn, ids(timers(turn)));
    }
    co_return;
  }

  void tell(Turn turn, const std::vector<Id>& meant) {
    if (meant.size() == 1) return tell_one(turn, *find(turn, meant.front()));
    std::vector<std::string> parts;
    for (const auto id : meant) {
      const Running& timer = *find(turn, id);
      const std::string dialog = timer.name.empty() ? "item" : "item_named";
      parts.push_back(turn.dialog(dialog, slots(turn, timer, dialog)));
    }
    turn.speak_dialog("list", {{"count", std::to_string(parts.size())},
                               {"timers", say_list(parts, turn.render_lang("list"))}});
  }

  void tell_one(Turn turn, const Running& timer) {
    if (rings(timer)) return turn.speak_dialog("rings_now");
    const std::string dialog = timer.name.empty() ? "left" : "left_named";
    turn.speak_dialog(dialog, slots(turn, timer, dialog));
  }

  /// What can be said of a timer, in the language of a dialog.
  Slots slots(const Turn& turn, const Running& timer, const std::string& dialog) {
    const std::string lang = turn.render_lang(dialog);
    // A started second counts: at the start all of it is left.
    const auto time = std::max(std::chrono::ceil<seconds>(timer.due - clock().now()), seconds(1));
    return {{"name", timer.name},
            {"duration", say_duration(timer.length, lang)},
            {"left", say_duration(time, lang, Precision::kMinutes)}};
  }

  // ---- cancelling

  Task<> cancel(Turn turn) {
    co_await load();
    const auto name = turn.slot("name");
    std::vector<Id> meant;
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    if (name) {
      meant = named(turn, *name);
      if (meant.empty()) co_return turn.speak_dialog("no_such", {{"name", *name}});
    } else if (any_rings(turn.session_id())) {
      remove(turn.session_id(), rings);
      co_return turn.speak_dialog("silenced");
    } else {
      meant = ids(timers(turn));
    }
    if (meant.size() > 1) meant = co_await ask_which(turn, meant);
    if (!meant.empty()) co_await cancel_these(turn, std::move(meant));
  }

  Task<> cancel_all(Turn turn) {
    co_await load();
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    co_await cancel_these(turn, ids(timers(turn)));
  }

  Task<> cancel_these(Turn turn, std::vector<Id> meant) {
    const Running* const only = meant.size() == 1 ? find(turn, meant.front()) : nullptr;
    const std::string name = only != nullptr ? only->name : std::string();
    std::vector<std::string> scheduled;
    for (const Id id : meant) {
      Running* const timer = find(turn.session_id(), id);
      if (timer != nullptr && !timer->scheduled.empty())
        scheduled.push_back(std::exchange(timer->scheduled, std::string()));
    }
    remove(turn.session_id(),
           [&](const Running& one) { return std::find(meant.begin(), meant.end(), one.id) != meant.end(); });
    for (const std::string& id : scheduled) co_await schedule().cancel(id);
    if (meant.size() > 1)
      co_return turn.speak_dialog("cancelled_all", {{"count", std::to_string(meant.size())}});
    if (name.empty()) co_return turn.speak_dialog("cancelled");
    turn.speak_dialog("cancelled_named", {{"name", name}});
  }

  /// Nothing when the user does not say, or names none of them; then that was said.
  Task<std::vector<Id>> ask_which(Turn turn, std::vector<Id> meant) {
    std::vector<std::string> names;
    for (const auto id : meant) {
      const Running& timer = *find(turn, id);
      names.push_back(timer.name.empty() ? say_duration(timer.length, turn.render_lang("which"))
                                         : timer.name);
    }
    // Twins can't be told apart: the one that was set first goes.
    if (are_twins(turn, meant)) co_return std::vector<Id>(1, meant.front());
    tell_alike_apart(turn, meant, names);
    const Slots choices{{"timers", say_choice(names, turn.render_lang("which"))}};
    const auto choose = [this, turn, meant](const std::string& said, const std::string& lang) {
      return chosen(turn, meant, said, lang);
    };
    const Reply<std::vector<Id>> answer = co_await turn.ask("which", choose, choices);
    if (answer) co_return *answer;
    if (answer.end() != AskEnd::kReplaced) turn.speak_dialog("nothing_cancelled");
    co_return std::vector<Id>();
  }

  static constexpr std::chrono::minutes kAlike{1};

  /// Whether nothing that is said of them differs.
  bool are_twins(const Turn& turn, const std::vector<Id>& all) {
    const Running& first = *find(turn, all.front());
    return std::all_of(all.begin(), all.end(), [&](Id id) {
      const Running& one = *find(turn, id);
      return one.name == first.name && one.length == first.length && one.due - first.due < kAlike;
    });
  }

  /// Those that would be called the same are called by what is left of them, too.
  void tell_alike_apart(const Turn& turn, const std::vector<Id>& all, std::vector<std::string>& names) {
    const std::vector<std::string> called = names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::count(called.begin(), called.end(), called[i]) < 2) continue;
      const Running& timer = *find(turn, all[i]);
      const std::string dialog = timer.name.empty() ? "item" : "item_named";
      names[i] = turn.dialog(dialog, slots(turn, timer, dialog));
    }
  }

  /// Those of `meant` an answer names. Some may have rung and gone while the user was thinking.
  std::optional<std::vector<Id>> chosen(const Turn& turn, std::vector<Id> meant, const std::string& said,
                                        const std::string& lang) {
    const auto keep = [&meant](const std::vector<Id>& these) {
      std::erase_if(meant, [&](auto id) { return std::find(these.begin(), these.end(), id) == these.end(); });
    };
    keep(ids(timers(turn)));
    if (mentions("all", said, lang)) return meant.empty() ? std::nullopt : std::optional(std::move(meant));
    if (const auto by_rest = with_left(turn, meant, said, lang); !by_rest.empty()) {
      keep(by_rest);
    } else {
      keep(named(turn, said));
    }
    return meant.empty() ? std::nullopt : std::optional(std::move(meant));
  }

  // ---- the timers of a session

  const Timers& timers(const Turn& turn) const {
    const auto found = sessions_.find(turn.session_id());
    return found == sessions_.end() ? none_ : found->second;
  }

  static std::vector<Id> ids(const Timers& all) {
    std::vector<Id> numbers;
    for (const auto& one : all) numbers.push_back(one.id);
    return numbers;
  }

  Running* find(const SessionId& session, Id id) {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return nullptr;
    const auto timer = std::find_if(found->second.begin(), found->second.end(),
                                    [id](const Running& one) { return one.id == id; });
    return timer == found->second.end() ? nullptr : &*timer;
  }
  const Running* find(const Turn& turn, Id id) { return find(turn.session_id(), id); }

  /// Of some that are alike, those of which that much is left, as it was told; nothing when none are.
  std::vector<Id> with_left(const Turn& turn, const std::vector<Id>& among, const std::string& text,
                            const std::string& lang) {
    std::vector<Id> found;
    const auto left = durations(lang).read(text).duration;
    if (!left) return found;
    for (const auto id : among) {
      const Running& one = *find(turn, id);
      const auto rest = std::chrono::ceil<seconds>(one.due - clock().now());
      if (one.length != *left && rest - *left < kAlike && *left - rest < kAlike) found.push_back(id);
    }
    return found;
  }

  /// Those a text means: by name, else by how long they were set for.
  std::vector<Id> named(const Turn& turn, const std::string& text) {
    const auto said = words(text, turn.lang());
    const PhraseSet whole({text}, turn.lang());
    const auto length = durations(turn.lang()).read(text).duration;
    std::vector<Id> by_name;
    std::vector<Id> by_length;
    for (const auto& one : timers(turn)) {
      if (PhraseSet({one.name}, turn.lang()).occurs_in(said) || whole.occurs_in(words(one.name, turn.lang())))
        by_name.push_back(one.id);
      if (one.length == length) by_length.push_back(one.id);
    }
    return by_name.empty() ? by_length : by_name;
  }

  template <class Which>
  bool remove(const SessionId& session, Which&& which) {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return false;
    for (auto& one : found->second) {
      if (!which(one)) continue;
      cancel_timer(one.alarm);
      forget_soon(one);
    }
    const bool any = std::erase_if(found->second, which) > 0;
    if (found->second.empty()) sessions_.erase(found);
    return any;
  }

  // ---- language

  /// Put together when first needed, so that starting takes no time.
  const DurationReader& durations(const std::string& lang) {
    auto& known = readers_[lang];
    if (!known) known = std::make_unique<const DurationReader>(locale(), lang);
    return *known;
  }

  std::map<SessionId, Timers, std::less<>> sessions_;  ///< Only those that have any.
  const Timers none_{};
  Id count_ = 0;
  bool loaded_ = false;  ///< What the schedule has is here.
  std::map<std::string, std::unique_ptr<const DurationReader>, std::less<>> readers_;
};

}  // namespace
}  // namespace parley::timer

PARLEY_SKILL(parley::timer::Timer, "timer.parley")
