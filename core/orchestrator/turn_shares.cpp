#include "orchestrator/turn_shares.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace parley {
namespace {

/// Turns of a client that wait for nobody else, however many others have.
constexpr std::size_t kAlways = 4;
/// Turns of a client beyond its share that end others.
constexpr std::size_t kUrgent = 8;
/// Turns of a client that begin at a time: enough to keep the loop busy, and while others talk too, one.
constexpr std::size_t kBeginningAlone = 16;
constexpr std::size_t kBeginning = 1;
/// How long a turn counts as one that begins: most have ended by then.
constexpr std::chrono::milliseconds kMoment(5);

}  // namespace

std::uint64_t TurnShares::client_of(const Message& entry) {
  const auto& sender = entry.context().sender;
  return sender ? sender->id : 0;
}

std::size_t TurnShares::most_of(const Sender& sender) const {
  const auto granted = limits_.granted ? limits_.granted(sender) : std::nullopt;
  return granted.value_or(limits_.of_client);
}

bool TurnShares::has_room(const Share& share, const SenderPtr& sender, Clock::Time now) const {
  if (!sender) return busy_ < limits_.in_flight;
  if (free_at(share, now) > now || share.busy >= most_of(*sender)) return false;
  return busy_ < limits_.in_flight || share.busy < std::min(kAlways, limits_.in_flight);
}

bool TurnShares::session_has_room(const Share& share, const Message& entry) const {
  const auto session = share.sessions.find(entry.session_id());
  return !entry.context().sender || session == share.sessions.end() || session->second < limits_.of_session;
}

Clock::Time TurnShares::free_at(const Share& share, Clock::Time now) const {
  const bool alone = company_.is_alone(now);
  const std::size_t most = alone ? kBeginningAlone : kBeginning;
  const Clock::Time rested = alone ? Clock::Time::min() : share.rests_until;
  if (share.beginning.size() < most) return rested;
  return std::max(rested, share.beginning[share.beginning.size() - most].until);
}

const TurnShares::Share& TurnShares::share_of(const Message& entry) const {
  static const Share kNone;
  const auto share = shares_.find(client_of(entry));
  return share == shares_.end() ? kNone : share->second;
}

bool TurnShares::may_begin(const Message& entry) const {
  const Share& share = share_of(entry);
  return has_room(share, entry.context().sender, clock_.now()) && session_has_room(share, entry);
}

bool TurnShares::may_begin_urgently(const Message& entry) const {
  const auto& sender = entry.context().sender;
  if (!sender) return false;
  const Share& share = share_of(entry);
  const Clock::Time now = clock_.now();
  const auto beginning = std::count_if(share.beginning.begin(), share.beginning.end(),
                                       [now](const Beginning& one) { return one.until > now; });
  return share.busy < std::min(most_of(*sender), limits_.in_flight) + kUrgent &&
         static_cast<std::size_t>(beginning) < kBeginningAlone + kUrgent;
}

void TurnShares::count_busy(Share& share, const std::string& session) {
  ++busy_;
  ++share.busy;
  ++share.sessions[session];
}

void TurnShares::count_idle(Share& share, const std::string& session) {
  --busy_;
  --share.busy;
  const auto found = share.sessions.find(session);
  if (--found->second == 0) share.sessions.erase(found);
}

bool TurnShares::take_asking(Share& share, const std::string& id) {
  return std::erase_if(share.asking, [&](const Asking& one) { return one.id == id; }) > 0;
}

void TurnShares::has_begun(Share& share, const std::string& id) const {
  const auto found = std::find_if(share.beginning.begin(), share.beginning.end(),
                                  [&](const Beginning& one) { return one.id == id; });
  if (found == share.beginning.end()) return;
  const Clock::Time now = clock_.now();
  const auto took = now - (found->until - kMoment);
  share.beginning.erase(found);
  if (share.line.size > 0)
    share.rests_until = now + Company::rest_after(std::min<Clock::Time::duration>(took, kMoment));
}

void TurnShares::began(const Message& entry) {
  const auto& sender = entry.context().sender;
  Share& share = shares_[client_of(entry)];
  if (sender) share.owner = sender->owner;
  const Clock::Time now = clock_.now();
  while (!share.beginning.empty() && share.beginning.front().until <= now) share.beginning.pop_front();
  company_.heard(client_of(entry), now);
  share.beginning.push_back({entry.context().utterance_id, now + kMoment});
  count_busy(share, entry.session_id());
  share.turns.push_back(entry.context().utterance_id);
}

