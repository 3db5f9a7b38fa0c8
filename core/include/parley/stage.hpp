#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/bus.hpp>
#include <parley/clock.hpp>
#include <parley/http.hpp>
#include <parley/locale.hpp>
#include <parley/plugin.hpp>
#include <parley/registry.hpp>
#include <parley/result.hpp>
#include <parley/session.hpp>
#include <parley/task.hpp>
#include <parley/trace.hpp>
#include <parley/turn.hpp>
#include <parley/wakeup.hpp>
#include <string>
#include <vector>

namespace parley {

/// A stage's claim on an utterance (U-3, U-4). Only `slots`, `then` and `updated_session` may be empty; a
/// match that lacks anything else is malformed and counts as a decline.
struct Match {
  Match() = default;
  Match(std::string skill, std::string intent, std::string tag, std::string text)
      : skill_id(std::move(skill)),
        intent_name(std::move(intent)),
        lang(std::move(tag)),
        utterance(std::move(text)) {}

  std::string skill_id;  ///< Who handles it: a skill, or the stage's own pipeline_id.
  std::string intent_name;
  std::string lang;            ///< The language it matched in (L-2).
  std::string utterance;       ///< The candidate that matched, as it was given.
  Slots slots;                 ///< The utterance's own words, as they were given (T-0).
  SessionPtr updated_session;  ///< Null: the session stays. Must keep its session_id (U-4).
  bool corrects = false;       ///< It changes what the user said just before; see Turn::corrects().
  /// Matches to dispatch after this one, in order (U-9). Each passes the same checks; their own `then` and
  /// `updated_session` are ignored. At most kMostParts - 1.
  std::vector<Match> then;
  /// How many words of the utterance the template names literally. For word-for-word matches only.
  std::size_t literal_words = 0;

  static constexpr std::size_t kMostParts = 4;
};

/// How an utterance fits the question that is open in its session.
enum class AnswerFit {
  kFits,      ///< An answer to it, or takes the question back, or nobody knows what would be an answer.
  kMisfit,    ///< Not an answer to it.
  kAnything,  ///< The question takes any text.
};

/// One utterance on its way through the pipeline, as one entry of it sees it. A cheap handle that
/// owns what it gives; keep a copy as long as you like.
class MatchRequest {
 public:
  /// What all entries see alike.
  struct State {
    State(std::vector<std::string> candidates, std::string tag, Message entry, Trace record)
        : utterances(std::move(candidates)),
          lang(std::move(tag)),
          message(std::move(entry)),
          trace(std::move(record)) {}
    std::vector<std::string> utterances;
    std::string lang;
    Message message;  ///< Its context carries the session.
    Trace trace;
  };
  MatchRequest(std::shared_ptr<const State> state, std::string entry, std::shared_ptr<const Json> options);

  /// The candidates, best first, none blank (U-7).
  const std::vector<std::string>& utterances() const noexcept;
  /// The first of them.
  const std::string& utterance() const noexcept { return utterances().front(); }
  /// The language of the utterance, resolved once (L-1).
  const std::string& lang() const noexcept;
  const Session& session() const noexcept { return *session_ptr(); }
  const SessionPtr& session_ptr() const noexcept;
  /// The pipeline entry that asks, e.g. "intent_high".
  const std::string& entry() const noexcept { return entry_; }
  /// That entry's options, of Stage::kEntryOptions; an object as StageContext::options().
  const Json& options() const noexcept;
  /// The entry message with the session as it is now: derive polls from it with `reply`.
  const Message& message() const noexcept;
  const Trace& trace() const noexcept;

  /// The same request about another text, without a trace.
  MatchRequest about(std::string utterance) const;
  /// The same request as another entry sees it.
  MatchRequest as_seen_by(std::string entry, std::shared_ptr<const Json> options) const;

