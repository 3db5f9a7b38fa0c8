// Whatever the documents show of a configuration goes through the parser that reads one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "config/config.hpp"
#include "config/token_file.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
namespace fs = std::filesystem;

namespace {

const fs::path kSource(PARLEY_SOURCE);

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<fs::path> documents() {
  std::vector<fs::path> files{kSource / "README.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  return files;
}

/// All matches of the first group, with the line they are on.
std::vector<std::pair<int, std::string>> all_of(const std::string& text, const std::string& pattern) {
  std::vector<std::pair<int, std::string>> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    const auto lines = std::count(text.begin(), text.begin() + at->position(), '\n');
    found.emplace_back(static_cast<int>(lines) + 1, (*at)[1].str());
  }
  return found;
}

/// What is shown between ```yaml and ```.
std::vector<std::pair<int, std::string>> snippets_of(const std::string& text) {
  return all_of(text, "```yaml\n([^`]*)```");
}

bool has_key(const std::string& yaml, const std::string& key) {
  return ("\n" + yaml).find("\n" + key + ":") != std::string::npos;
}

/// Every declared key with its default, by the help.
std::map<std::string, std::string> declared_keys() {
  std::map<std::string, std::string> keys;
  const std::string help = config_help(ConfigSources());
  const std::regex line(R"((?:^|\n)([a-z][\w.<>"-]*): ([^\n]*)\n    )");
  for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at)
    keys[(*at)[1].str()] = (*at)[2].str();
  return keys;
}

/// `stages.converse.max_age` as the help has it: `stages.<converse>.max_age`, or `stages.<id>.max_age`.
std::vector<std::string> as_declared(const std::string& path) {
  static const std::regex stage(R"(stages\.([\w-]+)\.(.*))");
  static const std::regex setting(R"((skills\.settings\.<skill_id>)\..*)");
  std::smatch parts;
  if (std::regex_match(path, parts, stage)) {
    return {fmt::format("stages.<{}>.{}", parts[1].str(), parts[2].str()),
            fmt::format("stages.<id>.{}", parts[2].str())};
  }
  if (std::regex_match(path, parts, setting)) return {parts[1].str()};
  return {path};
}

std::vector<std::string> problems_with(const std::string& setting) {
  ConfigSources sources;
  sources.settings = {setting};
  std::vector<std::string> lines;
  for (const auto& problem : check_config(sources).problems) lines.push_back(to_string(problem));
  return lines;
}

}  // namespace

TEST_CASE("documents: every configuration they show is read without a complaint") {
  testing::TemporaryFolder folder;
  int configurations = 0;
  int token_files = 0;
  for (const auto& file : documents()) {
    for (const auto& [line, yaml] : snippets_of(content_of(file))) {
      const std::string place = fmt::format("{}:{}", file.filename().string(), line);
      CAPTURE(place);
      if (has_key(yaml, "clients")) {
        ++token_files;
        CHECK_NOTHROW(read_token_file(folder.write("tokens.yaml", yaml)));
      } else if (!has_key(yaml, "questions") && !has_key(yaml, "steps")) {  // by the skills faq and guide
        ++configurations;
        for (const auto& problem : check_config_text(yaml, place).problems) FAIL_CHECK(to_string(problem));
      }
    }
  }
  CHECK(configurations >= 4);
  CHECK(token_files >= 1);
}

TEST_CASE("documents: every key they name is declared, and takes its default") {
  const auto keys = declared_keys();
  REQUIRE(keys.contains("stages.<converse>.max_age"));
  int named = 0;
  // `session.` is also where a message has its session.
  const std::string pattern =
      "`((?:language|location|orchestrator|session\\.max_size|stages|skills|plugins|store|logging|"
      "registration|"
      "gateway)"
      "[\\w.<>-]*)`";
  for (const auto& file : documents()) {
    for (const auto& [line, path] : all_of(content_of(file), pattern)) {
      if (path.find('.') == std::string::npos) continue;  // a section, or a word
      ++named;
      const std::string place = fmt::format("{}:{}: {}", file.filename().string(), line, path);
      CAPTURE(place);
      const auto inner = keys.lower_bound(path + ".");
      if (inner != keys.end() && inner->first.starts_with(path + ".")) continue;  // a section as well
      const auto forms = as_declared(path);
      const auto known =
          std::find_if(forms.begin(), forms.end(), [&](const auto& form) { return keys.contains(form); });
      REQUIRE(known != forms.end());
      const std::string& fallback = keys.at(*known);
      if (path.find('<') != std::string::npos || fallback == "not set") continue;
      for (const auto& problem : problems_with(path + "=" + fallback)) FAIL_CHECK(problem);
    }
  }
  CHECK(named > 30);
}

TEST_CASE("documents: every setting and variable they show is one") {
  int shown = 0;
  for (const auto& file : documents()) {
    const std::string text = content_of(file);
    for (const auto& found : all_of(text, R"(--set ([a-z][\w.]*=[^\s`]+))")) {
      const std::string setting = found.second;
      ++shown;
      CAPTURE(setting);
      for (const auto& problem : problems_with(setting)) FAIL_CHECK(problem);
    }
    for (const auto& found : all_of(text, R"((PARLEY_[A-Z_]+__[A-Z_]+=[^\s`]+))")) {
      const std::string variable = found.second;
      ++shown;
      CAPTURE(variable);
      ConfigSources sources;
      const std::size_t equals = variable.find('=');
      sources.environment = {{variable.substr(0, equals), variable.substr(equals + 1)}};
      for (const auto& problem : check_config(sources).problems) FAIL_CHECK(to_string(problem));
    }
  }
  CHECK(shown >= 2);
}
