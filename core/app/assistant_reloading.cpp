// How a skill goes, and how a newer version takes the place of the one that runs.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "app/assistant_parts.hpp"
#include "message/log.hpp"
#include "runtime/guard.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

std::int64_t change_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return 0;
  constexpr std::int64_t kSecond = 1'000'000'000;
  return std::int64_t{status.st_ctim.tv_sec} * kSecond + status.st_ctim.tv_nsec;
}

}  // namespace

std::int64_t latest_change(const std::vector<fs::path>& folders) {
  std::int64_t latest = 0;
  for (const fs::path& folder : folders) {
    latest = std::max(latest, change_of(folder));
    std::error_code failed;  // a file may go while it is looked at
    const auto follow = fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator at(folder, follow, failed), end; !failed && at != end;
         at.increment(failed))
      latest = std::max(latest, change_of(at->path()));
  }
  return latest;
}

void Assistant::Parts::read_version(const std::string& skill_id, const fs::path& file, Loading& into) const {
  const auto failure = failure_of([&] {
    const auto changed = latest_change(folders_of(skill_id, file.parent_path()));
    if (runs_in_child(skill_id, file)) {
      auto description = std::make_shared<const PluginDescription>(file, PluginKind::kSkill);
      if (description->name() != skill_id)
        throw PluginError(file, fmt::format("holds the skill '{}' now", description->name()));
      into.part = part_in_child(std::move(description), changed);
      into.locale = read_locale(skill_id, file.parent_path());
      return;
    }
    PluginLibrary library = PluginLibrary::beside_others(file, PluginKind::kSkill);
    if (library.name() != skill_id)
      throw PluginError(file, fmt::format("holds the skill '{}' now", library.name()));
    LoadedPart about(skill_id, library.file().string(), library.version());
    const OptionTable table = library.tables().options;
    into.part = std::make_shared<SkillPart>(std::move(about), std::move(library), table);
    into.part->changed = changed;
    into.skill = into.part->library->make_skill();
    into.locale = read_locale(skill_id, file.parent_path());
  });
  if (failure) into.refuse(*failure);
}

std::vector<fs::path> Assistant::Parts::folders_of(const std::string& id, const fs::path& folder) const {
  std::vector<fs::path> folders{folder};
  if (options.config_file) folders.push_back(options.config_file->parent_path() / "overrides" / id);
  return folders;
}

void Assistant::Parts::reload_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  const auto refuse = [&](const std::string& why) { done(Reloaded(Reloaded::End::kRefused, why)); };
  const auto found = skill_parts.find(skill_id);
  const bool is_loaded = found != skill_parts.end();
  if (is_loaded && found->second->is_linked_in())
    return refuse(fmt::format("the skill '{}' is part of the program: it has no library to load", skill_id));
  if (reloading.contains(skill_id))
    return refuse(
        fmt::format("the skill '{}' is being loaded already: try again once that is done", skill_id));
  if (!is_loaded) return take_in(skill_id, std::move(done));
  std::error_code unknown;
  if (!fs::exists(found->second->about.file, unknown)) return follow_library(skill_id, std::move(done));
  load_beside(skill_id, found->second->about.file, std::move(done));
}

void Assistant::Parts::load_beside(const std::string& skill_id, const fs::path& file,
                                   std::function<void(const Reloaded&)> done) {
  const auto refuse = [&](const std::string& why) { done(Reloaded(Reloaded::End::kRefused, why)); };
  if (skills.unending(skill_id) + 1 >= SkillHost::kMostVersions)
    return refuse(
        fmt::format("earlier versions of the skill '{}' do not come to an end: restart parley", skill_id));
  reloading.insert(skill_id);
  auto loading = std::make_shared<std::unique_ptr<Loading>>(
      std::make_unique<Loading>(skill_parts.find(skill_id)->second));
  auto finish = [this, skill_id, done = std::move(done)](const Reloaded& how) {
    reloading.erase(skill_id);
    const bool is_done = how.end == Reloaded::End::kDone;
    counters
        .counter("parley_skill_reloads_total",
                 {{"skill", skill_id}, {"outcome", is_done ? "done" : "refused"}})
        .add();
    if (!is_done) log_warning("skill " + skill_id, how.reason);
    done(how);
  };
  offload()([this, skill_id, file, loading] { read_version(skill_id, file, **loading); },
            [this, loading, finish = std::move(finish)] { begin_successor(std::move(*loading), finish); });
}

