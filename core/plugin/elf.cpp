#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "plugin/error.hpp"
#include "plugin/manifest.hpp"

namespace parley {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);
using Relocation = ElfW(Rela);
using Address = ElfW(Addr);

constexpr std::string_view kHowToBuild = "build it with parley_add_stage() or parley_add_skill()";
constexpr std::size_t kLongestText = 1024;

/// A file of which every read is checked against its length.
class File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!exists(status)) fail("does not exist: build the plugin, or correct the path");
    if (!is_regular_file(status)) fail("is not a file: name the shared object itself");
    stream_.open(path, std::ios::binary);
    if (!stream_) {
      fail(fmt::format("can't be read ({}): change its permissions", std::generic_category().message(errno)));
    }
    size_ = std::filesystem::file_size(path);
  }

  [[noreturn]] void fail(const std::string& reason) const { throw PluginError(path_, reason); }

  std::uint64_t size() const noexcept { return size_; }

  template <class T>
  std::vector<T> read(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > (size_ - offset) / sizeof(T)) {
      fail(
          fmt::format("is cut off or damaged: it refers to {} bytes at {}, but has only {}: "
                      "build or copy it again",
                      count * sizeof(T), offset, size_));
    }
    std::vector<T> out(count);
    stream_.seekg(static_cast<std::streamoff>(offset));
    // The file's bytes are read into objects without invariants.
    stream_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!stream_) fail("can't be read to its end: copy it again");
    return out;
  }

 private:
  std::filesystem::path path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "32-bit ARM";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "PowerPC 64";
    case EM_S390:
      return "S/390";
    default:
      return fmt::format("ELF machine {}", machine);
  }
}

std::string describe_machine(const Header& header) {
  return fmt::format("{} ({}-bit, {}-endian)", machine_name(header.e_machine),
                     header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
                     header.e_ident[EI_DATA] == ELFDATA2MSB ? "big" : "little");
}

Header read_header(File& file) {
  const auto magic = file.read<char>(0, std::min<std::uint64_t>(file.size(), SELFMAG));
  if (std::string_view(magic.data(), magic.size()) != ELFMAG)
    file.fail(fmt::format("is not a shared object (it has no ELF header): {}", kHowToBuild));
  return file.read<Header>(0, 1).front();
}

/// Compares with the running program, which is what the plugin has to fit to.
void check_machine(const File& file, const Header& header) {
  File self("/proc/self/exe");
  const Header own = read_header(self);
  const auto same = [&](int index) { return header.e_ident[index] == own.e_ident[index]; };
  if (header.e_machine != own.e_machine || !same(EI_CLASS) || !same(EI_DATA)) {
    file.fail(fmt::format("was built for {}, this parley runs on {}: build it for this machine",
                          describe_machine(header), describe_machine(own)));
  }
  if (header.e_type != ET_DYN) {
    file.fail(fmt::format("is an ELF file, but not a shared object (type {}, expected {}): {}", header.e_type,
                          ET_DYN, kHowToBuild));
  }
  if (header.e_phentsize != sizeof(Segment) || (header.e_shnum != 0 && header.e_shentsize != sizeof(Section)))
    file.fail("is damaged (its header gives tables of a wrong kind): build or copy it again");
}

/// A shared object with its tables.
class Image {
 public:
  explicit Image(const std::filesystem::path& path) : file_(path) {
    const Header header = read_header(file_);
    check_machine(file_, header);
    segments_ = file_.read<Segment>(header.e_phoff, header.e_phnum);
    for (const Segment& segment : segments_) check_complete(segment);
    sections_ = file_.read<Section>(header.e_shoff, header.e_shnum);
  }

  bool has_sections() const noexcept { return !sections_.empty(); }

