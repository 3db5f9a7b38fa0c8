#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "elicitation.hpp"
#include "search.hpp"
#include "search_words.hpp"
#include "task.hpp"
#include "task_cache.hpp"

namespace parley::guide {

/// The tasks of one language and all it takes to find them.
class Shelf {
 public:
  /// @param data  the skill's folder of data
  /// @throws std::runtime_error naming the file when a file of data is broken
  Shelf(const std::filesystem::path& data, std::string lang, std::vector<TaskMap> tasks);

  const std::string& lang() const noexcept { return lang_; }
  const std::vector<TaskMap>& tasks() const noexcept { return tasks_; }
  /// Null: there is none of that id.
  const TaskMap* task(std::string_view id) const;
  const Search& search() const noexcept { return search_; }
  const SearchWords& words() const noexcept { return words_; }
  const Elicitation& elicitation() const noexcept { return elicitation_; }

 private:
  std::string lang_;
  std::vector<TaskMap> tasks_;  // sorted by id
  SearchWords words_;
  Search search_;
  Elicitation elicitation_;
};

/// All tasks: folders that have one of a language each, `en/carbonara.yaml`, with tasks in YAML (.yaml) or in
/// JSON-LD (.json, .jsonld, .html, .htm). Files beside those folders are taken for English unless they say
/// their language.
class Library {
 public:
  /// Of tasks with the same id and language the first counts.
  /// @param folders  those that are not there are among faults()
  /// @param cache  a file that keeps many tasks for the next time, see TaskCache; empty: none
  Library(const std::filesystem::path& data, const std::vector<std::filesystem::path>& folders,
          const std::filesystem::path& cache = {});

  /// Null: no tasks in that language.
  const Shelf* shelf(std::string_view lang) const;
  /// What was left out, and why.
  const std::vector<std::string>& faults() const noexcept { return faults_; }
  /// What tasks in YAML should not do, with its place: of the first TaskCache::kLeast of them, and not of
  /// those that lie beside `data`.
  const std::vector<std::string>& remarks() const noexcept { return remarks_; }

  static constexpr std::size_t kMostTasks = 20'000;

 private:
  void read(const std::filesystem::path& file, const std::string& lang, TaskCache& cache, bool linted);
  void add(TaskMap task, const std::filesystem::path& file);

  std::vector<std::unique_ptr<Shelf>> shelves_;
  std::map<std::string, std::map<std::string, TaskMap>> read_;  // language → id; until they are on shelves
  std::size_t count_ = 0;
  std::vector<std::string> faults_, remarks_;
};

}  // namespace parley::guide
