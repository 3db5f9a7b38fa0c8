// What a shell offers when somebody presses the tabulator.
#include "complete.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

namespace parley::command {
namespace {

/// The commands of a command, without those that are for programs.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

void add(std::vector<std::string>& found, const std::string& name, const std::string& begun,
         const std::string& does) {
  if (name.starts_with(begun)) found.push_back(fmt::format("{}\t{}\n", name, does));
}

/// The words that the first argument of a command is one of, as its help has them: `WHAT :{check,backup}`.
void add_choices(std::vector<std::string>& found, const CLI::App& command, const std::string& begun) {
  for (const auto* const option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string type = option->get_type_name();
    const auto open = type.find('{');
    const auto close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return;
    std::istringstream choices(type.substr(open + 1, close - open - 1));
    for (std::string choice; std::getline(choices, choice, ',');) add(found, choice, begun, "");
    return;
  }
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> found;
  if (words.empty()) return found;
  const std::string& begun = words.back();
  std::vector<const CLI::App*> path{&app};
  for (auto word = words.begin(); word + 1 != words.end(); ++word) {
    for (const auto* const command : commands_of(*path.back())) {
      if (command->get_name() != *word) continue;
      path.push_back(command);
      break;
    }
  }
  if (!begun.starts_with('-')) {
    for (const auto* const command : commands_of(*path.back()))
      add(found, command->get_name(), begun, command->get_description());
    const bool is_first = words.size() > 1 && words[words.size() - 2] == path.back()->get_name();
    if (path.size() > 1 && is_first) add_choices(found, *path.back(), begun);
    return found;
  }
  for (const auto* const command : path) {
    for (const auto* const option : command->get_options())
      for (const auto& name : option->get_lnames()) add(found, "--" + name, begun, option->get_description());
  }
  return found;
}

}  // namespace parley::command
