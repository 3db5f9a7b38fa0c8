#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/leases.hpp"
#include "cluster/links.hpp"
#include "cluster/local.hpp"
#include "cluster/members.hpp"
#include "cluster/peers.hpp"
#include "net/elsewhere.hpp"
#include "runtime/counters.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

/// This instance as a part of a cluster: every session has one instance that owns it, where its turns run.
/// What clients say elsewhere is passed on to it, and what it says to those whose clients hear it. On the
/// loop.
class Cluster final : public net::Elsewhere {
 public:
  /// All it is given must outlive it.
  /// @param label  who this instance is, for people
  Cluster(Fabric& fabric, Timers& timers, Counters& counters, Local& local, const std::string& label,
          Links::Post post);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// @param ready  called once every session has an owner that is known
  void start(std::function<void()> ready);
  /// Hands over what it owns, as soon as nothing runs in it.
  void leave();
  /// Hands it over whatever runs in it.
  void hurry() { leases_.hurry(); }
  /// Whether it owns nothing any more, or nobody is there to take it.
  bool has_left() const;
  /// Takes itself off the list of instances.
  void end(std::function<void()> done) { members_.end(std::move(done)); }

  /// An utterance that does not come from a client on `/core`; true: another instance deals with it.
  bool takes_utterance(const Message& message);
  /// The bus of this instance carries a message. Sends it to its clients, and elsewhere where it is wanted.
  void carried(const Message& message);

  void joined(const net::ClientPtr& client, const net::Listening& listening) override;
  bool takes(const net::ClientPtr& client, const Message& message) override;
  void left(const net::ClientPtr& client) override;
  std::size_t waiting(std::uint64_t client) const override;

  const Leases& leases() const noexcept { return leases_; }
  const Members& members() const noexcept { return members_; }

 private:
  /// A turn that began here and runs elsewhere.
  struct Forwarded {
    explicit Forwarded(Message what) : entry(std::move(what)) {}
    Message entry;
    std::string peer;        ///< Where it runs; empty: it waits until somebody owns its session.
    bool hears_all = false;  ///< Whoever said it is no client on `/core`: it hears the turn as such.
    Clock::Time since;       ///< When it began to wait.
    SessionPtr session;      ///< The last that was said in it; null: that of the entry.
    std::string skill_id, intent_name;  ///< Of the handler that runs; empty: none.
  };
  /// A turn that runs here and began elsewhere.
  struct Hosted {
    std::string peer;
    bool hears_all = false, is_traced = false, is_handled = false;
  };

  /// A skill that a connection speaks for. Of two that began before they heard of each other the earlier one
  /// holds, by the clocks of their instances: the same at every instance, whatever it hears first.
  struct Claim {
    Claim(std::string where, net::ClientPtr who, std::int64_t when)
        : instance(std::move(where)), client(std::move(who)), since(when) {}
    bool is_before(const Claim& other) const {
      return std::tie(since, instance) < std::tie(other.since, other.instance);
    }
    std::string instance;
    net::ClientPtr client;
    std::int64_t since;  ///< Milliseconds.
  };

  // ---- instances
  void arrived(const std::string& peer);
  void gone(const std::string& peer);
  /// What was between the two is over.
  void cut(const std::string& peer);
  void greet(const std::string& peer);
  /// Has traces made while somebody elsewhere hears them.
  void want_traces();
  void moved(std::size_t partition);
  void lost(const std::vector<std::size_t>& partitions);
  void check_ready();

  // ---- what goes elsewhere
  /// The instance that a message is for; empty: this one.
  std::string place_of(const Message& message) const;
  Json head(const std::string& peer, const char* kind, const SenderPtr& sender);
  void say(const std::string& peer, const net::ClientPtr& client, const Message& message);
  /// Who has to be told of a message.
  enum class Need {
    kNone,
    kFollows,  ///< It has to know how the turn goes on, and has nobody to tell.
    kHears
  };
  /// @param hosted  the turn it belongs to, if that began elsewhere; else null
  Need need(const std::string& peer, const Message& message, const Hosted* hosted) const;
  /// To all who need it.
  void spread_word(const Message& message, const Hosted* hosted = nullptr, bool ends = false,
                   const std::string& but = {});

  // ---- who speaks for which skill
  void note_speaker(const net::ClientPtr& client, const std::string& skill_id);
  void hear_speaker(const std::string& peer, const Frame& frame);
  void hear_silence(const std::string& peer, const Frame& frame);
  /// Somebody else spoke for the skill before, or does from here on.
  void silence(const std::string& skill_id, const std::string& speaker);
  void tell_speaker(const std::string& peer, const std::string& skill_id, const Claim& claim);

  // ---- turns that began here
  /// @param tells  whoever it goes to was not told of the utterance yet, as those were that hear it
  void route(const std::string& utterance_id, bool tells = false);
  void route_waiting();
  void follow(const std::string& peer, const Message& message);
  /// Its instance is gone, or nobody owns its session: it ends here.
  void give_up(const std::string& utterance_id, const std::string& why);
  void over(const std::string& utterance_id);

  // ---- what comes from elsewhere
  void hear(const std::string& peer, const std::string& text);
  void hear_turn(const std::string& peer, const Frame& frame);
  void hear_said(const std::string& peer, const Frame& frame);
  void hear_told(const std::string& peer, const Frame& frame);
  void hear_refusal(const Frame& frame);
  void hear_left(const std::string& peer, const Frame& frame);
  void forget(const net::ClientPtr& client);
  net::ClientPtr client_of(const std::string& peer, const Frame& frame);
  /// Whether it comes from an owner that is none any more.
  bool is_stale(const Message& message, std::uint64_t epoch) const;

  Fabric& fabric_;
  Timers& timers_;
  Local& local_;
  const Counter forwarded_count_, hosted_count_, given_up_count_;
  Members members_;
  Leases leases_;
  Links links_;
  OwnClients own_;
  std::map<std::string, Peer, std::less<>> peers_;
  std::map<std::string, Claim, std::less<>> claims_;  ///< By skill.
  std::map<std::string, Forwarded, std::less<>> forwarded_;
  std::map<std::uint64_t, std::size_t> forwarded_of_;  ///< How many, by client.
  std::map<std::string, Hosted, std::less<>> hosted_;
  Recent<std::string> heard_turns_;  ///< Turns that run elsewhere, and where.
  Recent<char> ended_;               ///< Turns that were said to be handled.
  std::map<std::uint64_t, std::pair<std::string, std::uint64_t>>
      called_;                      ///< Clients elsewhere: where, number.
  std::set<std::string> entering_;  ///< Turns that were told of before they entered here.
  std::uint64_t next_client_ = kElsewhere;
  std::function<void()> ready_;
  Timer waiting_;
};

}  // namespace parley::cluster
