#include "config/help.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "config/installed.hpp"
#include "config/tables.hpp"

namespace parley {
namespace config {
namespace {

constexpr std::string_view kIntroduction =
    R"(One YAML file. What it leaves out has the default shown here; a key nobody knows is refused.
The file is the one of --config, else of PARLEY_CONFIG, else $XDG_CONFIG_HOME/parley/parley.yaml, else
share/parley/parley.yaml beside the folder of the program.

Durations are a whole number and a unit: ms, s, min, h, d. Sizes are bytes, or KiB, MiB, GiB.

Single values are set from outside, the later of these winning over the earlier and over the file:

  PARLEY_ORCHESTRATOR__MATCH_TIMEOUT=5s
      '__' separates levels, capitals are as good as small letters, '.' and '-' of a name are '_'.
      A variable without '__' counts when it is one of the keys at the top, such as PARLEY_WORKERS.
      A name that the file does not have is taken in small letters.
  --set orchestrator.match_timeout=5s
      The value is YAML: --set skills.disabled=[a.b], --set 'language={default: de-DE, enabled: [de-DE]}'.
      It replaces what is there, lists and maps included.
      A name with dots may stand in double quotes: skills.settings."coffee.example".cups=3.
      Without them the longest name the file has is meant; when it has none, the last part is the
      setting and everything before it the skill (with a map as the value, all of it is the skill).

What is changed of skills while `parley serve` runs (PUT /v1/skills/{id}/settings, /disable, /enable, the
console) is kept in a file beside the store, parley.db.skills.json. It holds for `serve` and `chat`, wins
over the file of configuration, and these win over it. `parley check` lists it.
)";

using Visit = std::function<void(const std::string& path, const Option& option)>;

/// Visits every declared key.
void for_each_key(Catalogue& installed, const Visit& visit) {
  const auto fields = [&visit](const std::string& path, const auto& table) {
    for (const auto& field : table) visit(join(path, field.option.key), field.option);
  };
  const auto options = [&visit](const std::string& path, OptionTable table) {
    for (const Option& option : table) visit(join(path, option.key), option);
  };
  const Config defaults;
  fields("", kTop);
  for_each_section(defaults,
                   [&](const char* key, const auto&, const auto& table, const char*) { fields(key, table); });
  for_each_inner_section(defaults, [&](const char* outer, const char* key, const auto&, const auto& table,
                                       const char*) { fields(join(outer, key), table); });
  fields("skills", kSkills);
  fields("skills.options.<skill_id>", kSkillOptions);
  fields("stages.<id>", kStage);
  for (const auto* const stage : installed.stages()) {
    options(fmt::format("stages.<{}>", stage->name()), stage->tables().options);
    options(fmt::format("stages.<{}>.entries.<name>", stage->name()), stage->tables().entry_options);
  }
  for (const auto* const skill : installed.skills()) {
    options(join("skills.settings", skill->name()), skill->tables().options);
  }
}

std::string shown(const Option& option) {
  if (option.fallback == nullptr) return "not set";
  return *option.fallback == '\0' ? "\"\"" : option.fallback;
}

}  // namespace

std::optional<std::string> declared_elsewhere(std::string_view leaf, Catalogue& installed) {
  std::optional<std::string> found;
  for_each_key(installed, [&](const std::string& path, const Option& option) {
    if (!found && leaf == option.key) found = path;
  });
  return found;
}

}  // namespace config

std::string config_help(const ConfigSources& sources) {
  std::string help(config::kIntroduction);
  Catalogue installed = config::installed(sources);
  config::for_each_key(installed, [&](const std::string& path, const Option& option) {
    help += fmt::format("\n{}: {}\n    {}\n    {}\n", path, config::shown(option), option.help,
                        config::describe(option));
  });
  help += "\nstages.<id>.entries: the plugin's own\n    What a pipeline may name, each with its options.\n";
  help +=
      "\nskills.settings.<skill_id>: {}\n    The skill's own settings; the skill declares and checks them.\n";
  return help;
}

}  // namespace parley
