#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cluster/fabric.hpp"

namespace parley::cluster {

/// One thing in the log that instances share.
struct LogEntry {
  LogEntry(std::string what, std::string text, std::uint64_t number)
      : subject(std::move(what)), payload(std::move(text)), sequence(number) {}
  std::string subject;
  std::string payload;  ///< Empty: only subjects were asked for.
  std::uint64_t sequence;
};

/// How far the log is.
struct LogState {
  LogState() = default;
  std::int64_t created = 0;  ///< Unix milliseconds. Another one: it is another log.
  std::uint64_t last = 0;    ///< Sequence of what was added last; 0: nothing was.
};

/// What instances add to for all, in the order in which it came: each thing has a subject, of which the last
/// is kept, for a time and up to a size; then the oldest goes. On the loop; every callback comes from there,
/// and later than the call.
class LogStream {
 public:
  /// Entries that come before whoever reads has to ask for the next.
  static constexpr std::size_t kPiece = 64;

  using Done = std::function<void(const Written& how)>;
  /// Null: that was all that there was; from here on it is news. It must not let go of the reading.
  using Read = std::function<void(const LogEntry* entry)>;
  /// Whoever reads: ends it by letting go of it.
  class Reading {
   public:
    virtual ~Reading() = default;
    /// What came so far is dealt with, more may come.
    virtual void next() = 0;
  };

  virtual ~LogStream() = default;
  /// Bytes that a thing may have.
  virtual std::size_t max_payload() const = 0;
  /// How long things are kept; before the log is made.
  virtual void keep_for(std::chrono::milliseconds span) = 0;
  /// How far it is; nothing: no answer came in time.
  virtual void ask(std::function<void(const std::optional<LogState>& state)> told) = 0;
  /// @param subject  tokens of letters and digits between dots
  /// @param done     gets the sequence as revision
  virtual void append(const std::string& subject, std::string payload, Done done) = 0;
  /// Overwrites one where it is kept. One that is not there is done.
  virtual void remove(std::uint64_t sequence, Done done) = 0;
  /// @param filter  subject, of which a token may be `*`, and the last `>`
  /// @param from    the first sequence
  /// @param follows  what is new comes as well; else it is over when all that there was has come
  [[nodiscard]] virtual std::unique_ptr<Reading> read(const std::string& filter, std::uint64_t from,
                                                      bool follows, Read read) = 0;
};

}  // namespace parley::cluster
