#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace parley::countries {

/// A line of a data file, its fields separated by semicolons, without white space around them.
struct Record {
  /// @return "" where the line has fewer fields
  std::string_view field(std::size_t index) const;
  /// The parts of a field that are separated by commas; none for an empty one.
  std::vector<std::string> list(std::size_t index) const;
  /// The field as a number that is not negative.
  /// @throws std::runtime_error naming file and line when it is none
  double number(std::size_t index) const;
  [[noreturn]] void fail(std::string_view problem) const;

  std::string place;  ///< "data/countries.txt:12"
  std::vector<std::string> fields;
};

/// All lines that are neither empty nor comments (#).
/// @throws std::runtime_error naming the file when it can't be read
std::vector<Record> read_records(const std::filesystem::path& file);

}  // namespace parley::countries
