#pragma once

#include <cstdint>
#include <memory>
#include <parley/json.hpp>
#include <parley/message.hpp>
#include <string>
#include <string_view>

#include "orchestrator/settings.hpp"
#include "stage/hosted_stage.hpp"

namespace parley {

class Bus;
class HandlerHost;
class IntentRegistry;
class LanguageWaker;
class Lifecycle;
class Timers;
class TraceRecord;
class TurnMetrics;

/// How a turn ended. In metrics and traces it has the name that to_string() gives.
enum class Outcome : std::uint8_t { kComplete, kError, kUnmatched, kCancelled };
std::string_view to_string(Outcome outcome) noexcept;

/// An entry of the pipeline: a stage, and the options it is asked with.
struct PipelineEntry {
  PipelineEntry(std::string id, HostedStage& hosted, std::shared_ptr<const Json> with)
      : name(std::move(id)), stage(&hosted), options(std::move(with)) {}
  std::string name;
  HostedStage* stage;
  std::shared_ptr<const Json> options;
};

/// What one turn needs from the object that runs all turns. On the loop's thread.
class TurnOwner {
 public:
  virtual Bus& bus() noexcept = 0;
  virtual Timers& timers() noexcept = 0;
  virtual IntentRegistry& registry() noexcept = 0;
  virtual SessionStore& sessions() noexcept = 0;
  virtual const OrchestratorSettings& settings() const noexcept = 0;
  /// How many active skills a session remembers (D-3).
  virtual std::size_t most_handlers() const noexcept = 0;
  /// Null: no such entry is loaded.
  virtual const PipelineEntry* entry(const std::string& name) const = 0;
  virtual bool is_stage(const std::string& pipeline_id) const = 0;
  /// Null: that skill is not hosted.
  virtual HandlerHost* host_of(const std::string& skill_id) const = 0;
  /// Ends a handler, also of a skill that is out and only finishes the turns it has begun.
  virtual void cancel_handler(const std::string& skill_id, const std::string& utterance_id) = 0;
  /// Null: every language is awake.
  virtual LanguageWaker* sleeping() const noexcept = 0;
  /// Nothing is taken any more.
  virtual bool is_closing() const noexcept = 0;
  /// Whether it is the first in that session (L-1), as far as anybody remembers.
  virtual bool is_first_language_warning(const std::string& session_id) = 0;
  /// Ends what a skill (empty: anybody) runs in a session, and the match rounds there; not that utterance
  /// (P-6). Whether there was any such handler.
  virtual bool stop_turns(const std::string& session_id, const std::string& skill_id,
                          const std::string& except) = 0;
  /// A turn begins or ends to wait for the user.
  virtual void waits_for_user(const Message& entry, bool waits) = 0;
  virtual TurnMetrics& metrics() noexcept = 0;
  /// Whether turns are recorded, to be read later.
  virtual bool keeps_traces() const noexcept = 0;
  /// A turn has ended or waits for the user, and this happened in it; for the record.
  virtual void traced(const std::shared_ptr<const TraceRecord>& record, std::string_view outcome) = 0;
  virtual void ended(const Lifecycle& lifecycle) = 0;

 protected:
  ~TurnOwner() = default;
};

/// The sender that began a message's chain, by its name for the log.
inline std::string name_of_sender(const Context& context) {
  return context.sender ? context.sender->name : "this process";
}

}  // namespace parley
