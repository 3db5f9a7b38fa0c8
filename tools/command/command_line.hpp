#pragma once

#include "options.hpp"

namespace parley::command {

/// Reads the arguments, runs the command and gives the exit code.
int run_command_line(int argc, char** argv);

}  // namespace parley::command
