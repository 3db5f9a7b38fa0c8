#include "config/files.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "config/config.hpp"
#include "support/installed_config.hpp"

namespace fs = std::filesystem;

namespace {

/// A folder of its own, gone at the end of the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "parley-config-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

std::string refusal(const std::optional<fs::path>& asked_for,
                    const std::map<std::string, std::string>& environment) {
  try {
    parley::find_config(asked_for, environment, "");
  } catch (const parley::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("config files: --config, then PARLEY_CONFIG, then the user's, then the installed one") {
  const Folder folder;
  const fs::path asked = folder.write("asked.yaml", "");
  const fs::path named = folder.write("named.yaml", "");
  const fs::path users = folder.write("home/parley/parley.yaml", "");
  const fs::path installed = folder.write("share/parley/parley.yaml", "");
  const fs::path program = folder.path() / "bin";
  std::map<std::string, std::string> environment{{"PARLEY_CONFIG", named.string()},
                                                 {"XDG_CONFIG_HOME", (folder.path() / "home").string()}};
  CHECK(parley::find_config(asked, environment, program) == asked);
  CHECK(parley::find_config(std::nullopt, environment, program) == named);
  environment.erase("PARLEY_CONFIG");
  CHECK(parley::find_config(std::nullopt, environment, program) == users);
  environment.erase("XDG_CONFIG_HOME");
  CHECK(parley::find_config(std::nullopt, environment, program) == installed);
  CHECK_FALSE(parley::find_config(std::nullopt, environment, folder.path() / "a/b").has_value());
}

TEST_CASE("config files: without XDG_CONFIG_HOME the user's file is in ~/.config") {
  const Folder folder;
  const fs::path users = folder.write(".config/parley/parley.yaml", "");
  CHECK(parley::find_config(std::nullopt, {{"HOME", folder.path().string()}}, "") == users);
}

TEST_CASE("config files: a file asked for by name has to be there") {
  const Folder folder;
  CHECK(refusal("/nowhere/a.yaml", {}) ==
        "/nowhere/a.yaml: the configuration file named by --config does not exist");
  CHECK(refusal(std::nullopt, {{"PARLEY_CONFIG", "/nowhere/b.yaml"}}) ==
        "/nowhere/b.yaml: the configuration file named by PARLEY_CONFIG does not exist");
  CHECK(refusal(folder.path(), {}) ==
        folder.path().string() + ": the configuration file named by --config is a directory");
}

TEST_CASE("config files: what can't be read is a problem, not a crash") {
  const Folder folder;
  parley::ConfigSources sources;
  sources.file = folder.path();
  auto checked = parley::check_config(sources);
  REQUIRE(checked.problems.size() == 1);
  CHECK(checked.problems[0].message == "is a directory; name a YAML file");

  sources.file = folder.path() / "missing.yaml";
  checked = parley::check_config(sources);
  REQUIRE(checked.problems.size() == 1);
  CHECK(checked.problems[0].message == "can't be read: No such file or directory");
}

TEST_CASE("config files: a pipe is refused by name instead of waited for") {
  const Folder folder;
  parley::ConfigSources sources;
  sources.file = folder.path() / "pipe.yaml";
  REQUIRE(::mkfifo(sources.file->c_str(), 0600) == 0);
  const auto checked = parley::check_config(sources);
  REQUIRE(checked.problems.size() == 1);
  CHECK(checked.problems[0].file == sources.file->string());
  CHECK(checked.problems[0].message == "is a pipe, not a regular file");
  sources.file = "/dev/zero";
  CHECK(parley::check_config(sources).problems.at(0).message == "is a device, not a regular file");
}

TEST_CASE("config files: the file itself is read") {
  const Folder folder;
  parley::ConfigSources sources;
  sources.file = folder.write("parley.yaml", "workers: 7\n");
  CHECK(parley::load_config(sources).workers == 7);
  sources.file = folder.write("broken.yaml", "workers: 7\nwrokers: 7\n");
  CHECK_THROWS_WITH_AS(
      parley::load_config(sources),
      (folder.path().string() + "/broken.yaml:2:1: unknown key 'wrokers'; did you mean 'workers'?").c_str(),
      parley::ConfigError);
}

TEST_CASE("config files: a file of ten megabytes is refused without being read to the end") {
  const Folder folder;
  parley::ConfigSources sources;
  sources.file = folder.write("large.yaml", std::string(10'000'000, '#'));
  const auto checked = parley::check_config(sources);
  REQUIRE(checked.problems.size() == 1);
  CHECK(checked.problems[0].message == "larger than 1MiB; a configuration is not");
}

TEST_CASE("config files: directories are looked for beside the file, then in the installation") {
  const Folder folder;
  const fs::path file = folder.write("etc/parley.yaml", "");
  fs::create_directories(folder.path() / "etc/mine");
  fs::create_directories(folder.path() / "lib/parley/mine");
  fs::create_directories(folder.path() / "lib/parley/skills");
  const std::string absolute = (folder.path() / "etc").string();
  const auto found = parley::find_directories({"mine", "skills", absolute}, "skills.directories", file,
                                              folder.path() / "bin");
  CHECK(found.problems.empty());
  REQUIRE(found.directories.size() == 3);
  CHECK(found.directories[0] == folder.path() / "etc/mine");
  CHECK(found.directories[1] == folder.path() / "lib/parley/skills");
  CHECK(found.directories[2] == absolute);
}

TEST_CASE("config files: what comes with the program is looked through last, and nothing twice") {
  const Folder folder;
  const fs::path file = folder.write("etc/parley.yaml", "");
  fs::create_directories(folder.path() / "etc/mine");
  fs::create_directories(folder.path() / "lib/parley/skills");
  const auto in = [&](const std::vector<std::string>& names, const std::string& shipped) {
    return parley::find_directories(names, "skills.directories", file, folder.path() / "bin", shipped)
        .directories;
  };
  const fs::path mine = folder.path() / "etc/mine";
  const fs::path shipped = folder.path() / "lib/parley/skills";
  CHECK(in({"mine"}, "skills") == std::vector<fs::path>{mine, shipped});
  CHECK(in({"mine"}, "") == std::vector<fs::path>{mine});
  CHECK(in({"skills", "mine", "../etc/mine"}, "skills") == std::vector<fs::path>{shipped, mine});
  CHECK(in({}, "nothing").empty());
}

TEST_CASE("config files: a directory that is nowhere is reported with the places it was looked for in") {
  const auto found =
      parley::find_directories({"gone", "/nowhere"}, "skills.directories", "/etc/p/parley.yaml", "/opt/bin");
  CHECK(found.directories.empty());
  REQUIRE(found.problems.size() == 2);
  CHECK(parley::to_string(found.problems[0]) ==
        "/etc/p/parley.yaml: 'skills.directories' names 'gone', but there is no such folder; looked for "
        "/etc/p/gone and /opt/lib/parley/gone");
  CHECK(found.problems[1].message ==
        "'skills.directories' names '/nowhere', but there is no such folder; looked for /nowhere");
}

TEST_CASE("config files: the file that comes with the program has exactly the defaults") {
  parley::ConfigSources sources;
  sources.file = parley::find_config(std::nullopt, {}, parley::executable_directory());
  REQUIRE(sources.file.has_value());
  const auto checked = parley::check_config(sources);
  for (const auto& problem : checked.problems) FAIL_CHECK(parley::to_string(problem));
  CHECK(parley::to_json(checked.config) == parley::to_json(parley::testing::installed_config()));
  CHECK(checked.config == parley::testing::installed_config());
}
