#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "orchestrator/turn_shares.hpp"
#include "session/session.hpp"

namespace parley {

/// What the configuration says to the orchestrator.
struct OrchestratorSettings {
  OrchestratorSettings() : languages("en-US", {"en-US"}) {}
  Languages languages;
  std::vector<std::string> pipeline;
  /// For sessions that carry none (section S).
  std::vector<std::string> blacklisted_pipelines, blacklisted_skills, blacklisted_intents;
  TurnLimits limits;
  std::size_t max_session_size = SessionStore::kMaxSize;  ///< Bytes, serialised (S-5).
  bool trace_always = false;
};

}  // namespace parley
