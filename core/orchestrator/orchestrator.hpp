#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/result.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "bus/bus.hpp"
#include "orchestrator/due_turns.hpp"
#include "orchestrator/settings.hpp"
#include "orchestrator/turn_metrics.hpp"
#include "orchestrator/turn_owner.hpp"
#include "orchestrator/turn_shares.hpp"
#include "registry/registry.hpp"
#include "runtime/counters.hpp"
#include "runtime/scope.hpp"
#include "runtime/timers.hpp"
#include "session/session.hpp"
#include "stage/hosted_stage.hpp"
#include "turn/handler_host.hpp"

namespace parley {

class Lifecycle;

/// Takes every `ovos.utterance.handle` to its `ovos.utterance.handled` (section U). On the loop's thread.
class Orchestrator final : private TurnOwner {
 public:
  Orchestrator(Bus& bus, Timers& timers, IntentRegistry& registry, Counters& counters,
               boost::asio::any_io_executor loop, OrchestratorSettings settings);
  ~Orchestrator();
  Orchestrator(const Orchestrator&) = delete;
  Orchestrator& operator=(const Orchestrator&) = delete;

  void add_entry(PipelineEntry entry);
  /// From the next question on, this stage is not asked.
  void remove_stage(const HostedStage& stage);
  /// From the next question on these hold.
  void reconfigure(OrchestratorSettings settings);
  /// How many recently active skills a session remembers (D-3), and for how long they count as active
  /// (C-5).
  void remember_handlers(std::size_t most, Duration age) {
    most_handlers_ = most;
    handler_age_ = age;
  }
  /// Ends turns whose handlers wait for the user.
  /// @param words  what is said of it, in that language
  void interrupt_questions(const std::function<std::string(const std::string& lang)>& words);
  /// Hosts are asked in the order in which they were added.
  void add_host(HandlerHost& host) { hosts_.push_back(&host); }
  void remove_host(const HandlerHost& host) {
    std::erase_if(hosts_, [&](const HandlerHost* one) { return one == &host; });
  }

  /// Utterances of a language that sleeps wait until it is awake.
  void let_sleep(LanguageWaker& waker) { sleeping_ = &waker; }

  /// Runs a handler because it is time (K-3): `dispatch` is what the skill gets, `ended` is called when the
  /// handler has ended.
  void run_due(Message dispatch, std::function<void()> ended) {
    due_turns_.run(std::move(dispatch), std::move(ended));
  }
  /// Whether anybody runs handlers of that skill now.
  bool is_hosted(const std::string& skill_id) const { return host_of(skill_id) != nullptr; }

  /// What would become of an utterance: every stage of its pipeline is asked, and nothing comes of it. No
  /// message leaves a stage, no session changes, nothing is counted. Stages that poll skills can't be
  /// answered for: whom they would ask is named. Calls back with
  /// `{utterances, lang, lang_source, skipped: [{entry, why}], stages: [{entry, pipeline_id, verdict, match?,
  /// why?, asks?: [{topic, skills}], steps}], outcome, entry?}`; docs/gateway.md explains them.
  void dry_run(const Message& message, std::function<void(Result<Json>)> done);

  /// What the session's pipeline takes word for word of the request's first utterance; see StageContext.
  std::optional<Match> word_for_word(const MatchRequest& request) const;

  const PipelineEntry* entry(const std::string& name) const override;
  /// Whether a stage of that name takes part.
  bool is_stage(const std::string& pipeline_id) const override;
  const OrchestratorSettings& settings() const noexcept override { return settings_; }
  SessionStore& sessions() noexcept override { return sessions_; }
  std::size_t in_flight() const noexcept { return running_.size(); }
  /// Those of them that don't wait for the user.
  std::size_t busy() const noexcept { return shares_.busy(); }

  /// Utterances that have entered and not begun.
  std::size_t waiting() const noexcept { return shares_.waiting(); }
  /// The same, of one client.
  std::size_t waiting_of(std::uint64_t client) const { return shares_.waiting_of(client); }
  /// Calls back when an utterance of a client that had to wait begins, or never will.
  void on_begun(std::function<void(std::uint64_t client)> callback) { begun_ = std::move(callback); }
  /// A client has gone: what waits of it ends, what runs goes on within a bound.
  void departed(std::uint64_t client);
  /// The session a message is about, as it is now: of its turn, the stored one, or its own.
  SessionPtr session_of(const Message& message) const;
  /// The sender of the turn with that id; nothing: no such turn is under way or waits.
  std::optional<SenderPtr> sender_of(const std::string& utterance_id) const;

