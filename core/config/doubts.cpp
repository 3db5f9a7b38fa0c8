#include "config/doubts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <parley/files.hpp>
#include <parley/language.hpp>
#include <parley/language_model.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "language/core_folder.hpp"
#include "settings/reader.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kResources{".intent",    ".dialog",   ".entity", ".voc",
                                                     ".blacklist", ".required", ".prompt"};

std::vector<fs::path> entries_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    found.push_back(at->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// The resource files of a folder of languages, however deep.
std::vector<fs::path> resources_in(const fs::path& locale) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(locale, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string kind = at->path().extension().string();
    if (std::find(kResources.begin(), kResources.end(), kind) != kResources.end())
      found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::set<std::string> names_of(const std::vector<fs::path>& files) {
  std::set<std::string> names;
  for (const fs::path& file : files) names.insert(file.filename().string());
  return names;
}

struct SlotPlace {
  std::string name;
  int line, column;
};

/// The slots in a file of templates. What can't be read has none.
std::vector<SlotPlace> slots_in(const fs::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::vector<SlotPlace> found;
  const auto text = parley::read_file(file, kMost);
  std::istringstream lines(text ? *text : std::string());
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with('#')) continue;
    for (auto at = line.find('{'); at != std::string::npos; at = line.find('{', at + 1)) {
      const auto end = line.find_first_of(":}", at);
      if (end == std::string::npos) break;
      found.push_back({line.substr(at + 1, end - at - 1), number, static_cast<int>(at) + 1});
    }
  }
  return found;
}

