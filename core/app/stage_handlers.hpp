#pragma once

#include <map>
#include <memory>
#include <string>

#include "stage/hosted_stage.hpp"
#include "turn/handler_host.hpp"
#include "turn/turn_state.hpp"

namespace parley {

/// Runs what stages dispatch to themselves (Stage::handle), on the loop.
class StageHandlers final : public HandlerHost {
 public:
  explicit StageHandlers(std::chrono::milliseconds handler_timeout) : timeout_(handler_timeout) {}

  void add(HostedStage& stage, std::shared_ptr<const TurnEnvironment> environment);
  void remove(const std::string& pipeline_id);

  bool hosts(const std::string& pipeline_id) const override { return stages_.contains(pipeline_id); }
  void run(HandlerCall call) override;
  void cancel(const std::string& pipeline_id, const std::string& utterance_id) override;
  std::chrono::milliseconds handler_timeout(const std::string&) const override { return timeout_; }

 private:
  struct Entry;
  struct Running;
  static Task<> run_call(Stage* stage, std::shared_ptr<Turn::State> state,
                         std::function<void(HandlerEnd)> done);

  std::chrono::milliseconds timeout_;
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> stages_;
};

}  // namespace parley