  /// Has what happens in turns recorded, and hands it over, unread: to_json() takes longer than turns should.
  /// At their ends, with an Outcome; and whenever one waits for the user, with "waiting".
  using Traced =
      std::function<void(const std::shared_ptr<const TraceRecord>& record, std::string_view outcome)>;
  void on_traced(Traced callback) { traced_ = std::move(callback); }

  /// Whether anything runs in such a session, or waits at all.
  bool is_busy(const std::function<bool(const std::string& session_id)>& which) const;
  /// Ends what runs in such sessions; what waits in them ends without having begun.
  void end_turns(const std::function<bool(const std::string& session_id)>& which, const std::string& why);

  /// Ends what is in scope of an owner's session (K-5): turns in it that wait for the user end as cancelled,
  /// and of `default`, which is everybody's, the floor goes.
  void end_session(const std::string& owner, const std::string& session_id);
  /// Replaces the default session, as it was before a restart. False: it is too large.
  bool restore_default(SessionPtr session) { return sessions_.set(std::move(session)); }

  /// Takes no more utterances and cancels those under way.
  void close();

 private:
  Bus& bus() noexcept override { return bus_; }
  Timers& timers() noexcept override { return timers_; }
  IntentRegistry& registry() noexcept override { return registry_; }
  HandlerHost* host_of(const std::string& skill_id) const override;
  void cancel_handler(const std::string& skill_id, const std::string& utterance_id) override {
    for (HandlerHost* const host : hosts_) host->cancel(skill_id, utterance_id);
  }
  LanguageWaker* sleeping() const noexcept override { return sleeping_; }
  bool is_closing() const noexcept override { return closing_; }
  std::size_t most_handlers() const noexcept override { return most_handlers_; }
  bool is_first_language_warning(const std::string& session_id) override;
  bool stop_turns(const std::string& session_id, const std::string& skill_id,
                  const std::string& except) override;
  void waits_for_user(const Message& entry, bool waits) override;
  TurnMetrics& metrics() noexcept override { return metrics_; }
  bool keeps_traces() const noexcept override { return traced_ != nullptr; }
  void traced(const std::shared_ptr<const TraceRecord>& record, std::string_view outcome) override {
    if (traced_) traced_(record, outcome);
  }
  void ended(const Lifecycle& lifecycle) override;

  /// As the turns see it.
  TurnOwner& owner() noexcept { return *this; }
  void enter(const Message& message);
  /// Whether it must not wait behind others of its client.
  bool is_urgent(const Message& entry);
  /// @param is_over  its client has gone and it can't have an effect any more: it only ends (U-1)
  void begin(const Message& message, bool is_over = false);
  void sync_session(const Message& message);
  void end_turn(const std::string& utterance_id, const std::string& why);
  void told_begun(const Message& entry);
  void answer_active_list(const Message& query);
  void begin_waiting();
  void begin_later(Clock::Time now);
  Message stamped(const Message& entry);

  Bus& bus_;
  Timers& timers_;
  IntentRegistry& registry_;
  TurnMetrics metrics_;
  const Counter delayed_, ended_by_share_;
  boost::asio::any_io_executor loop_;
  OrchestratorSettings settings_;
  std::size_t most_handlers_ = 16;          // until a stage asks for another number
  Duration handler_age_ = Duration::max();  // likewise
  SessionStore sessions_;
  std::map<std::string, PipelineEntry, std::less<>> entries_;
  std::vector<HandlerHost*> hosts_;
  std::map<std::string, std::shared_ptr<Lifecycle>, std::less<>> running_;
  std::unordered_set<std::size_t> language_warnings_;  ///< Hashes of sessions: ids may be long.
  TurnShares shares_;
  DueTurns due_turns_{owner()};
  Timer next_begins_;
  std::map<std::string, SenderPtr, std::less<>> ids_;  ///< Ids of turns that run or wait, and their senders.
  std::function<void(std::uint64_t)> begun_;
  Traced traced_;
  LanguageWaker* sleeping_ = nullptr;
  bool closing_ = false;
  std::vector<Subscription> subscriptions_;
  Scope scope_;
};

}  // namespace parley