void TurnShares::ended(const Message& entry) {
  const std::string& id = entry.context().utterance_id;
  const auto share = shares_.find(client_of(entry));
  if (share == shares_.end() || std::erase(share->second.turns, id) == 0) {
    const auto& sender = entry.context().sender;
    const auto left = sender ? left_behind_.find(sender->owner) : left_behind_.end();
    if (left == left_behind_.end() || std::erase(left->second, id) == 0) return;
    if (left->second.empty()) left_behind_.erase(left);
    return;
  }
  has_begun(share->second, id);
  if (!take_asking(share->second, id)) count_idle(share->second, entry.session_id());
  forget(share);
}

std::optional<std::string> TurnShares::waits_for_user(const Message& entry, bool waits) {
  const auto found = shares_.find(client_of(entry));
  const std::string& id = entry.context().utterance_id;
  if (found == shares_.end() ||
      std::find(found->second.turns.begin(), found->second.turns.end(), id) == found->second.turns.end())
    return std::nullopt;
  Share& share = found->second;
  if (!waits) {
    if (take_asking(share, id)) count_busy(share, entry.session_id());
    return std::nullopt;
  }
  has_begun(share, id);
  share.asking.push_back({id, entry.session_id()});
  count_idle(share, entry.session_id());
  if (!entry.context().sender || share.asking.size() <= limits_.questions) return std::nullopt;
  const Asking first = std::move(share.asking.front());
  share.asking.erase(share.asking.begin());
  count_busy(share, first.session);  // until it has ended
  return first.id;
}

void TurnShares::wait(Message entry) {
  const std::uint64_t client = client_of(entry);
  Line& line = shares_[client].line;
  if (line.size == 0) turns_.push_back(client);
  auto& session = line.sessions[entry.session_id()];
  if (session.empty()) line.turns.push_back(entry.session_id());
  session.push_back(std::move(entry));
  ++line.size;
  ++waiting_;
}

std::optional<Message> TurnShares::next_of(Share& share, Clock::Time now) {
  Line& line = share.line;
  if (!has_room(share, share.line.sessions.begin()->second.front().context().sender, now))
    return std::nullopt;
  for (std::size_t i = line.turns.size(); i > 0; --i) {
    std::string session = std::move(line.turns.front());
    line.turns.pop_front();
    const auto found = line.sessions.find(session);
    if (!session_has_room(share, found->second.front())) {
      line.turns.push_back(std::move(session));
      continue;
    }
    Message entry = std::move(found->second.front());
    found->second.pop_front();
    --line.size;
    --waiting_;
    if (found->second.empty()) {
      line.sessions.erase(found);
    } else {
      line.turns.push_back(std::move(session));
    }
    return entry;
  }
  return std::nullopt;
}

std::optional<Message> TurnShares::next(Clock::Time now) {
  for (std::size_t i = turns_.size(); i > 0; --i) {
    const std::uint64_t client = turns_.front();
    turns_.pop_front();
    const auto share = shares_.find(client);
    if (share == shares_.end() || share->second.line.size == 0) continue;
    auto entry = next_of(share->second, now);
    if (share->second.line.size > 0) turns_.push_back(client);
    if (entry) return entry;
  }
  return std::nullopt;
}

std::optional<Clock::Time> TurnShares::next_time(Clock::Time now) const {
  std::optional<Clock::Time> earliest;
  for (const std::uint64_t client : turns_) {
    const auto share = shares_.find(client);
    if (share == shares_.end()) continue;
    const Clock::Time free = free_at(share->second, now);
    if (free > now && (!earliest || free < *earliest)) earliest = free;
  }
  return earliest;
}

std::vector<Message> TurnShares::take_waiting() {
  std::vector<Message> all;
  for (auto& [client, share] : shares_) {
    for (auto& [session, entries] : share.line.sessions)
      std::move(entries.begin(), entries.end(), std::back_inserter(all));
    share.line = Line();
  }
  turns_.clear();
  waiting_ = 0;
  return all;
}

std::size_t TurnShares::waiting_of(std::uint64_t client) const {
  const auto share = shares_.find(client);
  return share == shares_.end() ? 0 : share->second.line.size;
}

void TurnShares::forget(Shares::iterator share) {
  if (share->second.is_empty()) shares_.erase(share);
}

TurnShares::Left TurnShares::departed(std::uint64_t client) {
  Left left;
  auto node = shares_.extract(client);
  if (node.empty()) return left;
  Share& share = node.mapped();
  for (auto& [session, entries] : share.line.sessions)
    std::move(entries.begin(), entries.end(), std::back_inserter(left.waiting));
  waiting_ -= share.line.size;
  std::erase(turns_, client);
  if (share.turns.empty()) return left;
  busy_ -= share.busy;  // from here on their own bound is enough: nobody can add to them without leaving
  auto& behind = left_behind_[share.owner];
  behind.insert(behind.end(), share.turns.begin(), share.turns.end());
  if (behind.size() > limits_.of_client)
    left.surplus.assign(behind.begin(), behind.end() - static_cast<std::ptrdiff_t>(limits_.of_client));
  return left;
}

}  // namespace parley
