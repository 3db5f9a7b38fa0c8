#include "app/serving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <stdexcept>

#include "app/config_changes.hpp"
#include "app/endpoints.hpp"
#include "app/token_file.hpp"
#include "message/log.hpp"
#include "net/gateway.hpp"
#include "net/remote_skills.hpp"
#include "orchestrator/orchestrator.hpp"

namespace parley {
namespace {

constexpr std::chrono::milliseconds kGoodbye(1'000);  ///< For clients to answer a close frame.
constexpr std::size_t kMostWaiting = 1'024;           ///< Utterances, before clients are held back.
constexpr std::chrono::milliseconds kLook(10);        ///< Between two looks at whether all turns are over.

/// A file the configuration names: relative ones start beside it.
std::string file_of(const std::string& name, const std::filesystem::path& base) {
  return name.empty() ? name : (base / name).string();
}

net::GatewaySettings settings_from(const GatewayConfig& config, const std::filesystem::path& base) {
  net::GatewaySettings settings;
  settings.listen = config.listen;
  settings.port = static_cast<unsigned short>(config.port);
  settings.max_frame = config.max_frame;
  settings.max_queue = config.max_queue;
  settings.max_connections = static_cast<std::size_t>(config.max_connections);
  settings.ping_interval = config.ping_interval;
  settings.allowed_origins = config.allowed_origins;
  settings.older_names = config.compat == Compat::kOvos;
  settings.certificate = file_of(config.certificate, base);
  settings.private_key = file_of(config.private_key.empty() ? config.certificate : config.private_key, base);
  return settings;
}

/// Who may do what, by the token file. @throws std::runtime_error when everybody could do everything
net::Grants grants_from(const GatewayConfig& config, const std::filesystem::path& base) {
  if (!config.tokens.empty()) return read_token_file(file_of(config.tokens, base));
  if (boost::asio::ip::make_address(config.listen).is_loopback()) return {};
  throw std::runtime_error(fmt::format(
      "gateway.listen is {}: anybody who reaches this machine could use the assistant, so it is refused "
      "without gateway.tokens; listen on 127.0.0.1 or write a token file (docs/gateway.md)",
      config.listen));
}

}  // namespace

std::vector<Problem> gateway_problems(const GatewayConfig& config, const std::filesystem::path& base) {
  std::vector<Problem> problems;
  const auto note = [&](const std::function<void()>& look) {
    try {
      look();
    } catch (const ConfigError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    } catch (const std::exception& error) {
      problems.emplace_back("gateway", 0, 0, error.what());
    }
  };
  note([&] { grants_from(config, base); });
  note([&] { net::Gateway::check_certificate(settings_from(config, base)); });
  return problems;
}

struct Serving::Parts {
  Parts(Assistant& whose, std::filesystem::path folder)
      : assistant(whose),
        base(std::move(folder)),
        remote(
            whose.bus(), whose.counters(),
            [this](const net::ClientPtr& client, std::string about, std::string text) {
              gateway.complain(client, std::move(about), std::move(text));
            },
            [&whose](const std::string& id) { return is_stage(whose, id); },
            [&whose](const std::string& id) { return whose.config().handler_timeout(id); },
            [&whose] { return whose.orchestrator().waiting() >= kMostWaiting; }),
        endpoints(
            whose, remote, [this] { return gateway.unready(); }, [this] { return gateway.connections(); }),
        gateway(settings_from(whose.config().gateway, base), whose.counters(), remote, endpoints,
                [&whose](std::function<void()> work) { whose.post(std::move(work)); }) {
    whose.orchestrator().add_host(remote);
    tap = whose.bus().subscribe("*", [this](const Message& message) { gateway.send(message); });
  }
  ~Parts() { assistant.orchestrator().remove_host(remote); }

  static bool is_stage(Assistant& whose, const std::string& id) {
    const auto stages = whose.loaded_stages();
    return std::any_of(stages.begin(), stages.end(), [&](const LoadedPart& stage) { return stage.id == id; });
  }

  /// Whether all turns are over, or time is; else it looks again a little later.
  void look() {
    const auto now = assistant.clock().now();
    if (assistant.orchestrator().in_flight() > 0 && now < drained_by) {
      timer = assistant.bus().timers().at(now + kLook, [this] { look(); });
      return;
    }
    if (const auto left = assistant.orchestrator().in_flight(); left > 0)
      log_warning("gateway", fmt::format("{} turns did not end within gateway.drain_timeout", left));
    drained();
  }

  Assistant& assistant;
  std::filesystem::path base;
  net::RemoteSkills remote;
  Endpoints endpoints;
  net::Gateway gateway;
  Subscription tap;
  Clock::Time drained_by;
  std::function<void()> drained;
  Timer timer;
};

Serving::Serving(Assistant& assistant, std::filesystem::path base)
    : parts_(std::make_unique<Parts>(assistant, std::move(base))) {}

Serving::~Serving() {
  close();
}

void Serving::open() {
  const auto& config = parts_->assistant.config().gateway;
  parts_->gateway.set_grants(grants_from(config, parts_->base));
  parts_->gateway.open();
}

std::vector<std::string> Serving::reload(const Config& fresh) {
  const Config& now = parts_->assistant.config();
  auto restart = changed_keys(now, fresh);
  std::erase_if(restart, can_change_at_run_time);
  GatewayConfig wanted = fresh.gateway;
  wanted.listen = now.gateway.listen;
  const bool has_tls = !now.gateway.certificate.empty();
  if (has_tls == wanted.certificate.empty()) {
    restart.emplace_back("gateway.certificate");
    wanted.certificate = now.gateway.certificate;
    wanted.private_key = now.gateway.private_key;
  }
  auto grants = grants_from(wanted, parts_->base);
  parts_->gateway.set_settings(settings_from(wanted, parts_->base));
  parts_->gateway.set_grants(std::move(grants));
  Config taken = fresh;
  taken.gateway = std::move(wanted);
  parts_->assistant.reconfigure(taken);
  return restart;
}

void Serving::set_ready() {
  parts_->gateway.set_ready();
}

void Serving::drain(std::function<void()> done) {
  parts_->gateway.set_unready("the server is shutting down");
  parts_->remote.close();
  parts_->drained = std::move(done);
  parts_->drained_by = parts_->assistant.clock().now() + parts_->assistant.config().gateway.drain_timeout;
  parts_->look();
}

void Serving::close() {
  parts_->gateway.close(kGoodbye);
}

std::string Serving::address() const {
  return parts_->gateway.address();
}
unsigned short Serving::port() const {
  return parts_->gateway.port();
}

}  // namespace parley
