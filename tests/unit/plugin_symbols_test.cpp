#include <doctest/doctest.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace parley {
namespace {

namespace fs = std::filesystem;
using SymbolSet = std::set<std::string>;

/// The dynamic symbols of a well-formed shared object.
struct Symbols {
  explicit Symbols(const fs::path& file);
  SymbolSet exported;  ///< Defined and visible to others.
  SymbolSet unique;    ///< STB_GNU_UNIQUE: one of them keeps the library mapped for good.
};

template <class T>
std::vector<T> table(const std::string& content, std::size_t offset, std::size_t bytes) {
  REQUIRE(offset + bytes <= content.size());
  std::vector<T> out(bytes / sizeof(T));
  std::memcpy(out.data(), content.data() + offset, out.size() * sizeof(T));
  return out;
}

Symbols::Symbols(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  const auto header = table<ElfW(Ehdr)>(content, 0, sizeof(ElfW(Ehdr))).at(0);
  const auto sections = table<ElfW(Shdr)>(content, header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)));
  for (const auto& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    const auto names = sections.at(section.sh_link).sh_offset;
    for (const auto& symbol : table<ElfW(Sym)>(content, section.sh_offset, section.sh_size)) {
      const std::string name = content.c_str() + names + symbol.st_name;
      const auto binding = ELF64_ST_BIND(symbol.st_info);
      if (symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL) exported.insert(name);
      if (binding == STB_GNU_UNIQUE) unique.insert(name);
    }
  }
}

std::vector<fs::path> plugins_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".so") found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("plugin symbols: a plugin exports its manifest alone and nothing that keeps it mapped") {
  std::size_t checked = 0;
  for (const char* folder : {"stages", "skills"}) {
    for (const fs::path& file : plugins_in(fs::path(PARLEY_TEST_PLUGINS) / folder)) {
      CAPTURE(file.string());
      const Symbols symbols(file);
      const bool has_none = file.filename() == "libparley_skill_no_manifest.so";
      CHECK(symbols.exported == (has_none ? SymbolSet{} : SymbolSet{"parley_plugin"}));
      CHECK(symbols.unique == SymbolSet{});
      ++checked;
    }
  }
  CHECK(checked > 20);
}

}  // namespace parley
