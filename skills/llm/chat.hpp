#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "history.hpp"

namespace parley::llm {

/// What is asked of the model, beside the talk itself.
struct Model {
  Model() = default;
  std::string name;  ///< Empty: the server's own choice.
  std::int64_t most_tokens = 0;
};

/// The body of a streamed chat completion. Roles alternate, as some models insist on: what one side said in a
/// row is one message, and the talk begins with the user.
nlohmann::json chat_request(const Model& model, const std::string& system, const std::vector<Said>& before,
                            const std::string& said);

}  // namespace parley::llm
