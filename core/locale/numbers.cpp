#include <unicode/dcfmtsym.h>
#include <unicode/rbnf.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <parley/language.hpp>
#include <parley/numbers.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace parley {
namespace {

constexpr int kFirstUnspelled = 1000;
constexpr std::size_t kMostDigits = 15;  // what a double holds exactly

std::string joined(std::span<const Word> said) {
  std::string text;
  for (const Word& word : said) {
    if (!text.empty()) text += ' ';
    text += word.norm;
  }
  return text;
}

/// The number words of one language. Immutable once built.
class NumberWords {
 public:
  explicit NumberWords(const std::string& lang) {
    UErrorCode status = U_ZERO_ERROR;
    const auto locale = icu::Locale::forLanguageTag(lang, status);
    const icu::DecimalFormatSymbols symbols(locale, status);
    if (U_SUCCESS(status) != 0 &&
        symbols.getConstSymbol(icu::DecimalFormatSymbols::kGroupingSeparatorSymbol) == u".")
      grouping_ = '.';
    const icu::RuleBasedNumberFormat spell(icu::URBNF_SPELLOUT, locale, status);
    if (U_FAILURE(status) != 0) return;  // digits are read all the same
    for (const auto& rules : cardinals(spell)) {
      const std::string one = normalise(spell_out(spell, rules, 1), lang);
      if (normalise(spell_out(spell, rules, 100), lang).starts_with(one)) ones_ = one;
    }
    for (const auto& rules : cardinals(spell)) add_forms(spell, rules, lang);
    seen_.clear();
    add_point(spell, lang);
  }

  std::optional<SpokenNumber> leading(std::span<const Word> said) const {
    if (said.empty()) return std::nullopt;
    if (const auto written = digits(said.front().norm)) return SpokenNumber(*written, 1);
    const auto whole = spelled(said);
    if (!whole || !is_point(said.subspan(whole->words))) return whole;
    return with_decimals(*whole, said.subspan(whole->words + point_.size()));
  }

 private:
  static std::vector<icu::UnicodeString> cardinals(const icu::RuleBasedNumberFormat& spell) {
    std::vector<icu::UnicodeString> sets;
    for (std::int32_t i = 0; i < spell.getNumberOfRuleSetNames(); ++i) {
      icu::UnicodeString rules = spell.getRuleSetName(i);
      if (rules.startsWith(u"%spellout-cardinal")) sets.push_back(std::move(rules));
    }
    return sets;
  }

  static std::string spell_out(const icu::RuleBasedNumberFormat& spell, const icu::UnicodeString& rules,
                               int number) {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString text;
    icu::FieldPosition ignored;
    spell.format(static_cast<std::int32_t>(number), rules, text, ignored, status);
    std::string out;
    return U_SUCCESS(status) != 0 ? text.toUTF8String(out) : std::string();
  }

  void add_forms(const icu::RuleBasedNumberFormat& spell, const icu::UnicodeString& rules,
                 const std::string& lang) {
    for (int number = 0; number < kFirstUnspelled; ++number) {
      const std::string text = spell_out(spell, rules, number);
      if (!seen_.insert(text).second) continue;  // rule sets differ in few numbers
      std::string form = normalise(text, lang);
      // "One hundred", "einhundert": also without the one.
      if (number / 100 == 1 && !ones_.empty() && form.starts_with(ones_)) {
        std::string without = form.substr(ones_.size());
        without.erase(0, without.find_first_not_of(' '));
        add(std::move(without), number);
      }
      add(std::move(form), number);
    }
  }

  void add(std::string form, int number) {
    if (form.empty()) return;
    const auto length = static_cast<std::size_t>(std::count(form.begin(), form.end(), ' ')) + 1;
    longest_ = std::max(longest_, length);
    forms_.try_emplace(std::move(form), number);
  }

  /// What is said between the digits of 0.5: what is left of it without the two numbers.
  void add_point(const icu::RuleBasedNumberFormat& spell, const std::string& lang) {
    icu::UnicodeString text;
    std::string utf8;
    auto said = words(spell.format(0.5, text).toUTF8String(utf8), lang);
    if (said.size() < 3 || spelled(said)->words == said.size()) return;
    for (std::size_t i = 1; i + 1 < said.size(); ++i) point_.push_back(said[i].norm);
  }

  bool is_point(std::span<const Word> said) const {
    return !point_.empty() && said.size() > point_.size() &&
           std::equal(point_.begin(), point_.end(), said.begin(),
                      [](const std::string& word, const Word& heard) { return word == heard.norm; });
  }

  std::optional<SpokenNumber> spelled(std::span<const Word> said) const {
    for (std::size_t length = std::min(longest_, said.size()); length > 0; --length) {
      const auto found = forms_.find(joined(said.first(length)));
      if (found != forms_.end()) return SpokenNumber(found->second, length);
    }
    return std::nullopt;
  }

  /// Adds the digits that follow the point; without any, the whole number is all there is.
  SpokenNumber with_decimals(const SpokenNumber& whole, std::span<const Word> said) const {
    SpokenNumber number = whole;
    double place = 0.1;
    for (std::size_t i = 0; i < said.size(); ++i) {
      const auto digit = forms_.find(said[i].norm);
      if (digit == forms_.end() || digit->second > 9) break;
      number.value += place * digit->second;
      place /= 10;
      number.words = whole.words + point_.size() + i + 1;
    }
    return number;
  }

  /// "12", "1,000", "2.5": a sign that stands before every three digits groups.
  std::optional<double> digits(std::string_view word) const {
    if (word.size() > kMostDigits || word.find_first_not_of("0123456789.,") != std::string_view::npos)
      return std::nullopt;
    const char decimal = grouping_ == '.' ? ',' : '.';
    std::string plain;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const std::size_t run = std::min(word.find_first_of(".,", i + 1), word.size()) - i - 1;
      if (word[i] == decimal || (word[i] == grouping_ && run != 3)) {
        plain += '.';
      } else if (word[i] != grouping_) {
        plain += word[i];
      }
    }
    double value = 0;
    const char* const end = plain.data() + plain.size();
    const auto [rest, failure] = std::from_chars(plain.data(), end, value, std::chars_format::fixed);
    if (failure != std::errc() || rest != end) return std::nullopt;
    return value;
  }

  std::unordered_map<std::string, int> forms_;
  std::unordered_set<std::string> seen_;  ///< While they are put together: as ICU writes them.
  std::size_t longest_ = 0;               ///< Words of the longest form.
  std::string ones_;                      ///< What a hundred begins with: "one", "ein".
  std::vector<std::string> point_;        ///< "point", "komma".
  char grouping_ = ',';
};

/// Built once per language and kept: there are only so many.
const NumberWords& number_words(std::string_view lang) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const NumberWords>, std::less<>> known;
  // Tags come from outside: what is no language's counts as none.
  const std::string primary = is_language_tag(lang) ? primary_language(lang) : std::string();
  const std::string language = primary.size() <= 3 ? primary : std::string();
  const std::lock_guard lock(mutex);
  auto& words = known[language];
  if (!words) words = std::make_unique<const NumberWords>(language);
  return *words;
}

}  // namespace

std::optional<SpokenNumber> leading_number(std::span<const Word> said, std::string_view lang) {
  return number_words(lang).leading(said);
}

}  // namespace parley
