#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cluster/fabric.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

/// Streams of texts from instance to instance: each arrives once and in order for as long as both ends live,
/// whatever the fabric loses meanwhile. A link that can't keep that begins anew, and both ends are told: what
/// was between them is over. On the loop.
class Links {
 public:
  struct Callbacks {
    std::function<void(const std::string& peer, std::string text)> received;
    /// Everything that was under way between the two is over.
    std::function<void(const std::string& peer)> reset;
  };
  using Post = std::function<void(std::function<void()>)>;

  Links(Fabric& fabric, Timers& timers, std::string self, Post post, Callbacks callbacks);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  void start();
  void send(const std::string& peer, std::string text);
  /// The same for what nobody waits for: it travels with the next text, or in a few milliseconds by itself.
  void send_later(const std::string& peer, std::string text);
  /// Publishes at once what waits for the next go of the loop.
  void flush();
  /// The peer is gone: what is under way to it goes nowhere. The callback is not called.
  void drop(const std::string& peer) { links_.erase(peer); }
  /// What is on its way and was not confirmed, in bytes.
  std::size_t unconfirmed() const;

 private:
  /// A piece of a text, numbered.
  struct Piece {
    Piece(std::uint64_t which, std::string what, bool more)
        : number(which), text(std::move(what)), goes_on(more) {}
    std::uint64_t number;
    std::string text;
    bool goes_on;  ///< The text has a further piece.
  };
  struct Link {
    std::uint64_t mine = 0, theirs = 0;  ///< The numbers of both ends; theirs is 0 until it was heard.
    bool is_agreed = false;              ///< Each knows the other's end: pieces count from there on.
    bool must_speak = false;             ///< The other does not know this end.
    std::deque<Piece> unconfirmed;
    std::size_t bytes = 0;
    std::uint64_t last = 0;   ///< The number of the latest piece.
    std::uint64_t sent = 0;   ///< The latest that was published, since it last began again.
    std::uint64_t heard = 0;  ///< The latest of theirs that came in order.
    std::uint64_t told = 0;   ///< …that they were told of.
    std::string begun;        ///< Of a text of theirs that is not complete.
    bool is_posted = false, has_gap = false;
    Clock::Time resent;
    Timer again, confirm, later;
  };
  struct Head;
  Link& link_to(const std::string& peer);
  /// Whether it is to go: a link that was full begins anew.
  bool append(const std::string& peer, std::string text);
  void hear(std::string_view payload);
  void take_pieces(const std::string& peer, std::string_view rest);
  /// Whether the frame belongs to the link as it is.
  bool agree(const std::string& peer, const Head& head);
  void confirmed(Link& link, const std::string& peer, const Head& head);
  void post_flush(const std::string& peer);
  void flush(const std::string& peer);
  void publish(const std::string& peer, Link& link, std::string_view pieces);
  void send_again(const std::string& peer, Link& link);
  void watch_confirmation(const std::string& peer, Link& link);
  void reset(const std::string& peer);

  Fabric& fabric_;
  Timers& timers_;
  const std::string self_;
  const Post post_;
  Callbacks callbacks_;
  std::map<std::string, std::unique_ptr<Link>, std::less<>> links_;
  std::uint64_t ends_ = 0;  ///< Numbers of ends that were given out: a later one counts more.
  Subscription inbox_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
