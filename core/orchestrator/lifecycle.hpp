#pragma once

#include <functional>
#include <memory>
#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "orchestrator/round.hpp"
#include "orchestrator/turn_owner.hpp"
#include "orchestrator/turn_session.hpp"
#include "runtime/cell.hpp"
#include "runtime/scope.hpp"
#include "turn/trace_record.hpp"

namespace parley {

/// One utterance, from its entry message to `ovos.utterance.handled` (U-1). On the loop's thread.
class Lifecycle {
 public:
  Lifecycle(TurnOwner& owner, Message entry);

  static Task<> run(std::shared_ptr<Lifecycle> self);

  const std::string& id() const noexcept { return entry_.context().utterance_id; }
  /// The round's session as it is now; of `default` what the core holds (S-5).
  SessionPtr session() const { return session_.now(); }
  /// @param by  the skill or client that asks for it, for the log
  void patch_session(const Session& patch, const std::string& by) { session_.patch(patch, by); }
  /// A stop was dispatched (P-6). Ends the handler that runs for this utterance, if one does and it is that
  /// skill's (any: empty), as `.error`; it is cancelled at its next suspension point. A match round that is
  /// going on ends as cancelled. Whether it ended a handler.
  bool stop(const std::string& skill_id, const std::string& why = "cancelled: stopped");
  /// Its handler waits for the user (is_asking()), and can't any longer: says so, once, and ends as stop()
  /// does.
  void interrupt(const std::function<std::string(const std::string& lang)>& words, const std::string& why);
  /// What runs this; null: it has ended, or was never started.
  void runs_as(std::shared_ptr<Job> job) { job_ = std::move(job); }
  /// Its session was too large to be taken (S-5): of any but `default` only the id is known then, not what it
  /// denies, so that no stage is asked.
  void refuse_session();
  /// Before run(): it ends as cancelled, and no stage is asked.
  void give_up() noexcept { is_over_ = true; }
  const Message& entry() const noexcept { return entry_; }
  /// Whether its handler waits for the user.
  bool is_asking() const noexcept { return is_asking_; }

 private:
  class HandlerRuns;

  Task<> proceed();
  bool is_trace_heard() const;
  void begin_trace();
  Task<std::optional<Match>> find_match();
  void prepare(const std::vector<PipelineEntry>& pipeline);
  Task<std::optional<Match>> ask(PipelineEntry entry);
  /// Takes over what a stage made of the session.
  void take_update(Match& match, const Session& asked_with, const std::string& pipeline_id);

  /// Does a match, and what comes after it (U-9).
  Task<> dispatch(Match match);
  Task<Outcome> dispatch_part(Match match);
  void drop_question_of(const std::string& skill_id, const Session& dispatched);
  /// @param ended_turns  the match is a stop that ended others of the skill's
  Task<HandlerEnd> run_handler(Message dispatch, Match match, bool ended_turns);
  void end_handler(const std::string& failure);
  void waits_for_user(bool waits);
  void announce_match(const Match& match);
  Message dispatch_message(const Match& match) const;
  /// Publishes `ovos.utterance.handled`, right after what is to come before it (U-8).
  void finish(Outcome outcome, std::vector<Message> before = {});

  /// Logs what a stage did, at level debug.
  void log_verdict(const std::string& entry, const Verdict& verdict) const;
  /// For the record.
  void keep_trace(std::string_view outcome);
  /// To who follows traces.
  void tell_trace(std::string_view outcome);
  /// The turn in one line.
  void log_turn(Outcome outcome) const;
  void warn_of_language(const ResolvedLanguage& language) const;
  /// For everybody: with no destination.
  Message derived(std::string type, Json data) const;
  /// A reply to the client that sent the utterance (U-8).
  Message reply(std::string type, Json data) const;
  void publish(Message message);

  TurnOwner& owner_;
  const Message entry_;
  const Clock::Time began_;
  TurnSession session_;
  Round round_;
  std::shared_ptr<Job> job_;
  bool is_refused_ = false;   ///< No stage is asked.
  bool is_matching_ = false;  ///< The match round is going on…
  bool is_stopped_ = false;   ///< …and is over for a stop.
  bool is_over_ = false;      ///< Before it began.
  bool is_asking_ = false;
  bool is_interrupted_ = false;
  std::string matched_entry_;
  std::string matched_stage_;
  std::string handler_;        ///< The last that was dispatched to.
  std::string handler_skill_;  ///< Whose handler runs.
  std::shared_ptr<Cell<HandlerEnd>> handler_end_;
  std::function<void()> then_;  ///< Called when all is over.
  std::shared_ptr<TraceRecord> record_;
};

}  // namespace parley