std::optional<Settings> Assistant::Parts::settings_for(const std::string& id, Loading& loaded) {
  const std::size_t known = problems.size();
  std::optional<Settings> settings;
  if (const auto failure = failure_of([&] { settings = skill_settings(id, loaded.part->settings); })) {
    std::string why = *failure;
    for (std::size_t i = known; i < problems.size(); ++i) why += "; " + problems[i].message;
    loaded.refuse(why);
  }
  problems.erase(problems.begin() + static_cast<std::ptrdiff_t>(known), problems.end());
  return settings;
}

void Assistant::Parts::tell_problems(const LocaleResources& locale) {
  const std::size_t known = problems.size();
  note_problems(locale);
  for (std::size_t i = known; i < problems.size(); ++i) log_warning("load", to_string(problems[i]));
  problems.erase(problems.begin() + static_cast<std::ptrdiff_t>(known), problems.end());
}

void Assistant::Parts::begin_successor(std::unique_ptr<Loading> loaded,
                                       std::function<void(const Reloaded&)> done) {
  const std::string id = loaded->other->about.id;
  const auto still = skill_parts.find(id);
  const bool goes_on = running && still != skill_parts.end() && still->second == loaded->other &&
                       skills.find(id) != nullptr;  // else it is being unloaded
  if (loaded->failure.empty() && !goes_on) loaded->refuse("it was unloaded meanwhile");
  std::optional<Settings> settings;
  if (loaded->failure.empty()) settings = settings_for(id, *loaded);
  if (!loaded->failure.empty()) {
    return done(Reloaded(Reloaded::End::kRefused,
                         fmt::format("the new version of '{}' can't be loaded, the earlier one goes on: {}",
                                     id, loaded->failure)));
  }
  tell_problems(loaded->locale);

  SkillHost::Successor successor;
  const auto folder = fs::path(loaded->part->about.file).parent_path();
  successor.environment = environment_of(id, std::move(loaded->locale));
  successor.skill = std::move(loaded->skill);
  successor.folder = folder;
  if (loaded->part->description) successor.made = child_for(*loaded->part, successor.environment, *settings);
  successor.settings = std::move(*settings);
  successor.options = run_options_of(id);
  successor.announce = [this, id](std::vector<Message> registrations, std::function<void()> then) {
    registry.replace(id, std::move(registrations), std::move(then));
  };
  successor.started = [this, id, part = loaded->part, done = std::move(done)](const std::string& failure,
                                                                              bool stuck) {
    if (failure.empty()) {
      log_info("skill " + id, fmt::format("version {} takes over", part->about.version));
      skill_parts[id] = part;
      return done(Reloaded(Reloaded::End::kDone));
    }
    drop_code(*part, !stuck);
    done(Reloaded(
        Reloaded::End::kRefused,
        fmt::format("the new version of '{}' refused to start, the earlier one goes on: {}", id, failure)));
  };
  successor.other_ended = [this, other = loaded->other](bool gone) { drop_code(*other, gone); };
  skills.replace(std::move(successor));
}

void Assistant::reload_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  parts_->reload_skill(skill_id, std::move(done));
}

std::vector<std::string> Assistant::changed_skills() const {
  std::vector<std::string> changed;
  for (const auto& [id, file] : parts_->new_libraries())
    if (!parts_->skill_parts.contains(id) && !parts_->idle_skills.contains(id)) changed.push_back(id);
  for (const auto& [id, part] : parts_->skill_parts) {
    if (part->is_linked_in()) continue;
    const auto folder = fs::path(part->about.file).parent_path();
    if (latest_change(parts_->folders_of(id, folder)) != part->changed) changed.push_back(id);
  }
  return changed;
}

bool Assistant::Parts::drop_library(const std::string& skill_id, bool gone) {
  const auto node = skill_parts.extract(skill_id);
  return node.empty() ? gone : drop_code(*node.mapped(), gone);
}

bool Assistant::Parts::drop_code(SkillPart& part, bool gone) {
  if (!part.library) return gone;
  if (gone && config.plugins.unload != PluginUnload::kNever) return part.library->close() == Unloaded::kGone;
  // Its code may still be running: it stays mapped.
  part.library->keep_mapped();
  return false;
}

void Assistant::Parts::unload_skill(const std::string& skill_id, std::function<void(bool)> done) {
  skills.remove(skill_id,
                [this, skill_id, done = std::move(done)](bool gone) { done(drop_library(skill_id, gone)); });
}

void Assistant::unload_skill(const std::string& skill_id, std::function<void(bool)> done) {
  parts_->unload_skill(skill_id, std::move(done));
}

}  // namespace parley
