#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cluster/fabric.hpp"
#include "runtime/timers.hpp"

namespace parley::cluster {

/// Texts by key that all instances share, in a bucket. A write is done when the bucket holds it; while that
/// can't be learnt it is tried again, and done once at most. On the loop.
class SharedKeys {
 public:
  struct Callbacks {
    /// Another instance has written it, or had before this one came. Empty: it is gone.
    std::function<void(const std::string& key, std::uint64_t revision, std::string_view text)> heard;
    /// All that there was has been heard.
    std::function<void()> informed;
  };
  /// Of a conflict, `revision` is of what is there now; 0: nothing.
  using Done = std::function<void(const Written& how)>;

  /// Why it is not written; empty: it is, or somebody was faster.
  static std::string failure_of(const Written& how) {
    return how.how == Written::How::kFailed ? how.why : std::string();
  }

  SharedKeys(Fabric& fabric, Timers& timers, Callbacks callbacks);
  ~SharedKeys();
  SharedKeys(const SharedKeys&) = delete;
  SharedKeys& operator=(const SharedKeys&) = delete;

  void start();
  void stop() { watch_.reset(); }
  /// What is there, as far as it has been heard; 0: nothing.
  std::uint64_t revision_of(const std::string& key) const;
  /// Whether nothing later of that key has been heard.
  bool is_latest(const std::string& key, std::uint64_t revision) const {
    const auto found = known_.find(key);
    return found == known_.end() || found->second.revision <= revision;
  }
  /// Whether it was there once: then that it is gone is known as well.
  bool is_known(const std::string& key) const { return known_.contains(key); }

  /// @param text    empty: it is to be gone
  /// @param expect  the revision it must have; 0: it must not be there; nothing: any
  void put(const std::string& key, std::string text, std::optional<std::uint64_t> expect, Done done);
  /// It is gone, and what it was is overwritten where the bucket is kept.
  void wipe(const std::string& key, Done done);

 private:
  struct Known {
    std::uint64_t revision = 0;
    bool is_gone = false;
  };
  /// A write that is under way.
  struct Write {
    std::string key, text, mark;
    std::optional<std::uint64_t> expect;
    std::uint64_t sent_over = 0;  ///< The revision that was expected when it was last sent.
    Done done;
    Clock::Time until;
    bool is_refused = false;    ///< Somebody was faster: what they wrote is still to be heard.
    bool is_uncertain = false;  ///< It may have been done by a try that got no answer.
    Timer again;
  };
  void hear(const Entry& entry);
  void send(std::uint64_t number);
  void answered(std::uint64_t number, const Written& how);
  /// Tells of a conflict, if what is there has been heard.
  void resolve(std::uint64_t number);
  void refuse(std::uint64_t number);
  void end(std::uint64_t number, const Written& how);

  Fabric& fabric_;
  Timers& timers_;
  Callbacks callbacks_;
  const std::string self_;
  bool is_informed_ = false;
  std::map<std::string, Known> known_;
  std::map<std::uint64_t, Write> writes_;
  std::map<std::string, std::uint64_t, std::less<>> by_mark_;
  std::map<std::string, std::set<std::uint64_t>> refused_;  ///< By key.
  std::uint64_t count_ = 0;
  Subscription watch_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
