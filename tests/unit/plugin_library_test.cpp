#include "plugin/library.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <parley/fingerprint.hpp>
#include <string>
#include <vector>

#include "message/log.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;
using doctest::Contains;

const fs::path kPlugins = PARLEY_TEST_PLUGINS;

fs::path skill_file(const std::string& name) {
  return kPlugins / "skills" / name / ("libparley_skill_" + name + ".so");
}
fs::path stage_file(const std::string& name) {
  return kPlugins / "stages" / ("libparley_stage_" + name + ".so");
}

/// A folder of its own that goes when the test ends.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "parley-plugin-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path file(const std::string& name, const std::string& content) const {
    fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  const fs::path& folder() const noexcept { return folder_; }

 private:
  fs::path folder_;
};

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The file with its ELF header changed.
std::string with_header(const fs::path& file, const std::function<void(ElfW(Ehdr) &)>& change) {
  std::string content = content_of(file);
  ElfW(Ehdr) header;
  REQUIRE(content.size() > sizeof header);
  content.copy(reinterpret_cast<char*>(&header), sizeof header);
  change(header);
  return content.replace(0, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
}

/// What the file is refused with; empty when it is not. It begins with the file's name.
doctest::String refusal(const fs::path& file, PluginKind expected = PluginKind::kSkill) {
  try {
    const PluginLibrary library(file, expected);
  } catch (const PluginError& error) {
    CHECK(error.file() == file);
    CHECK(std::string(error.what()) == fmt::format("'{}' {}", file.string(), error.reason()));
    return error.what();
  }
  return {};
}

doctest::String making_fails(const std::string& name) {
  const PluginLibrary library(skill_file(name), PluginKind::kSkill);
  try {
    library.make_skill();
  } catch (const PluginError& error) {
    CHECK(error.file() == skill_file(name));
    return error.what();
  }
  return {};
}

bool is_in_memory(const fs::path& file) {
  return content_of("/proc/self/maps").find(file.string()) != std::string::npos;
}

/// Whether code of a plugin ran that leaves a trace (broken/ran.hpp); forgets it.
bool plugin_ran() {
  constexpr const char* kTrace = "PARLEY_REFUSED_PLUGIN_RAN";
  const bool ran = std::getenv(kTrace) != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread
  unsetenv(kTrace);                                 // NOLINT(concurrency-mt-unsafe)
  return ran;
}

}  // namespace

TEST_CASE("plugin library: a good stage loads, makes its object and is gone after closing") {
  const fs::path file = stage_file("echo");
  PluginLibrary library(file, PluginKind::kStage);
  CHECK(library.file() == file);
  CHECK(library.kind() == PluginKind::kStage);
  CHECK(library.name() == "echo");
  CHECK(library.version() == PARLEY_TEST_VERSION);
  CHECK(is_in_memory(file));
  auto stage = library.make_stage();
  CHECK(stage != nullptr);
  stage.reset();
  CHECK(library.close() == Unloaded::kGone);
  CHECK_FALSE(is_in_memory(file));
  CHECK(library.close() == Unloaded::kGone);
}

TEST_CASE("plugin library: a good skill loads, makes its object and is gone when the library dies") {
  const fs::path file = skill_file("echo");
  {
    const PluginLibrary library(file, PluginKind::kSkill);
    CHECK(library.name() == "echo.test");
    CHECK(library.make_skill() != nullptr);
    CHECK(is_in_memory(file));
  }
  CHECK_FALSE(is_in_memory(file));
}

TEST_CASE("plugin library: a hundred rounds of loading, making and closing all unmap") {
  for (int round = 0; round < 100; ++round) {
    PluginLibrary library(skill_file("echo"), PluginKind::kSkill);
    library.make_skill();
    REQUIRE(library.close() == Unloaded::kGone);
  }
  CHECK_FALSE(is_in_memory(skill_file("echo")));
}

