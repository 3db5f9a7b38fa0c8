#include "app/stage_handlers.hpp"

#include "runtime/guard.hpp"

namespace parley {

struct StageHandlers::Running {
  Running(std::shared_ptr<Turn::State> turn, std::shared_ptr<Job> work)
      : state(std::move(turn)), job(std::move(work)) {}
  std::shared_ptr<Turn::State> state;
  std::shared_ptr<Job> job;
};

struct StageHandlers::Entry {
  Entry(HostedStage& hosted, std::shared_ptr<const TurnEnvironment> around)
      : stage(&hosted), environment(std::move(around)) {}
  HostedStage* stage;
  std::shared_ptr<const TurnEnvironment> environment;
  std::map<std::string, Running, std::less<>> running;
};

void StageHandlers::add(HostedStage& stage, std::shared_ptr<const TurnEnvironment> environment) {
  stages_.insert_or_assign(stage.pipeline_id(), std::make_shared<Entry>(stage, std::move(environment)));
}

void StageHandlers::remove(const std::string& pipeline_id) {
  stages_.erase(pipeline_id);
}

Task<> StageHandlers::run_call(Stage* stage, std::shared_ptr<Turn::State> state,
                               std::function<void(HandlerEnd)> done) {
  std::optional<std::string> failure;
  try {
    co_await stage->handle(Turn(state));
  } catch (...) {
    failure = text_of_current_exception();
  }
  HandlerEnd end = state->end();
  end.exception = std::move(failure);
  state->environment->post([done = std::move(done), end = std::move(end)] { done(end); });
}

void StageHandlers::run(HandlerCall call) {
  const auto found = stages_.find(call.dispatch.context().skill_id);
  if (found == stages_.end()) return;
  const auto entry = found->second;
  auto state = std::make_shared<Turn::State>(entry->environment, call);
  const std::string id = call.dispatch.context().utterance_id;
  auto done = [entry, id, state, report = std::move(call.done)](HandlerEnd end) {
    const auto running = entry->running.find(id);
    // A client may have used the id again for a turn that runs now.
    if (running != entry->running.end() && running->second.state == state) entry->running.erase(running);
    report(std::move(end));
  };
  auto job = entry->stage->start_handler(run_call(&entry->stage->stage(), state, std::move(done)));
  if (job) entry->running.insert_or_assign(id, Running(std::move(state), std::move(job)));
}

void StageHandlers::cancel(const std::string& pipeline_id, const std::string& utterance_id) {
  const auto found = stages_.find(pipeline_id);
  if (found == stages_.end()) return;
  auto node = found->second->running.extract(utterance_id);
  if (node.empty()) return;
  *node.mapped().state->over = true;
  node.mapped().job->cancel();
}

}  // namespace parley
