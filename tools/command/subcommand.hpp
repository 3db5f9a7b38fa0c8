#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace parley::command {

inline CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& does,
                             const char* footer = "") {
  auto* const command = app.add_subcommand(name, does);
  command->fallthrough();
  command->footer(footer);
  return command;
}

}  // namespace parley::command
