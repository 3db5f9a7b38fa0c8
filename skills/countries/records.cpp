#include "records.hpp"

#include <fmt/format.h>

#include <charconv>
#include <parley/files.hpp>
#include <sstream>
#include <stdexcept>

namespace parley::countries {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const auto from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.emplace_back(trimmed(text.substr(from, to - from)));
    from = to + 1;
  }
  return parts;
}

}  // namespace

std::string_view Record::field(std::size_t index) const {
  return index < fields.size() ? std::string_view(fields[index]) : std::string_view();
}

std::vector<std::string> Record::list(std::size_t index) const {
  if (field(index).empty()) return {};
  return split(field(index), ',');
}

double Record::number(std::size_t index) const {
  const std::string_view text = field(index);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 0) {
    fail(fmt::format("'{}' is no number", text));
  }
  return value;
}

void Record::fail(std::string_view problem) const {
  throw std::runtime_error(fmt::format("{}: {}", place, problem));
}

std::vector<Record> read_records(const std::filesystem::path& file) {
  const auto content = read_file(file, kLargestDataFile);
  if (!content)
    throw std::runtime_error(
        fmt::format("{}: {}; it belongs to the skill", file.string(), content.error().message));
  std::istringstream in(*content);
  std::vector<Record> records;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto text = trimmed(line);
    if (text.empty() || text.starts_with('#')) continue;
    records.push_back(Record{fmt::format("{}:{}", file.string(), number), split(text, ';')});
  }
  return records;
}

}  // namespace parley::countries
