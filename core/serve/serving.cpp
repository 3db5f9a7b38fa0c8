#include "serve/serving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <stdexcept>

#include "app/session_keeper.hpp"
#include "config/changes.hpp"
#include "config/token_file.hpp"
#include "message/log.hpp"
#include "net/gateway.hpp"
#include "net/remote_skills.hpp"
#include "orchestrator/orchestrator.hpp"
#include "serve/connection_endpoints.hpp"
#include "serve/endpoints.hpp"
#include "serve/evidence_endpoints.hpp"
#include "serve/session_endpoints.hpp"
#include "serve/skill_endpoints.hpp"
#include "serve/system_endpoints.hpp"
#include "serve/together.hpp"

namespace parley {
namespace {

constexpr std::chrono::milliseconds kGoodbye(1'000);  ///< For clients to answer a close frame.
constexpr std::chrono::milliseconds kNoTime(0);
constexpr std::chrono::milliseconds kHurry(
    500);                                       ///< For partitions to be handed over when turns did not end.
constexpr std::chrono::milliseconds kLook(10);  ///< Between two looks at whether all turns are over.

/// A file the configuration names: relative ones start beside it.
std::string file_of(const std::string& name, const std::filesystem::path& base) {
  return name.empty() ? name : (base / name).string();
}

/// With the names of its files as they are opened.
net::GatewaySettings placed(net::GatewaySettings settings, const std::filesystem::path& base) {
  if (settings.private_key.empty()) settings.private_key = settings.certificate;
  for (auto* const file : {&settings.tokens, &settings.certificate, &settings.private_key})
    *file = file_of(*file, base);
  return settings;
}

/// The entries of the pipeline that there are.
Session::Strings entries_of(const Config& config) {
  Session::Strings entries;
  for (const auto& [id, stage] : config.stages) {
    for (const auto& [entry, options] : stage.entries) entries.push_back(entry);
  }
  return entries;
}

/// Who may do what, by the token file; nothing: there is none, and nobody but this machine gets in.
/// @throws std::runtime_error when everybody could do everything
std::optional<net::Grants> grants_from(const net::GatewaySettings& placed) {
  if (!placed.tokens.empty()) return read_token_file(placed.tokens);
  if (boost::asio::ip::make_address(placed.listen).is_loopback()) return std::nullopt;
  throw std::runtime_error(fmt::format(
      "gateway.listen is {}: anybody who reaches this machine could use the assistant, so it is refused "
      "without gateway.tokens; listen on 127.0.0.1 or write a token file (docs/gateway.md)",
      placed.listen));
}

}  // namespace

std::vector<Problem> gateway_problems(const net::GatewaySettings& gateway,
                                      const std::filesystem::path& base) {
  const net::GatewaySettings settings = placed(gateway, base);
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
  note([&] { grants_from(settings); });
  note([&] { net::Gateway::check_certificate(settings); });
  return problems;
}

struct Serving::Parts final : net::RemoteSkillsOwner {
  Parts(Assistant& whose, std::filesystem::path folder)
      : assistant(whose),
        base(std::move(folder)),
        settings(placed(whose.config().gateway, base)),
        remote(whose.bus(), whose.timers(), whose.counters(), whose.orchestrator(), *this),
        endpoints(
            whose, remote, [this] { return gateway.unready(); }, lister()),
        gateway(settings, entries_of(whose.config()), whose.counters(), remote, endpoints,
                [&whose](std::function<void()> work) { whose.post(std::move(work)); }),
        requests(
            whose.lasting(), whose.clock(), whose.time_zone(),
            [&whose](std::function<void()> work) { whose.post(std::move(work)); },
            [this](const Message& answer) { gateway.send(answer, 0); }) {
    endpoints.add(session_endpoints(whose));
    requests.set_sessions(
        [&whose](const std::string& owner, const std::string& id, std::function<void(Json)> answer) {
          whose.sessions().close(owner, id, [answer](bool was_open, const std::string& failure) {
            answer(closed_json(was_open, failure));
          });
        },
        [&whose](const std::string& owner, const std::string& id, std::function<void(Json)> answer) {
          ForgetWhat what;
          what.owner = owner;
          what.session_id = id;
          whose.sessions().forget(what, [answer](const Forgotten& gone, const std::string& failure) {
            answer(forgotten_json(gone, failure));
          });
        });
    whose.orchestrator().add_host(remote);
    endpoints.add(evidence_endpoints(whose));
    endpoints.add(system_endpoints(whose));
    endpoints.add(skill_endpoints(whose, remote));
    endpoints.add(connection_endpoints(whose, remote, lister()));
    requests.on_evidence([&whose, this](const Message& request) {
      answer_evidence(whose, request, [&whose, this](const Message& answer) {
        whose.post([this, answer, there = std::weak_ptr(alive)] {
          if (!there.expired()) gateway.send(answer, 0);
        });
      });
    });
    whose.orchestrator().on_begun([this](std::uint64_t client) { gateway.begun(client); });
    if (!whose.config().cluster.servers.empty())
      together = std::make_unique<Together>(whose, remote, gateway, base);
    tap = whose.told().subscribe(
        "*", [this](const Message& message) { gateway.send(message, remote.owner_of(message)); });
  }
  ~Parts() {
    assistant.orchestrator().on_begun(nullptr);
    assistant.orchestrator().remove_host(remote);
  }

