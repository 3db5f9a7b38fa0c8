#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <parley/message.hpp>
#include <parley/task.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace parley {

/// Who a value belongs to.
enum class StorageScope {
  kHousehold,  ///< Everybody who uses this installation.
  kOwner,      ///< The owner of the token that the turn came with; `local` where there are none (K-4).
  kSession     ///< The session of the turn, of that owner. Erased when the session is forgotten.
};

/// Where a skill's values are: its own, in one scope.
struct StoragePlace {
  StoragePlace(std::string whose, StorageScope in, std::string of_owner, std::string of_session)
      : skill_id(std::move(whose)),
        scope(in),
        owner(std::move(of_owner)),
        session_id(std::move(of_session)) {}
  std::string skill_id;
  StorageScope scope;
  std::string owner;       ///< Empty for the household.
  std::string session_id;  ///< Empty except in the scope of a session.
};

/// A value can't be kept: the disk is full, the file can't be written. The text says what to do.
class StorageError : public std::runtime_error {
 public:
  explicit StorageError(const std::string& reason) : std::runtime_error(reason) {}
};

/// The host's side of storage: what lies under a key, with its version. Authors use Storage.
class StorageHost {
 public:
  struct Stored {
    Stored(std::string text, std::uint64_t number) : json(std::move(text)), version(number) {}
    std::string json;
    std::uint64_t version;  ///< From 1; never used again for that key.
  };
  struct Written {
    explicit Written(bool is_done, std::uint64_t number = 0) : done(is_done), version(number) {}
    bool done;              ///< False: the version is not the expected one, or there is nothing to erase.
    std::uint64_t version;  ///< The version there is now; 0: nothing is there.
  };
  virtual Task<std::optional<Stored>> storage_get(StoragePlace place, std::string key) = 0;
  virtual Task<std::map<std::string, std::string>> storage_all(StoragePlace place, std::string prefix) = 0;
  /// @param json    nothing: erases
  /// @param expect  writes only over this version; 0: only over nothing. Nothing: in any case
  virtual Task<Written> storage_write(StoragePlace place, std::string key, std::optional<std::string> json,
                                      std::optional<std::uint64_t> expect) = 0;

 protected:
  ~StorageHost() = default;
};

/// JSON by key, which lasts: when a write returns, it is committed and survives a restart or a crash.
/// A skill reaches its own keys only. A cheap value; use it on the skill's strand.
///
/// A key is 1 to 256 bytes of UTF-8, a value at most 256 KiB of JSON, and a skill has at most 10,000 keys in
/// one place. A value that does not fit, or is not UTF-8, throws std::invalid_argument. One that can't be
/// kept throws StorageError. All waits throw Cancelled as those of Skill do.
///
/// Name a value that is written with braces before the call: g++ 12 destroys temporaries of a co_await
/// expression twice.
class Storage {
 public:
  static constexpr std::size_t kLongestKey = 256;
  static constexpr std::size_t kLargestValue = std::size_t{256} << 10U;
  static constexpr std::size_t kMostKeys = 10'000;

  Storage(StorageHost& host, StoragePlace place) : host_(&host), place_(std::move(place)) {}

  Task<> put(std::string key, Json value);
  /// Nothing: there is no such key.
  Task<std::optional<Json>> get(std::string key);
  /// All keys that begin with `prefix`, in the order of their bytes.
  Task<std::map<std::string, Json>> all(std::string prefix = std::string());
  /// Returns whether there was such a key.
  Task<bool> erase(std::string key);

  /// Gets the current value (nothing: there is none) and returns the new one (nothing: erase it).
  using Edit = std::function<std::optional<Json>(std::optional<Json>)>;
  /// Changes a value in one step: when another write comes between, `edit` is called again with the value
  /// of that write. `edit` must have no side effects. Returns the new value.
  Task<std::optional<Json>> change(std::string key, Edit edit);

 private:
  StorageHost* host_;
  StoragePlace place_;
};

}  // namespace parley
