#include "plugin/find.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace parley {
namespace {

namespace fs = std::filesystem;
using doctest::Contains;

/// A folder of its own that goes when the test ends.
class Tree {
 public:
  Tree() {
    std::string name = (fs::temp_directory_path() / "parley-find-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  fs::path add(const std::string& path) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "x";
    return root_ / path;
  }
  fs::path operator/(const std::string& path) const { return root_ / path; }

 private:
  fs::path root_;
};

doctest::String not_found(const std::string& name, const std::vector<fs::path>& folders,
                          const fs::path& base = {}) {
  try {
    find_stage_library(name, folders, base);
  } catch (const PluginError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("plugin search: a stage is found in the first folder that has it") {
  const Tree tree;
  tree.add("b/libparley_stage_intent.so");
  tree.add("a/libparley_stage_stop.so");
  const auto second = tree.add("b/libparley_stage_stop.so");
  CHECK(find_stage_library("stop", {tree / "none", tree / "b", tree / "a"}) == second);
  CHECK(find_stage_library("intent", {tree / "a", tree / "b"}) == tree / "b/libparley_stage_intent.so");
}

TEST_CASE("plugin search: a stage by its path, absolute or from the base") {
  const Tree tree;
  const auto file = tree.add("own/mine.so");
  CHECK(find_stage_library(file.string(), {}) == file);
  CHECK(find_stage_library("own/mine.so", {}, tree / "") == file);
  CHECK(find_stage_library("./mine.so", {}, tree / "own") == file);
  CHECK(not_found("own/other.so", {}, tree / "") == Contains((tree / "own/other.so").c_str()));
  CHECK(not_found("own/other.so", {}, tree / "") ==
        Contains("does not exist: build the stage, or correct its path"));
}

TEST_CASE("plugin search: a stage that is nowhere is told with the folders and the stages there") {
  const Tree tree;
  tree.add("a/libparley_stage_stop.so");
  tree.add("a/libparley_stage_intent.so");
  tree.add("a/libparley_skill_other.so");
  const doctest::String text = not_found("itnent", {tree / "a", tree / "gone"});
  CHECK(text == Contains("'libparley_stage_itnent.so' was not found: looked in '"));
  CHECK(text == Contains(((tree / "a").string() + "', '").c_str()));
  CHECK(text == Contains(((tree / "gone").string() + "' (there is no such folder)").c_str()));
  CHECK(text == Contains("stages there: intent, stop. "));
  CHECK(text == Contains("plugins.directories"));
  CHECK(not_found("stop", {}) == Contains("looked in no folder at all; stages there: none."));
}

TEST_CASE("plugin search: skills are found in a folder and one folder below, sorted") {
  const Tree tree;
  const auto timer = tree.add("one/timer/libparley_skill_timer.so");
  const auto coffee = tree.add("one/coffee/libparley_skill_coffee.so");
  const auto direct = tree.add("one/zz.so");
  const auto second = tree.add("two/libparley_skill_a.so");
  tree.add("one/coffee/libhelper.so");
  tree.add("one/coffee/locale/en-US/libparley_skill_deep.so");
  tree.add("one/readme.txt");
  fs::create_directories(tree / "one/folder.so");
  const SkillLibraries found = find_skill_libraries({tree / "one", tree / "two"});
  CHECK(found.files == std::vector<fs::path>{coffee, timer, direct, second});
  CHECK(found.problems.empty());
}

TEST_CASE("plugin search: a missing folder and one without skills are problems that name them") {
  const Tree tree;
  const auto good = tree.add("good/timer/libparley_skill_timer.so");
  fs::create_directories(tree / "empty");
  const auto file = tree.add("file");
  const SkillLibraries found = find_skill_libraries({tree / "gone", tree / "empty", file, tree / "good"});
  CHECK(found.files == std::vector<fs::path>{good});
  REQUIRE(found.problems.size() == 3);
  CHECK(found.problems[0].file() == tree / "gone");
  CHECK(doctest::String(found.problems[0].what()) ==
        Contains("can't be searched for skills (No such file or directory): create it, or correct "
                 "skills.directories"));
  CHECK(found.problems[1].file() == tree / "empty");
  CHECK(doctest::String(found.problems[1].reason().c_str()) ==
        Contains("holds no skill (looked for *.so and */libparley_skill_*.so)"));
  CHECK(found.problems[2].file() == file);
  CHECK(doctest::String(found.problems[2].reason().c_str()) == Contains("Not a directory"));
}

}  // namespace parley
