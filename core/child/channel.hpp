#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/json.hpp>
#include <string>
#include <string_view>

namespace parley::child {

/// What crosses between parley and a child of it: an object that says what it is under "k", and bytes with
/// it.
struct Frame {
  Frame(Json what, std::string bytes) : head(std::move(what)), body(std::move(bytes)) {}
  const std::string& kind() const { return head.at("k").get_ref<const std::string&>(); }
  Json head;
  std::string body;
};

/// Frames over one end of a socket pair, in order: four bytes with the length of the whole, four with that of
/// the head, both little-endian, the head as JSON, the body. On the loop's thread, and owned by a shared_ptr.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  static constexpr std::size_t kLargestFrame = std::size_t{32} << 20U;

  /// @param socket  is the channel's from here on
  Channel(const boost::asio::any_io_executor& loop, int socket);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// @param take   called for each frame; what it throws ends the channel
  /// @param ended  called once, with why: the other end has gone or sent what is no frame
  void listen(std::function<void(const Frame&)> take, std::function<void(const std::string& why)> ended);
  /// Has the loop read what comes. Without it, wait() does.
  void read_on();
  void send(const Json& head, std::string_view body = {});
  /// Bytes that the other end has yet to read.
  std::size_t queued() const noexcept { return out_.size() - out_at_; }
  /// Waits on this thread until something has come or gone, and takes what came. False: nothing did.
  bool wait(std::chrono::milliseconds bound);
  /// Waits on this thread for a frame of that kind. Those that come before are taken later.
  /// @throws std::runtime_error when the other end has gone
  Frame wait_for(std::string_view kind);
  /// Takes what is there, without waiting.
  void drain();
  /// Nothing is called back from here on.
  void close();

 private:
  using Descriptor = boost::asio::posix::basic_stream_descriptor<boost::asio::any_io_executor>;
  /// Reads once; false: there was nothing to read.
  bool read_some();
  /// The next one that is complete.
  std::optional<Frame> next_frame();
  void take_frames();
  void write_some();
  void end(const std::string& why);

  Descriptor socket_;
  std::function<void(const Frame&)> take_;
  std::function<void(const std::string&)> ended_;
  std::deque<Frame> held_;  ///< That came while one of another kind was waited for.
  std::string in_, out_;
  std::size_t in_at_ = 0, out_at_ = 0;
  bool writing_ = false, over_ = false, taking_ = false;
};

}  // namespace parley::child
