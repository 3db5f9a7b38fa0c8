#include "app/assistant.hpp"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <mutex>

#include "app/assistant_parts.hpp"
#include "config/changes.hpp"
#include "language/core_folder.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley {
namespace {

constexpr std::chrono::seconds kStopPatience(5);
constexpr std::chrono::seconds kLastTraces(2);  ///< For the collector to take them.

}  // namespace

std::string to_string(const LoadProblem& problem) {
  return fmt::format("{}: {}{}", problem.place, problem.fatal ? "" : "warning: ", problem.message);
}

Assistant::Assistant(Config config, AssistantOptions options)
    : parts_(std::make_unique<Parts>(std::move(config), std::move(options))) {}

Assistant::~Assistant() {
  stop();
  if (!parts_->stage_stuck && !parts_->skills.has_stuck()) return;
  // A thread is still inside a plugin, and may come back to any of this.
  static std::mutex mutex;
  static auto* const left_behind = new std::vector<std::unique_ptr<Parts>>();
  const std::lock_guard lock(mutex);
  left_behind->push_back(std::move(parts_));
}

void Assistant::add_stage(std::string pipeline_id, std::unique_ptr<Stage> stage) {
  parts_->given_stages.emplace_back(std::move(pipeline_id), std::move(stage), std::filesystem::path());
}

void Assistant::add_skill(std::string skill_id, std::unique_ptr<Skill> skill, std::filesystem::path folder,
                          OptionTable settings) {
  parts_->given_skills.emplace_back(std::move(skill_id), std::move(skill), std::move(folder));
  parts_->given_skills.back().settings = settings;
}

/// How long something waits for the loop; one at a time. On the monitor's thread.
void Assistant::Parts::measure_lag() {
  if (measures_lag.exchange(true)) return;
  boost::asio::post(loop, [this, posted = std::chrono::steady_clock::now()] {
    loop_lag.observe(std::chrono::steady_clock::now() - posted);
    measures_lag = false;
  });
}

void Assistant::start() {
  auto& parts = *parts_;
  parts.running = true;
  if (keeps_turns()) parts.start_log();
  parts.start_telemetry();
  if (!parts.jumping()) {
    const auto report = [](const LoopMonitor::Hold& hold) {
      const bool is_busy = 2 * hold.waited > hold.length;
      log_warning(
          "watchdog",
          fmt::format("{} has held the loop for {} ms: everything waits for it{}", hold.who,
                      hold.length.count(),
                      is_busy ? fmt::format("; for {} ms of it no processor was free, so the machine has "
                                            "more to do than it can",
                                            hold.waited.count())
                              : ""));
    };
    parts.monitor.start(parts.config.orchestrator.watchdog, report, [&parts] {
      parts.workers.relieve();
      parts.background.relieve();
      parts.measure_lag();
    });
  }
  parts.common_locale = parts.load_locale("core", core_folder());
  parts.load_stages();
  parts.load_skills();
  parts.run_until_within([&parts] { return parts.skills_starting == 0; }, std::chrono::seconds(30));
  // Whoever speaks first is understood by all of them, those with long registrations included.
  parts.run_until_within([&parts] { return parts.registry.is_settled(); }, std::chrono::seconds(10));
  for (const auto& problem : parts.problems) log_warning("load", to_string(problem));
  if (const auto& trouble = parts.chosen_store.trouble; !trouble.empty()) log_warning("store", trouble);
  if (parts.config.plugins.strict) {
    std::string refused;
    for (const auto& problem : parts.problems) {
      if (problem.fatal) refused += "\n  " + to_string(problem);
    }
    if (!refused.empty()) throw std::runtime_error("plugins.strict is set and these were refused:" + refused);
  }
  parts.sessions.start(parts.turn_log.get());
  parts.evidence.start();
  if (parts.embeddings) parts.embeddings->memories.start();
  parts.start_schedule();
  parts.run_until_within([&parts] { return parts.sessions.is_loaded(); }, std::chrono::seconds(10));
  parts.bus.publish(Message(topic::kCoreReady));
}

void Assistant::wake_languages(std::function<void()> then) {
  parts_->languages.wake_all(std::move(then));
}

const std::vector<LoadProblem>& Assistant::problems() const noexcept {
  return parts_->problems;
}

std::vector<LoadedPart> Assistant::loaded_stages() const {
  std::vector<LoadedPart> loaded;
  for (const auto& part : parts_->stage_parts) loaded.push_back(part->about);
  return loaded;
}

std::vector<LoadedPart> Assistant::loaded_skills() const {
  std::vector<LoadedPart> loaded;
  for (const auto& [id, part] : parts_->skill_parts) {
    LoadedPart about = part->about;
    if (const auto* skill = parts_->skills.find(id)) about.languages = skill->locale().all_languages();
    loaded.push_back(std::move(about));
  }
  return loaded;
}

void Assistant::run() {
  run_in_short_slices();
  run_eagerly(parts_->loop, &parts_->monitor);
  parts_->loop.restart();
}

void Assistant::stop_running() {
  boost::asio::post(parts_->loop, [this] { parts_->loop.stop(); });
}

void Assistant::run_until_idle() {
  while (parts_->run_ready() ||
         (parts_->jumping() && parts_->orchestrator.busy() > 0 && parts_->jump(std::nullopt))) {
  }
}

