#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/moments.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <vector>

#include "library.hpp"
#include "policy.hpp"
#include "talk.hpp"

namespace parley::guide {
namespace {

constexpr const char* kStateKey = "state";
constexpr const char* kTranscriptKey = "transcript";
/// Under the owner: the task that is under way.
constexpr const char* kTaskKey = "task";
// In the intent context of the session:
constexpr const char* kUnderWay = "under_way";  ///< A step is told, for as long as steps may take.
constexpr const char* kConversation =
    "conversation";  ///< One goes on; its phase. Gone: the session is a new one.
/// After the congratulation: "previous" still works.
constexpr std::chrono::minutes kFarewell(2);

/// Takes a person through a task: finds it with them, gathers what it needs, and does it step by step.
class Guide final : public Skill {
 public:
  static constexpr const char* kAbout = "Recipes and repairs, step by step.";
  static constexpr std::array kSettings{
      Option::flag("shipped_tasks", "true", "Whether the skill uses the tasks that come with it."),
      Option::list(
          "tasks_directories", "[]",
          "Folders of further tasks, absolute or relative to the skill's own, with one folder in them for "
          "each language: en/my-pie.yaml.")};

  void start() override {
    const std::filesystem::path own = folder();
    std::vector<std::filesystem::path> folders;
    for (const std::string& one : settings().list("tasks_directories")) folders.push_back(own / one);
    if (settings().flag("shipped_tasks")) folders.push_back(own / "tasks");
    library_ =
        std::make_unique<Library>(own / "data", folders, cache_of(settings().list("tasks_directories")));
    for (const std::string& fault : library_->faults()) log(LogLevel::kWarning, fault);
    for (const std::string& remark : library_->remarks()) log(LogLevel::kWarning, remark);
    talk_ = std::make_unique<Talk>(
        *library_, locale(), Talk::Chance([this](std::size_t count) { return random(count); }),
        Talk::Vocabulary([this](std::string_view vocabulary, std::string_view text, std::string_view lang) {
          return says(vocabulary, text, lang);
        }));
    for (const char* const name : {"guide", "cook", "diy", "search", "theme"}) on_intent(name, &Guide::open);
    on_intent("recipes", &Guide::open_recipes);
    on_intent("go_on", &Guide::take_up);
    on_converse(&Guide::takes, &Guide::go_on);
    // A step may take longer than the floor lasts: what moves on in one is ours for half an hour.
    for (const char* const name : {"next", "previous", "repeat", "details", "left"}) {
      Handler handler = [this, name](Turn turn) { return go_on_as(std::move(turn), name); };
      on_intent(name, std::move(handler), in_context(kUnderWay));
    }
    // All of them behind what intents resemble: "and eggs" may go on with what another skill was told.
    on_fallback(50, &Guide::takes_late, &Guide::go_on);
    on_fallback(50, &Guide::takes_within, &Guide::go_on_within);
    on_fallback(50, &Guide::names_task, &Guide::go_on);
    on_fallback(50, &Guide::asks_for_task, &Guide::open_asked);
    on_fallback(60, &Guide::is_under_way, &Guide::go_on);
    on_stop_offer(&Guide::can_end, &Guide::end);
    on_event("ovos.utterance.speak", [this](const Message& spoken) {
      last_speaker_.note(spoken, spoken.context().skill_id, clock().now());
      State* const state = sessions_.find(spoken.session_key());
      if (state != nullptr && spoken.context().skill_id != skill_id()) state->amount_asked = false;
    });
  }

 private:
  /// Where the tasks of these folders are kept as they were read; empty: nowhere.
  static std::filesystem::path cache_of(const std::vector<std::string>& folders) {
    if (folders.empty()) return {};
    const auto variable = [](const char* name) {
      const char* const value =
          std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
      return std::filesystem::path(value == nullptr ? "" : value);
    };
    std::filesystem::path cache = variable("XDG_CACHE_HOME");
    if (!cache.is_absolute()) cache = variable("HOME") / ".cache";
    if (!cache.is_absolute()) return {};
    std::string all;
    for (const std::string& folder : folders) all += folder + '\n';
    return cache / "parley" / ("guide-" + std::to_string(std::hash<std::string>()(all)));
  }

  // ---- who takes what is said

  ConverseAnswer takes(const Query& query) {
    const auto phase = phase_in(*query.session);
    if (!phase) return ConverseAnswer::done();
    return is_ours(*phase, query) && !may_be_for_other(*phase, query);
  }