TEST_CASE("plugin library: a relative path is made absolute") {
  const fs::path file = stage_file("echo");
  const PluginLibrary library(fs::relative(file), PluginKind::kStage);
  CHECK(library.file() == file);
}

TEST_CASE("plugin library: moving hands the library over, and what was there before is closed") {
  PluginLibrary first(stage_file("echo"), PluginKind::kStage);
  PluginLibrary second(skill_file("echo"), PluginKind::kSkill);
  first = std::move(second);
  CHECK_FALSE(is_in_memory(stage_file("echo")));
  CHECK(first.name() == "echo.test");
  CHECK(first.make_skill() != nullptr);
  const PluginLibrary third(std::move(first));
  CHECK(third.make_skill() != nullptr);
}

TEST_CASE("plugin library: making the wrong kind or from a closed library is a bug of the caller") {
  PluginLibrary library(stage_file("echo"), PluginKind::kStage);
  CHECK_THROWS_AS(library.make_skill(), std::logic_error);
  library.close();
  CHECK_THROWS_AS(library.make_stage(), std::logic_error);
}

TEST_CASE("plugin library: one that can't be unloaded is named in the log, but not at the end of all") {
  std::vector<std::string> warnings;
  const LogListener listener([&](LogLevel level, std::string_view who, std::string_view text) {
    if (level == LogLevel::kWarning && who == "plugin") warnings.emplace_back(text);
  });
  { const PluginLibrary at_the_end(skill_file("stays_mapped"), PluginKind::kSkill); }
  CHECK(warnings.empty());
  PluginLibrary library(skill_file("stays_mapped"), PluginKind::kSkill);
  CHECK(library.close() == Unloaded::kStillMapped);
  REQUIRE(warnings.size() == 1);
  const doctest::String warning = warnings[0].c_str();
  CHECK(warning == Contains(skill_file("stays_mapped").c_str()));
  CHECK(warning == Contains("stays in memory"));
}

TEST_CASE("plugin library: a second handle on the same file keeps it mapped until it goes too") {
  PluginLibrary first(skill_file("echo"), PluginKind::kSkill);
  PluginLibrary second(skill_file("echo"), PluginKind::kSkill);
  CHECK(first.close() == Unloaded::kStillMapped);
  CHECK(second.make_skill() != nullptr);
  CHECK(second.close() == Unloaded::kGone);
}

TEST_CASE("plugin library: what is no loadable file is refused with what it is") {
  const Scratch scratch;
  CHECK(refusal(scratch.folder() / "none.so") ==
        Contains("does not exist: build the plugin, or correct the path"));
  CHECK(refusal(scratch.folder()) == Contains("is not a file"));
  const fs::path locked = scratch.file("locked.so", "x");
  fs::permissions(locked, fs::perms::none);
  if (!std::ifstream(locked)) {  // root reads everything
    CHECK(refusal(locked) == Contains("can't be read (Permission denied): change its permissions"));
  }
  CHECK(refusal(scratch.file("empty.so", "")) ==
        Contains("is not a shared object (it has no ELF header): build"));
  CHECK(refusal(scratch.file("text.so", "#!/bin/sh\necho no\n")) == Contains("is not a shared object"));
}

