#pragma once

#include <string>
#include <string_view>

namespace parley::llm {

/// Reads the body of an OpenAI-compatible chat completion as it comes: server-sent events with `delta`s, or,
/// where a server does not stream, one JSON object with a `message`.
class ReplyStream {
 public:
  /// Takes a piece of the body, cut anywhere; gives the text that came with it.
  std::string add(std::string_view piece);
  /// Once nothing more comes: the text of a reply that was not streamed, else nothing.
  std::string finish();

  bool done() const noexcept { return done_; }  ///< The server said that this was all.
  /// What the server says went wrong; empty when it says nothing of the kind.
  const std::string& error() const noexcept { return error_; }

 private:
  std::string read_line(std::string_view line);
  std::string read_object(std::string_view json);

  std::string pending_;  ///< A line that is not whole yet.
  std::string plain_;    ///< Lines that are no event: a body that is not streamed. Bounded.
  bool events_ = false;
  bool done_ = false;
  std::string error_;
};

}  // namespace parley::llm
