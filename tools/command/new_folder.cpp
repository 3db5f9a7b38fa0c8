#include "new_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <parley/files.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "runtime/write_file.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 40;
constexpr std::size_t kLargestTemplate = std::size_t{1} << 20U;

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string joined(std::string_view name, char link) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', link);
  return text;
}

/// `coffee_pot` as `CoffeePot`.
std::string as_class(std::string_view name) {
  std::string text;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') text += begins && is_small(c) ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return text;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string content_of(const fs::path& file) {
  auto text = read_file(file, kLargestTemplate);
  if (text) return std::move(text).value();
  throw std::runtime_error(fmt::format("{}: {}", file.string(), text.error().message));
}

/// The files of a template, relative to it, sorted.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder));
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> copy_all(const fs::path& from, const fs::path& folder, std::string_view name) {
  std::vector<fs::path> made;
  for (const fs::path& file : files_in(from)) {
    const fs::path named = with_name(file.string(), name);
    fs::create_directories((folder / named).parent_path());
    write_file(folder / named, with_name(content_of(from / file), name));
    const auto runs = fs::status(from / file).permissions() & fs::perms::owner_exec;
    fs::permissions(folder / named, runs == fs::perms::none ? fs::perms(0644) : fs::perms(0755));
    made.push_back(named);
  }
  return made;
}

}  // namespace

std::optional<std::string> name_problem(std::string_view name) {
  const auto fits = [](char c) { return is_small(c) || is_digit(c) || c == '_'; };
  const bool is_name = !name.empty() && is_small(name.front()) && name.back() != '_' &&
                       name.find("__") == std::string_view::npos &&
                       std::all_of(name.begin(), name.end(), fits);
  if (!is_name) {
    return fmt::format(
        "{} can't be its name: a name has small letters, digits and single underscores, and begins with a "
        "letter, as in coffee_pot",
        in_quotes(name));
  }
  if (name.size() > kLongestName)
    return fmt::format("{} is too long for a name: it may have {} letters", in_quotes(name), kLongestName);
  return std::nullopt;
}

std::string with_name(std::string text, std::string_view name) {
  for (const std::string_view base : {"my_skill", "my_stage"}) {
    const std::array forms{
        std::pair(std::string(base), std::string(name)),
        std::pair(joined(base, '-'), joined(name, '-')),
        std::pair(joined(base, ' '), joined(name, ' ')),
        std::pair(as_class(base), as_class(name)),
    };
    for (const auto& [form, by] : forms) replace_all(text, form, by);
  }
  return text;
}

std::vector<fs::path> make_folder(const fs::path& from, const fs::path& folder, std::string_view name) {
  if (!fs::is_directory(from)) {
    throw std::runtime_error(
        fmt::format("{} is not there: this parley was installed without its templates", from.string()));
  }
  const bool was_there = fs::exists(fs::symlink_status(folder));
  if (was_there && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw std::runtime_error(fmt::format("{} is there already: name another folder", folder.string()));
  try {
    return copy_all(from, folder, name);
  } catch (...) {
    std::error_code ignored;
    if (was_there) {
      for (const auto& made : fs::directory_iterator(folder, ignored)) fs::remove_all(made.path(), ignored);
    } else {
      fs::remove_all(folder, ignored);
    }
    throw;
  }
}

}  // namespace parley::command
