#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "plugin/description.hpp"
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
constexpr std::size_t kNumbers = 3;  // size, abi, kind: these stay where they are in every version

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

  /// Where the pointer at this address will point to; nothing for null, and where the file does not say.
  std::optional<Address> behind(Address pointer) {
    const std::optional<Address> target = target_of(pointer);
    return target && *target != 0 ? target : std::nullopt;
  }

  /// The text a `const char*` at this address will point to, if the file says so.
  std::optional<std::string> text_behind(Address pointer) {
    const std::optional<Address> target = behind(pointer);
    if (!target) return std::nullopt;
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
    if (!relocations_) relocations_.emplace(read_relocations());
    for (const auto& run : relocations_->runs) {
      const auto found =
          std::lower_bound(run.begin(), run.end(), pointer,
                           [](const Relocation& one, Address at) { return one.r_offset < at; });
      if (found == run.end() || found->r_offset != pointer) continue;
      if (ELF64_R_SYM(found->r_info) != 0) return std::nullopt;
      return static_cast<Address>(found->r_addend);
    }
    return read<Address>(pointer);
  }

  /// As the file has them, and within that what is in the order of the addresses it is about: the linker
  /// sorts most of them, and they are many.
  struct Relocations {
    std::vector<std::vector<Relocation>> tables;
    std::vector<std::span<const Relocation>> runs;
  };

  Relocations read_relocations() {
    Relocations all;
    for (const Section& section : sections_)
      if (section.sh_type == SHT_RELA) all.tables.push_back(table<Relocation>(section));
    const auto in_order = [](const Relocation& a, const Relocation& b) { return a.r_offset < b.r_offset; };
    for (const auto& table : all.tables) {
      for (auto from = table.begin(); from != table.end();) {
        const auto to = std::is_sorted_until(from, table.end(), in_order);
        all.runs.emplace_back(from, to);
        from = to;
      }
    }
    return all;
  }

  File file_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::optional<Relocations> relocations_;
};

/// The manifest's address; nothing when the file has no section table.
std::optional<Address> find_manifest(Image& image) {
  if (!image.has_sections()) return std::nullopt;
  const auto symbol = image.find_symbol(kManifestSymbol);
  if (!symbol) {
    image.fail(
        fmt::format("exports no '{}': put PARLEY_STAGE(Class) or PARLEY_SKILL(Class, \"id\") into one "
                    "source file and {}",
                    kManifestSymbol, kHowToBuild));
  }
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size < kNumbers * sizeof(std::uint32_t)) {
    image.fail(fmt::format("exports '{}', but not as a manifest ({} bytes, expected {} of data): {}",
                           kManifestSymbol, symbol->st_size, sizeof(PluginManifest), kHowToBuild));
  }
  return symbol->st_value;
}

ManifestFacts read_facts(Image& image, Address manifest) {
  const auto numbers = image.read<std::array<std::uint32_t, kNumbers>>(manifest);
  ManifestFacts facts(numbers[0], numbers[1], numbers[2]);
  if (!facts.has_our_layout()) return facts;
  facts.name = image.text_behind(manifest + offsetof(PluginManifest, name));
  facts.fingerprint = image.text_behind(manifest + offsetof(PluginManifest, fingerprint));
  return facts;
}

/// Copies the tables of a manifest out of a file.
class TableReader {
 public:
  TableReader(Image& image, std::deque<std::string>& texts) : image_(image), texts_(texts) {}

  const char* text(Address pointer) {
    auto read = image_.text_behind(pointer);
    return read ? texts_.emplace_back(*std::move(read)).c_str() : nullptr;
  }

  std::vector<Option> options(Address table) {
    return rows<Option>(table, [this](Option& option, Address at) {
      option.key = text(at + offsetof(Option, key));
      option.fallback = text(at + offsetof(Option, fallback));
      option.help = text(at + offsetof(Option, help));
      option.words = text(at + offsetof(Option, words));
      option.limit = text(at + offsetof(Option, limit));
      return option.key != nullptr && option.help != nullptr;
    });
  }

  std::vector<DefaultEntry> entries(Address table) {
    return rows<DefaultEntry>(table, [this](DefaultEntry& entry, Address at) {
      entry.name = text(at + offsetof(DefaultEntry, name));
      entry.options = text(at + offsetof(DefaultEntry, options));
      entry.needs = text(at + offsetof(DefaultEntry, needs));
      return entry.name != nullptr && entry.options != nullptr;
    });
  }

 private:
  /// A ConstantTable: where its rows are, and how many.
  struct Layout {
    Address first;
    std::uint64_t count;
  };
  static_assert(sizeof(Layout) == sizeof(OptionTable) && sizeof(Layout) == sizeof(EntryTable));

  template <class Row, class Mend>
  std::vector<Row> rows(Address table, Mend mend) {
    constexpr std::uint64_t kMost = 1000;
    std::vector<Row> read;
    const auto count = image_.read<Layout>(table).count;
    if (count == 0) return read;
    const auto first = image_.behind(table);
    bool sound = first && count <= kMost;
    for (std::uint64_t i = 0; sound && i < count; ++i) {
      const Address at = *first + i * sizeof(Row);
      Row row = image_.read<Row>(at);
      sound = mend(row, at);
      read.push_back(row);
    }
    if (!sound) image_.fail("has tables of options that can't be read: build it again");
    return read;
  }

  Image& image_;
  std::deque<std::string>& texts_;
};

}  // namespace

std::optional<ManifestFacts> read_manifest(const std::filesystem::path& file) {
  Image image(file);
  const auto manifest = find_manifest(image);
  return manifest ? std::optional(read_facts(image, *manifest)) : std::nullopt;
}

PluginDescription::PluginDescription(std::filesystem::path file, PluginKind kind) : file_(std::move(file)) {
  Image image(file_);
  const auto manifest = find_manifest(image);
  if (!manifest) image.fail("has no section table: nobody knows what it is before it is loaded");
  const ManifestFacts facts = read_facts(image, *manifest);
  check_manifest(file_, facts, kind);
  if (!facts.name || !facts.fingerprint) image.fail("has a manifest that can't be read: build it again");
  name_ = *facts.name;
  version_ = image.text_behind(*manifest + offsetof(PluginManifest, version)).value_or("");
  TableReader reader(image, texts_);
  const Address tables = *manifest + offsetof(PluginManifest, tables);
  options_ = reader.options(tables + offsetof(PluginTables, options));
  entry_options_ = reader.options(tables + offsetof(PluginTables, entry_options));
  entries_ = reader.entries(tables + offsetof(PluginTables, entries));
  const char* const about = reader.text(tables + offsetof(PluginTables, about));
  tables_.about = about == nullptr ? "" : about;
  tables_.options = OptionTable(options_.data(), options_.size());
  tables_.entry_options = OptionTable(entry_options_.data(), entry_options_.size());
  tables_.entries = EntryTable(entries_.data(), entries_.size());
}

}  // namespace parley