bool Assistant::run_until(const std::function<bool()>& condition) {
  while (!condition()) {
    if (parts_->jumping()) {
      if (!parts_->run_ready() && !parts_->jump(std::nullopt)) return condition();
    } else {
      const bool ran = parts_->loop.run_one() > 0;
      parts_->monitor.leave();
      if (!ran) return condition();
    }
  }
  return true;
}

void Assistant::run_for(Duration time) {
  auto& clock = parts_->jumping_clock;
  const auto until = clock.now() + std::chrono::duration_cast<Clock::Time::duration>(time);
  while (parts_->run_ready() || parts_->jump(until)) {
  }
  clock.advance_to(until);
}

void Assistant::interrupt_questions() {
  parts_->orchestrator.interrupt_questions(
      [this](const std::string& lang) { return parts_->common_locale.render("interrupted", lang, {}).text; });
}

void Assistant::stop() {
  auto& parts = *parts_;
  if (!parts.running) return;
  parts.running = false;
  parts.lasting->scheduler.stop();
  parts.arrivals.reset();
  parts.orchestrator.close();
  const auto left = std::make_shared<std::size_t>(0);  // who is stuck may report after this
  for (const auto& id : parts.skills.ids()) {
    ++*left;
    parts.unload_skill(id, [left](bool) { --*left; });
  }
  for (const auto& part : parts.stage_parts) {
    ++*left;
    parts.orchestrator.remove_stage(*part->hosted);
    parts.stage_handlers.remove(part->about.id);
    part->hosted->close([&parts, left] { boost::asio::post(parts.loop, [left] { --*left; }); });
  }
  const auto done = [&] { return *left == 0 && parts.orchestrator.in_flight() == 0; };
  parts.run_until_within(done, kStopPatience);
  parts.orchestrator.on_traced(nullptr);
  parts.sessions.stop();
  parts.evidence.stop();
  parts.embeddings.reset();
  parts.turn_log.reset();
  if (parts.trace_export) {
    parts.trace_export->finish();
    parts.run_until_within([&parts] { return parts.trace_export->is_idle(); }, kLastTraces);
    parts.trace_export.reset();
  }
  parts.lasting->store->close();
  parts.run_ready();
  parts.monitor.stop();
  parts.stage_stuck = !done();
  if (parts.stage_stuck) return;
  for (const auto& part : parts.stage_parts) {
    if (part->library && parts.config.plugins.unload == PluginUnload::kNever) part->library->keep_mapped();
  }
  parts.stage_parts.clear();
}

void Assistant::reconfigure(const Config& fresh, std::optional<Layers> layers) {
  Config wanted = fresh;
  parts_->layers = layers ? std::move(*layers) : [&] {
    Layers all(fresh);
    add_changes(wanted, all);
    return all;
  }();
  take_at_run_time(parts_->config, wanted);
  parts_->change_skill_settings(wanted.skills.settings);
  parts_->orchestrator.reconfigure(orchestrator_settings(parts_->config, parts_->options));
}

void Assistant::post(std::function<void()> work) {
  boost::asio::post(parts_->loop, std::move(work));
}

void Assistant::in_background(std::function<void()> work, std::function<void()> then) {
  parts_->offload()(std::move(work), std::move(then));
}

std::size_t Assistant::events_waiting() const {
  return parts_->turn_log ? parts_->turn_log->waiting() : 0;
}

const Config& Assistant::config() const noexcept {
  return parts_->config;
}
const std::string& Assistant::time_zone() const noexcept {
  return parts_->time_zone;
}
const Clock& Assistant::clock() const noexcept {
  return parts_->timers->clock();
}
JumpingClock* Assistant::jumping_clock() noexcept {
  return parts_->jumping() ? &parts_->jumping_clock : nullptr;
}
boost::asio::io_context& Assistant::loop() noexcept {
  return parts_->loop;
}
Bus& Assistant::bus() noexcept {
  return parts_->bus;
}
Bus& Assistant::told() noexcept {
  return parts_->shared_bus == nullptr ? parts_->bus : *parts_->shared_bus;
}
void Assistant::say(const Message& utterance) {
  if (!parts_->passes || !parts_->passes(utterance)) parts_->bus.publish(utterance);
}
void Assistant::be_part_of(Bus* told, std::function<bool(const Message&)> passes) {
  parts_->shared_bus = told;
  parts_->passes = std::move(passes);
}
Counters& Assistant::counters() noexcept {
  return parts_->counters;
}
IntentRegistry& Assistant::registry() noexcept {
  return parts_->registry;
}
Timers& Assistant::timers() noexcept {
  return *parts_->timers;
}

Orchestrator& Assistant::orchestrator() noexcept {
  return parts_->orchestrator;
}
SkillHost& Assistant::skills() noexcept {
  return parts_->skills;
}
SessionKeeper& Assistant::sessions() noexcept {
  return parts_->sessions;
}
const std::shared_ptr<Lasting>& Assistant::lasting() noexcept {
  return parts_->lasting;
}
evidence::QuestionVectors* Assistant::question_vectors() noexcept {
  return parts_->embeddings ? &parts_->embeddings->questions : nullptr;
}
Store& Assistant::store() noexcept {
  return *parts_->lasting->store;
}
const std::string& Assistant::store_trouble() const noexcept {
  return parts_->chosen_store.trouble;
}

}  // namespace parley
