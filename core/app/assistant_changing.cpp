// What is changed of skills while the assistant runs: their settings, and whether they take part.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "app/assistant_parts.hpp"
#include "message/log.hpp"
#include "runtime/guard.hpp"
#include "settings/reader.hpp"

namespace parley {
namespace {

/// How long a skill has to say how it took its settings.
constexpr std::chrono::seconds kBusy(2);

using Faults = std::vector<SettingsChanged::Fault>;

/// What is wrong with each of the values, by itself.
Faults faults_of_values(const Json& values, OptionTable table, const Layers& layers, const std::string& id) {
  Faults faults;
  for (const auto& [key, value] : values.items()) {
    std::vector<Problem> wrong;
    config::Reader reader(wrong);
    const config::Node node = config::from_json(value, config::Place());
    const Option* const option = find_option(table, key);
    if (option == nullptr) {
      reader.read_table(config::from_json({{key, value}}, config::Place()), "", table);
    } else if (const Origin* const by = layers.fixed_by(id, key)) {
      faults.emplace_back(key,
                          fmt::format("'{}' is set by {}, which wins over what is set here", key, by->place));
    } else if (!value.is_null()) {
      reader.read(node, key, *option);
    }
    for (const auto& problem : wrong) faults.emplace_back(key, problem.message);
  }
  return faults;
}

void merge(SkillChanges& changes, const std::string& id, const Json& values) {
  Json& changed = changes.settings.try_emplace(id, Json::object()).first->second;
  for (const auto& [key, value] : values.items()) {
    if (value.is_null()) {
      changed.erase(key);
    } else {
      changed[key] = value;
    }
  }
  if (changed.empty()) changes.settings.erase(id);
}

/// Waits for the file and for the skill.
struct Awaited {
  explicit Awaited(std::function<void(const SettingsChanged&)> callback) : done(std::move(callback)) {}
  std::function<void(const SettingsChanged&)> done;
  SettingsChanged how{SettingsChanged::End::kDone};
  bool is_kept = false, is_told = false;
  Timer bound;

  void told(SettingsChanged::Takes takes) {
    if (std::exchange(is_told, true)) return;
    bound.reset();
    how.takes = takes;
    if (is_kept) done(how);
  }
  void kept(const std::string& failure) {
    is_kept = true;
    how.not_kept = failure;
    if (is_told) done(how);
  }
};

}  // namespace

void Assistant::Parts::keep_changes(std::function<void(const std::string&)> done) {
  if (lasting->store->file().empty()) return done("");
  lasting->store->write([file = layers.changes_file,
                         changes = layers.changes](Database&) { write_skill_changes(file, changes); },
                        [this, done = std::move(done)](const std::string& failure) {
                          if (!failure.empty())
                            log_warning("skills", "what was changed is not kept: " + failure);
                          boost::asio::post(loop, [done, failure] { done(failure); });
                        });
}

void Assistant::Parts::change_settings(const std::string& skill_id, const Json& values,
                                       std::function<void(const SettingsChanged&)> done) {
  using End = SettingsChanged::End;
  const auto part = skill_parts.find(skill_id);
  if (part == skill_parts.end()) {
    if (idle_skills.contains(skill_id))
      return done(SettingsChanged(End::kRefused,
                                  fmt::format("the skill '{}' is disabled: enable it first", skill_id)));
    return done(SettingsChanged(End::kUnknown, fmt::format("no skill '{}' is loaded", skill_id)));
  }
  if (reloading.contains(skill_id) || skills.find(skill_id) == nullptr)
    return done(SettingsChanged(
        End::kRefused, fmt::format("the skill '{}' is being loaded: try again once that is done", skill_id)));
  const OptionTable table = part->second->settings;
  SettingsChanged invalid(End::kInvalid, fmt::format("the settings of '{}' stay as they are", skill_id));
  invalid.faults = faults_of_values(values, table, layers, skill_id);
  if (!invalid.faults.empty()) return done(invalid);

  Layers fresh = layers;
  merge(fresh.changes, skill_id, values);
  const Json written = fresh.settings_of(skill_id);
  std::vector<Problem> wrong;
  Json read = config::Reader(wrong).read_table(config::from_json(written, config::Place()), "", table);
  for (const auto& problem : wrong) invalid.faults.emplace_back("", problem.message);
  if (text_of(fresh.changes).size() > kMostSkillChanges)
    invalid.faults.emplace_back("", "all that is changed of skills together would be too large");
  if (!invalid.faults.empty()) return done(invalid);

  layers.changes = std::move(fresh.changes);
  config.skills.settings[skill_id] = written;
  const auto awaited = std::make_shared<Awaited>(std::move(done));
  awaited->bound = timers->at(timers->clock().now() + kBusy,
                              [awaited] { awaited->told(SettingsChanged::Takes::kWhenIdle); });
  skills.change_settings(skill_id, Settings(std::move(read)), [awaited](bool at_once) {
    awaited->told(at_once ? SettingsChanged::Takes::kAtOnce : SettingsChanged::Takes::kWithReload);
  });
  keep_changes([awaited](const std::string& failure) { awaited->kept(failure); });
}

void Assistant::Parts::change_skill_settings(const SkillSettings& fresh) {
  const auto given = [](const SkillSettings& all, const std::string& id) {
    const auto found = all.find(id);
    return found == all.end() ? Json(Json::object()) : found->second;
  };
  for (const auto& [id, part] : skill_parts) {
    const Json wanted = given(fresh, id);
    if (wanted == given(config.skills.settings, id)) continue;
    std::vector<Problem> wrong;
    Json values =
        config::Reader(wrong).read_table(config::from_json(wanted, config::Place()), "", part->settings);
    for (const auto& problem : wrong)
      log_warning("skill " + id,
                  fmt::format("skills.settings.{}: {}; the earlier values stay", id, problem.message));
    if (!wrong.empty()) continue;
    config.skills.settings[id] = wanted;
    skills.change_settings(id, Settings(std::move(values)), [](bool) {});
  }
}

void Assistant::Parts::note_enabled(const std::string& skill_id, bool is_enabled) {
  layers.changes.enabled.erase(skill_id);
  if (layers.is_disabled(skill_id) == is_enabled) layers.changes.enabled[skill_id] = is_enabled;
  config.skills.disabled = layers.all_disabled();
}

void Assistant::Parts::disable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  const auto refuse = [&](const std::string& why) { done(Reloaded(Reloaded::End::kRefused, why)); };
  if (idle_skills.contains(skill_id)) return done(Reloaded(Reloaded::End::kDone));
  const auto found = skill_parts.find(skill_id);
  if (found == skill_parts.end())
    return done(Reloaded(Reloaded::End::kUnknown, fmt::format("no skill '{}' is loaded", skill_id)));
  if (layers.disabled_origin.is_fixed())
    return refuse(fmt::format("{} says which skills are disabled: it wins over what is set here",
                              layers.disabled_origin.place));
  if (found->second->is_linked_in())
    return refuse(fmt::format("the skill '{}' is part of the program: it can't be loaded again", skill_id));
  if (reloading.contains(skill_id))
    return refuse(fmt::format("the skill '{}' is being loaded: try again once that is done", skill_id));
  const auto part = found->second;
  if (!skills.retire(skill_id, [this, part](bool gone) { drop_code(*part, gone); }))
    return refuse(fmt::format("the skill '{}' is starting: try again once it has", skill_id));
  skill_parts.erase(found);
  idle_skills.try_emplace(skill_id, part->about);
  note_enabled(skill_id, false);
  log_info("skill " + skill_id, "was disabled");
  keep_changes([done = std::move(done)](const std::string& failure) {
    done(Reloaded(Reloaded::End::kDone, failure));
  });
}

