#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <parley/message.hpp>
#include <string_view>

namespace parley::net {

/// The names topics had in Mycroft and OVOS before the OVOS specifications, for `gateway.compat: ovos`
/// (W-6). Inside the assistant there are only current names: these are translated at the door.

/// What one peer says, in current names. Newer OVOS clients send some messages twice: under the current
/// name, and right after it under the older one, with a mark in the context. The second is no message of
/// its own. The mark alone says nothing, because older clients copy it into their answers: a duplicate is
/// what carries it and repeats, under an older name, something this very peer has said before. On the
/// gateway's thread.
class OlderNames {
 public:
  /// @returns nothing for a duplicate, and for what the core says itself (`mycroft.skill.handler.start`)
  std::optional<Message> read(const Message& message);

 private:
  std::deque<std::uint64_t> said_;  ///< Under current names, and not seen again yet; the latest last.
};

/// A message of the bus as clients are sent it, with the fields older clients look for.
Message with_older_fields(const Message& message);

/// The name clients of older times know a topic by; empty: none, or none that they listen to.
std::string_view older_name_of(std::string_view topic) noexcept;

/// The same message under that name, marked for clients that have understood the current one already.
/// @param message  as with_older_fields() gives it
Message under_older_name(const Message& message);

}  // namespace parley::net