  std::optional<Symbol> find_symbol(std::string_view name) {
    for (const Section& section : sections_) {
      if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections_.size()) continue;
      const Section& names = sections_[section.sh_link];
      const auto texts = file_.read<char>(names.sh_offset, names.sh_size);
      for (const Symbol& symbol : table<Symbol>(section)) {
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= texts.size()) continue;
        const char* text = texts.data() + symbol.st_name;
        if (std::string_view(text, strnlen(text, texts.size() - symbol.st_name)) == name) return symbol;
      }
    }
    return std::nullopt;
  }

  template <class T>
  T read(Address address) {
    return file_.read<T>(offset_of(address), 1).front();
  }

  /// The text a `const char*` at this address will point to, if the file says so.
  std::optional<std::string> text_behind(Address pointer) {
    const std::optional<Address> target = target_of(pointer);
    if (!target || *target == 0) return std::nullopt;
    const std::uint64_t start = offset_of(*target);
    const auto bytes = file_.read<char>(start, std::min<std::uint64_t>(file_.size() - start, kLongestText));
    return std::string(bytes.data(), strnlen(bytes.data(), bytes.size()));
  }

  [[noreturn]] void fail(const std::string& reason) const { file_.fail(reason); }

 private:
  /// The loader would map the missing part of a segment, and touching it kills the process.
  void check_complete(const Segment& segment) const {
    if (segment.p_type != PT_LOAD) return;
    if (segment.p_offset <= file_.size() && segment.p_filesz <= file_.size() - segment.p_offset) return;
    file_.fail(fmt::format("is cut off: it should have {} bytes or more, but has {}: build or copy it again",
                           segment.p_offset + segment.p_filesz, file_.size()));
  }

  template <class T>
  std::vector<T> table(const Section& section) {
    return file_.read<T>(section.sh_offset, section.sh_size / sizeof(T));
  }

  std::uint64_t offset_of(Address address) const {
    for (const Segment& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    }
    file_.fail(fmt::format(
        "is damaged (nothing of the file belongs to address {:#x}): build or copy it again", address));
  }

  /// Where a pointer will point: as a relocation says or, with packed relocations, as stands in place.
  std::optional<Address> target_of(Address pointer) {
    for (const Section& section : sections_) {
      if (section.sh_type != SHT_RELA) continue;
      for (const Relocation& relocation : table<Relocation>(section)) {
        if (relocation.r_offset != pointer) continue;
        const bool by_symbol = ELF64_R_SYM(relocation.r_info) != 0;
        return by_symbol ? std::nullopt : std::optional<Address>(static_cast<Address>(relocation.r_addend));
      }
    }
    return read<Address>(pointer);
  }

  File file_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
};

}  // namespace

std::optional<ManifestFacts> read_manifest(const std::filesystem::path& file) {
  Image image(file);
  if (!image.has_sections()) return std::nullopt;
  const auto symbol = image.find_symbol(kManifestSymbol);
  if (!symbol) {
    image.fail(
        fmt::format("exports no '{}': put PARLEY_STAGE(Class) or PARLEY_SKILL(Class, \"id\") into one "
                    "source file and {}",
                    kManifestSymbol, kHowToBuild));
  }
  constexpr std::size_t kNumbers = 3;  // size, abi, kind: these stay where they are in every version
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size < kNumbers * sizeof(std::uint32_t)) {
    image.fail(fmt::format("exports '{}', but not as a manifest ({} bytes, expected {} of data): {}",
                           kManifestSymbol, symbol->st_size, sizeof(PluginManifest), kHowToBuild));
  }
  const auto numbers = image.read<std::array<std::uint32_t, kNumbers>>(symbol->st_value);
  ManifestFacts facts(numbers[0], numbers[1], numbers[2]);
  if (!facts.has_our_layout()) return facts;
  facts.name = image.text_behind(symbol->st_value + offsetof(PluginManifest, name));
  facts.fingerprint = image.text_behind(symbol->st_value + offsetof(PluginManifest, fingerprint));
  return facts;
}

}  // namespace parley
