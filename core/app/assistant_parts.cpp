#include "app/assistant_parts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include "config/changes.hpp"
#include "config/store_file.hpp"
#include "language/zone_names.hpp"
#include "message/log.hpp"
#include "net/client.hpp"
#include "runtime/guard.hpp"
#include "runtime/http_client.hpp"

namespace parley {
namespace {

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

/// Runs work on the pool, one piece after the other.
Scheduler::Post one_by_one(Workers& workers) {
  struct Place {
    std::shared_ptr<void> context;  ///< Before the strand, which must not outlive it.
    boost::asio::strand<Workers::Executor> strand;
  };
  const auto place =
      std::make_shared<Place>(Place{workers.share_context(), boost::asio::make_strand(workers.executor())});
  return [place](std::function<void()> work) {
    boost::asio::post(place->strand, [work = std::move(work)] {
      if (const auto thrown = failure_of(work)) log_error("store", *thrown);
    });
  };
}

}  // namespace

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
      languages_at_start(options.languages_sleep ? std::vector<std::string>{config.language.default_tag}
                                                 : config.language.enabled),
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
          [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); },
          one_by_one(workers))),
      keeping(std::make_shared<KeepingHere>(lasting, loop.get_executor(), timers->clock())),
      sessions(lasting, orchestrator, bus, *timers, config.sessions,
               [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); }),
      embeddings(make_embeddings()),
      evidence(
          lasting, bus, timers->clock(), config, time_zone,
          [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); },
          embeddings ? &embeddings->questions : nullptr),
      skills(bus, counters, loop.get_executor(), workers, *http, keeping, !options.jumping_clock),
      languages(skills, registry, *timers, config.language.enabled),
      stage_handlers(config.orchestrator.handler_timeout) {
  orchestrator.add_host(skills);
  orchestrator.add_host(stage_handlers);
  if (options.languages_sleep) {
    languages.sleep_but(config.language.default_tag);
    orchestrator.let_sleep(languages);
    registry.before_listing([this](std::function<void()> then) { languages.wake_all(std::move(then)); });
  }
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

}  // namespace parley
