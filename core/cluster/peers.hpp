#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <vector>

#include "cluster/frames.hpp"
#include "cluster/replay.hpp"
#include "net/audience.hpp"

namespace parley::cluster {

/// The clients of this instance, as the others have to know them.
class OwnClients {
 public:
  struct Own {
    net::ClientPtr client;
    Replay registered;
    net::Listening listening;
  };
  void join(const net::ClientPtr& client, const net::Listening& listening);
  void leave(std::uint64_t client) { all_.erase(client); }
  /// Null: it is not on `/core`.
  Own* find(std::uint64_t client);
  const std::map<std::uint64_t, Own>& all() const noexcept { return all_; }
  bool any_hears_traces() const;

 private:
  std::map<std::uint64_t, Own> all_;
};

/// What this instance knows of another one.
struct Peer {
  Peer() = default;
  net::Audience audience;
  std::set<std::uint64_t> knows;  ///< Own clients that it was told of.
  /// Its clients, as they are called here. Those that only ask over HTTP are kept for as long as a turn is.
  std::map<std::uint64_t, net::ClientPtr> clients;
  std::map<std::uint64_t, std::weak_ptr<const net::Client>> passing;
};

/// The last so many ids, each with a value.
template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}
  const Value* find(const std::string& id) const {
    const auto found = values_.find(id);
    return found == values_.end() ? nullptr : &found->second;
  }
  void put(const std::string& id, Value value) {
    const auto [at, is_new] = values_.insert_or_assign(id, std::move(value));
    if (!is_new) return;
    order_.push_back(id);
    if (order_.size() <= most_) return;
    values_.erase(order_.front());
    order_.pop_front();
  }
  /// A hole stays in the order: it is worth one place.
  void erase(const std::string& id) { values_.erase(id); }

 private:
  std::size_t most_;
  std::map<std::string, Value, std::less<>> values_;
  std::deque<std::string> order_;
};

}  // namespace parley::cluster
