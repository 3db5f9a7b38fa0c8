#pragma once

#include <cstdint>
#include <optional>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "message/codec.hpp"
#include "runtime/timers.hpp"

namespace parley {

/// What a text of a peer is, before anything is said of it.
struct Decoded {
  Decoded() = default;
  std::optional<Message> message;    ///< Nothing when it is malformed.
  std::vector<std::string> spoiled;  ///< Fields that count as absent (S-1).
  std::optional<DecodeError> error;
};

/// What came of one text of a peer.
struct Received {
  Received() = default;
  std::optional<Message> message;  ///< What it said; nothing when the text was malformed (M-3).
  std::vector<Message> answers;    ///< What the core says to a carrier that is no object (S-3).
};

/// Reads what one peer sends (M-3, S-1, S-3) and logs what is wrong with it, once per complaint and
/// period. On the thread of its timers, which must outlive it.
class Inlet {
 public:
  /// @param origin  the peer's name in the log, e.g. "client 127.0.0.1:51234"
  Inlet(Timers& timers, std::string origin);
  ~Inlet();
  Inlet(const Inlet&) = delete;
  Inlet& operator=(const Inlet&) = delete;

  /// One message as JSON text. From a malformed one nothing follows, except that a carrier that is no
  /// object is answered with `ovos.session.rejected` (S-3).
  Received receive(std::string_view text, SenderPtr from = nullptr) {
    return take(read(text, std::move(from)));
  }
  /// The first half of that, which takes the time. From any thread.
  static Decoded read(std::string_view text, SenderPtr from);
  /// The second half, which logs.
  Received take(Decoded decoded);

  /// Logs at once what is new in this period, and counts the rest: a peer must not be able to fill the log.
  /// @param about  what makes two complaints the same one
  void complain(const std::string& about, const std::string& text);

 private:
  void summarise();

  Timers& timers_;
  std::string origin_;
  std::set<std::string, std::less<>> said_;  ///< What the log has been told of in this period.
  std::uint64_t unsaid_ = 0;                 ///< Complaints since then that it was not told of.
  Timer period_;
};

}  // namespace parley
