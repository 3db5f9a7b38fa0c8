#include "serve/together.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "app/session_keeper.hpp"
#include "bus/bus.hpp"
#include "cluster/cluster.hpp"
#include "cluster/jetstream.hpp"
#include "cluster/shared_rows.hpp"
#include "cluster/spread.hpp"
#include "message/topics.hpp"
#include "orchestrator/orchestrator.hpp"

namespace parley {
namespace {

/// With the names of its files as they are opened.
cluster::ClusterSettings placed(cluster::ClusterSettings settings, const std::filesystem::path& base) {
  for (auto* const file :
       {&settings.credentials, &settings.ca, &settings.certificate, &settings.private_key}) {
    if (!file->empty()) *file = (base / *file).string();
  }
  return settings;
}

/// It becomes a part of subjects and of the names of streams.
void check_name(const std::string& name) {
  const bool is_good = name.size() <= 32 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                         return std::isalnum(c) != 0 || c == '-' || c == '_';
                       });
  if (!is_good)
    throw std::runtime_error(
        fmt::format("cluster.name is '{}': at most 32 letters, digits, '-' and '_'", name.substr(0, 80)));
}

/// Who this instance is, for people.
std::string label_of(const net::Gateway& gateway) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host.front() = '\0';
  return fmt::format("{}, process {}, {}", host.data(), ::getpid(), gateway.address());
}

}  // namespace

struct Together::Parts final : cluster::Local {
  Parts(Assistant& whose, net::RemoteSkills& skills, net::Gateway& door, const std::filesystem::path& base)
      : assistant(whose),
        remote(skills),
        gateway(door),
        told(whose.timers()),
        nats(placed(whose.config().cluster, base), whose.loop(), whose.timers(), poster()),
        rows(nats, whose.timers(), whose.counters(), whose.lasting()->store, poster(),
             [this](const std::string& session_id) {
               return cluster && cluster->leases().owns(cluster::partition_of(session_id));
             }) {
    check_name(whose.config().cluster.name);
    assistant.lasting()->shared = &rows;
    if (whose.keeps_turns()) {
      const StoreConfig& store = whose.config().store;
      rows.keep_turns(store.retention, {whose.config().evidence.enabled, store.keep == StoreKeep::kTraces});
      assistant.lasting()->turns_over->on_told([this](auto turns) { rows.over(std::move(turns)); });
    }
    assistant.be_part_of(
        &told, [this](const Message& utterance) { return cluster && cluster->takes_utterance(utterance); });
    // Posted: skills that start read what is kept, which is heard as soon as the loop runs.
    assistant.post([this, there = std::weak_ptr(alive)] {
      if (!there.expired()) connect();
    });
  }
  ~Parts() {
    assistant.lasting()->turns_over->on_told(nullptr);
    assistant.lasting()->shared = nullptr;
    remote.be_part_of(nullptr);
    assistant.be_part_of(nullptr, nullptr);
  }

  cluster::Links::Post poster() {
    return [this](std::function<void()> work) { assistant.post(std::move(work)); };
  }
  void connect() {
    try {
      nats.start([this](const std::string& why) {
        if (!why.empty()) return give_up(why);
        rows.start([this] {
          is_informed = true;
          go_on();
        });
      });
    } catch (const std::runtime_error& error) {
      give_up(error.what());
    }
  }
  void give_up(const std::string& why) {
    failure = why;
    rows.give_up(why);
    go_on();
  }
  void start(std::function<void(const std::string&)> done) {
    joined = std::move(done);
    go_on();
  }
  /// Once the assistant has started, and what the others have left is known.
  void go_on() {
    if (!joined) return;
    if (!failure.empty()) return std::exchange(joined, nullptr)(failure);
    if (!is_informed) return;
    assistant.lasting()->scheduler.load_again([this, there = std::weak_ptr(alive)] {
      if (there.expired()) return;
      assistant.sessions().load_again([this, there] {
        if (!there.expired()) join();
      });
    });
  }
  void join() {
    cluster = std::make_unique<cluster::Cluster>(nats, assistant.timers(), assistant.counters(), *this,
                                                 label_of(gateway), poster());
    remote.be_part_of(cluster.get());
    tap = assistant.bus().subscribe("*", [this](const Message& message) { cluster->carried(message); });
    cluster->start([this] { std::exchange(joined, nullptr)(""); });
  }