  /// "And a flower pot" behind what was put on a list: who spoke last is asked first, as it only looks for
  /// something.
  bool may_be_for_other(Phase phase, const Query& query) {
    const std::string& said = query.utterances.front();
    return (phase == Phase::kPlanning || phase == Phase::kDomain) && is_other_last(query) &&
           talk_->only_names(said, query.lang);
  }

  /// What fits what is under way, and comes after a long silence.
  bool takes_late(const Query& query) {
    const auto phase = phase_in(*query.session);
    return phase && is_ours(*phase, query);
  }

  /// The same with a story before or behind it.
  bool takes_within(const Query& query) {
    const auto phase = phase_in(*query.session);
    const State* const state = sessions_.find(query.session_key());
    if (!phase || state == nullptr || !is_awake(*state)) return false;
    return talk_->hear_within(*state, query.utterances.front(), query.lang, unix_now()).has_value();
  }

  bool asks_for_task(const Query& query) {
    return talk_->asks_for_task(query.utterances.front(), query.lang).has_value();
  }

  /// What nobody else wanted, and we are sure of: a task by its name.
  bool names_task(const Query& query) { return talk_->names_task(query.utterances.front(), query.lang); }

  /// What nobody at all wanted: where something is under way, it is told what could be said. Who has only
  /// looked for something, and then heard somebody else, is elsewhere.
  bool is_under_way(const Query& query) {
    const State* const state = phase_in(*query.session) ? sessions_.find(query.session_key()) : nullptr;
    if (state == nullptr || !is_awake(*state) || state->phase == Phase::kClosing) return false;
    if (state->phase != Phase::kExecuting && is_other_last(query)) return false;
    return library_->shelf(query.lang) != nullptr && !names_day(query);
  }

  /// "The fourth of December, which weekday is that": no step has a date.
  bool names_day(const Query& query) {
    // "The third one" is a choice.
    if (!talk_->only_names(query.utterances.front(), query.lang)) return false;
    // Which days there are matters, not which is today.
    const std::chrono::local_seconds now{std::chrono::seconds(unix_now())};
    const auto moment = find_moment(query.utterances.front(), query.lang, now);
    return moment && (moment->date || moment->repeat);
  }

  bool is_ours(Phase phase, const Query& query) {
    const std::string& said = query.utterances.front();
    const State* const state = sessions_.find(query.session_key());
    // Of a conversation before a restart only storage knows the rest, which can't be asked here.
    if (state == nullptr) return talk_->fits(phase, said, query.lang);
    if (is_other_last(query) && talk_->means_last_answer(*state, said, query.lang, unix_now())) return false;
    return state->status != Status::kClosed &&
           (talk_->understands(*state, said, query.lang, unix_now()) ||
            (is_awake(*state) &&
             (talk_->hear_live(*state, said, query.lang, unix_now(), Talk::Beside::kNothing) ||
              talk_->hear_clause(*state, said, query.lang, unix_now()))));
  }

  /// The phase of the conversation that a session is in; nothing: it is in none, or was begun afresh.
  std::optional<Phase> phase_in(const Session& session) const {
    if (!session.intent_context) return std::nullopt;
    const auto found = session.intent_context->find(skill_id() + ":" + kConversation);
    if (found == session.intent_context->end() || !found->second.value) return std::nullopt;
    return phase_of(*found->second.value);
  }

  /// Whether somebody else spoke last: a skill, or the answer to a question, which holds no floor.
  bool is_other_last(const Query& query) {
    const std::string* const last = last_speaker_.find(query.session_key(), clock().now());
    return last != nullptr && *last != skill_id();
  }

  bool is_awake(const State& state) const {
    return state.status == Status::kRunning && unix_now() - state.last_turn <= State::kIdleAfter;
  }

  bool can_end(const SessionKey& session) const {
    const State* const state = sessions_.find(session);
    return state != nullptr && is_awake(*state);
  }

  // ---- turns

  /// "I want to cook", "how do I fix a tap": begins anew, whatever was under way in this session.
  parley::Task<> open(Turn turn) {
    State state = co_await load(turn);
    state.start_afresh();
    Heard heard = talk_->hear(turn.text(), turn.lang());
    // "My tap drips, help me fix that awful thing": the story names the task.
    const bool finds = talk_->finds(heard, turn.lang());
    if (!finds || heard.is("task_requirements")) {
      if (auto told = talk_->asks_for_task(turn.text(), turn.lang())) {
        heard = std::move(*told);
      } else if (!finds && heard.is("task_requirements")) {
        turn.not_understood();  // "what do I have to buy for Mum's birthday"
      }
    }
    co_await step(turn, std::move(state), std::move(heard));
  }

