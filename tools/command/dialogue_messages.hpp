#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace parley::script {

struct Outcome;

/// What an `@ message` line wants to be on the bus: `TOPIC` or `TOPIC {…}`.
struct WantedMessage {
  std::string topic;
  std::string fields;  ///< A JSON object, or empty: any.
};

/// What is wrong with such a line; nothing: nothing is.
std::optional<std::string> message_problem(const std::string& text);
/// @param text  one that has no problem
WantedMessage read_message(const std::string& text);

/// Whether everything that `wanted` has is there with that value; objects within are compared like that, too.
bool is_part_of(const nlohmann::json& wanted, const nlohmann::json& whole);

/// What was instead of such a message; nothing: there was one.
std::optional<std::string> missing_message(const std::string& text, const Outcome& outcome);
/// The line that the last message of that topic meets; empty: there was none.
std::string message_line(const std::string& text, const Outcome& outcome);

}  // namespace parley::script
