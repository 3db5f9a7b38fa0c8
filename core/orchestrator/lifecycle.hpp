#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/result.hpp>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "orchestrator/orchestrator.hpp"
#include "runtime/cell.hpp"
#include "turn/trace_record.hpp"

namespace parley {

/// One utterance, from its entry message to `ovos.utterance.handled` (U-1). On the loop's thread.
class Lifecycle {
 public:
  Lifecycle(Orchestrator& owner, Message entry);

  static Task<> run(std::shared_ptr<Lifecycle> self);
  /// Instead of run(): what every stage would say, in order, and nothing comes of it. See Orchestrator.
  static Task<> dry_run(std::shared_ptr<Lifecycle> self, std::function<void(Result<Json>)> done);

  const std::string& id() const noexcept { return entry_.context().utterance_id; }
  /// The round's session as it is now; of `default` what the core holds (S-5).
  SessionPtr session() const;
  /// @param by  who asks for it, as the log is to name it
  void patch_session(const Session& patch, const std::string& by);
  /// A stop was dispatched (P-6). Ends the handler that runs for this utterance, if one does and it is that
  /// skill's (any: empty), as `.error`; it is cancelled at its next suspension point. A match round that is
  /// going on ends as cancelled.
  void stop(const std::string& skill_id, const std::string& why = "cancelled: stopped");
  /// What runs this; null: it has ended, or was never started.
  void runs_as(std::shared_ptr<Job> job) { job_ = std::move(job); }
  /// Its session was too large to be taken (S-5): of any but `default` only the id is known then, not what it
  /// denies, so that no stage is asked.
  void refuse_session();
  /// Before run(): it ends as cancelled, and asks nobody.
  void give_up() noexcept { is_over_ = true; }
  const Message& entry() const noexcept { return entry_; }
  /// Instead of run(): whether the first stage of its pipeline does not decline it at once. Where that is the
  /// one that stops things, this is what must not wait behind them.
  bool is_urgent();

 private:
  class HandlerRuns;

  Task<> proceed();
  Task<Json> dry_run_all();
  Task<Json> dry_run_one(PipelineEntry entry);
  bool read_utterances();
  ResolvedLanguage resolved_language() const;
  /// The session as a stage sees it: the configured blacklists hold where it has none of its own.
  SessionPtr session_for_stages() const;
  /// The entries that are asked, composed once (U-2).
  std::vector<PipelineEntry> effective_pipeline();
  /// How a name of the pipeline that is not loaded is told of; `nth` counts them from 0.
  void tell_missing(const std::string& name, std::size_t nth) const;
  Task<std::optional<Match>> find_match();
  void prepare(const std::vector<PipelineEntry>& pipeline);
  MatchRequest request_of(const PipelineEntry& entry, const SessionPtr& asked_with) const;
  Task<std::optional<Match>> ask(PipelineEntry entry);
  /// Why a match does not count (U-3, U-4); empty when it does.
  std::string objection(const Match& match) const;

  void open_round();
  void close_round();
  void commit(const Match& match);
  void drop_dead_question(Session& session) const;
  /// Takes over what a handler made of the session (S-6).
  void take_session(const HandlerEnd& end, const Session& dispatched);
  /// Nobody waits for the answer to its question any more.
  void drop_question(const std::string& skill_id);
  bool is_blacklisted(const Session& session, const std::string& skill_id) const;
  void activate(Session& session, const std::string& skill_id, const std::string& intent_name) const;
  Task<> dispatch(Match match);
  Task<HandlerEnd> run_handler(Message dispatch, Match match);
  void end_handler(const std::string& failure);
  void waits_for_user(bool waits);
  void announce_match(const Match& match);
  Message dispatch_message(const Match& match) const;
  /// Publishes `ovos.utterance.handled`, right after what is to come before it (U-8).
  void finish(std::string_view outcome, std::vector<Message> before = {});

  /// Whether the core holds its session (S-5).
  bool is_stored() const { return !is_dry_ && is_default_session(session_->session_id); }
  /// Replaces the round's session, and writes to the stored one what that changes (S-5).
  /// @param by  who changes it, as the log is to name it; empty: the turn
  void change_session(const Session& before, const Session& after, const std::string& by = {});
  /// Says that a change would have made it too large and is refused (S-5).
  void warn_of_size(const std::string& by) const;
  void warn_of_language(const ResolvedLanguage& language) const;
  /// For everybody: with no destination.
  Message derived(std::string type, Json data) const;
  /// For who said it (U-8).
  Message reply(std::string type, Json data) const;
  void publish(Message message) { owner_.bus_.publish(std::move(message)); }

  Orchestrator& owner_;
  Message entry_;
  SessionPtr session_;
  std::shared_ptr<Job> job_;
  bool is_dry_ = false;       ///< Then the stored session is left alone.
  bool is_refused_ = false;   ///< No stage is asked.
  bool is_matching_ = false;  ///< The match round is going on…
  bool is_stopped_ = false;   ///< …and is over for a stop.
  bool is_over_ = false;      ///< Before it began.
  std::vector<std::string> utterances_;
  std::string lang_;
  std::string matched_entry_;
  std::string matched_stage_;
  SessionPtr round_began_;     ///< The session the match round started from.
  std::string handler_skill_;  ///< Whose handler runs.
  std::shared_ptr<Cell<HandlerEnd>> handler_end_;
  std::shared_ptr<TraceRecord> record_;
  Trace trace_;
};

}  // namespace parley
