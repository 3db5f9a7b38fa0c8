#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <parley/bus.hpp>
#include <string>
#include <string_view>

namespace parley::cluster {

class LogStream;

/// A key of a bucket, as one write left it.
struct Entry {
  Entry(std::string name, std::string text, std::uint64_t number, bool erased = false)
      : key(std::move(name)), value(std::move(text)), revision(number), is_erased(erased) {}
  std::string key, value;
  std::uint64_t revision;  ///< Of the bucket: every write gets a higher one.
  bool is_erased;
};

/// What came of a write.
struct Written {
  enum class How {
    kDone,
    kConflict,  ///< The key is not as it was expected to be.
    kFailed     ///< It may have been written, or not.
  };
  explicit Written(How what, std::uint64_t number = 0, std::string text = {})
      : how(what), revision(number), why(std::move(text)) {}
  bool ok() const noexcept { return how == How::kDone; }
  How how;
  std::uint64_t revision;
  std::string why;
};

/// What the instances of a cluster share: messages by subject, and buckets of keys with revisions. On the
/// loop; every callback comes from there, and later than the call.
class Fabric {
 public:
  using Received = std::function<void(std::string_view payload)>;
  using Done = std::function<void(const Written& how)>;
  /// Null: all that there was has been told; from here on it is news.
  using Watched = std::function<void(const Entry* entry)>;

  virtual ~Fabric() = default;

  virtual bool is_up() const = 0;
  /// Bytes that a message may have.
  virtual std::size_t max_payload() const = 0;

  /// At most once: a message may be lost.
  virtual void publish(const std::string& subject, std::string payload) = 0;
  [[nodiscard]] virtual Subscription subscribe(const std::string& subject, Received received) = 0;

  /// @param expect  the revision that the key must have; 0: there is none; nothing: any
  /// @param once    a name that no other write has: what was done under it, in the last two minutes, is not
  ///                done again, and that is no conflict. Empty: each call is a write of its own
  virtual void put(const std::string& bucket, const std::string& key, std::string value,
                   std::optional<std::uint64_t> expect, const std::string& once, Done done) = 0;
  virtual void erase(const std::string& bucket, const std::string& key, std::optional<std::uint64_t> expect,
                     Done done) = 0;
  /// Overwrites what was written to a key, where it is kept; nobody who watches hears of it.
  /// @param revision  of that write
  virtual void wipe(const std::string& bucket, const std::string& key, std::uint64_t revision, Done done) = 0;
  virtual LogStream& log() = 0;
  /// What is in the bucket, and what becomes of it. After a connection was lost everything is told again.
  [[nodiscard]] virtual Subscription watch(const std::string& bucket, Watched watched) = 0;
};

}  // namespace parley::cluster
