#include "config/help.hpp"

#include <fmt/format.h>

#include <map>

#include "config/dump.hpp"
#include "config/plugins.hpp"
#include "config/reader.hpp"

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
      The value is YAML: --set pipeline=[intent_high], --set 'stages.fallback={query_timeout: 1s}'.
      It replaces what is there, lists and maps included.
      A name with dots may stand in double quotes: skills.settings."timer.parley".max_timers=3.
      Without them the longest name the file has is meant; when it has none, the last part is the
      setting and everything before it the skill (with a map as the value, all of it is the skill).
)";

/// Calls `visit(path, field, section, note)` for every declared key; a section holds its defaults.
template <class Visit>
void for_each_key(Visit visit) {
  const Config defaults;
  const auto all = [&visit](const std::string& path, const auto& section, const auto& table) {
    for (const auto& field : table) visit(join(path, field.key), field, section);
  };
  all("", defaults, kTop);
  for_each_section(defaults, [&](const char* key, const auto& section, const auto& table, const char*) {
    all(key, section, table);
  });
  all("skills", defaults.skills, kSkills);
  all("skills.options.<skill_id>", SkillOptions(), kSkillOptions);
  all("stages.<id>", StageCommon(), kStage);
  for_each_plugin([&](std::string_view plugin, const auto& options, const auto& table, const auto& entry,
                      const auto& entry_table, const auto&) {
    all(fmt::format("stages.<{}>", plugin), options, table);
    all(fmt::format("stages.<{}>.entries.<name>", plugin), entry, entry_table);
  });
}

std::string shown(const nlohmann::json& value) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value.get<std::string>();
  return value.is_null() ? "not set" : value.dump();
}

template <class S>
std::string entry(const std::string& path, const Field<S>& field, const S& section) {
  return std::visit(
      [&](auto slot) {
        return fmt::format("\n{}: {}\n    {}\n    {}\n", path, shown(dump(section.*slot, Style::kFile)),
                           field.help, describe(field.rule, &(section.*slot)));
      },
      field.slot);
}

}  // namespace

std::string printable_key(std::string_view key) {
  const bool needs_quotes = key.find('.') != std::string_view::npos || key.empty();
  return needs_quotes ? fmt::format("\"{}\"", shorten(key)) : shorten(key);
}

std::optional<std::string> declared_elsewhere(std::string_view leaf) {
  static const auto kPaths = [] {
    std::map<std::string, std::string, std::less<>> paths;
    for_each_key(
        [&](const std::string& path, const auto& field, const auto&) { paths.emplace(field.key, path); });
    return paths;
  }();
  const auto found = kPaths.find(leaf);
  if (found == kPaths.end()) return std::nullopt;
  return found->second;
}

}  // namespace config

std::string config_help() {
  std::string help(config::kIntroduction);
  config::for_each_key([&](const std::string& path, const auto& field, const auto& section) {
    help += config::entry(path, field, section);
  });
  help += "\nstages.<id>.entries: the plugin's own\n    What a pipeline may name, each with its options.\n";
  help +=
      "\nskills.settings.<skill_id>: {}\n    The skill's own settings; the skill declares and checks them.\n";
  return help;
}

}  // namespace parley
