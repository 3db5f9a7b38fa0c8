#pragma once

#include <string>
#include <vector>

namespace parley::bench {

/// Somebody who sends as much as is taken, in a process of its own, for a bounded time.
struct Flood {
  Flood() = default;
  std::string kind;         ///< One of flood_kinds().
  unsigned short port = 0;  ///< Of the gateway, on the loopback.
  std::string token;        ///< Empty: none.
  double seconds = 0;       ///< It ends by itself after these.
};

/// What a flood may consist of: "utterances", "questions", "big_json", "registrations".
const std::vector<std::string>& flood_kinds();

/// What the program does when it is started as a flooder. Prints one line: messages sent, times it had to
/// connect anew.
void flood_only(const Flood& flood);

/// A flooder that was started; what it took of a processor is only known at its end.
class Flooder {
 public:
  /// @throws std::system_error when no process can be started
  explicit Flooder(const Flood& flood);
  ~Flooder();  ///< Waits for it.
  Flooder(const Flooder&) = delete;
  Flooder& operator=(const Flooder&) = delete;

  struct Result {
    Result() = default;
    double messages = 0, connections = 0;
    double cpu_seconds = 0;
    double seconds = 0;
  };
  /// Waits for its end. @throws std::runtime_error when it did not end well
  Result finish();

 private:
  Flood flood_;
  int child_ = -1;
  int output_ = -1;
};

}  // namespace parley::bench
