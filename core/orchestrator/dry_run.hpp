#pragma once

#include <functional>
#include <memory>
#include <parley/result.hpp>

#include "orchestrator/round.hpp"

namespace parley {

/// What would become of an utterance, without any of it happening: every stage is asked, in order, and
/// nothing comes of it. Orchestrator::dry_run() says what it tells. On the loop's thread.
class DryRun {
 public:
  DryRun(TurnOwner& owner, Message entry);

  /// Its session was too large to be taken (S-5): no stage is asked.
  void refuse_session() noexcept { is_refused_ = true; }
  static Task<> run(std::shared_ptr<DryRun> self, std::function<void(Result<Json>)> done);

 private:
  Task<Json> ask_all();
  Task<Json> ask(PipelineEntry entry);
  /// A record of its own for what comes next.
  std::shared_ptr<TraceRecord> begin_record();

  TurnOwner& owner_;
  const Message entry_;
  TurnSession session_;
  Round round_;
  bool is_refused_ = false;
};

}  // namespace parley