TEST_CASE("plugin library: a file cut off anywhere is refused, never mapped") {
  const Scratch scratch;
  const std::string whole = content_of(skill_file("echo"));
  for (const std::size_t length : {std::size_t{4}, std::size_t{63}, std::size_t{64}, std::size_t{500},
                                   whole.size() / 4, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(length);
    const doctest::String text =
        refusal(scratch.file(fmt::format("cut_{}.so", length), whole.substr(0, length)));
    CHECK(text == Contains("is cut off"));
    CHECK(text == Contains("build or copy it again"));
  }
}

TEST_CASE("plugin library: an object for another machine is refused with both machines") {
  const Scratch scratch;
  const fs::path good = skill_file("echo");
  const auto other = with_header(good, [](auto& header) { header.e_machine = EM_S390; });
  const doctest::String text = refusal(scratch.file("other.so", other));
  CHECK(text == Contains("was built for S/390 (64-bit, little-endian), this parley runs on "));
  CHECK(text == Contains("build it for this machine"));
  const auto narrow = with_header(good, [](auto& header) {
    header.e_machine = EM_386;
    header.e_ident[EI_CLASS] = ELFCLASS32;
  });
  CHECK(refusal(scratch.file("narrow.so", narrow)) ==
        Contains("was built for 32-bit x86 (32-bit, little-endian)"));
  const auto unknown = with_header(good, [](auto& header) { header.e_machine = 4711; });
  CHECK(refusal(scratch.file("unknown.so", unknown)) == Contains("was built for ELF machine 4711"));
}

TEST_CASE("plugin library: an object file is not a shared object") {
  const Scratch scratch;
  const auto object = with_header(skill_file("echo"), [](auto& header) { header.e_type = ET_REL; });
  CHECK(refusal(scratch.file("object.so", object)) == Contains("not a shared object (type 1, expected 3)"));
}

TEST_CASE("plugin library: a header with wild tables is refused") {
  const Scratch scratch;
  const fs::path good = skill_file("echo");
  const std::vector<std::function<void(ElfW(Ehdr)&)>> changes = {
      [](auto& header) { header.e_shoff = ~0ULL; },  [](auto& header) { header.e_phoff = ~0ULL - 7; },
      [](auto& header) { header.e_phentsize = 1; },  [](auto& header) { header.e_shentsize = 0; },
      [](auto& header) { header.e_shnum = 0xffff; }, [](auto& header) { header.e_phnum = 0xffff; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    CHECK(refusal(scratch.file(fmt::format("wild_{}.so", i), with_header(good, changes[i]))) ==
          Contains("damaged"));
  }
}

TEST_CASE("plugin library: without a manifest it is refused with what to add") {
  const doctest::String text = refusal(skill_file("no_manifest"));
  CHECK(text == Contains("exports no 'parley_plugin'"));
  CHECK(text == Contains("PARLEY_STAGE(Class) or PARLEY_SKILL(Class, \"id\")"));
  CHECK(refusal(skill_file("not_a_manifest")) == Contains("exports 'parley_plugin', but not as a manifest"));
  CHECK(refusal("/usr/lib/x86_64-linux-gnu/libm.so.6") == Contains("exports no 'parley_plugin'"));
}

TEST_CASE(
    "plugin library: another manifest size, ABI or fingerprint is refused with both values before any "
    "code runs") {
  plugin_ran();
  const doctest::String size = refusal(skill_file("wrong_size"));
  CHECK(size == Contains(fmt::format("has a manifest of {} bytes, this parley expects {}",
                                     sizeof(PluginManifest) + 8, sizeof(PluginManifest))
                             .c_str()));
  const doctest::String abi = refusal(skill_file("wrong_abi"));
  CHECK(abi ==
        Contains(fmt::format("was built for plugin ABI {}, this parley has {}", kPluginAbi + 1, kPluginAbi)
                     .c_str()));
  const doctest::String fingerprint = refusal(skill_file("wrong_fingerprint"));
  CHECK(fingerprint == Contains("was built with [gcc 9.4, libstdc++ 20210601, boost 107100, json 3.7, sdk "
                                "0123456789ab], this parley with ["));
  CHECK(fingerprint == Contains(kBuildFingerprint));
  for (const doctest::String& text : {size, abi, fingerprint})
    CHECK(text == Contains("rebuild it with this parley's headers and compiler (cmake --build"));
  CHECK_FALSE(plugin_ran());
}

TEST_CASE("plugin library: another kind is refused with both kinds before any code runs") {
  plugin_ran();
  const doctest::String skill = refusal(stage_file("wrong_kind"), PluginKind::kStage);
  CHECK(skill == Contains("is a skill, but a stage was expected: put it into one of skills.directories"));
  const doctest::String stage = refusal(stage_file("echo"), PluginKind::kSkill);
  CHECK(stage ==
        Contains("is a stage, but a skill was expected: name it as the plugin of an entry under stages"));
  CHECK_FALSE(plugin_ran());
}

TEST_CASE("plugin library: a name that is no identifier is refused before any code runs") {
  plugin_ran();
  const doctest::String text = refusal(skill_file("bad_name"));
  CHECK(text == Contains("calls its skill 'not a skill id'"));
  CHECK(text == Contains("correct it in PARLEY_SKILL"));
  CHECK_FALSE(plugin_ran());
}

TEST_CASE("plugin library: without a section table the manifest is checked once it is loaded") {
  const Scratch scratch;
  const auto strip = [&](const std::string& name) {
    return scratch.file(name + ".so", with_header(skill_file(name), [](auto& header) {
                          header.e_shoff = 0;
                          header.e_shnum = 0;
                          header.e_shstrndx = SHN_UNDEF;
                        }));
  };
  plugin_ran();
  CHECK(refusal(strip("wrong_abi")) == Contains("was built for plugin ABI"));
  CHECK(plugin_ran());  // the trace works
  CHECK(refusal(strip("wrong_fingerprint")) == Contains("was built with [gcc 9.4"));
  CHECK(refusal(strip("bad_name")) == Contains("calls its skill 'not a skill id'"));
  CHECK(refusal(strip("no_manifest")) == Contains("exports no 'parley_plugin'"));
  const fs::path good = strip("echo");
  CHECK(refusal(good, PluginKind::kStage) == Contains("is a skill, but a stage was expected"));
  CHECK_FALSE(is_in_memory(good));
  CHECK(refusal(good) == "");
}

TEST_CASE("plugin library: a missing dependency is named") {
  const doctest::String text = refusal(skill_file("missing_dependency"));
  CHECK(text == Contains("needs the library 'libparley_test_absent.so', which was not found: install it"));
}

TEST_CASE("plugin library: an undefined symbol is named in C++") {
  const doctest::String text = refusal(skill_file("undefined_symbol"));
  CHECK(text == Contains("needs 'parley::brew_in_a_later_version(double)', which nobody defines"));
  CHECK(text == Contains("rebuild the plugin against this parley"));
}

TEST_CASE("plugin library: a manifest without a factory of its kind is refused") {
  CHECK(refusal(skill_file("no_factory")) ==
        Contains("has a manifest without a factory for a skill: make it with PARLEY_SKILL"));
}

TEST_CASE("plugin library: what a factory throws arrives as text, and the library can be closed") {
  CHECK(making_fails("factory_throws") ==
        Contains("failed to make the skill 'factory_throws.test': out of coffee"));
  CHECK_FALSE(is_in_memory(skill_file("factory_throws")));
  CHECK(making_fails("factory_throws_int") == Contains("failed to make the skill 'factory_throws_int.test': "
                                                       "int was thrown, which is not a std::exception"));
  CHECK_FALSE(is_in_memory(skill_file("factory_throws_int")));
}

TEST_CASE("plugin library: a factory that makes nothing is refused") {
  const doctest::String text = making_fails("factory_null");
  CHECK(text ==
        Contains("made no skill 'factory_null.test': its factory returned null, expected a new object"));
}

TEST_CASE("plugin library: a second library of the same name is refused with both files") {
  const PluginLibrary library(skill_file("echo"), PluginKind::kSkill);
  const PluginError error = duplicate_plugin(library, "/skills/first.so");
  CHECK(std::string(error.what()) ==
        fmt::format(
            "'{}' has the skill 'echo.test', which '/skills/first.so' was loaded with already: remove one "
            "of the two, or give it another name",
            skill_file("echo").string()));
}

}  // namespace parley