  /// "What recipes do you know", also in words that only resemble it.
  parley::Task<> open_recipes(Turn turn) {
    State state = co_await load(turn);
    state.start_afresh();
    Heard heard = talk_->hear(turn.text(), turn.lang());
    if (heard.among({"recipes", "search"}) == nullptr) heard = Heard::as("recipes");
    co_await step(turn, std::move(state), std::move(heard));
  }

  /// "Let's go on": with what this session did, else with the last task of its owner. There is nothing else
  /// to go on with.
  parley::Task<> take_up(Turn turn) {
    State state = co_await load(turn);
    if (state.phase != Phase::kExecuting || state.status == Status::kClosed) {
      const auto kept = co_await storage(StorageScope::kOwner, turn).get(kTaskKey);
      std::optional<State> before = kept ? State::from_json(*kept) : std::nullopt;
      if (before) {
        before->session_id = turn.session_id();
        before->turns = std::move(state.turns);
        state = std::move(*before);
      }
    }
    state.status = Status::kPaused;
    co_await step(turn, std::move(state), talk_->hear(turn.text(), turn.lang()));
  }

  parley::Task<> go_on(Turn turn) {
    State state = co_await load(turn);
    if (state.status == Status::kClosed) state.start_afresh();
    Heard heard = talk_->hear_for(state, turn.text(), turn.lang(), unix_now());
    co_await step(turn, std::move(state), std::move(heard));
  }

  /// What resembles an intent of a step is that one, where its words are none of ours.
  parley::Task<> go_on_as(Turn turn, const char* intent) {
    State state = co_await load(turn);
    if (state.status == Status::kClosed) state.start_afresh();
    Heard heard = talk_->hear(turn.text(), turn.lang());
    // "The next song" only resembles it.
    if (!talk_->understands(state, turn.text(), turn.lang(), unix_now()) &&
        !talk_->is_elsewhere(turn.text(), turn.lang()))
      heard = talk_->hear_within(state, turn.text(), turn.lang(), unix_now()).value_or(Heard::as(intent));
    co_await step(turn, std::move(state), std::move(heard));
  }

  parley::Task<> go_on_within(Turn turn) {
    State state = co_await load(turn);
    Heard heard = talk_->hear_within(state, turn.text(), turn.lang(), unix_now()).value_or(Heard());
    co_await step(turn, std::move(state), std::move(heard));
  }

  /// "I've got bananas. How do I make banana bread?"
  parley::Task<> open_asked(Turn turn) {
    State state = co_await load(turn);
    state.start_afresh();
    Heard heard = talk_->asks_for_task(turn.text(), turn.lang()).value_or(Heard());
    co_await step(turn, std::move(state), std::move(heard));
  }

  /// "Stop", and nothing else was to be stopped.
  parley::Task<> end(Turn turn) {
    State state = co_await load(turn);
    Heard heard = Heard::as("leave");
    // "My tap won't stop dripping", "stop licking the spoon": the word alone ends nothing.
    if (!talk_->means_to_end(state, turn.text(), turn.lang(), unix_now())) {
      auto asked = talk_->asks_for_task(turn.text(), turn.lang());
      if (asked) state.start_afresh();
      heard = asked ? std::move(*asked) : talk_->hear_for(state, turn.text(), turn.lang(), unix_now());
    }
    co_await step(turn, std::move(state), std::move(heard));
  }

