// Skills that come while the assistant runs, and those that are no more on disk.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "app/assistant_parts.hpp"
#include "config/files.hpp"
#include "message/log.hpp"
#include "plugin/find.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

std::string in_normal_form(const fs::path& file) {
  return fs::absolute(file).lexically_normal().string();
}

}  // namespace

std::vector<fs::path> Assistant::Parts::skill_libraries() const {
  if (!options.load_plugins) return {};
  return find_skill_libraries(
             skill_folders(config.skills, options.config_file, options.executable_directory).directories)
      .files;
}

std::map<std::string, fs::path, std::less<>> Assistant::Parts::new_libraries() const {
  std::set<std::string> known;
  for (const auto& [id, part] : skill_parts) known.insert(part->about.file);
  for (const auto& [id, about] : idle_skills) known.insert(about.file);
  std::map<std::string, fs::path, std::less<>> found;
  for (const fs::path& file : skill_libraries()) {
    if (known.contains(in_normal_form(file)) || is_held_out(file)) continue;
    try {
      found.try_emplace(PluginDescription(file, PluginKind::kSkill).name(), file);
    } catch (const PluginError& error) {
      log_warning("load", fmt::format("{}: {}", error.file().string(), error.reason()));
    }
  }
  return found;
}

void Assistant::Parts::take_in(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  const auto end = [&](Reloaded::End how, const std::string& why) { done(Reloaded(how, why)); };
  if (idle_skills.contains(skill_id))
    return end(Reloaded::End::kUnknown, fmt::format("no skill '{}' is loaded: it is disabled", skill_id));
  const auto found = new_libraries();
  const auto library = found.find(skill_id);
  if (library == found.end())
    return end(Reloaded::End::kUnknown,
               fmt::format("no skill '{}' is loaded, and none is where skills are looked for", skill_id));
  if (bus.presence().of(skill_id) != Presence::kNone)
    return end(Reloaded::End::kRefused,
               fmt::format("the skill '{}' speaks over a connection already", skill_id));
  if (skills.unending(skill_id) + 1 >= SkillHost::kMostVersions)
    return end(
        Reloaded::End::kRefused,
        fmt::format("earlier versions of the skill '{}' do not come to an end: restart parley", skill_id));
  reloading.insert(skill_id);
  auto loading = std::make_shared<std::unique_ptr<Loading>>(std::make_unique<Loading>(nullptr));
  offload()([this, skill_id, file = library->second, loading] { read_version(skill_id, file, **loading); },
            [this, skill_id, loading, done = std::move(done)] {
              begin_late(skill_id, std::move(*loading), [this, skill_id, done](const std::string& failure) {
                reloading.erase(skill_id);
                if (failure.empty()) {
                  log_info("skill " + skill_id, "has come");
                  return done(Reloaded(Reloaded::End::kDone));
                }
                log_warning("skill " + skill_id, failure);
                done(Reloaded(Reloaded::End::kRefused,
                              fmt::format("the skill '{}' can't be loaded: {}", skill_id, failure)));
              });
            });
}

void Assistant::Parts::follow_library(const std::string& skill_id,
                                      std::function<void(const Reloaded&)> done) {
  const auto found = new_libraries();
  const auto moved = found.find(skill_id);
  if (moved != found.end()) return load_beside(skill_id, moved->second, std::move(done));
  take_out(skill_id, done);
}

void Assistant::Parts::take_out(const std::string& skill_id,
                                const std::function<void(const Reloaded&)>& done) {
  const auto found = skill_parts.find(skill_id);
  const auto part = found->second;
  if (!skills.retire(skill_id, [this, part](bool gone) { drop_code(*part, gone); }))
    return done(Reloaded(Reloaded::End::kRefused,
                         fmt::format("the skill '{}' is starting: try again once it has", skill_id)));
  skill_parts.erase(found);
  const std::string told =
      fmt::format("the skill '{}' was taken out: {} is gone", skill_id, part->about.file);
  log_info("skill " + skill_id, "was taken out");
  done(Reloaded(Reloaded::End::kGone, told));
}

void Assistant::Parts::begin_late(const std::string& id, std::unique_ptr<Loading> loaded,
                                  std::function<void(const std::string&)> done) {
  if (loaded->failure.empty() && !running) loaded->refuse("parley is ending");
  std::optional<Settings> settings;
  if (loaded->failure.empty()) settings = settings_for(id, *loaded);
  if (!loaded->failure.empty()) return done(loaded->failure);
  tell_problems(loaded->locale);
  const auto folder = fs::path(loaded->part->about.file).parent_path();
  skill_parts.insert_or_assign(id, loaded->part);
  auto environment = environment_of(id, std::move(loaded->locale));
  auto started = [this, id, done = std::move(done)](const std::string& failure, bool stuck) {
    if (failure.empty()) return done("");
    drop_library(id, !stuck);
    done("it refused to start: " + failure);
  };
  if (loaded->part->description)
    return skills.add(child_for(*loaded->part, std::move(environment), *settings), run_options_of(id),
                      std::move(started));
  skills.add(std::move(environment), std::move(loaded->skill), folder, std::move(*settings),
             run_options_of(id), std::move(started));
}

}  // namespace parley
