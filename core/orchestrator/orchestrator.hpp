#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/result.hpp>
#include <set>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "bus/counters.hpp"
#include "bus/handler_host.hpp"
#include "orchestrator/hosted_stage.hpp"
#include "orchestrator/settings.hpp"
#include "registry/registry.hpp"
#include "session/session.hpp"
#include "time/scope.hpp"

namespace parley {

class Lifecycle;

/// An entry of the pipeline: a stage, and the options it is asked with.
struct PipelineEntry {
  PipelineEntry(std::string id, HostedStage& hosted, std::shared_ptr<const Json> with)
      : name(std::move(id)), stage(&hosted), options(std::move(with)) {}
  std::string name;
  HostedStage* stage;
  std::shared_ptr<const Json> options;
};

/// Takes every `ovos.utterance.handle` to its `ovos.utterance.handled` (section U). On the loop's thread.
class Orchestrator {
 public:
  Orchestrator(Bus& bus, IntentRegistry& registry, Counters& counters, boost::asio::any_io_executor loop,
               OrchestratorSettings settings);
  ~Orchestrator();
  Orchestrator(const Orchestrator&) = delete;
  Orchestrator& operator=(const Orchestrator&) = delete;

  void add_entry(PipelineEntry entry);
  /// From the next question on nobody asks this stage.
  void remove_stage(const HostedStage& stage);
  /// From the next question on these hold.
  void reconfigure(OrchestratorSettings settings);
  /// Hosts are asked in the order in which they were added.
  void add_host(HandlerHost& host) { hosts_.push_back(&host); }
  void remove_host(const HandlerHost& host) {
    std::erase_if(hosts_, [&](const HandlerHost* one) { return one == &host; });
  }

  /// What would become of an utterance: every stage of its pipeline is asked, and nothing comes of it. No
  /// message leaves a stage, no session changes, nothing is counted. Stages that poll skills can't be
  /// answered for: whom they would ask is named. Calls back with
  /// `{utterances, lang, lang_source, skipped: [{entry, why}], stages: [{entry, pipeline_id, verdict, match?,
  /// why?, asks?: [{topic, skills}], steps}], outcome, entry?}`; docs/gateway.md explains them.
  void dry_run(const Message& message, std::function<void(Result<Json>)> done);

  const PipelineEntry* entry(const std::string& name) const;
  const OrchestratorSettings& settings() const noexcept { return settings_; }
  SessionStore& sessions() noexcept { return sessions_; }
  std::size_t in_flight() const noexcept { return running_.size(); }
  /// Those of them that don't wait for the user.
  std::size_t busy() const noexcept { return running_.size() - asking_; }

  /// Utterances that have entered and not begun.
  std::size_t waiting() const noexcept { return waiting_.size(); }

  /// Takes no more utterances and cancels those under way.
  void close();

 private:
  friend class Lifecycle;

  void enter(const Message& message);
  void begin(const Message& message);
  void ended(const Lifecycle& lifecycle);
  void sync_session(const Message& message);
  /// Ends what a skill (empty: anybody) runs in a session, but for that utterance (P-6).
  void stop_handlers(const std::string& session_id, const std::string& skill_id, const std::string& except);
  void waits_for_user(bool waits);
  void answer_active_list(const Message& query);
  void begin_waiting();
  Message stamped(const Message& entry);
  HandlerHost* host_of(const std::string& skill_id) const;
  bool is_stage(const std::string& pipeline_id) const;

  Bus& bus_;
  IntentRegistry& registry_;
  Counters& counters_;
  boost::asio::any_io_executor loop_;
  OrchestratorSettings settings_;
  SessionStore sessions_;
  std::map<std::string, PipelineEntry, std::less<>> entries_;
  std::vector<HandlerHost*> hosts_;
  std::map<std::string, std::shared_ptr<Lifecycle>, std::less<>> running_;
  std::deque<Message> waiting_;
  std::set<std::string, std::less<>> ids_;  ///< Of what runs or waits.
  std::size_t asking_ = 0;                  ///< Of those that run: whose handler waits for the user.
  bool closing_ = false;
  std::vector<Subscription> subscriptions_;
  Scope scope_;
};

}  // namespace parley