  parley::Task<> step(Turn turn, State state, Heard heard) {
    const Shelf* const shelf = library_->shelf(turn.lang());
    if (shelf == nullptr) {
      turn.not_understood();
      co_return turn.speak_dialog("no_tasks");
    }
    if (state.lang != shelf->lang()) state.start_afresh();
    state.lang = shelf->lang();
    state.session_id = turn.session_id();
    const bool is_amount = heard.is("amount");
    Outcome outcome = route(std::move(state), std::move(heard), talk_->world(turn.lang(), unix_now()));
    Reply& reply = *outcome.reply;
    outcome.state.amount_asked = is_amount && reply.understood;
    outcome.state.last_turn = unix_now();
    const std::string text = rendered(turn, reply);
    outcome.state.add_turn(turn.text(), text);
    sessions_.keep(outcome.state, turn.owner());
    co_await save(turn, outcome.state);
    if (!reply.understood) turn.not_understood();
    SpeakOptions options;
    options.listen = !reply.close;
    options.screen = reply.screen;
    for (const std::string& one : reply.options) {
      const std::string shown = one.starts_with('=') ? one.substr(1) : turn.dialog(one);
      options.options.emplace_back(shown, shown);
    }
    set_contexts(turn, outcome.state);
    turn.speak(text, options);
    if (reply.timer) set_timer(turn, *reply.timer);
    if (reply.close) co_return close(turn);
    if (outcome.state.phase == Phase::kClosing) close_later(turn);
  }

  static void set_contexts(Turn turn, const State& state) {
    if (state.status == Status::kClosed) {
      turn.remove_context(kConversation);
    } else {
      turn.set_context(kConversation, std::string(to_string(state.phase)));
    }
    if (state.phase != Phase::kExecuting) return turn.remove_context(kUnderWay);
    ContextOptions for_long;
    for_long.lifetime = std::chrono::seconds(State::kIdleAfter);
    turn.set_context(kUnderWay, std::nullopt, for_long);
  }

  static std::string rendered(const Turn& turn, const Reply& reply) {
    std::string text;
    for (const Line& line : reply.lines) {
      const std::string part = line.dialog.empty() ? line.text : turn.dialog(line.dialog, line.slots);
      text += (text.empty() ? "" : " ") + part;
    }
    return text;
  }

  /// There is one world of timers: it is set as if the user had asked for it.
  static void set_timer(Turn turn, const WantedTimer& wanted) {
    const std::string lang = turn.render_lang("timer_request");
    const std::string request = turn.dialog("timer_request", {{"time", say_duration(wanted.length, lang)}});
    turn.emit("ovos.utterance.handle", {{"utterances", {request}}, {"lang", lang}});
  }

  // ---- lasting

  parley::Task<State> load(Turn turn) {
    const bool goes_on = phase_in(*turn.session()).has_value();
    std::optional<State> state;
    if (const State* const known = sessions_.find(turn.session_key())) {
      state = *known;
    } else {
      const auto kept = co_await storage(StorageScope::kSession, turn).get(kStateKey);
      state = kept ? State::from_json(*kept) : std::nullopt;
    }
    if (!state) co_return State();
    if (!goes_on) state->start_afresh();
    co_return std::move(*state);
  }

  parley::Task<> save(Turn turn, State state) {
    const Json json = state.to_json();
    Storage of_session = storage(StorageScope::kSession, turn);
    Storage of_owner = storage(StorageScope::kOwner, turn);
    try {
      co_await of_session.put(kStateKey, json);
      if (state.phase == Phase::kExecuting && state.status != Status::kClosed) {
        co_await of_owner.put(kTaskKey, json);
      } else if (state.phase == Phase::kClosing) {
        const Storage::Edit unless_other =
            [id = state.session_id](std::optional<Json> kept) -> std::optional<Json> {
          if (kept && kept->is_object() && kept->value("session_id", "") != id) return kept;
          return std::nullopt;
        };
        co_await of_owner.change(kTaskKey, unless_other);
        const Json transcript = json.at("turns");
        co_await of_session.put(kTranscriptKey, transcript);
      }
    } catch (const StorageError& error) {
      log(LogLevel::kError, error.what());
    }
  }

  static void close(Turn turn) { turn.emit("parley.session.close", {{"session_id", turn.session_id()}}); }

  /// The session closes, unless somebody went back meanwhile.
  void close_later(Turn turn) {
    at(clock().wall() + kFarewell, [this, turn]() {
      State* const state = sessions_.find(turn.session_key());
      if (state == nullptr || state->phase != Phase::kClosing || state->status != Status::kRunning) return;
      state->status = Status::kClosed;
      close(turn);
    });
  }

  std::int64_t unix_now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock().wall().time_since_epoch()).count();
  }

  std::unique_ptr<Library> library_;
  std::unique_ptr<Talk> talk_;
  Sessions sessions_{1000};
  SessionMemory<std::string> last_speaker_{1000};  ///< The id of the skill that spoke last.
};

}  // namespace
}  // namespace parley::guide

PARLEY_SKILL(parley::guide::Guide, "guide.parley")
