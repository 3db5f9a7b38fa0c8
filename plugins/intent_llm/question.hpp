#pragma once

#include <chrono>
#include <cstdint>
#include <parley/language_model.hpp>
#include <string>
#include <vector>

#include "choice.hpp"
#include "offer.hpp"

namespace parley::intent_llm {

/// One question to the model: made on the loop, put together and read by a worker, one after the other.
struct Question {
  Question() = default;
  Offer offer;
  std::string prompt;               ///< What the model is told that it is for.
  std::vector<TalkLine> before;     ///< What was said before, whoever answered.
  std::int64_t most_tokens = 0;     ///< Of the reply.
  std::chrono::local_seconds wall;  ///< Of the user.
  Json body;                        ///< Of the request.
  std::string answer;               ///< The body of the answer.

  // What came of it.
  Choice choice;
  std::string failure;  ///< What the server says went wrong, or that its answer can't be read.
  std::int64_t tokens_asked = 0, tokens_answered = 0;  ///< As the server says; 0: it does not.

  /// Makes the tools and the body. Of more tools than fit into a request the last are left out.
  void put_together();
  /// Reads the answer.
  void read();
};

}  // namespace parley::intent_llm
