#include "app/assistant.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <mutex>

#include "app/assistant_parts.hpp"
#include "config/changes.hpp"
#include "config/store_file.hpp"
#include "language/core_folder.hpp"
#include "language/zone_names.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"
#include "net/client.hpp"
#include "runtime/http_client.hpp"

namespace parley {
namespace {

constexpr std::chrono::seconds kStopPatience(5);
constexpr std::chrono::seconds kLastTraces(2);  ///< For the collector to take them.

OrchestratorSettings orchestrator_settings(const Config& config, const AssistantOptions& options) {
  OrchestratorSettings settings;
  settings.languages = Languages(config.language.default_tag, config.language.enabled);
  settings.pipeline = config.pipeline;
  settings.blacklisted_pipelines = config.blacklisted_pipelines;
  settings.blacklisted_skills = config.blacklisted_skills;
  settings.blacklisted_intents = config.blacklisted_intents;
  settings.limits.in_flight = static_cast<std::size_t>(config.orchestrator.max_in_flight);
  settings.limits.of_client = static_cast<std::size_t>(config.orchestrator.max_in_flight_of_client);
  settings.limits.of_session = static_cast<std::size_t>(config.orchestrator.max_in_flight_of_session);
  settings.limits.questions = static_cast<std::size_t>(config.orchestrator.max_questions_of_client);
  settings.limits.granted = [](const Sender& sender) -> std::optional<std::size_t> {
    const auto* const client = dynamic_cast<const net::Client*>(&sender);
    return client != nullptr && client->grant ? client->grant->shares.turns : std::nullopt;
  };
  settings.max_session_size = config.session.max_size;
  settings.trace_always = options.trace_all;
  return settings;
}

RegistrationLimits registration_limits(const RegistrationConfig& config) {
  RegistrationLimits limits;
  limits.max_samples = static_cast<std::size_t>(config.max_samples);
  limits.max_text = config.max_text;
  return limits;
}

std::unique_ptr<Timers> make_timers(bool jumping, boost::asio::io_context& loop, const Clock& clock) {
  if (jumping) return std::make_unique<Timers>(clock);
  return std::make_unique<LoopTimers>(loop, clock);
}

StoreChoice store_choice(const Config& config, const AssistantOptions& options) {
  StoreChoice choice;
  choice.in_file = config.store.enabled && !options.keeps_as.empty();
  choice.threads = !options.jumping_clock;
  choice.path = store_file(config.store, options.config_file);
  choice.who = fmt::format("{}, process {}", options.keeps_as, ::getpid());
  return choice;
}

std::shared_ptr<HttpTransport> transport(const AssistantOptions& options) {
  if (options.http) return options.http;
  if (options.jumping_clock) return std::make_shared<GivenAnswers>();
  return std::make_shared<HttpClient>();
}

}  // namespace

std::string to_string(const LoadProblem& problem) {
  return fmt::format("{}: {}{}", problem.place, problem.fatal ? "" : "warning: ", problem.message);
}

Offload Assistant::Parts::offload() {
  return [this](std::function<void()> work, std::function<void()> then) {
    boost::asio::post(background.executor(),
                      [this, work = std::move(work), then = std::move(then)]() mutable {
                        work();
                        work = nullptr;  // what it held is gone before the loop goes on
                        boost::asio::post(loop, std::move(then));
                      });
  };
}

Assistant::Parts::Parts(Config the_config, AssistantOptions the_options)
    : config(std::move(the_config)),
      options(std::move(the_options)),
      layers(options.layers ? *options.layers : Layers(config)),
      time_zone(zone_here(config.location.tz)),
      workers(options.jumping_clock ? 0 : config.workers),
      background(options.jumping_clock ? 0 : 2, Workers::Priority::kBackground),
      timers(make_timers(options.jumping_clock, loop,
                         options.jumping_clock ? static_cast<const Clock&>(jumping_clock) : steady_clock)),
      bus(*timers),
      registry(bus, registration_limits(config.registration), offload()),
      orchestrator(bus, *timers, registry, counters, loop.get_executor(),
                   orchestrator_settings(config, options)),
      answer_fits(questions, *timers, common_locale, time_zone),
      http(transport(options)),
      chosen_store(choose_store(store_choice(config, options), workers.executor())),
      lasting(std::make_shared<Lasting>(
          chosen_store.store, *timers,
          [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); })),
      keeping(std::make_shared<KeepingHere>(lasting, loop.get_executor(), timers->clock())),
      sessions(lasting, orchestrator, bus, *timers, config.sessions,
               [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); }),
      embeddings(make_embeddings()),
      evidence(
          lasting, bus, timers->clock(), config, time_zone,
          [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); },
          embeddings ? &embeddings->questions : nullptr),
      skills(bus, counters, loop.get_executor(), workers, *http, keeping, !options.jumping_clock),
      stage_handlers(config.orchestrator.handler_timeout) {
  orchestrator.add_host(skills);
  orchestrator.add_host(stage_handlers);
  const auto& store = lasting->store->file();
  layers.changes_file = store.empty() ? std::filesystem::path() : skill_changes_file(store);
}

bool Assistant::Parts::run_ready() {
  bool any = false;
  for (;;) {
    std::size_t ran = loop.poll();
    monitor.leave();
    if (jumping()) ran += workers.context().poll() + background.context().poll() + timers->fire_due();
    if (ran == 0 && jumping() && skills.settle()) ran = 1;
    if (ran == 0) return any;
    any = true;
  }
}

bool Assistant::Parts::jump(std::optional<Clock::Time> limit) {
  const auto next = timers->next();
  if (!next || (limit && *next > *limit)) return false;
  jumping_clock.advance_to(*next);
  timers->fire_due();
  return true;
}

/// With the machine's clock: runs the loop until the condition holds, but no longer than that.
void Assistant::Parts::run_until_within(const std::function<bool()>& condition,
                                        std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!condition() && std::chrono::steady_clock::now() < until) {
    if (jumping()) {
      if (!run_ready() && !jump(std::nullopt)) return;
    } else {
      loop.run_one_until(until);
      monitor.leave();
    }
  }
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