 private:
  std::shared_ptr<const State> state_;
  std::string entry_;
  std::shared_ptr<const Json> options_;
};

/// What a stage may use. Lives longer than the stage. Use it on the loop's thread, where everything
/// of a stage runs. Nothing there may block.
class StageContext {
 public:
  /// The id that goes on the wire and the key under `stages` in the configuration.
  virtual const std::string& pipeline_id() const noexcept = 0;
  /// The instance's options, from the configuration or by default: an object with a value for each option of
  /// Stage::kOptions, as OptionType says.
  virtual const Json& options() const noexcept = 0;
  virtual const Clock& clock() const noexcept = 0;
  virtual Registry& registry() noexcept = 0;
  /// The stage's own resources: `locale/` beside its library, in a folder of the plugin's name (T-5).
  virtual const LocaleResources& locale() const noexcept = 0;
  /// The core's own words: yes, no, never mind, what may be skipped.
  virtual const LocaleResources& common_locale() const noexcept = 0;
  /// The languages of `language.enabled` that were awake when the stage started, as BCP-47 tags.
  virtual const std::vector<std::string>& languages() const noexcept = 0;
  /// Where a skill runs right now, if anywhere.
  virtual Presence presence(const std::string& skill_id) const = 0;
  /// Whether a skill hosted here has declared that ability; false for a remote skill, where nobody knows.
  virtual bool declares(const std::string& skill_id, Ability ability) const = 0;
  /// All skills that are there right now, hosted and remote, in no particular order.
  virtual std::vector<std::string> skills() const = 0;
  /// Calls back whenever a skill is gone (Presence::kNone), until the stage is unloaded.
  virtual void on_departure(std::function<void(const std::string& skill_id)> callback) = 0;

  /// For the stage that asks recently active skills: how many of them a session remembers
  /// (`converse_handlers`), and for how long they count as active.
  virtual void remember_handlers(std::size_t most, Duration age) = 0;

  /// Asks the stages of the session's pipeline, in order, for a word-for-word match of the request's first
  /// utterance (Stage::word_for_word). Returns the first that would count. Asks no skill and waits for
  /// nothing.
  virtual std::optional<Match> word_for_word(const MatchRequest& request) = 0;
  /// How the request's first utterance fits the question that is open in its session: that of the skill in
  /// `response_mode` (C-1).
  virtual Task<AnswerFit> answer_fit(MatchRequest request) = 0;

  virtual void publish(Message message) = 0;
  /// Calls back for every message of a topic (exact, or `prefix.*` for any depth below the prefix)
  /// until the stage is unloaded. A callback that throws is logged and stays subscribed.
  virtual void on(std::string topic, std::function<void(const Message&)> callback) = 0;
  /// Like on(), but until the subscription is destroyed. It must not outlive the stage.
  [[nodiscard]] virtual Subscription subscribe(std::string topic,
                                               std::function<void(const Message&)> callback) = 0;

  /// Calls back for each utterance that an entry of this stage may be asked about, before any stage is asked.
  /// For stages that need a head start. The request is that of the first such entry. One callback.
  virtual void on_entry(std::function<void(const MatchRequest&)> callback) = 0;
  /// Runs work of the stage beside its matches. Destroying the token cancels the work.
  [[nodiscard]] virtual Subscription spawn(Task<> work) = 0;
  virtual std::shared_ptr<Wakeup> make_wakeup() = 0;
  /// For a match that waits for skills or clients: the time waited does not count against the stage (U-5).
  virtual std::shared_ptr<Wakeup> make_wakeup(const MatchRequest& request) = 0;

  /// Asks on the bus and collects answers (see PollRequest). Derive the questions from the request's message:
  /// then the time waited does not count against the stage (U-5).
  /// @throws Cancelled when the match it belongs to has been given up.
  virtual Task<PollResult> poll(PollRequest request) = 0;
  /// @throws Cancelled like poll.
  virtual Task<> sleep(Duration time) = 0;
  /// Calls back once, after that time. Destroying the token prevents it. An exception is logged.
  [[nodiscard]] virtual Subscription after(Duration time, std::function<void()> callback) = 0;

  /// A server's whole answer, for a match; any status is one. The time waited does not count against the
  /// stage (U-5), so bound it with the request's `timeout`. A stop and the end of the match withdraw it. When
  /// the stage is only asked for an explanation, nothing is sent and the match ends here.
  /// @return the answer, or what went wrong in the network. @throws Cancelled like poll.
  virtual Task<Result<HttpResponse>> http(MatchRequest request, HttpRequest what) = 0;

