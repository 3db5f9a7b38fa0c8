#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/assistant.hpp"
#include "benchmarks.hpp"

namespace parley::bench {

/// What is said again and again, and who should answer.
struct Talk {
  Talk(std::string what, std::string text, std::string skill)
      : name(std::move(what)), utterance(std::move(text)), skill_id(std::move(skill)) {}
  std::string name;
  std::string utterance;
  std::string skill_id;               ///< Empty: nobody.
  std::vector<std::string> pipeline;  ///< `session.pipeline`; empty: the configured one.
  std::vector<std::string> active;    ///< `session.converse_handlers` at the beginning.
  bool in_default_session = false;    ///< Else every talker has a named session of its own.
  bool not_understood = false;        ///< The skill says that it has no answer (U-10).
  bool to_speech = false;             ///< Up to what is spoken; else until the turn is handled.
};

/// Measures turns: `sessions` talkers, each saying the next thing as soon as its last one was handled, all of
/// it on the assistant's loop. @throws std::runtime_error when a turn goes otherwise than expected or never
/// ends
Series measure(Assistant& assistant, const Talk& talk, int sessions, const Options& options);

}  // namespace parley::bench
