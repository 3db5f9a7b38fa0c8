#pragma once

#include <parley/message.hpp>

namespace parley::fallback {

/// What a message on `<skill_id>.fallback.pong` is to the round that asked that skill (F-3).
enum class Pong {
  kStrange,    ///< From somebody else: not an answer.
  kMalformed,  ///< From the skill, and neither yes nor no: a no.
  kNo,
  kYes,
};

/// @param ping  what the skill was asked with; its session and turn are compared by the poll
Pong read_pong(const Message& pong, const Message& ping, const std::string& skill_id);

}  // namespace parley::fallback
