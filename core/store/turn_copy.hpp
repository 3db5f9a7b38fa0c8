#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley {

class Database;

/// A turn that is over, as the log of its instance has it: what another instance's log is to have as well,
/// its trace too, unless that is long.
struct LoggedTurn {
  LoggedTurn() = default;
  std::string owner, session_id, utterance_id;
  std::int64_t began = 0, ended = 0;  ///< Of its first and its last event, in Unix milliseconds.
  std::string json;                   ///< `{"owner", …, "turn": {…}, "events": […]}`
};

namespace turns {

/// The latest turn of that id, with its events, the first 200 of them. Nothing: there is none.
std::optional<LoggedTurn> copy_of(Database& database, const std::string& utterance_id);
/// Adds what another instance has logged; the events get numbers of this log. Of a turn that is there already
/// only what was said since is added.
/// @param logged       as LoggedTurn::json has it
/// @param keeps_trace  store.keep is `traces` here
/// @return whether anything was new @throws nlohmann::json::exception  it can't be read; nothing was added
bool take(Database& database, const nlohmann::json& logged, bool keeps_trace);

}  // namespace turns

/// Where turns go that are over and in the log of this process, and go again when something was said in them
/// since. From any thread.
class TurnsOver {
 public:
  using Heard = std::function<void(std::vector<LoggedTurn> turns)>;
  /// @param heard  must only hand them on, from whatever thread; null: nobody hears them any more, also not
  ///               those that are being told
  void on_told(Heard heard) {
    const std::lock_guard lock(mutex_);
    heard_ = std::move(heard);
  }
  bool is_heard() const {
    const std::lock_guard lock(mutex_);
    return heard_ != nullptr;
  }
  void tell(std::vector<LoggedTurn> turns) const {
    const std::lock_guard lock(mutex_);
    if (heard_) heard_(std::move(turns));
  }

 private:
  mutable std::mutex mutex_;
  Heard heard_;
};

}  // namespace parley
