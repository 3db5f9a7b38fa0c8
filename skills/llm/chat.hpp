#pragma once

#include <nlohmann/json_fwd.hpp>
#include <parley/language_model.hpp>
#include <string>
#include <vector>

namespace parley::llm {

/// The body of a streamed chat completion. Roles alternate, as some models insist on: what one side said in a
/// row is one message, and the talk begins with the user.
/// @param most_tokens  of the reply
nlohmann::json chat_request(const std::string& system, const std::vector<TalkLine>& before,
                            const std::string& said, std::int64_t most_tokens);

}  // namespace parley::llm
