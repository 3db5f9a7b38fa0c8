#pragma once

#include <functional>
#include <parley/message.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace parley {

/// Why a text from outside is no message.
struct DecodeError {
  DecodeError(bool carrier, std::string why) : malformed_carrier(carrier), reason(std::move(why)) {}
  bool malformed_carrier;  ///< `context.session` was there and no object (S-3).
  std::string reason;
  std::string msg_type;  ///< With malformed_carrier: what the message was.
};

/// Reads one message from its JSON text (M-1 to M-3, M-6, S-1).
/// @param complain  called once per spoiled context or session field, with its name and what it was
/// @param from      the sender; null: this process
std::variant<Message, DecodeError> decode(std::string_view text,
                                          const std::function<void(const std::string&)>& complain,
                                          SenderPtr from = nullptr);

/// The JSON text of a message, on one line.
std::string encode(const Message& message);
Json to_json(const Message& message);

/// What kind of JSON value this is, for people: "a string", "null", "an array" …
std::string_view kind_of(const Json& value) noexcept;

}  // namespace parley
