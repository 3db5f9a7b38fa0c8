#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace parley::command {

/// What may take the place of the last of the words of a command line, which begins after the program's name:
/// a command's or an option's name each, with a tab, what it does and a line end. Empty: nothing the program
/// knows of, so perhaps a file.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace parley::command
