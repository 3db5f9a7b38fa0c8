#include "cluster/links.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "message/log.hpp"

namespace parley::cluster {
namespace {

constexpr std::size_t kMostUnconfirmed = std::size_t{64} << 20U;  ///< Bytes to one peer.
constexpr std::size_t kLongestText = std::size_t{64} << 20U;      ///< That is taken of a peer.
constexpr std::size_t kRoomForHeads = 1024;                       ///< Of a payload.
constexpr std::chrono::milliseconds kConfirmAfter(10);
constexpr std::chrono::milliseconds kLater(5);
constexpr std::chrono::milliseconds kAgainAfter(300);
constexpr std::chrono::milliseconds kNotSooner(20);  ///< Than so, it is sent again.
constexpr std::uint64_t kTellAfter = 64;             ///< Pieces that came unconfirmed.

std::string subject_of(const std::string& peer) {
  return "link." + peer;
}

/// The text up to the separator, which is taken away with it.
std::string_view word(std::string_view& text, char end) {
  const auto at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return taken;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

/// `<from> <from's end> <the end it is for, or 0> <confirmed> <gap: 0 or 1>` and a newline; then pieces, each
/// `<number> <0: last, 1: goes on> <bytes>` and a newline, and the bytes.
struct Links::Head {
  std::string from;
  std::uint64_t end = 0, other = 0, confirmed = 0;
  bool gap = false;

  static std::optional<Head> read(std::string_view& payload) {
    std::string_view line = word(payload, '\n');
    Head head;
    head.from = word(line, ' ');
    const auto end = number(word(line, ' '));
    const auto other = number(word(line, ' '));
    const auto confirmed = number(word(line, ' '));
    if (!confirmed || head.from.empty() || !end || !other || *end == 0) return std::nullopt;
    head.end = *end;
    head.other = *other;
    head.confirmed = *confirmed;
    head.gap = line == "1";
    return head;
  }
};

Links::Links(Fabric& fabric, Timers& timers, std::string self, Post post, Callbacks callbacks)
    : fabric_(fabric),
      timers_(timers),
      self_(std::move(self)),
      post_(std::move(post)),
      callbacks_(std::move(callbacks)) {}

Links::~Links() = default;

void Links::start() {
  inbox_ = fabric_.subscribe(subject_of(self_), [this](std::string_view payload) { hear(payload); });
}

Links::Link& Links::link_to(const std::string& peer) {
  auto& link = links_[peer];
  if (!link) {
    link = std::make_unique<Link>();
    link->mine = ++ends_;
  }
  return *link;
}

void Links::send(const std::string& peer, std::string text) {
  if (append(peer, std::move(text))) post_flush(peer);
}

void Links::send_later(const std::string& peer, std::string text) {
  if (!append(peer, std::move(text))) return;
  Link& link = link_to(peer);
  if (link.is_posted || link.later) return;
  link.later = timers_.at(timers_.clock().now() + kLater, [this, peer] { flush(peer); });
}

bool Links::append(const std::string& peer, std::string text) {
  Link& link = link_to(peer);
  if (link.bytes + text.size() > kMostUnconfirmed) {
    log_warning("cluster",
                fmt::format("instance {} does not confirm what it is sent: its link begins anew", peer));
    reset(peer);
    return false;
  }
  link.bytes += text.size();
  const std::size_t most = fabric_.max_payload() - kRoomForHeads;
  std::size_t from = 0;
  for (; text.size() - from > most; from += most)
    link.unconfirmed.emplace_back(++link.last, text.substr(from, most), true);
  link.unconfirmed.emplace_back(++link.last, from == 0 ? std::move(text) : text.substr(from), false);
  return true;
}

/// What is said in one go of the loop travels together.
void Links::post_flush(const std::string& peer) {
  Link& link = link_to(peer);
  if (std::exchange(link.is_posted, true)) return;
  post_([this, peer, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) flush(peer);
  });
}

void Links::flush() {
  for (const auto& [peer, link] : links_) {
    if (link->is_posted) flush(peer);
  }
}

void Links::flush(const std::string& peer) {
  const auto found = links_.find(peer);
  if (found == links_.end()) return;
  Link& link = *found->second;
  link.is_posted = false;
  link.later.reset();
  const std::size_t most = fabric_.max_payload() - kRoomForHeads / 2;
  std::string pieces;
  bool any = false;
  std::size_t index = 0;
  if (!link.unconfirmed.empty() && link.sent >= link.unconfirmed.front().number)
    index = link.sent - link.unconfirmed.front().number + 1;
  for (; link.theirs != 0 && index < link.unconfirmed.size(); ++index) {
    const Piece& piece = link.unconfirmed[index];
    std::string head = fmt::format("{} {} {}\n", piece.number, piece.goes_on ? 1 : 0, piece.text.size());
    if (!pieces.empty() && pieces.size() + head.size() + piece.text.size() > most) {
      publish(peer, link, pieces);
      pieces.clear();
    }
    pieces += head;
    pieces += piece.text;
    link.sent = piece.number;
    any = true;
  }
  const bool says_hello = link.theirs == 0 && !link.unconfirmed.empty();
  if (!pieces.empty() || (!any && (link.told < link.heard || link.has_gap || link.must_speak || says_hello)))
    publish(peer, link, pieces);
  watch_confirmation(peer, link);
}

void Links::publish(const std::string& peer, Link& link, std::string_view pieces) {
  std::string payload =
      fmt::format("{} {} {} {} {}\n", self_, link.mine, link.theirs, link.heard, link.has_gap ? 1 : 0);
  payload += pieces;
  link.told = link.heard;
  link.has_gap = false;
  link.must_speak = false;
  link.confirm.reset();
  fabric_.publish(subject_of(peer), std::move(payload));
}

void Links::watch_confirmation(const std::string& peer, Link& link) {
  if (link.unconfirmed.empty()) {
    link.again.reset();
  } else if (!link.again) {
    link.again = timers_.at(timers_.clock().now() + kAgainAfter, [this, peer] {
      const auto found = links_.find(peer);
      if (found != links_.end()) send_again(peer, *found->second);
    });
  }
}

void Links::send_again(const std::string& peer, Link& link) {
  link.again.reset();
  if (link.unconfirmed.empty()) return;
  const auto now = timers_.clock().now();
  if (fabric_.is_up() && now >= link.resent + kNotSooner) {
    link.resent = now;
    link.sent = link.unconfirmed.front().number - 1;
    post_flush(peer);
  }
  watch_confirmation(peer, link);
}

void Links::hear(std::string_view payload) {
  const auto head = Head::read(payload);
  if (!head) return;
  const std::string peer = head->from;
  if (!agree(peer, *head)) return;
  Link& link = link_to(peer);
  confirmed(link, peer, *head);
  take_pieces(peer, payload);
}

bool Links::agree(const std::string& peer, const Head& head) {
  if (head.end < link_to(peer).theirs) return false;  // of an end that is no more
  if (head.end > link_to(peer).theirs) {
    // It began anew. If nothing was exchanged with the end before, this one can go on with it.
    if (link_to(peer).is_agreed) reset(peer);
    link_to(peer).theirs = head.end;
  }
  Link& link = link_to(peer);
  if (head.other == link.mine) {
    link.is_agreed = true;
    return true;
  }
  link.must_speak = true;
  link.has_gap = true;
  post_flush(peer);
  return false;
}

void Links::confirmed(Link& link, const std::string& peer, const Head& head) {
  bool any = false;
  while (!link.unconfirmed.empty() && link.unconfirmed.front().number <= head.confirmed) {
    link.bytes -= std::min(link.bytes, link.unconfirmed.front().text.size());
    link.unconfirmed.pop_front();
    any = true;
  }
  if (any) link.again.reset();
  if (head.gap) send_again(peer, link);
  watch_confirmation(peer, link);
}

void Links::take_pieces(const std::string& peer, std::string_view rest) {
  std::vector<std::string> texts;
  Link& link = link_to(peer);
  while (!rest.empty()) {
    std::string_view line = word(rest, '\n');
    const auto which = number(word(line, ' '));
    const bool goes_on = word(line, ' ') == "1";
    const auto size = number(line);
    if (!which || !size || *size > rest.size()) break;
    const std::string_view text = rest.substr(0, *size);
    rest.remove_prefix(*size);
    if (*which <= link.heard) {
      link.told = std::min(link.told, link.heard - 1);  // it was not told, or it was lost
      continue;
    }
    if (*which != link.heard + 1) {
      link.has_gap = true;
      continue;
    }
    link.heard = *which;
    link.begun += text;
    if (link.begun.size() > kLongestText) return reset(peer);
    if (!goes_on) texts.push_back(std::exchange(link.begun, {}));
  }
  if (link.has_gap || link.heard - link.told >= kTellAfter) {
    post_flush(peer);
  } else if (link.told < link.heard && !link.confirm) {
    link.confirm = timers_.at(timers_.clock().now() + kConfirmAfter, [this, peer] { flush(peer); });
  }
  const std::uint64_t end = link.mine;
  for (auto& text : texts) {
    const auto found = links_.find(peer);  // whoever took the one before may have dropped it
    if (found == links_.end() || found->second->mine != end) return;
    callbacks_.received(peer, std::move(text));
  }
}

void Links::reset(const std::string& peer) {
  links_.erase(peer);
  callbacks_.reset(peer);
}

std::size_t Links::unconfirmed() const {
  std::size_t bytes = 0;
  for (const auto& [peer, link] : links_) bytes += link->bytes;
  return bytes;
}

}  // namespace parley::cluster
