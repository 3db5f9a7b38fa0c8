#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "options.hpp"

namespace CLI {
class App;
}

namespace parley::command {

struct NewOptions {
  NewOptions() = default;
  std::string kind;    ///< skill, stage or remote-skill.
  std::string name;    ///< See name_problem().
  std::string folder;  ///< Empty: the name, in the working directory.
};

struct DevOptions {
  DevOptions() = default;
  std::string folder = ".";
  bool once = false;     ///< One round, whose result is the exit code.
  bool no_chat = false;  ///< Also where somebody could type.
};

/// What authors of skills and stages may ask for.
struct AuthorRequest {
  AuthorRequest() = default;
  NewOptions begin;
  DevOptions dev;
};
/// The commands `new` and `dev`.
void add_author_commands(CLI::App& app, AuthorRequest& request);
/// Its exit code; nothing: `name` is none of them.
std::optional<int> run_author_command(const std::string& name, const AuthorRequest& request);

int make_new(const NewOptions& options);
int dev(const DevOptions& options);

/// The folder that holds bin, lib and share: where this parley is installed, or its build folder.
std::filesystem::path installation();

}  // namespace parley::command
