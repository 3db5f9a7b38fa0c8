#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/assistant.hpp"

namespace parley::bench {

/// The assistant as it comes out of the build: its own configuration (never the user's) and real plugins. Not
/// started.
/// @param settings  values that are to be others, as `--set` takes them
std::unique_ptr<Assistant> make_assistant(std::vector<std::string> settings = {});
/// The same, which keeps what lasts in a file, as `store.path` of the settings says.
std::unique_ptr<Assistant> make_keeping_assistant(std::vector<std::string> settings);
/// The same with a clock that stands still and jumps, and without a network; it remembers what is said.
std::unique_ptr<Assistant> make_timeless_assistant();
/// One of another configuration, with the real stages of the build. Not started.
std::unique_ptr<Assistant> make_assistant(Config config);
/// Starts it. @throws std::runtime_error when anything of it was refused or works only in part
void start_at_once(Assistant& assistant);
/// The same, and waits until it has learnt what its skills register: that takes both processors for a second.
void start(Assistant& assistant);
/// Waits until it does nothing more: has learnt, and has written down what happened.
void settle(Assistant& assistant);

}  // namespace parley::bench