  ListConnections lister() {
    return [this](std::function<void(std::vector<net::ConnectionState>)> done) {
      gateway.list(std::move(done));
    };
  }
  void complain(const net::ClientPtr& client, std::string about, std::string text) override {
    gateway.complain(client, std::move(about), std::move(text));
  }
  void relay(const Message& message) override { gateway.relay(message); }
  void tell(std::uint64_t client, net::ovos::Query query, const Message& question, Json answer) override {
    gateway.tell(client, query, question, std::move(answer));
  }
  std::chrono::milliseconds handler_timeout(const std::string& skill_id) const override {
    return assistant.config().handler_timeout(skill_id);
  }
  const net::GatewaySettings& limits() const override { return settings; }
  net::LastingRequests& lasting() override { return requests; }

  bool is_drained() const {
    return assistant.orchestrator().in_flight() == 0 && (!together || together->has_left());
  }
  /// Whether all turns are over, or time is; else it looks again a little later.
  void look() {
    const auto now = assistant.clock().now();
    assistant.interrupt_questions();  // nobody can wait that long
    if (together && now >= drained_by) together->hurry();
    if (!is_drained() && now < drained_by + (together ? kHurry : kNoTime)) {
      timer = assistant.timers().at(now + kLook, [this] { look(); });
      return;
    }
    if (const auto left = assistant.orchestrator().in_flight(); left > 0)
      log_warning("gateway", fmt::format("{} turns did not end within gateway.drain_timeout", left));
    if (together) {
      together->end(drained);
    } else {
      drained();
    }
  }

  Assistant& assistant;
  std::filesystem::path base;
  net::GatewaySettings settings;  ///< As they are now; the gateway has its own, on its thread.
  net::RemoteSkills remote;
  Endpoints endpoints;
  net::Gateway gateway;
  net::LastingRequests requests;
  std::unique_ptr<Together> together;  ///< Null: this is no part of a cluster.
  Subscription tap;
  std::string not_joined;  ///< Why it is no part of the cluster, if that failed.
  Clock::Time drained_by;
  std::function<void()> drained;
  Timer timer;
  std::shared_ptr<char> alive = std::make_shared<char>();  ///< What is posted may come to run later.
};

Serving::Serving(Assistant& assistant, std::filesystem::path base)
    : parts_(std::make_unique<Parts>(assistant, std::move(base))) {}

Serving::~Serving() {
  close();
}

void Serving::open() {
  auto grants = grants_from(parts_->settings);
  if (grants && grants->empty())
    log_warning("gateway", fmt::format("the token file '{}' lists no clients: nobody is let in",
                                       parts_->settings.tokens));
  parts_->gateway.set_grants(std::move(grants));
  parts_->gateway.open();
}

std::vector<std::string> Serving::reload(const Config& given, std::optional<Layers> layers) {
  const Config& now = parts_->assistant.config();
  Config fresh = given;
  if (!layers) layers.emplace(given);
  parts_->assistant.add_changes(fresh, *layers);
  auto restart = changed_keys(now, fresh);
  std::erase_if(restart, can_change_at_run_time);
  Config taken = fresh;
  net::GatewaySettings& gateway = taken.gateway;
  gateway.listen = now.gateway.listen;
  gateway.port = now.gateway.port;
  if (now.gateway.certificate.empty() != gateway.certificate.empty()) {
    restart.emplace_back("gateway.certificate");
    gateway.certificate = now.gateway.certificate;
    gateway.private_key = now.gateway.private_key;
  }
  net::GatewaySettings settings = placed(gateway, parts_->base);
  auto grants = grants_from(settings);
  parts_->gateway.set_settings(settings);
  parts_->endpoints.set_console(settings.console);
  parts_->settings = std::move(settings);
  parts_->gateway.set_grants(std::move(grants));
  parts_->assistant.reconfigure(taken, std::move(layers));
  return restart;
}

void Serving::set_ready() {
  if (!parts_->together) return parts_->gateway.set_ready();
  parts_->gateway.set_unready("joining the cluster");
  parts_->together->start([this](const std::string& failure) {
    if (failure.empty()) return parts_->gateway.set_ready();
    parts_->not_joined = failure;
    parts_->assistant.post([this] { parts_->assistant.stop_running(); });  // it may not run yet
  });
}

const std::string& Serving::failure() const noexcept {
  return parts_->not_joined;
}

void Serving::drain(std::function<void()> done) {
  parts_->gateway.set_unready("the server is shutting down");
  parts_->remote.close();
  parts_->drained = std::move(done);
  parts_->drained_by = parts_->assistant.clock().now() + parts_->assistant.config().gateway.drain_timeout;
  if (parts_->together) parts_->together->leave();
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
