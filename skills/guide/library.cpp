#include "library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <parley/files.hpp>
#include <parley/language.hpp>

#include "json_ld.hpp"
#include "task_file.hpp"

namespace parley::guide {
namespace fs = std::filesystem;

namespace {

/// Of files that lie beside the folders of the languages, and don't say theirs.
constexpr const char* kUnsaid = "en";
constexpr std::size_t kLargestPage = std::size_t{4} << 20U;

std::vector<TaskMap> sorted(std::vector<TaskMap> tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const TaskMap& a, const TaskMap& b) { return a.id < b.id; });
  return tasks;
}

/// What is in a folder, by name.
std::vector<fs::path> entries(const fs::path& folder, std::vector<std::string>& faults) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
    found.push_back(at->path());
  if (failure) faults.push_back(fmt::format("{}: can't be read: {}", folder.string(), failure.message()));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Shelf::Shelf(const fs::path& data, std::string lang, std::vector<TaskMap> tasks)
    : lang_(std::move(lang)),
      tasks_(sorted(std::move(tasks))),
      words_(data / "search", lang_),
      search_(tasks_, words_),
      elicitation_(data, lang_) {}

const TaskMap* Shelf::task(std::string_view id) const {
  const auto found = std::lower_bound(tasks_.begin(), tasks_.end(), id,
                                      [](const TaskMap& one, std::string_view key) { return one.id < key; });
  return found != tasks_.end() && found->id == id ? &*found : nullptr;
}

Library::Library(const fs::path& data, const std::vector<fs::path>& folders, const fs::path& cache_file) {
  TaskCache cache(cache_file);
  for (const fs::path& folder : folders) {
    const bool linted = folder.parent_path() != data.parent_path();  // a test looks at those that come along
    for (const fs::path& entry : entries(folder, faults_)) {
      const std::string lang = entry.filename().string();
      std::error_code ignored;
      if (!fs::is_directory(entry, ignored)) {
        read(entry, kUnsaid, cache, linted);
      } else if (is_language_tag(lang)) {
        for (const fs::path& file : entries(entry, faults_)) read(file, lang, cache, linted);
      }
    }
  }
  if (auto failed = cache.write()) faults_.push_back(std::move(*failed));
  for (auto& [lang, all] : read_) {
    std::vector<TaskMap> tasks;
    for (auto& [id, task] : all) tasks.push_back(std::move(task));
    shelves_.push_back(std::make_unique<Shelf>(data, lang, std::move(tasks)));
  }
  read_.clear();
}

void Library::read(const fs::path& file, const std::string& lang, TaskCache& cache, bool linted) {
  const std::string kind = file.extension().string();
  if (kind == ".yaml") {
    if (auto known = cache.find(file)) return add(std::move(*known), file);
    TaskFile one = read_task(file, lang, linted && count_ < TaskCache::kLeast);
    if (one.task && one.remarks.empty()) cache.keep(file, *one.task);
    remarks_.insert(remarks_.end(), one.remarks.begin(), one.remarks.end());
    faults_.insert(faults_.end(), one.faults.begin(), one.faults.end());
    if (one.task) add(std::move(*one.task), file);
  } else if (kind == ".json" || kind == ".jsonld" || kind == ".html" || kind == ".htm") {
    const auto text = read_file(file, kLargestPage);
    if (!text) {
      faults_.push_back(fmt::format("{}: {}", file.string(), text.error().message));
      return;
    }
    Imported many = import_json_ld(*text, file.string(), lang);
    faults_.insert(faults_.end(), many.faults.begin(), many.faults.end());
    for (TaskMap& task : many.tasks) add(std::move(task), file);
  }
}

void Library::add(TaskMap task, const fs::path& file) {
  if (count_ == kMostTasks) {
    faults_.push_back(fmt::format("{}: there are {} tasks already; it is left out", file.string(), count_));
    return;
  }
  const std::string lang = primary_language(task.lang), id = task.id;
  if (read_[lang].emplace(id, std::move(task)).second) {
    ++count_;
  } else {
    faults_.push_back(
        fmt::format("{}: another file has a task of that name, '{}'; it is left out", file.string(), id));
  }
}

const Shelf* Library::shelf(std::string_view lang) const {
  std::vector<std::string> tags;
  for (const auto& one : shelves_) tags.push_back(one->lang());
  const auto closest = closest_language(lang, tags);
  if (!closest) return nullptr;
  for (const auto& one : shelves_)
    if (one->lang() == *closest) return one.get();
  return nullptr;
}

}  // namespace parley::guide
