#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "options.hpp"

namespace parley::command {

struct IntentOptions : ListOptions {
  IntentOptions() = default;
  bool collisions = false;
  std::string test;  ///< The file of cases; empty: not asked for.
};

/// `parley intents`. Gives the exit code; may throw what main() reports.
int intents(const GlobalOptions& global, const IntentOptions& options);

}  // namespace parley::command
