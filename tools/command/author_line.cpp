// The commands for authors of skills and stages, as they are written on a command line.
#include <CLI/CLI.hpp>

#include "author.hpp"
#include "config/files.hpp"
#include "subcommand.hpp"

namespace parley::command {
namespace {

constexpr const char* kNewHelp =
    R"(KIND is one of
  skill          C++: intents, dialogs, a setting and tests
  stage          C++: a place in the pipeline of its own
  remote-skill   Python: a program that connects to `parley serve`

NAME has small letters, digits and underscores. FOLDER is the name if not said; it must not be there yet, or be empty.

Examples:
  parley new skill coffee
  parley new stage polite ~/src/polite)";

constexpr const char* kDevHelp =
    R"(Builds the skill or stage in FOLDER (the working directory if not said) in its folder `build`, checks it, plays
its dialogue scripts, and opens a chat with it. Whenever a file changes, it does so again: what fails is told, and
the chat begins anew. Without a terminal there is no chat. /quit in the chat, or Ctrl-C without one, ends it.

Exit code: 0 all is well, 1 something failed in the last round, 2 it could not begin.

Examples:
  parley dev coffee
  parley dev --once      build, check, play, and that is it)";

}  // namespace

std::filesystem::path installation() {
  return executable_directory().parent_path();
}

void add_author_commands(CLI::App& app, AuthorRequest& request) {
  auto* const begin = add_command(app, "new", "a folder to begin a skill or stage with", kNewHelp);
  begin->add_option("KIND", request.begin.kind, "skill, stage or remote-skill")->type_name("")->required();
  begin->add_option("NAME", request.begin.name, "its name")->type_name("")->required();
  begin->add_option("FOLDER", request.begin.folder, "where to make it")->type_name("");
  auto* const work =
      add_command(app, "dev", "builds, checks and plays a skill whenever it changes", kDevHelp);
  work->add_option("FOLDER", request.dev.folder, "its folder")->type_name("");
  work->add_flag("--once", request.dev.once, "one round only");
  work->add_flag("--no-chat", request.dev.no_chat, "opens no chat");
}

std::optional<int> run_author_command(const std::string& name, const AuthorRequest& request) {
  if (name == "new") return make_new(request.begin);
  if (name == "dev") return dev(request.dev);
  return std::nullopt;
}

}  // namespace parley::command
