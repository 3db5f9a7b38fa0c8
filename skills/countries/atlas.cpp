#include "atlas.hpp"

#include <fmt/format.h>

#include "records.hpp"

namespace parley::countries {

Atlas::Atlas(const std::filesystem::path& file) {
  const auto records = read_records(file);
  for (const Record& record : records) {
    if (record.field(0) == "year") {
      year_ = static_cast<int>(record.number(1));
      continue;
    }
    if (record.fields.size() != 7)
      record.fail(fmt::format("expected 7 fields, found {}", record.fields.size()));
    Country country;
    country.code = record.field(0);
    country.capitals = record.list(1);
    country.population = record.number(2) * 1000;
    country.area = record.number(3);
    country.currencies = record.list(4);
    country.languages = record.list(5);
    country.neighbours = record.list(6);
    if (!countries_.try_emplace(country.code, country).second) record.fail("this country is there twice");
  }
  for (const Record& record : records) {
    for (const std::string& code : record.list(6)) {
      if (find(code) == nullptr) record.fail(fmt::format("the neighbour '{}' is not in the file", code));
    }
  }
}

const Country* Atlas::find(std::string_view code) const {
  const auto found = countries_.find(code);
  return found == countries_.end() ? nullptr : &found->second;
}

}  // namespace parley::countries
