// Skills that run in children of this process.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/assistant_parts.hpp"
#include "child/child_skill.hpp"
#include "language/core_folder.hpp"
#include "message/log.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

/// The folder of the configuration file; without one, the working directory.
fs::path folder_of(const std::optional<fs::path>& config_file) {
  return config_file ? fs::absolute(*config_file).parent_path() : fs::current_path();
}

child::Limits limits_of(const SkillOptions& options, const std::optional<fs::path>& config_file) {
  child::Limits limits;
  limits.memory = options.memory;
  limits.cpu = options.cpu;
  limits.open_files = options.open_files;
  limits.network = options.network;
  limits.processes = options.programs;
  limits.writes_anywhere = false;
  for (const auto& folder : options.writes) limits.writes.push_back(folder_of(config_file) / folder);
  return limits;
}

/// What a child is to tell of: what is wanted here.
LogLevel wanted_level() {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo})
    if (is_logged(level)) return level;
  return LogLevel::kWarning;
}

bool is_among(const std::vector<fs::path>& all, const fs::path& file) {
  return std::find(all.begin(), all.end(), fs::absolute(file).lexically_normal()) != all.end();
}

}  // namespace

bool Assistant::Parts::runs_in_child(const std::string& id, const fs::path& file) const {
  if (options.said_then) return false;  // a replay looks into it
  switch (config.options_of(id).placement) {
    case SkillPlacement::kProcess:
      return true;
    case SkillPlacement::kAuto:
      return is_among(options.held_out, file);
    case SkillPlacement::kHere:
      break;
  }
  return false;
}

std::shared_ptr<SkillPart> Assistant::Parts::part_in_child(
    std::shared_ptr<const PluginDescription> description, std::int64_t changed) {
  LoadedPart about(description->name(), fs::absolute(description->file()).lexically_normal().string(),
                   description->version());
  auto part = std::make_shared<SkillPart>(std::move(about), std::nullopt, description->tables().options);
  part->description = std::move(description);
  part->changed = changed;
  return part;
}

std::shared_ptr<RunningSkill> Assistant::Parts::child_for(const SkillPart& part,
                                                          std::shared_ptr<const TurnEnvironment> environment,
                                                          const Settings& settings) {
  const std::string& id = part.about.id;
  child::Plan plan;
  plan.skill_id = id;
  plan.library = part.about.file;
  plan.folder = plan.library.parent_path();
  if (options.config_file) {
    const fs::path overrides = folder_of(options.config_file) / "overrides";
    plan.overrides = overrides / id;
    plan.core_overrides = overrides / "core";
  }
  plan.languages = config.language.enabled;
  plan.settings = settings.all();
  plan.zone = time_zone;
  plan.speaks_errors = config.orchestrator.speak_errors;
  plan.jumping = jumping();
  plan.draws = static_cast<bool>(options.random);
  plan.log_level = wanted_level();
  plan.limits = limits_of(config.options_of(id), options.config_file);
  fs::path program = options.program.empty() ? options.executable_directory / "parley" : options.program;
  return std::make_shared<child::ChildSkill>(std::move(environment), std::move(plan),
                                             child::ChildServices(std::move(program), *http, keeping));
}

bool Assistant::Parts::load_into_child(const fs::path& file) {
  const auto& all = config.skills.options;
  if (std::all_of(all.begin(), all.end(),
                  [](const auto& one) { return one.second.placement == SkillPlacement::kHere; }))
    return false;
  auto description = std::make_shared<const PluginDescription>(file, PluginKind::kSkill);
  const std::string id = description->name();
  const auto& disabled = config.skills.disabled;
  const bool is_disabled = std::find(disabled.begin(), disabled.end(), id) != disabled.end();
  if (is_disabled || skill_parts.contains(id) || !runs_in_child(id, file)) return false;
  if (config.options_of(id).placement == SkillPlacement::kAuto)
    log_warning("skill " + id, "runs in a process of its own, because the backend crashed in its code");
  const auto folder = file.parent_path();
  auto part = part_in_child(std::move(description), latest_change(folders_of(id, folder)));
  const Settings settings = skill_settings(id, part->settings);
  auto child = child_for(*part, environment_of(id, load_locale(id, folder)), settings);
  skill_parts.insert_or_assign(id, std::move(part));
  ++skills_starting;
  skills.add(std::move(child), run_options_of(id),
             [this, id](const std::string& failure, bool stuck) { note_started(id, failure, stuck); });
  return true;
}

}  // namespace parley
