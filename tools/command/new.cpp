// `parley new`: a folder to begin with, made of the templates that come along.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "author.hpp"
#include "new_folder.hpp"
#include "settings/values.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

namespace fs = std::filesystem;

std::string kind_problem(const std::string& kind, const std::vector<std::string>& kinds) {
  const auto near = nearest(kind, kinds);
  return fmt::format("there is no kind {}: say skill, stage or remote-skill{}", in_quotes(kind),
                     near ? fmt::format("; did you mean '{}'?", *near) : std::string());
}

/// Whether one of that name is installed: beside it, the new one would take its place.
bool is_installed(const NewOptions& wanted) {
  const fs::path plugins = installation() / "lib/parley";
  return wanted.kind == "stage"
             ? fs::exists(plugins / "stages" / fmt::format("libparley_stage_{}.so", wanted.name))
             : fs::exists(plugins / "skills" / wanted.name);
}

/// A path as it is written in a shell.
std::string in_shell(const fs::path& path) {
  const std::string text = path.string();
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' || c == '~';
  });
  return plain && !text.empty() ? text : fmt::format("'{}'", text);
}

std::string next_steps(const NewOptions& made, const std::string& folder) {
  if (made.kind == "remote-skill") {
    return fmt::format("  cd {0}\n  parley serve &\n  ./{1}.py &\n  ./test_{1}.py\n", folder, made.name);
  }
  return fmt::format("  cd {}\n  parley dev\n", folder);
}

}  // namespace

int make_new(const NewOptions& options) {
  const std::vector<std::string> kinds{"skill", "stage", "remote-skill"};
  if (std::find(kinds.begin(), kinds.end(), options.kind) == kinds.end()) {
    complain(kind_problem(options.kind, kinds));
    return kFailed;
  }
  if (const auto problem = name_problem(options.name)) {
    complain(*problem);
    return kFailed;
  }
  if (is_installed(options)) {
    complain(
        fmt::format("this parley has a {} '{}' already: choose another name", options.kind, options.name));
    return kFailed;
  }
  const fs::path folder = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
  const auto files =
      make_folder(installation() / "share/parley/templates" / options.kind, folder, options.name);
  std::string text = fmt::format("The {} '{}' is in {}:\n", options.kind, options.name, folder.string());
  for (const auto& file : files) text += fmt::format("  {}\n", file.string());
  text += fmt::format("\nREADME.md says what is what. To go on:\n{}", next_steps(options, in_shell(folder)));
  print(text);
  return kGood;
}

}  // namespace parley::command
