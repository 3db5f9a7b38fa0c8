#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "number_words.hpp"
#include "units.hpp"

namespace parley::calculator {

/// What a phrase may mean in a sum or a conversion; the names are the keys of data/<language>.yaml.
enum class Kind : std::uint8_t {
  kNumber,
  kPart,  ///< A fraction or multiple: "half", "dozen", "million".
  kUnit,
  kPoint,
  kIgnore,
  kAnd,
  kIs,
  kTo,
  kOf,
  kOff,
  kFrom,
  kBy,
  kHowMany,
  kWhatPercent,
  kPlus,
  kMinus,
  kTimes,
  kDivide,
  kModulo,
  kPower,
  kSquared,
  kCubed,
  kFactorial,
  kFactorialOf,
  kSquareOf,
  kCubeOf,
  kPercent,
  kOpen,
  kClose,
  kTwice,
  kThrice,
  kSquareRoot,
  kCubeRoot,
  kFourthRoot,
  kSumOf,
  kDifferenceOf,
  kProductOf,
  kQuotientOf,
  kAverageOf,
  kRemainderOf,
  kPrime,
  kThat,     ///< The result before.
  kArticle,  ///< "a", which may stand before a number that it does not change.
  kAdd,
  kSubtract,
  kMultiply,
  kDivideCommand,
  kTimesOver,  ///< "three times" in one word, its value behind it: "dreimal".
  // What tells of a sum without being part of it; a sum that is said outright goes without.
  kAsk,    ///< "what is", where a question begins in what is told.
  kMoney,  ///< "euros", between euros and cents too: "forty euros fifty".
  kCents,
  kPeople,  ///< Behind how many share: "friends", "of us".
  kWeAre,   ///< Before how many share: "somos".
  kGroup,   ///< How many share, in one phrase: "zu viert".
  kEach,    ///< What one of them pays is asked.
  kTip,
  kDiscount,
  kSaved,     ///< What a discount or tip is, rather than what is paid.
  kTogether,  ///< With the tip.
  kRises,     ///< By a percentage.
  kRound,
  kPlaces,     ///< Behind how many decimals are kept.
  kNearest,    ///< What is rounded to: "tens".
  kInstead,    ///< "I meant": the question before with something else in it.
  kPay,        ///< "what do I pay"
  kGets,       ///< "the customer gets": a percentage off what they pay.
  kBefore,     ///< "what was it before": the percentage is undone.
  kEarn,       ///< "what am I owed": hours at a rate.
  kSpent,      ///< Some of it was: "spent", "gave away".
  kRemains,    ///< "what is left"
  kWith,       ///< Before a percentage that comes to a price, or before cents: "19 con 90".
  kSlip,       ///< "sorry": what comes next takes the place of what was said in front.
  kTax,        ///< "VAT", which comes to a price.
  kApiece,     ///< Right behind the price of one of several: "at 7.50 each".
  kAt,         ///< In front of such a price: "three tickets at 8 dollars".
  kSide,       ///< "wide", "high": of what has an area.
  kOverHere,   ///< "what do I set my oven to": in the unit that is usual here.
  kThatFirst,  ///< The result before, where a question begins with it: "das durch vier".
  kReason,     ///< "because": what comes behind is none of the sum.
  kSharing,    ///< "just", "paying": beside how many share now.
  kAdded,      ///< Behind what the result before comes to: "das auf die 1250 draufgeschlagen".
  kTaken,      ///< Behind what it comes off.
};

struct Meaning {
  Kind kind = Kind::kIgnore;
  Number value = {};           ///< Of numbers and parts.
  const Unit* unit = nullptr;  ///< Of units.
};

/// A phrase that was said, with all that it may mean: "by" multiplies or divides.
struct Token {
  std::string text;
  std::vector<Meaning> meanings;

  /// Null when it has no such meaning.
  const Meaning* as(Kind kind) const;
  /// Whether a sum that is said outright goes without it.
  bool is_silent() const;
  bool is_known() const { return !meanings.empty(); }
};

/// The words of one language: data/<language>.yaml. Immutable once built; refers to the units.
class Language {
 public:
  /// @param tag  BCP-47; the region decides how numbers are written and what a gallon is
  /// @throws std::runtime_error naming the file, and the line where there is one
  Language(const std::filesystem::path& file, const std::string& tag, const Units& units);

  /// The phrases of `text` in order, longest first; words that have no meaning here are tokens without one.
  std::vector<Token> read(std::string_view text) const;

 private:
  friend class LanguageFile;

  std::vector<Piece> split_at_point(std::vector<Piece> pieces) const;
  std::optional<Number> literal(const std::string& digits) const;
  std::size_t longest_phrase(std::span<const Piece> said, Token& token) const;
  std::size_t read_token(std::span<const Piece> said, Token& token) const;
  void add(std::string_view phrase, Meaning meaning);

  char decimal_point_ = '.';
  std::size_t longest_ = 1;  // pieces of the longest phrase
  std::unordered_map<std::string, std::vector<Meaning>> phrases_;
  std::vector<std::string> points_;  // what separates decimals, as scan() has it
  std::optional<NumberWords> numbers_;
};

}  // namespace parley::calculator
