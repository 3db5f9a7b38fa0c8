#pragma once

#include <map>
#include <memory>
#include <parley/message.hpp>

namespace parley::child {

/// Those whose messages a child was given: what it makes of such a message comes back as theirs. On the loop.
class Senders {
 public:
  /// The child is given a message of that one.
  void note(const SenderPtr& sender) {
    if (!sender) return;
    if (all_.size() >= kMany) std::erase_if(all_, [](const auto& one) { return one.second.expired(); });
    all_.insert_or_assign(sender->id, sender);
  }
  /// Null: it was given none of that one, or that one has gone.
  SenderPtr find(std::uint64_t id) const {
    const auto found = all_.find(id);
    return found == all_.end() ? nullptr : found->second.lock();
  }

 private:
  static constexpr std::size_t kMany = 64;
  std::map<std::uint64_t, std::weak_ptr<const Sender>> all_;
};

}  // namespace parley::child
