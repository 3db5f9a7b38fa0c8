#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/result.hpp>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "bus/trace_record.hpp"
#include "orchestrator/orchestrator.hpp"
#include "time/cell.hpp"

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
  void patch_session(const Session& patch);
  /// Ends the handler that runs for this utterance, if one does and it is that skill's (any: empty), as
  /// `.error`; it is cancelled at its next suspension point (P-6).
  void stop_handler(const std::string& skill_id, const std::string& why = "cancelled: stopped");
  /// Before run(): it ends as cancelled, and asks nobody.
  void give_up() noexcept { is_over_ = true; }
  const Message& entry() const noexcept { return entry_; }

 private:
  class HandlerRuns;

  Task<> proceed();
  Task<Json> dry_run_all();
  Task<Json> dry_run_one(PipelineEntry entry);
  bool read_utterances();
  ResolvedLanguage resolved_language() const;
  /// The session as a stage sees it: the configured blacklists hold where it has none of its own.
  SessionPtr session_for_stages() const;
  std::vector<const PipelineEntry*> effective_pipeline();
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
  void change_session(const Session& before, const Session& after);
  Message derived(std::string type, Json data) const;
  void publish(Message message) { owner_.bus_.publish(std::move(message)); }

  Orchestrator& owner_;
  Message entry_;
  SessionPtr session_;
  bool is_dry_ = false;  ///< Then the stored session is left alone.
  bool is_over_ = false;
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
