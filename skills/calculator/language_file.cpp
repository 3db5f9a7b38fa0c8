#include "language_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace parley::calculator {
namespace {

// The words of a language by the keys of its file.
constexpr std::array<std::pair<std::string_view, Kind>, 75> kKinds{{
    {"ignore", Kind::kIgnore},
    {"and", Kind::kAnd},
    {"is", Kind::kIs},
    {"to", Kind::kTo},
    {"of", Kind::kOf},
    {"off", Kind::kOff},
    {"from", Kind::kFrom},
    {"by", Kind::kBy},
    {"how_many", Kind::kHowMany},
    {"what_percent", Kind::kWhatPercent},
    {"plus", Kind::kPlus},
    {"minus", Kind::kMinus},
    {"times", Kind::kTimes},
    {"divide", Kind::kDivide},
    {"modulo", Kind::kModulo},
    {"power", Kind::kPower},
    {"squared", Kind::kSquared},
    {"cubed", Kind::kCubed},
    {"factorial", Kind::kFactorial},
    {"factorial_of", Kind::kFactorialOf},
    {"square_of", Kind::kSquareOf},
    {"cube_of", Kind::kCubeOf},
    {"percent", Kind::kPercent},
    {"open", Kind::kOpen},
    {"close", Kind::kClose},
    {"twice", Kind::kTwice},
    {"thrice", Kind::kThrice},
    {"square_root", Kind::kSquareRoot},
    {"cube_root", Kind::kCubeRoot},
    {"fourth_root", Kind::kFourthRoot},
    {"sum_of", Kind::kSumOf},
    {"difference_of", Kind::kDifferenceOf},
    {"product_of", Kind::kProductOf},
    {"quotient_of", Kind::kQuotientOf},
    {"average_of", Kind::kAverageOf},
    {"remainder_of", Kind::kRemainderOf},
    {"prime", Kind::kPrime},
    {"article", Kind::kArticle},
    {"that", Kind::kThat},
    {"add", Kind::kAdd},
    {"subtract", Kind::kSubtract},
    {"multiply", Kind::kMultiply},
    {"divide_command", Kind::kDivideCommand},
    {"ask", Kind::kAsk},
    {"money", Kind::kMoney},
    {"cents", Kind::kCents},
    {"people", Kind::kPeople},
    {"we_are", Kind::kWeAre},
    {"each", Kind::kEach},
    {"tip", Kind::kTip},
    {"discount", Kind::kDiscount},
    {"saved", Kind::kSaved},
    {"together", Kind::kTogether},
    {"rises", Kind::kRises},
    {"round", Kind::kRound},
    {"places", Kind::kPlaces},
    {"instead", Kind::kInstead},
    {"pay", Kind::kPay},
    {"gets", Kind::kGets},
    {"before", Kind::kBefore},
    {"earn", Kind::kEarn},
    {"spent", Kind::kSpent},
    {"remains", Kind::kRemains},
    {"with", Kind::kWith},
    {"slip", Kind::kSlip},
    {"tax", Kind::kTax},
    {"apiece", Kind::kApiece},
    {"at", Kind::kAt},
    {"side", Kind::kSide},
    {"over_here", Kind::kOverHere},
    {"that_first", Kind::kThatFirst},
    {"reason", Kind::kReason},
    {"sharing", Kind::kSharing},
    {"added", Kind::kAdded},
    {"taken", Kind::kTaken},
}};

Kind kind_named(const YAML::Node& node) {
  const auto name = node.as<std::string>();
  for (const auto& [key, kind] : kKinds) {
    if (key == name) return kind;
  }
  throw YAML::Exception(node.Mark(), fmt::format("'{}' is no kind of word; en.yaml has them all", name));
}

Number value_in(const YAML::Node& node) {
  if (node.as<std::string>() == "pi") return Number::approximate(std::numbers::pi);
  return number_in(node);
}

std::string scanned(const YAML::Node& node) {
  std::string letters;
  for (const Piece& piece : scan(node.as<std::string>())) letters += piece.text;
  return letters;
}

}  // namespace

void LanguageFile::read(const YAML::Node& root) {
  read_numbers(root["numbers"]);
  read_words(root["words"]);
  read_units(root["units"]);
  read_region(root["regions"]);
}

void LanguageFile::read_numbers(const YAML::Node& numbers) {
  NumberWordRules rules;
  if (!numbers) throw YAML::Exception(YAML::Mark(), "'numbers' is missing; see en.yaml");
  for (const auto& word : numbers["one"]) rules.one.push_back(scanned(word));
  for (const auto& word : numbers["and"]) rules.conjunctions.push_back(scanned(word));
  for (const auto& region : numbers["also"]) rules.also.push_back(region.as<std::string>());
  for (const auto& entry : numbers["scales"]) {
    const Number value = number_in(entry.second);
    rules.scales[scanned(entry.first)] = value.numerator();
    language_->add(entry.first.as<std::string>(), Meaning{Kind::kPart, value});
  }
  for (const auto& word : numbers["point"]) {
    language_->add(word.as<std::string>(), Meaning{Kind::kPoint});
    language_->points_.push_back(scanned(word));
  }
  for (const auto& entry : numbers["values"]) {
    language_->add(entry.first.as<std::string>(), Meaning{Kind::kNumber, value_in(entry.second)});
  }
  for (const auto& entry : numbers["parts"]) {
    language_->add(entry.first.as<std::string>(), Meaning{Kind::kPart, number_in(entry.second)});
  }
  read_values(numbers["times_over"], Kind::kTimesOver);
  read_values(numbers["groups"], Kind::kGroup);
  read_values(numbers["nearest"], Kind::kNearest);
  language_->add("π", Meaning{Kind::kNumber, Number::approximate(std::numbers::pi)});
  language_->numbers_.emplace(tag_, std::move(rules));
}

void LanguageFile::read_values(const YAML::Node& values, Kind kind) {
  for (const auto& entry : values)
    language_->add(entry.first.as<std::string>(), Meaning{kind, number_in(entry.second)});
}

void LanguageFile::read_words(const YAML::Node& words) {
  for (const auto& entry : words) {
    const Kind kind = kind_named(entry.first);
    for (const auto& phrase : entry.second) language_->add(phrase.as<std::string>(), Meaning{kind});
  }
}

void LanguageFile::read_units(const YAML::Node& units) {
  for (const auto& entry : units) {
    const Unit* const unit = unit_named(entry.first);
    for (const auto& phrase : entry.second) {
      language_->add(phrase.as<std::string>(), Meaning{Kind::kUnit, Number(), unit});
    }
  }
}

void LanguageFile::read_region(const YAML::Node& regions) {
  for (const auto& region : regions) {
    if (!tag_.ends_with("-" + region.first.as<std::string>())) continue;
    for (const auto& entry : region.second) {
      const Unit* const unit = unit_named(entry.second);
      for (auto& meaning : language_->phrases_[joined(scan(entry.first.as<std::string>()))]) {
        if (meaning.kind == Kind::kUnit) meaning.unit = unit;
      }
    }
  }
}

const Unit* LanguageFile::unit_named(const YAML::Node& name) const {
  if (const Unit* const unit = units_->find(name.as<std::string>())) return unit;
  throw YAML::Exception(name.Mark(), fmt::format("units.yaml has no unit '{}'", name.as<std::string>()));
}

}  // namespace parley::calculator
