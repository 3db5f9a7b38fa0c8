#pragma once

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>

// What JetStream says.
namespace parley::cluster {

/// JetStream's numbers for what goes wrong.
inline constexpr int kWrongSequence = 10'071;       ///< A race is lost.
inline constexpr int kOtherConfiguration = 10'058;  ///< A stream is there otherwise.
inline constexpr int kNoSuchMessage = 10'043;
inline constexpr int kNothingStored = 10'057;  ///< Of a sequence that never was.

struct ApiError {
  int code = 0;
  std::string text;
};

/// What an answer of the API says against it; nothing: it is good.
inline std::optional<ApiError> error_of(const Json& answer) {
  ApiError error;
  error.text = "an answer that is none";
  if (!answer.is_object()) return error;
  const auto found = answer.find("error");
  if (found == answer.end()) return std::nullopt;
  if (found->is_object()) {
    error.code = found->value("err_code", 0);
    error.text = found->value("description", "an error without words");
  }
  return error;
}

/// The number between two dots, counted from the end: 0 is behind the last.
inline std::uint64_t number_from_end(std::string_view text, int index) {
  for (; index > 0; --index) text = text.substr(0, text.rfind('.'));
  text.remove_prefix(text.rfind('.') + 1);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Of what a consumer delivers: `$JS.ACK.<stream>.<consumer>.<delivered>.<sequence>.<number>.<time>.<left>`
struct Delivered {
  explicit Delivered(std::string_view reply)
      : sequence(number_from_end(reply, 3)),
        number(number_from_end(reply, 2)),
        left(number_from_end(reply, 0)) {}
  std::uint64_t sequence, number, left;
};

}  // namespace parley::cluster