  /// Runs blocking work on a worker and resumes on the loop. An exception of the work is thrown here.
  virtual Task<> run_blocking(std::function<void()> work) = 0;
  /// Called inside run_blocking(), on its thread: calls `each` for 0 to `count` - 1, here and on other
  /// threads that are idle, several at a time and in no particular order. Returns when all calls
  /// have ended. After a call that throws none begins any more. @throws std::runtime_error with what the
  /// first of them threw
  virtual void in_parallel(std::size_t count, const std::function<void(std::size_t)>& each) = 0;

  virtual void warn(std::string text) = 0;
  /// Adds one to the metric `parley_stage_<what>_total` of this stage, and of `skill_id` if that is given.
  virtual void count(const std::string& what, const std::string& skill_id = {}) = 0;

 protected:
  ~StageContext() = default;
};

/// What a stage knows about an utterance without waiting.
struct QuickAnswer {
  /// Not known yet: match() is asked.
  QuickAnswer() = default;
  /// What match() would return: a claim, or nothing to decline.
  explicit QuickAnswer(std::optional<Match> said) : known(true), match(std::move(said)) {}
  bool known = false;
  std::optional<Match> match;
};

/// One stage of the pipeline. One instance serves all entries that name it. Everything runs on the
/// loop's thread: suspend, never block.
class Stage {
 public:
  Stage() = default;
  virtual ~Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// The options in `stages.<pipeline_id>` (beside `plugin`, `match_timeout` and `entries`), the options
  /// of each entry, and the entries that the stage has when the configuration lists none. A stage with any of
  /// these declares arrays of its own under these names:
  /// `static constexpr std::array kEntries{DefaultEntry("forty_two_high", 250, "{sure: true}")};`
  /// Options are checked before any code of the stage runs; options() has a value for each.
  static constexpr OptionTable kOptions{};
  static constexpr OptionTable kEntryOptions{};
  static constexpr EntryTable kEntries{};
  /// What the stage does, in a sentence; printed with its options.
  static constexpr const char* kAbout = "";

  /// Called once before the first match, with context() ready. If it throws, the stage is refused.
  virtual void start() {}

  /// Claims this utterance, or declines it (nothing: the next stage is asked). Several matches may run at
  /// once. Throwing counts as a decline and a fault. So does taking longer than `match_timeout`, unless the
  /// match waits for others (U-5).
  virtual Task<std::optional<Match>> match(MatchRequest request) = 0;

  /// Called right before match(), which is skipped when the answer is known. A stage that mostly decides
  /// without waiting saves a coroutine per turn this way. Throwing counts as in match().
  virtual QuickAnswer quick_match(const MatchRequest&) { return {}; }

  /// The stage's word-for-word match of the request's first utterance, with `literal_words`. Other stages ask
  /// for it before it is this one's turn. Must be quick, must not throw, and must change nothing.
  virtual std::optional<Match> word_for_word(const MatchRequest&) { return std::nullopt; }

  /// Handles what the stage dispatched to itself (Match::skill_id == pipeline_id()), on the loop.
  virtual Task<> handle(Turn turn);

  /// Answers `ovos.pipeline.<pipeline_id>.intents.list`.
  virtual std::vector<IntentPtr> listed_intents() const { return {}; }

  /// The host's part: called once, before start().
  void attach(StageContext& context) noexcept { context_ = &context; }

 protected:
  StageContext& context() const noexcept { return *context_; }

 private:
  StageContext* context_ = nullptr;
};

/// Makes a class the stage of this shared object.
#define PARLEY_STAGE(Class)                                                                               \
  PARLEY_PLUGIN_MANIFEST(                                                                                 \
      ::parley::PluginKind::kStage, PARLEY_PLUGIN_NAME, []() -> ::parley::Stage* { return new Class(); }, \
      nullptr,                                                                                            \
      (::parley::PluginTables{Class::kAbout, Class::kOptions, Class::kEntryOptions, Class::kEntries}))

}  // namespace parley
