#include <fmt/format.h>
#include <fmt/ranges.h>
#include <parley/files.hpp>
#include <parley/language.hpp>

#include <algorithm>
#include <system_error>

#include "language/unicode.hpp"
#include "locale/locale_data.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;
using Origin = ResourceFile::Origin;

constexpr std::uintmax_t kMaxFile = std::uintmax_t{4} << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSpace = " \t\r";

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

bool is_base_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// What a folder holds, sorted so that every machine sees the same order.
std::vector<fs::directory_entry> entries_of(const fs::path& folder, LocaleProblems& problems) {
  std::vector<fs::directory_entry> entries;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
    if (!is_hidden(at->path())) entries.push_back(*at);
  }
  if (failure) problems.error(folder, fmt::format("the folder can't be read: {}", failure.message()));
  std::sort(entries.begin(), entries.end());
  return entries;
}

class Finder {
 public:
  explicit Finder(LocaleProblems& problems) : problems_(problems) {}

  void add_root(const fs::path& root, Origin origin) {
    std::error_code ignored;
    const fs::path locale = root / "locale";
    if (root.empty() || !fs::is_directory(locale, ignored)) return;
    for (const fs::directory_entry& entry : entries_of(locale, problems_)) {
      if (!entry.is_directory(ignored)) continue;
      const std::string tag = entry.path().filename().string();
      if (is_language_tag(tag)) {
        add_folder(language(tag, entry.path()), entry.path(), origin);
      } else {
        problems_.warning(entry.path(),
                          fmt::format("'{}' is no language tag such as en-US: the folder is ignored", tag));
      }
    }
  }

  std::vector<LanguageFiles> take() {
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.tag < b.tag; });
    return std::move(found_);
  }

 private:
  LanguageFiles& language(const std::string& tag, const fs::path& folder) {
    const auto same = [&tag](const LanguageFiles& known) { return same_language(known.tag, tag); };
    const auto known = std::find_if(found_.begin(), found_.end(), same);
    if (known != found_.end()) return *known;
    return found_.emplace_back(LanguageFiles{tag, folder, {}});
  }

  void add_folder(LanguageFiles& files, const fs::path& folder, Origin origin) {
    std::vector<fs::path> open = {folder};
    while (!open.empty()) {
      const fs::path here = open.back();
      open.pop_back();
      for (const fs::directory_entry& entry : entries_of(here, problems_)) {
        std::error_code ignored;
        if (!entry.is_directory(ignored)) {
          add_file(files, entry, origin);
        } else if (entry.is_symlink(ignored)) {  // it may lead in circles
          problems_.warning(entry.path(), "links to folders are not followed: put the files themselves here");
        } else {
          open.push_back(entry.path());
        }
      }
    }
  }

  void add_file(LanguageFiles& files, const fs::directory_entry& entry, Origin origin) {
    const fs::path& path = entry.path();
    const std::string ending = path.extension().string();
    const auto* const role =
        std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& one) { return one.first == ending; });
    if (role == kRoles.end()) {
      std::vector<std::string_view> known;
      for (const auto& [one, what] : kRoles) known.push_back(one);
      return problems_.warning(
          path, fmt::format("not a locale resource, ignored: known endings are {}", fmt::join(known, ", ")));
    }
    std::error_code ignored;
    if (!entry.is_regular_file(ignored)) return problems_.error(path, "not a regular file");
    const std::string name = path.stem().string();
    if (!is_base_name(name)) {
      return problems_.error(
          path, fmt::format("'{}' is no resource name: lower-case letters, digits and '_' only", name));
    }
    const auto [known, added] = files.files[role->second].try_emplace(name, ResourceFile{path, origin});
    if (added || known->second.origin != origin) return;
    problems_.error(path, fmt::format("{}{} exists twice for {}: {} is used, rename or remove one", name,
                                      ending, files.tag, known->second.path.string()));
  }

  LocaleProblems& problems_;
  std::vector<LanguageFiles> found_;
};

void report_invalid(const fs::path& file, std::string_view text, std::size_t at, LocaleProblems& problems) {
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t start = line == 1 ? 0 : before.rfind('\n') + 1;
  const std::size_t column = unicode::code_points_before(text.substr(start), at - start) + 1;
  problems.error(file, "not UTF-8: save the file as UTF-8", line, column);
}

}  // namespace

std::string_view ending_of(Role role) {
  return std::find_if(kRoles.begin(), kRoles.end(), [role](const auto& one) { return one.second == role; })
      ->first;
}

const ResourceFile* LanguageFiles::find(Role role, std::string_view name) const {
  const auto same_role = files.find(role);
  if (same_role == files.end()) return nullptr;
  const auto found = same_role->second.find(name);
  return found == same_role->second.end() ? nullptr : &found->second;
}

std::vector<LanguageFiles> find_locale_files(const LocaleFolders& folders, LocaleProblems& problems) {
  Finder finder(problems);
  finder.add_root(folders.user, Origin::kUser);
  finder.add_root(folders.skill, Origin::kSkill);
  finder.add_root(folders.core, Origin::kCore);
  return finder.take();
}

std::optional<std::string> read_resource(const fs::path& file, LocaleProblems& problems) {
  auto read = read_file(file, kMaxFile);
  if (!read) {
    problems.error(file, fmt::format("the file {}", read.error().message));
    return std::nullopt;
  }
  std::string text = std::move(read).value();
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (const std::size_t at = unicode::first_invalid(text); at != std::string::npos) {
    report_invalid(file, text, at, problems);
    return std::nullopt;
  }
  return text;
}

std::vector<ResourceLine> read_lines(const fs::path& file, LocaleProblems& problems) {
  std::vector<ResourceLine> lines;
  const std::optional<std::string> text = read_resource(file, problems);
  if (!text) return lines;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t first = line.find_first_not_of(kSpace);
    if (first == std::string_view::npos || line[first] == '#') continue;
    const std::size_t last = line.find_last_not_of(kSpace);
    lines.push_back({number, first, std::string(line.substr(first, last + 1 - first))});
  }
  if (lines.empty()) problems.error(file, "the file is empty: write at least one line, or remove it");
  return lines;
}

}  // namespace parley
