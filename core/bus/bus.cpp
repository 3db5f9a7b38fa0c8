#include "bus/bus.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "message/log.hpp"
#include "runtime/cell.hpp"
#include "runtime/guard.hpp"

namespace parley {
namespace {

template <class T>
void forget_expired(std::vector<std::weak_ptr<T>>& all) {
  std::erase_if(all, [](const auto& one) { return one.expired(); });
}

/// Those that have ended go before the list grows: what nobody is told of would else be kept for ever.
template <class T>
void add_listener(std::vector<std::weak_ptr<T>>& to, std::weak_ptr<T> one) {
  if (to.size() == to.capacity()) forget_expired(to);
  to.push_back(std::move(one));
}

}  // namespace

Presence PresenceTable::of(const std::string& skill_id) const {
  const auto found = skills_.find(skill_id);
  return found == skills_.end() ? Presence::kNone : found->second;
}

void PresenceTable::arrive(const std::string& skill_id, Presence where) {
  skills_[skill_id] = where;
  tell(arriving_, skill_id);
}

void PresenceTable::leave(const std::string& skill_id) {
  const std::string id = skill_id;  // may be the key that goes
  if (skills_.erase(id) == 0) return;
  std::erase_if(abilities_, [&](const auto& declared) { return declared.first == id; });
  tell(leaving_, id);
}

void PresenceTable::tell(Listeners& whom, const std::string& skill_id) {
  forget_expired(whom);
  const auto targets = whom;
  for (const auto& target : targets) {
    if (const auto listener = target.lock()) (*listener)(skill_id);
  }
}

std::vector<std::string> PresenceTable::all() const {
  std::vector<std::string> ids;
  for (const auto& [id, where] : skills_) ids.push_back(id);
  return ids;
}

Subscription PresenceTable::add(Listeners& to, std::function<void(const std::string&)> callback) {
  auto listener = std::make_shared<std::function<void(const std::string&)>>(std::move(callback));
  add_listener<std::function<void(const std::string&)>>(to, listener);
  return Subscription(std::move(listener));
}

Subscription PresenceTable::on_leave(std::function<void(const std::string&)> callback) {
  return add(leaving_, std::move(callback));
}

Subscription PresenceTable::on_arrive(std::function<void(const std::string&)> callback) {
  return add(arriving_, std::move(callback));
}

void Bus::publish(Message message) {
  if (elsewhere_ != nullptr) return elsewhere_->publish(std::move(message));
  receive(std::move(message));
}

void Bus::receive(Message message) {
  queue_.push_back(std::move(message));
  drain();
}

void Bus::publish_together(std::vector<Message> messages) {
  if (elsewhere_ != nullptr) {
    for (auto& message : messages) elsewhere_->publish(std::move(message));
    return;
  }
  for (auto& message : messages) queue_.push_back(std::move(message));
  drain();
}

void Bus::drain() {
  if (delivering_) return;
  delivering_ = true;
  while (!queue_.empty()) {
    const Message next = std::move(queue_.front());
    queue_.pop_front();
    deliver(next);
  }
  delivering_ = false;
}

void Bus::deliver(const Message& message) {
  ++published_;
  std::vector<CallbackPtr> targets;
  if (const auto exact = exact_.find(message.type()); exact != exact_.end()) {
    collect(exact->second, targets);
    if (exact->second.empty()) exact_.erase(exact);
  }
  if (!prefixes_.empty()) {
    for (auto dot = message.type().find('.'); dot != std::string::npos;
         dot = message.type().find('.', dot + 1)) {
      const auto prefix = prefixes_.find(std::string_view(message.type()).substr(0, dot));
      if (prefix != prefixes_.end()) collect(prefix->second, targets);
    }
  }
  collect(taps_, targets);
  call(targets, message);
}

void Bus::collect(Listeners& from, std::vector<CallbackPtr>& into) {
  bool stale = false;
  for (const auto& weak : from) {
    if (auto callback = weak.lock()) {
      into.push_back(std::move(callback));
    } else {
      stale = true;
    }
  }
  if (stale) forget_expired(from);
}

void Bus::call(const std::vector<CallbackPtr>& targets, const Message& message) {
  for (const auto& target : targets) {
    // Only the snapshot keeps it: somebody before it in the list has ended this subscription.
    if (target.use_count() == 1) continue;
    if (const auto failure = failure_of([&] { (*target)(message); }))
      log_error("bus", "a subscriber of '" + message.type() + "' threw: " + *failure);
  }
}

Subscription Bus::subscribe(const std::string& pattern, Callback callback) {
  auto token = std::make_shared<Callback>(std::move(callback));
  if (elsewhere_ != nullptr) elsewhere_->listen(pattern);
  if (pattern == "*") {
    add_listener<const Callback>(taps_, token);
  } else if (pattern.ends_with(".*")) {
    add_listener<const Callback>(prefixes_[pattern.substr(0, pattern.size() - 2)], token);
  } else {
    add_listener<const Callback>(exact_[pattern], token);
  }
  return Subscription(std::move(token));
}

bool Bus::has_subscribers(const std::string& topic) const {
  const auto found = exact_.find(topic);
  if (found == exact_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [](const auto& one) { return !one.expired(); });
}

}  // namespace parley
