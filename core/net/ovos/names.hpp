#pragma once

#include <cstdint>
#include <deque>
#include <parley/message.hpp>
#include <string_view>

namespace parley::net::ovos {

/// The names topics had in Mycroft and OVOS before the OVOS specifications (W-6), one for one. Inside the
/// assistant there are only current names.

/// Whether a topic is used only by software older than the specifications. It marks an older client.
bool is_older_topic(std::string_view topic) noexcept;

/// The current name of an older one; empty: there is none, or more than the name differs.
std::string_view current_name_of(std::string_view older) noexcept;
/// The name older clients know a topic by; empty: none, or none that they listen to.
std::string_view older_name_of(std::string_view current) noexcept;

/// A message under its current name. Its topic must have one.
Message under_current_name(const Message& message);
/// A message of the bus with the fields older clients look for.
Message with_older_fields(const Message& message);
/// The same message under its older name, marked for clients that have understood the current one already.
/// @param message  as with_older_fields() gives it; its topic must have an older name
Message under_older_name(const Message& message);

/// What one peer says twice: newer OVOS clients send some messages under the current name, and right after it
/// under the older one, with a mark in the context. The second is no message of its own. The mark alone says
/// nothing, because older clients copy it into their answers: a duplicate carries it and repeats, under an
/// older name, what this very peer has said before.
class Twins {
 public:
  /// Takes the mark off, which everything derived from the message would inherit.
  /// @param marked  becomes true when there was one
  static Message unmarked(const Message& message, bool& marked);

  /// Of what was said under a current name: remembers it.
  void said(const Message& current);
  /// Of what was said under an older name, with a mark: whether it was said before. Each accounts for one.
  bool repeats(const Message& current);

 private:
  std::deque<std::uint64_t> said_;  ///< Under current names, and not seen again yet; the latest last.
};

}  // namespace parley::net::ovos
