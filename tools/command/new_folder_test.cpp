#include "new_folder.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>  // mkdtemp

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fs = std::filesystem;
using parley::command::make_folder;
using parley::command::name_problem;
using parley::command::with_name;

namespace {

/// A folder of its own that goes when the test ends, with a template in it.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "parley-new-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
    fs::create_directories(path / "template/locale/en-US");
    write("template/my_skill.py", "class MySkill:  # my skill\n");
    write("template/locale/en-US/greet.intent", "greet my skill\n");
    fs::permissions(path / "template/my_skill.py", fs::perms(0755));
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream stream(path / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  fs::path path;
};

}  // namespace

TEST_CASE("new: a name is what files, targets and classes can be called by") {
  for (const char* const name : {"coffee", "coffee_pot", "r2d2", "a"})
    CHECK_FALSE(name_problem(name).has_value());
  for (const char* const name :
       {"", "Coffee", "coffee-pot", "coffee pot", "2tea", "_tea", "tea_", "a__b", "../tea", "café"}) {
    const auto problem = name_problem(name);
    REQUIRE(problem.has_value());
    CHECK(problem->find("small letters") != std::string::npos);
  }
  CHECK(name_problem(std::string(41, 'a')).value_or("").find("too long") != std::string::npos);
}

TEST_CASE("new: the name stands in each form where the template has its own") {
  CHECK(with_name("my_skill MySkill my-skill my skill", "coffee_pot") ==
        "coffee_pot CoffeePot coffee-pot coffee pot");
  CHECK(with_name("MyStage in my_stage.so", "tea") == "Tea in tea.so");
  CHECK(with_name("my_skill", "my_skill_2") == "my_skill_2");
}

TEST_CASE("new: a folder is made of the template, or nothing is") {
  const Scratch scratch;
  const auto files = make_folder(scratch.path / "template", scratch.path / "a/b", "tea_pot");
  CHECK(files == std::vector<fs::path>{"locale/en-US/greet.intent", "tea_pot.py"});
  CHECK(scratch.read("a/b/tea_pot.py") == "class TeaPot:  # tea pot\n");
  CHECK(scratch.read("a/b/locale/en-US/greet.intent") == "greet tea pot\n");
  CHECK((fs::status(scratch.path / "a/b/tea_pot.py").permissions() & fs::perms::owner_exec) !=
        fs::perms::none);
  CHECK_THROWS_AS(make_folder(scratch.path / "template", scratch.path / "a/b", "tea"), std::runtime_error);
  CHECK_THROWS_AS(make_folder(scratch.path / "nothing", scratch.path / "c", "tea"), std::runtime_error);
  CHECK_FALSE(fs::exists(scratch.path / "c"));
  fs::create_directories(scratch.path / "elsewhere");
  scratch.write("elsewhere/shared.py", "one for all\n");
  fs::create_symlink("../elsewhere/shared.py", scratch.path / "template/shared.py");
  CHECK(make_folder(scratch.path / "template", scratch.path / "linked", "tea").back() == "shared.py");
  CHECK(scratch.read("linked/shared.py") == "one for all\n");
  CHECK_FALSE(fs::is_symlink(scratch.path / "linked/shared.py"));
  scratch.write("template/large", std::string(std::size_t{2} << 20U, 'x'));
  CHECK_THROWS_AS(make_folder(scratch.path / "template", scratch.path / "c", "tea"), std::runtime_error);
  CHECK_FALSE(fs::exists(scratch.path / "c"));
}
