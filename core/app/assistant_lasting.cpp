// What of the turns is kept, and what is to come.
#include <boost/asio/post.hpp>
#include <utility>

#include "app/assistant_parts.hpp"
#include "evidence/cold.hpp"
#include "evidence/derive.hpp"
#include "store/due_message.hpp"
#include "store/schedule_table.hpp"

namespace parley {
namespace {

/// Events that are derived from at a time: other writes wait meanwhile.
constexpr std::size_t kDerivedAtOnce = 500;
constexpr std::size_t kCooledAtOnce = 500;
constexpr std::int64_t kHour = 3'600'000;  ///< Milliseconds between two looks at what has become old.

}  // namespace

bool Assistant::keeps_turns() const {
  const bool has_place = !parts_->lasting->store->file().empty() || parts_->options.logs_in_memory;
  return has_place && parts_->config.store.keep != StoreKeep::kNothing;
}

void Assistant::Parts::start_log() {
  TurnLogSettings settings;
  settings.max_queue = static_cast<std::size_t>(config.store.max_queue);
  settings.retention = config.store.retention;
  settings.time_zone = time_zone;
  settings.over = lasting->turns_over;
  if (config.evidence.enabled) {
    settings.then = [&clock = timers->clock(), after = config.evidence.cold_after,
                     next = std::int64_t{0}](Database& database) mutable {
      const bool more = evidence::catch_up(database, kDerivedAtOnce);
      const std::int64_t now = to_milliseconds(clock.wall());
      if (now < next) return more;
      if (evidence::cool(database, now - after.count(), kCooledAtOnce) < kCooledAtOnce) next = now + kHour;
      return more;
    };
  }
  turn_log = std::make_unique<TurnLog>(lasting->store, bus, counters, settings);
  if (config.store.keep != StoreKeep::kTraces) return;
  orchestrator.on_traced([this](const std::shared_ptr<const TraceRecord>& record, std::string_view outcome) {
    turn_log->traced(record, std::string(outcome));
  });
}

std::unique_ptr<evidence::Embeddings> Assistant::Parts::make_embeddings() {
  const auto& settings = config.evidence.embeddings;
  if (!config.evidence.enabled || settings.url.empty()) return nullptr;
  return std::make_unique<evidence::Embeddings>(
      settings, *http, lasting->store, *timers, counters, loop.get_executor(),
      [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); }, offload());
}

void Assistant::Parts::start_telemetry() {
  if (config.telemetry.traces.empty()) return;
  trace_export = std::make_unique<TraceExport>(config.telemetry, bus, *timers, counters, *http,
                                               loop.get_executor(), offload());
}

void Assistant::Parts::start_schedule() {
  lasting->scheduler.start(
      [this](const Occurrence& occurrence, std::function<void()> told) {
        orchestrator.run_due(due_message(occurrence), std::move(told));
      },
      [this](const std::string& skill_id) { return orchestrator.is_hosted(skill_id); });
  // Posted: who arrives is not complete yet.
  arrivals = bus.presence().on_arrive(
      [this](const std::string&) { boost::asio::post(loop, [this] { lasting->scheduler.look_again(); }); });
  run_until_within([this] { return lasting->scheduler.is_loaded(); }, std::chrono::seconds(10));
}

}  // namespace parley
