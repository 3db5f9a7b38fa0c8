#include "world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "records.hpp"

namespace parley::countries {
namespace {

std::string lower(std::string code) {
  std::transform(code.begin(), code.end(), code.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return code;
}

void read_flag(const Record& record, Facts& facts) {
  constexpr std::array<std::string_view, 5> kPlain{"vertical", "horizontal", "disc", "cross", "colors"};
  facts.colors = record.list(5);
  if (facts.colors.empty()) return;
  facts.flag = facts.colors.front();
  facts.colors.erase(facts.colors.begin());
  if (std::ranges::find(kPlain, facts.flag) == kPlain.end())
    record.fail(fmt::format("'{}' is no kind of flag; expected vertical, horizontal, disc, cross or colors",
                            facts.flag));
  if (facts.colors.size() < 2) record.fail("the flag needs two colours or more");
}

}  // namespace

World::World(const std::filesystem::path& file) {
  for (const Record& record : read_records(file)) {
    Facts facts;
    facts.continents = record.list(1);
    if (facts.continents.empty()) record.fail("a continent is missing");
    facts.dialing = record.field(2);
    facts.domain =
        record.field(3).empty() ? lower(std::string(record.field(0))) : std::string(record.field(3));
    for (const std::string& word : record.list(4)) {
      if (word != "eu" && word != "landlocked" && word != "territory" && word != "left")
        record.fail(fmt::format("'{}' is unknown; expected eu, landlocked, territory or left", word));
      facts.in_union = facts.in_union || word == "eu";
      facts.landlocked = facts.landlocked || word == "landlocked";
      facts.territory = facts.territory || word == "territory";
      facts.drives_left = facts.drives_left || word == "left";
    }
    read_flag(record, facts);
    if (!facts_.try_emplace(std::string(record.field(0)), std::move(facts)).second)
      record.fail("this country is there twice");
  }
}

const Facts* World::find(std::string_view code) const {
  const auto found = facts_.find(code);
  return found == facts_.end() ? nullptr : &found->second;
}

}  // namespace parley::countries