void Assistant::Parts::enable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  const auto refuse = [&](const std::string& why) { done(Reloaded(Reloaded::End::kRefused, why)); };
  if (reloading.contains(skill_id))
    return refuse(
        fmt::format("the skill '{}' is being loaded already: try again once that is done", skill_id));
  if (skill_parts.contains(skill_id)) return done(Reloaded(Reloaded::End::kDone));
  const auto found = idle_skills.find(skill_id);
  if (found == idle_skills.end())
    return done(Reloaded(Reloaded::End::kUnknown, fmt::format("no skill '{}' is installed", skill_id)));
  if (layers.disabled_origin.is_fixed())
    return refuse(fmt::format("{} says which skills are disabled: it wins over what is set here",
                              layers.disabled_origin.place));
  if (skills.unending(skill_id) + 1 >= SkillHost::kMostVersions)
    return refuse(
        fmt::format("earlier versions of the skill '{}' do not come to an end: restart parley", skill_id));
  reloading.insert(skill_id);
  auto loading = std::make_shared<std::unique_ptr<Loading>>(std::make_unique<Loading>(nullptr));
  offload()([this, skill_id, file = std::filesystem::path(found->second.file),
             loading] { read_version(skill_id, file, **loading); },
            [this, skill_id, loading, done = std::move(done)] {
              begin_late(skill_id, std::move(*loading), [this, skill_id, done](const std::string& failure) {
                reloading.erase(skill_id);
                if (failure.empty()) {
                  idle_skills.erase(skill_id);
                  note_enabled(skill_id, true);
                  log_info("skill " + skill_id, "was enabled");
                  return keep_changes([done](const std::string& not_kept) {
                    done(Reloaded(Reloaded::End::kDone, not_kept));
                  });
                }
                log_warning("skill " + skill_id, failure);
                done(Reloaded(Reloaded::End::kRefused,
                              fmt::format("the skill '{}' stays disabled: {}", skill_id, failure)));
              });
            });
}

void Assistant::change_settings(const std::string& skill_id, const Json& values,
                                std::function<void(const SettingsChanged&)> done) {
  parts_->change_settings(skill_id, values, std::move(done));
}
void Assistant::disable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  parts_->disable_skill(skill_id, std::move(done));
}
void Assistant::enable_skill(const std::string& skill_id, std::function<void(const Reloaded&)> done) {
  parts_->enable_skill(skill_id, std::move(done));
}

std::vector<LoadedPart> Assistant::disabled_skills() const {
  std::vector<LoadedPart> idle;
  for (const auto& [id, about] : parts_->idle_skills)
    if (!parts_->skill_parts.contains(id)) idle.push_back(about);
  return idle;
}

OptionTable Assistant::options_of_skill(const std::string& skill_id) const {
  const auto part = parts_->skill_parts.find(skill_id);
  return part == parts_->skill_parts.end() ? OptionTable() : part->second->settings;
}

bool Assistant::is_loading(const std::string& skill_id) const {
  return parts_->reloading.contains(skill_id);
}

const Layers& Assistant::layers() const noexcept {
  return parts_->layers;
}

void Assistant::add_changes(Config& config, Layers& layers) const {
  layers.changes = parts_->layers.changes;
  layers.changes_file = parts_->layers.changes_file;
  layers.put_into(config.skills);
}

}  // namespace parley
