#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "app/collisions.hpp"
#include "cautions.hpp"
#include "host.hpp"
#include "message/log.hpp"
#include "runtime/crash_report.hpp"
#include "serve/serving.hpp"
#include "settings/problem.hpp"
#include "supervise.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

/// Calls back, from a thread of its own, with the signals that ask the program for something.
class Signals {
 public:
  explicit Signals(std::function<void(int)> callback)
      : set_(context_, SIGINT, SIGTERM, SIGHUP), callback_(std::move(callback)), thread_([this] {
          wait();
          context_.run();
        }) {}
  ~Signals() {
    context_.stop();
    thread_.join();
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  void wait() {
    set_.async_wait([this](const boost::system::error_code& failed, int signal) {
      if (failed) return;
      callback_(signal);
      wait();
    });
  }

  boost::asio::io_context context_{1};
  boost::asio::signal_set set_;
  std::function<void(int)> callback_;
  std::thread thread_;
};

/// Every connection takes a descriptor; the limit a shell gives is often lower than what may be had.
void raise_descriptor_limit(rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Runs something that may find fault with a file, and tells of it.
void try_to(const std::function<void()>& work) {
  try {
    work();
    return;
  } catch (const ConfigError& error) {
    for (const auto& problem : error.problems()) complain(to_string(problem));
  } catch (const std::exception& error) {
    complain(error.what());
  }
  complain("nothing was taken over: everything stays as it was");
}

/// Loads the skills that are others on disk than what runs.
void reload_skills(Assistant& assistant) {
  for (const std::string& id : assistant.changed_skills()) {
    assistant.reload_skill(id, [id](const Reloaded& how) {
      complain(how.reason.empty() ? fmt::format("the skill '{}' was loaded anew", id) : how.reason);
    });
  }
}

void take_over(Serving& serving, const CheckedConfig& fresh, bool level_given) {
  const auto restart = serving.reload(fresh.config, fresh.layers);
  if (!level_given) set_log_level(fresh.config.logging.level);
  if (!restart.empty()) complain(fmt::format("with the next start only: {}", fmt::join(restart, ", ")));
  complain("the configuration and the tokens were read again");
}

int serve_here(const GlobalOptions& global, const std::vector<std::filesystem::path>& held_out) {
  ConfigSources sources = config_sources(global);
  sources.changes = true;
  Setup setup = load_setup(global, sources);
  setup.options.held_out = held_out;
  setup.options.keeps_as = "parley serve";
  setup.options.languages_sleep = true;
  const bool tls = !setup.config.gateway.certificate.empty();
  constexpr rlim_t kOwn = 256;  // files, libraries, and connections that are told there is no room
  raise_descriptor_limit(static_cast<rlim_t>(setup.config.gateway.max_connections) + kOwn);
  const auto config_file = setup.options.config_file;
  const auto base = config_file.value_or(std::filesystem::path()).parent_path();
  for (const auto& caution : cautions(setup.config, config_file.value_or(std::filesystem::path())))
    log_warning("serve", caution);
  Assistant assistant(std::move(setup.config), std::move(setup.options));
  Serving serving(assistant, base);
  serving.open();
  bool asked = false;  // on the loop
  const Signals signals([&](int signal) {
    if (signal == SIGHUP) {
      try_to([&] {
        auto fresh = std::make_shared<const CheckedConfig>(load_checked_config(sources));
        assistant.post([&, fresh] {
          try_to([&] {
            take_over(serving, *fresh, !global.log_level.empty());
            reload_skills(assistant);
          });
        });
      });
      return;
    }
    assistant.post([&] {
      // Asked again: whoever does so does not want to wait.
      if (std::exchange(asked, true)) return assistant.stop_running();
      complain("ending: running turns may finish; once more ends at once");
      serving.drain([&] { assistant.stop_running(); });
    });
  });
  assistant.start();
  report_exits();
  warn_of_collisions(assistant, config_file);
  serving.set_ready();
  const char* const secure = tls ? "s" : "";
  print(fmt::format("parley listens on http{1}://{0} and ws{1}://{0}/core\n", serving.address(), secure));
  assistant.run();
  serving.close();
  assistant.stop();
  if (!serving.failure().empty()) throw std::runtime_error(serving.failure());
  return kGood;
}

}  // namespace

int serve(const GlobalOptions& global, const ServeOptions& options) {
  const SupervisedBackend backend = [&global](const auto& held_out) { return serve_here(global, held_out); };
  return options.supervise ? supervise(backend) : backend({});
}

}  // namespace parley::command
