#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "bus/bus.hpp"
#include "net/elsewhere.hpp"
#include "net/gateway.hpp"
#include "net/lasting_requests.hpp"
#include "net/registrations.hpp"
#include "orchestrator/orchestrator.hpp"
#include "runtime/counters.hpp"
#include "turn/handler_bound.hpp"
#include "turn/handler_host.hpp"

namespace parley::net {

/// The gateway, as remote skills see it.
class RemoteSkillsOwner {
 public:
  /// Tells of something a client did wrong.
  virtual void complain(const ClientPtr& client, std::string about, std::string text) = 0;
  /// To the older clients alone, past the bus.
  virtual void relay(const Message& message) = 0;
  virtual void tell(std::uint64_t client, ovos::Query query, const Message& question, Json answer) = 0;
  /// How long a handler of that skill may run (D-6).
  virtual std::chrono::milliseconds handler_timeout(const std::string& skill_id) const = 0;
  /// What one connection may take up; a grant may say otherwise (W-5).
  virtual const GatewaySettings& limits() const = 0;
  /// What a skill keeps, and what is to come for it, over the wire.
  virtual LastingRequests& lasting() = 0;

 protected:
  ~RemoteSkillsOwner() = default;
};

/// The skills at the other end of connections: which connection speaks for which (W-3), what is dispatched
/// to them and how that ends (W-2). Puts what clients say onto the bus. On the loop's thread.
class RemoteSkills final : public HandlerHost, public ClientListener {
 public:
  /// All it is given must outlive it.
  RemoteSkills(Bus& bus, Timers& timers, Counters& counters, Orchestrator& orchestrator,
               RemoteSkillsOwner& owner)
      : bus_(bus), timers_(timers), counters_(counters), orchestrator_(orchestrator), owner_(owner) {}
  ~RemoteSkills() override;
  RemoteSkills(const RemoteSkills&) = delete;
  RemoteSkills& operator=(const RemoteSkills&) = delete;

  void joined(const ClientPtr& client, const Listening& listening) override;
  void received(const ClientPtr& client, const Message& message) override;
  void relayed(const ClientPtr& client, const Message& message) override;
  void asked(const ClientPtr& client, ovos::Query query, const Message& question) override;
  void answer(const Message& message) override { bus_.publish(message); }
  void comes_after(const ClientPtr& client, const std::vector<std::uint64_t>& gone) override;
  void left(const ClientPtr& client) override;
  std::size_t waiting(const ClientPtr& client) const override {
    return orchestrator_.waiting_of(client->id) +
           (elsewhere_ == nullptr ? 0 : elsewhere_->waiting(client->id));
  }

  bool hosts(const std::string& skill_id) const override { return skills_.contains(skill_id); }
  void run(HandlerCall call) override;
  void cancel(const std::string& skill_id, const std::string& utterance_id) override;
  std::chrono::milliseconds handler_timeout(const std::string& skill_id) const override {
    return owner_.handler_timeout(skill_id);
  }

  /// The remote skills that are connected now, with the names of their connections.
  std::map<std::string, std::string> speakers() const;
  /// The same by the numbers of their connections.
  std::map<std::uint64_t, std::vector<std::string>> skills_by_client() const;
  /// The client that speaks for the skill which a dispatch or a ping is addressed to; 0: none.
  std::uint64_t owner_of(const Message& message) const;
  /// From here on no utterance is taken.
  void close() { closing_ = true; }
  /// From here on this is one of several instances. Null: no longer.
  void be_part_of(Elsewhere* elsewhere) noexcept { elsewhere_ = elsewhere; }
  /// Whether the client speaks for a skill, from here on if nobody did.
  bool may_speak(const ClientPtr& client, const std::string& skill_id);
  /// It does so no longer, and what it registered is withdrawn: at another instance `speaker` did first.
  void silence(const ClientPtr& client, const std::string& skill_id, const std::string& speaker);

 private:
  struct Running {
    explicit Running(HandlerCall from) : call(std::move(from)) {}
    HandlerCall call;
    Timer question;  ///< While it waits for the user: when it no longer does.
  };
  struct RemoteSkill {
    explicit RemoteSkill(ClientPtr who) : client(std::move(who)) {}
    ClientPtr client;
    std::set<std::string> sessions;           ///< In which it has registered anything…
    std::set<std::string> fallback_sessions;  ///< …and itself as a fallback.
    std::map<std::string, Running> running;   ///< By utterance_id.
    std::deque<std::string> silenced;         ///< Turns it may not speak in any more, the latest last.
    std::deque<std::string> turns;            ///< That were dispatched to it, likewise.
  };

  /// What is remembered of a connection.
  struct Peer {
    Peer() = default;
    std::size_t skills = 0;  ///< That it speaks for.
    Registrations registrations;
    std::set<std::uint64_t> gone;  ///< Clients whose skills it may speak for at once.
  };

  /// What is left of a client goes.
  void forget(const ClientPtr& client);
  /// Whether there is room for what a message registers; from there on it counts (W-5).
  bool may_register(const ClientPtr& client, const Message& message);
  /// Whether what answers a poll comes from the skill it names (W-2).
  bool is_own_answer(const ClientPtr& client, const Message& message);
  /// The message as it goes onto the bus: without a turn that its sender has no part in.
  Message bound(const ClientPtr& client, const Message& message) const;
  void note_registration(RemoteSkill& skill, const Message& message) const;
  /// Time in which a handler waits for the user's answer does not count (D-6).
  void note_question(const std::string& skill_id, const Message& sync);
  void take_report(const ClientPtr& client, const Message& report);
  /// Whether its handler of that turn was ended by the core (D-6).
  static bool is_silenced(const RemoteSkill& skill, const std::string& utterance_id);
  void count_late(const std::string& skill_id);
  /// The skill that speaks in a turn whose handler was ended by the core (D-6); null: none does.
  const std::string* silenced_speaker(const ClientPtr& client, const Message& message) const;
  void drop(const ClientPtr& client, const char* reason, std::string about, std::string text);
  /// Puts a skill among those the session remembers as active, or takes it away from them.
  void set_active(const Message& request, bool active);
  /// @param why  what its handlers that run end with
  void withdraw(const std::string& skill_id, RemoteSkill& skill, const std::string& why);

  Bus& bus_;
  Timers& timers_;
  Counters& counters_;
  Orchestrator& orchestrator_;
  RemoteSkillsOwner& owner_;
  std::map<std::string, RemoteSkill, std::less<>> skills_;
  std::unordered_map<std::uint64_t, Peer> peers_;  ///< By client.
  std::set<std::uint64_t> replaced_;  ///< Clients that are forgotten before all they said was read.
  std::set<std::uint64_t> trace_readers_;
  Subscription traces_;  ///< Has turns recorded while a client reads the traces.
  bool closing_ = false;
  Elsewhere* elsewhere_ = nullptr;
};

}  // namespace parley::net
