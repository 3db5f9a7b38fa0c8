#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace parley::child {

/// How a process ended.
struct Death {
  int code = 0;
  int signal = 0;  ///< 0: none ended it.
  /// "died of SIGSEGV (Segmentation fault)" or "ended itself with exit code 3".
  std::string in_words() const;
};

/// A program that was started with one end of a socket pair as its descriptor kSocket. It has no other file
/// open but an empty input and stderr, which is its stdout, too. It is nicer than we are (nice(2)) and killed
/// with this object. On the loop's thread.
class Process {
 public:
  static constexpr int kSocket = 3;

  /// @param word  its only argument
  /// @throws std::system_error naming the program when it can't be started
  Process(const boost::asio::any_io_executor& loop, const std::filesystem::path& program,
          const std::string& word);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const noexcept { return id_; }
  /// Our end of the socket pair; whoever takes it closes it.
  int take_socket() noexcept;
  /// Calls back once it has ended, at which it stays to be asked for its death().
  void when_ended(std::function<void()> callback);
  /// How it ended; nothing: it has not, within that time.
  std::optional<Death> death(std::chrono::milliseconds patience = std::chrono::milliseconds(0));
  void kill() noexcept;

 private:
  using Descriptor = boost::asio::posix::basic_stream_descriptor<boost::asio::any_io_executor>;
  pid_t id_ = -1;
  int socket_ = -1;
  Descriptor ended_;
  std::optional<Death> death_;
};

}  // namespace parley::child