  void enter(const Message& utterance) override { assistant.bus().publish(utterance); }
  void received(const net::ClientPtr& client, const Message& message) override {
    remote.received(client, message);
  }
  bool speaks(const net::ClientPtr& client, const std::string& skill_id) override {
    return remote.may_speak(client, skill_id);
  }
  void silence(const net::ClientPtr& client, const std::string& skill_id,
               const std::string& speaker) override {
    remote.silence(client, skill_id, speaker);
  }
  void left(const net::ClientPtr& client) override { remote.left(client); }
  void tell(const Message& message) override { told.publish(message); }
  void begun(std::uint64_t client) override { gateway.begun(client); }
  bool runs(const std::string& utterance_id) const override {
    return assistant.orchestrator().sender_of(utterance_id).has_value();
  }
  bool is_busy(const std::function<bool(const std::string&)>& which) const override {
    return assistant.orchestrator().is_busy(which) || rows.is_writing(which);
  }
  void end_turns(const std::function<bool(const std::string&)>& which, const std::string& why) override {
    assistant.orchestrator().end_turns(which, why);
  }
  void moved() override {
    if (std::exchange(looks, true)) return;
    assistant.post([this, there = std::weak_ptr(alive)] {
      if (there.expired()) return;
      looks = false;
      assistant.lasting()->scheduler.look_again();
    });
  }
  bool are_traces_heard() const override { return told.has_subscribers(topic::kTrace); }
  void want_traces(bool wanted) override {
    if (!wanted) {
      traces.reset();
    } else if (!traces) {
      traces = assistant.bus().subscribe(topic::kTrace, [](const Message&) {});
    }
  }

  Assistant& assistant;
  net::RemoteSkills& remote;
  net::Gateway& gateway;
  Bus told;  ///< What clients are told: what the bus carries, and what other instances say.
  cluster::JetStream nats;
  cluster::SharedRows rows;
  bool is_informed = false, looks = false;  ///< That it looks at what is due is posted.
  std::string failure;                      ///< Why there is no cluster.
  std::function<void(const std::string&)> joined;
  std::unique_ptr<cluster::Cluster> cluster;  ///< Null: NATS has not said yet that all is well.
  Subscription tap, traces;
  const std::shared_ptr<char> alive = std::make_shared<char>();
};

Together::Together(Assistant& assistant, net::RemoteSkills& remote, net::Gateway& gateway,
                   const std::filesystem::path& base)
    : parts_(std::make_unique<Parts>(assistant, remote, gateway, base)) {}

Together::~Together() = default;

void Together::start(const std::function<void(const std::string&)>& done) {
  parts_->start(done);
}

void Together::leave() {
  if (parts_->cluster) parts_->cluster->leave();
}

void Together::hurry() {
  if (parts_->cluster) parts_->cluster->hurry();
}

bool Together::has_left() const {
  return !parts_->cluster || parts_->cluster->has_left();
}

void Together::end(std::function<void()> done) {
  if (!parts_->cluster) return done();
  auto stop = [this, there = std::weak_ptr(parts_->alive), done = std::move(done)] {
    if (there.expired()) return;
    parts_->rows.stop([this, done] { parts_->cluster->end(done); });
  };
  // What came is handed to the store first.
  Assistant& assistant = parts_->assistant;
  assistant.lasting()->making_ready([&assistant, stop = std::move(stop)] { assistant.post(stop); });
}

}  // namespace parley