std::string meant(const std::string& word, const std::vector<std::string>& known) {
  const auto near = nearest(word, known);
  return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

class Doubts {
 public:
  Doubts(const Node& root, Catalogue& installed, const Config& config)
      : root_(root), installed_(installed), config_(config) {
    for (const auto* const skill : installed.skills()) skills_.push_back(skill->name());
    for (const auto& [id, stage] : config.stages) {
      stages_.push_back(id);
      for (const auto& [entry, options] : stage.entries) stages_.push_back(entry);
    }
  }

  void look_at_pipeline() {
    const Node* const pipeline = root_.find("pipeline");
    if (pipeline != nullptr && config_.pipeline.empty())
      doubt(pipeline->place, "'pipeline' is empty: nobody is asked, and every utterance is unmatched");
    for (const Node& item : items_of(root_.find("blacklisted_pipelines"))) {
      if (!has(stages_, item.text))
        doubt(item.place,
              fmt::format("'blacklisted_pipelines' names '{}', which is neither a stage nor an entry{}",
                          item.text, meant(item.text, stages_)));
    }
  }

  void look_at_skills() {
    if (skills_.empty()) return;
    for (const Node& item : items_of(root_.find("blacklisted_skills")))
      doubt_remote(item, item.text, "blacklisted_skills");
    for (const Node& item : items_of(root_.find("blacklisted_intents")))
      doubt_remote(item, item.text.substr(0, item.text.find(':')), "blacklisted_intents");
    const Node* const skills = root_.find("skills");
    if (skills == nullptr) return;
    for (const Node& item : items_of(skills->find("disabled")))
      doubt_installed(item.place, item.text, "skills.disabled");
    for (const char* key : {"settings", "options"}) {
      const Node* const of_skill = skills->find(key);
      if (of_skill == nullptr) continue;
      for (const Member& member : of_skill->members)
        doubt_installed(member.place, member.key, join("skills", key));
    }
  }

  void look_at_language() {
    if (skills_.empty()) return;
    const std::set<std::string> spoken = spoken_languages();
    const auto is_spoken = [&](const std::string& tag) { return spoken.contains(primary_language(tag)); };
    const std::string& tag = config_.language.default_tag;
    const Node* const section = root_.find("language");
    if (!is_spoken(tag)) {
      const Node* const named = section == nullptr ? nullptr : section->find("default");
      doubt(named == nullptr ? root_.place : named->place,
            fmt::format("'language.default' is {}, and no skill that is installed speaks it", tag));
    }
    if (section == nullptr) return;
    for (const Node& item : items_of(section->find("enabled"))) {
      if (primary_language(item.text) != primary_language(tag) && !is_spoken(item.text))
        doubt(item.place, fmt::format("'language.enabled' lists {}, and no skill that is installed speaks it",
                                      item.text));
    }
  }

  /// @param folder  `overrides` beside the configuration
  void look_at_overrides(const fs::path& folder) {
    const auto common = resources_in(core_folder() / "locale");
    for (const fs::path& of : entries_in(folder)) {
      const std::string id = of.filename().string();
      const fs::path shipped = folder_of(id);
      if (shipped.empty()) {
        std::vector<std::string> known = skills_;
        known.insert(known.end(), stages_.begin(), stages_.end());
        doubt_file(
            of, fmt::format("overrides nobody: '{}' is neither a skill that is installed nor a stage{}", id,
                            meant(id, known)));
        continue;
      }
      auto known = names_of(resources_in(shipped / "locale"));
      known.merge(names_of(common));
      for (const fs::path& file : resources_in(of / "locale")) {
        const std::string name = file.filename().string();
        if (!known.contains(name)) {
          doubt_file(file, fmt::format("overrides nothing: '{}' has no '{}' in any language{}", id, name,
                                       meant(name, {known.begin(), known.end()})));
        } else if (file.extension() == ".dialog") {
          look_at_slots(file, shipped / "locale");
        }
      }
    }
  }

  void look_at_certificate() {
    const Node* const gateway = root_.find("gateway");
    const Node* const key = gateway == nullptr ? nullptr : gateway->find("private_key");
    if (key != nullptr && !config_.gateway.private_key.empty() && config_.gateway.certificate.empty())
      doubt(key->place, "'gateway.private_key' is of no use without 'gateway.certificate': there is no TLS");
  }

  void look_at_embeddings() {
    const auto& embeddings = config_.evidence.embeddings;
    const Node* const evidence = root_.find("evidence");
    const Node* const section = evidence == nullptr ? nullptr : evidence->find("embeddings");
    if (section == nullptr) return;
    if (embeddings.url.empty() &&
        (!embeddings.model.empty() || !embeddings.key_variable.empty() || !embeddings.key_file.empty()))
      doubt(section->place, "'evidence.embeddings' has no 'url': no server is asked for vectors");
    if (!embeddings.key_variable.empty() && !embeddings.key_file.empty()) return;  // that is a problem
    try {
      model_key(embeddings.key_variable, embeddings.key_file);
    } catch (const std::runtime_error& error) {
      doubt(section->place, fmt::format("'evidence.embeddings': {}", error.what()));
    }
  }

  std::vector<Problem> take() { return std::move(found_); }

 private:
  static std::vector<Node> items_of(const Node* list) {
    return list == nullptr ? std::vector<Node>() : list->items;
  }
  /// The primary languages of those skills that are not switched off.
  std::set<std::string> spoken_languages() const {
    const auto& off = config_.skills.disabled;
    std::set<std::string> spoken;
    for (const auto* const skill : installed_.skills()) {
      if (has(off, skill->name())) continue;
      for (const fs::path& folder : entries_in(skill->file().parent_path() / "locale"))
        spoken.insert(primary_language(folder.filename().string()));
    }
    return spoken;
  }
  static bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }

  /// Of an override that wants a value which nobody gives it, nothing could be said.
  void look_at_slots(const fs::path& file, const fs::path& shipped) {
    const std::string name = file.filename().string();
    std::set<std::string> given;
    for (const fs::path& locale : {shipped, core_folder() / "locale"}) {
      for (const fs::path& same : resources_in(locale))
        if (same.filename() == name)
          for (const auto& slot : slots_in(same)) given.insert(slot.name);
    }
    for (const auto& slot : slots_in(file)) {
      if (given.contains(slot.name)) continue;
      found_.emplace_back(
          file.string(), slot.line, slot.column,
          fmt::format("the slot {{{}}} is never filled: what is overridden has {}{}", slot.name,
                      given.empty() ? "none" : fmt::format("{{{}}}", fmt::join(given, "}, {")),
                      meant(slot.name, {given.begin(), given.end()})));
    }
  }

  void doubt(const Place& place, std::string message) {
    found_.push_back(problem_at(place, std::move(message)));
  }
  void doubt_file(const fs::path& file, std::string message) {
    found_.emplace_back(file.string(), 0, 0, std::move(message));
  }
  void doubt_installed(const Place& place, const std::string& id, const std::string& key) {
    if (has(skills_, id)) return;
    doubt(place, fmt::format("'{}' names '{}', and no skill of that name is installed{}", key, id,
                             meant(id, skills_)));
  }
  /// A skill may come by a connection: then it can't be known yet.
  void doubt_remote(const Node& item, const std::string& id, const std::string& key) {
    if (has(skills_, id)) return;
    doubt(item.place,
          fmt::format("'{}' names '{}': no skill of that name is installed, though one may connect{}", key,
                      id, meant(id, skills_)));
  }

  /// Where a skill, a stage or the core keeps its `locale/`; empty: nobody has that name.
  fs::path folder_of(const std::string& id) {
    if (id == "core") return core_folder();
    if (const auto* const skill = installed_.skill(id)) return skill->file().parent_path();
    const auto stage = config_.stages.find(id);
    if (stage == config_.stages.end()) return {};
    const auto* const plugin = installed_.stage(stage->second.plugin);
    return plugin == nullptr ? fs::path() : plugin->file().parent_path() / plugin->name();
  }

  const Node& root_;
  Catalogue& installed_;
  const Config& config_;
  std::vector<std::string> skills_, stages_;
  std::vector<Problem> found_;
};

}  // namespace

std::vector<Problem> doubts_about(const Node& root, const ConfigSources& sources, Catalogue& installed,
                                  const Config& config) {
  Doubts doubts(root, installed, config);
  doubts.look_at_pipeline();
  doubts.look_at_skills();
  doubts.look_at_language();
  doubts.look_at_certificate();
  doubts.look_at_embeddings();
  if (sources.file) doubts.look_at_overrides(sources.file->parent_path() / "overrides");
  return doubts.take();
}

}  // namespace parley::config
