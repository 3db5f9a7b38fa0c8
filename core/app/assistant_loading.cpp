// How an assistant comes by its stages and skills.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/assistant_parts.hpp"
#include "config/files.hpp"
#include "plugin/find.hpp"
#include "settings/reader.hpp"

namespace parley {
std::vector<std::filesystem::path> Assistant::Parts::taken(FoundDirectories found, const std::string& key) {
  for (const auto& problem : found.problems) refuse(key, problem.message);
  return std::move(found.directories);
}

bool Assistant::Parts::is_held_out(const std::filesystem::path& file) const {
  const auto& held = options.held_out;
  return std::find(held.begin(), held.end(), std::filesystem::absolute(file).lexically_normal()) !=
         held.end();
}

PluginLibrary Assistant::Parts::open_library(const std::filesystem::path& file, PluginKind kind) const {
  if (is_held_out(file))
    throw PluginError(
        file, "is held out, because the backend crashed in its code: mend it, then start parley anew");
  return {file, kind};
}

void Assistant::Parts::load_stages() {
  for (auto& given : given_stages) {
    const auto configured = config.stages.find(given.id);
    const StageConfig written = configured == config.stages.end() ? StageConfig() : configured->second;
    StageOptions as_written;  // one that is linked in has no manifest
    as_written.match_timeout = config.match_timeout(written, {});
    as_written.options = written.options;
    as_written.entries = written.entries;
    start_stage(std::make_unique<StagePart>(LoadedPart(given.id, "", ""), std::nullopt),
                std::move(given.plugin), as_written);
  }
  if (!options.load_plugins) return;
  const auto where = taken(plugin_folders(config.plugins, options.config_file, options.executable_directory),
                           "plugins.directories");
  for (const auto& [pipeline_id, stage] : config.stages) {
    const bool given = std::any_of(given_stages.begin(), given_stages.end(),
                                   [&, &id = pipeline_id](const auto& one) { return one.id == id; });
    if (!given) load_stage(pipeline_id, stage, where);
  }
}

void Assistant::Parts::load_stage(const std::string& pipeline_id, const StageConfig& stage,
                                  const std::vector<std::filesystem::path>& where) {
  try {
    const auto base = options.config_file ? options.config_file->parent_path() : std::filesystem::path();
    PluginLibrary library = open_library(find_stage_library(stage.plugin, where, base), PluginKind::kStage);
    const StageOptions read = read_options(pipeline_id, stage, library.tables());
    auto made = library.make_stage();
    LoadedPart about(pipeline_id, library.file().string(), library.version());
    start_stage(std::make_unique<StagePart>(std::move(about), std::move(library)), std::move(made), read);
  } catch (const std::exception& error) {
    refuse(fmt::format("stage {}", pipeline_id), error.what());
  }
}

Json Assistant::Parts::read_table(const std::string& path, const Json& written, OptionTable table) {
  std::vector<Problem> wrong;
  Json values = config::Reader(wrong).read_table(config::from_json(written, config::Place()), "", table);
  for (const auto& problem : wrong) refuse(path, problem.message);
  if (!wrong.empty()) throw std::runtime_error(fmt::format("is not started until '{}' is right", path));
  return values;
}

Assistant::Parts::StageOptions Assistant::Parts::read_options(const std::string& pipeline_id,
                                                              const StageConfig& written,
                                                              const PluginTables& tables) {
  StageOptions read;
  const std::string path = config::join("stages", pipeline_id);
  read.match_timeout = config.match_timeout(written, tables.options);
  read.options = read_table(path, written.options, tables.options);
  for (const auto& [entry, with] : written.entries) {
    read.entries[entry] = read_table(config::join(path + ".entries", entry), with, tables.entry_options);
  }
  return read;
}

void Assistant::Parts::start_stage(std::unique_ptr<StagePart> part, std::unique_ptr<Stage> stage,
                                   const StageOptions& configured) {
  const std::string id = part->about.id;
  StageSettings settings;
  settings.pipeline_id = id;
  settings.options = std::make_shared<const Json>(configured.options);
  if (part->library) {
    settings.locale = load_locale(id, part->library->file().parent_path() / part->library->name());
  }
  LocaleResources stage_locale = settings.locale;
  settings.common = common_locale;
  settings.languages = languages_at_start;
  settings.match_timeout = configured.match_timeout;
  settings.max_faults = config.orchestrator.max_consecutive_faults;
  settings.fault_cooldown = config.orchestrator.fault_cooldown;
  StageServices services(bus, *timers, registry, counters, monitor, *http, loop.get_executor(),
                         background.executor());
  services.remember_handlers = [this](std::size_t most, Duration age) {
    orchestrator.remember_handlers(most, age);
  };
  services.word_for_word = [this](const MatchRequest& request) {
    return orchestrator.word_for_word(request);
  };
  services.answer_fit = [this](MatchRequest request) { return answer_fits.of(std::move(request)); };
  part->hosted = std::make_unique<HostedStage>(services, std::move(settings), std::move(stage));
  try {
    part->hosted->start();
  } catch (const std::exception& error) {
    refuse(fmt::format("stage {}", id), error.what());
    return;
  }
  auto environment = std::make_shared<TurnEnvironment>(id, bus, counters, loop.get_executor(),
                                                       std::move(stage_locale), time_zone);
  environment->common = common_locale;
  if (jumping()) environment->pick = [](std::size_t) { return std::size_t{0}; };
  stage_handlers.add(*part->hosted, std::move(environment));
  if (configured.entries.empty()) {
    orchestrator.add_entry(PipelineEntry(id, *part->hosted, std::make_shared<const Json>(Json::object())));
  }
  for (const auto& [name, with] : configured.entries) {
    orchestrator.add_entry(PipelineEntry(name, *part->hosted, std::make_shared<const Json>(with)));
  }
  stage_parts.push_back(std::move(part));
}

void Assistant::Parts::load_skills() {
  for (auto& given : given_skills) {
    try {
      if (config.options_of(given.id).placement == SkillPlacement::kProcess)
        problems.emplace_back(fmt::format("skill {}", given.id),
                              "is part of the program: it runs here, whatever its 'placement' says", false);
      Settings settings = skill_settings(given.id, given.settings);
      start_skill(std::make_unique<SkillPart>(LoadedPart(given.id, "", ""), std::nullopt, given.settings),
                  std::move(given.plugin), given.folder, std::move(settings));
    } catch (const std::exception& error) {
      refuse(fmt::format("skill {}", given.id), error.what());
    }
  }
  if (!options.load_plugins) return;
  const auto found = find_skill_libraries(taken(
      skill_folders(config.skills, options.config_file, options.executable_directory), "skills.directories"));
  for (const auto& problem : found.problems) refuse(problem.file().string(), problem.reason());
  for (const auto& file : found.files) load_skill(file);
}

void Assistant::Parts::load_skill(const std::filesystem::path& file) {
  try {
    if (load_into_child(file)) return;
    PluginLibrary library = open_library(file, PluginKind::kSkill);
    const std::string id = library.name();
    const auto& disabled = config.skills.disabled;
    if (std::find(disabled.begin(), disabled.end(), id) != disabled.end()) {
      idle_skills.try_emplace(id, id, library.file().string(), library.version());
      return;
    }
    const auto other = skill_parts.find(id);
    if (other != skill_parts.end()) throw duplicate_plugin(library, other->second->about.file);
    const OptionTable table = library.tables().options;
    Settings settings = skill_settings(id, table);
    auto made = library.make_skill();
    LoadedPart about(id, library.file().string(), library.version());
    const auto folder = library.file().parent_path();
    auto part = std::make_unique<SkillPart>(std::move(about), std::move(library), table);
    part->changed = latest_change(folders_of(id, folder));
    start_skill(std::move(part), std::move(made), folder, std::move(settings));
  } catch (const PluginError& error) {
    refuse(error.file().string(), error.reason());
  } catch (const std::exception& error) {
    refuse(file.string(), error.what());
  }
}

Settings Assistant::Parts::skill_settings(const std::string& id, OptionTable table) {
  const auto written = config.skills.settings.find(id);
  return Settings(read_table(fmt::format("skills.settings.{}", id),
                             written == config.skills.settings.end() ? Json::object() : written->second,
                             table));
}

LocaleResources Assistant::Parts::read_locale(const std::string& id,
                                              const std::filesystem::path& folder) const {
  LocaleFolders where;
  where.skill = folder;
  if (options.config_file) where.user = options.config_file->parent_path() / "overrides" / id;
  return LocaleResources(where, config.language.enabled, languages_at_start);
}

LocaleResources Assistant::Parts::load_locale(const std::string& id, const std::filesystem::path& folder) {
  LocaleResources locale = read_locale(id, folder);
  note_problems(locale);
  return locale;
}

void Assistant::Parts::note_problems(const LocaleResources& locale) {
  for (const auto& problem : locale.problems()) {
    const bool error = problem.severity == LocaleProblem::Severity::kError;
    std::string place = problem.file.string();
    if (problem.line != 0) place += fmt::format(":{}", problem.line);
    if (problem.line != 0 && problem.column != 0) place += fmt::format(":{}", problem.column);
    problems.emplace_back(std::move(place), problem.message + (error ? " (left out; the rest works)" : ""),
                          false);
  }
}

std::shared_ptr<TurnEnvironment> Assistant::Parts::environment_of(const std::string& id,
                                                                  LocaleResources locale) {
  auto environment = std::make_shared<TurnEnvironment>(id, bus, counters, loop.get_executor(),
                                                       std::move(locale), time_zone, &questions);
  environment->common = common_locale;
  environment->speaks_errors = config.orchestrator.speak_errors;
  environment->said_then = options.said_then;
  environment->awake = languages.awake();
  if (jumping() && !options.said_then)  // what is tested is the same each time
    environment->pick = environment->random = [](std::size_t) { return std::size_t{0}; };
  if (options.random) environment->random = options.random;
  return environment;
}

SkillRunOptions Assistant::Parts::run_options_of(const std::string& id) const {
  SkillRunOptions run;
  run.own_thread = config.options_of(id).threads == SkillThreads::kOwn;
  run.handler_timeout = config.handler_timeout(id);
  return run;
}

void Assistant::Parts::note_started(const std::string& id, const std::string& failure, bool stuck) {
  --skills_starting;
  if (failure.empty()) return;
  refuse(fmt::format("skill {}", id), "refused to start: " + failure);
  drop_library(id, !stuck);
}

void Assistant::Parts::start_skill(std::unique_ptr<SkillPart> part, std::unique_ptr<Skill> skill,
                                   const std::filesystem::path& folder, Settings settings) {
  const std::string id = part->about.id;
  skill_parts.insert_or_assign(id, std::move(part));  // from here on the library outlives `skill`
  try {
    auto environment = environment_of(id, load_locale(id, folder));
    ++skills_starting;
    skills.add(std::move(environment), std::move(skill), folder, std::move(settings), run_options_of(id),
               [this, id](const std::string& failure, bool stuck) { note_started(id, failure, stuck); });
  } catch (const std::exception& error) {
    refuse(fmt::format("skill {}", id), error.what());
    skill.reset();
    skill_parts.erase(id);
  }
}

}  // namespace parley
