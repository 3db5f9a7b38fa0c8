#include <unicode/dcfmtsym.h>

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

#include "language/icu.hpp"
#include "language/joined.hpp"
#include "language/number_phrases.hpp"
#include "language/number_speller.hpp"

namespace parley {
namespace {

constexpr int kFirstUnspelled = 1000;
constexpr std::size_t kMostDigits = 15;  // what a double holds exactly

/// The number words of one language. Immutable once built.
class NumberWords {
 public:
  explicit NumberWords(const std::string& lang) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::DecimalFormatSymbols symbols(from_icu::locale(lang, status), status);
    if (U_SUCCESS(status) != 0 &&
        symbols.getConstSymbol(icu::DecimalFormatSymbols::kGroupingSeparatorSymbol) == u".")
      grouping_ = '.';
    const NumberSpeller spell(lang);
    const auto ways = spell.ways("%spellout-cardinal");
    for (const auto& rules : ways) {
      const std::string one = normalise(spell.spell(1, rules), lang);
      if (normalise(spell.spell(100, rules), lang).starts_with(one)) ones_ = one;
    }
    for (const auto& rules : ways) add_forms(spell, rules, lang);
    seen_.clear();
    for (const auto& rules : ways) add_scales(spell, rules, lang);
    add_point(spell, lang);
  }

  std::vector<std::string> phrases() const {
    std::vector<std::string> all = keys_of(forms_);
    for (auto& scale : keys_of(scales_)) all.push_back(std::move(scale));
    all.insert(all.end(), joins_.begin(), joins_.end());
    all.insert(all.end(), point_.begin(), point_.end());
    return all;
  }

  std::optional<SpokenNumber> leading(std::span<const Word> said) const {
    if (said.empty()) return std::nullopt;
    if (const auto written = digits(said.front().norm)) {
      const auto scale = *written < kFirstUnspelled ? scale_at(said.subspan(1)) : std::nullopt;
      return scale ? SpokenNumber(*written * scale->value, 1 + scale->words) : SpokenNumber(*written, 1);
    }
    const auto whole = spelled_whole(said);
    if (!whole || !is_point(said.subspan(whole->words))) return whole;
    return with_decimals(*whole, said.subspan(whole->words + point_.size()));
  }

 private:
  void add_forms(const NumberSpeller& spell, const std::string& rules, const std::string& lang) {
    for (int number = 0; number < kFirstUnspelled; ++number) {
      const std::string text = spell.spell(number, rules);
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

  /// "Thousand", "tausend", "million", "millionen": what is left of two million without the two. And what may
  /// stand between them and the rest, the "and" of "a thousand and five".
  void add_scales(const NumberSpeller& spell, const std::string& rules, const std::string& lang) {
    for (const std::int64_t scale : {1'000, 1'000'000, 1'000'000'000}) {
      for (const int count : {1, 2}) {
        const std::string form = after(normalise(spell.spell(count, rules), lang),
                                       normalise(spell.spell(count * scale, rules), lang));
        if (form.empty() || forms_.contains(form)) continue;
        const auto length = static_cast<std::size_t>(std::count(form.begin(), form.end(), ' ')) + 1;
        longest_scale_ = std::max(longest_scale_, length);
        scales_.try_emplace(form, static_cast<double>(scale));
      }
    }
    const std::string five = normalise(spell.spell(5, rules), lang);
    std::string between =
        after(normalise(spell.spell(1000, rules), lang), normalise(spell.spell(1005, rules), lang));
    if (five.empty() || !between.ends_with(" " + five)) return;
    between.resize(between.size() - five.size() - 1);
    if (between.find(' ') == std::string::npos) joins_.insert(std::move(between));
  }

  /// `whole` without `start` and the space behind it; all of it when it does not begin so.
  static std::string after(const std::string& start, const std::string& whole) {
    if (start.empty() || !whole.starts_with(start)) return whole;
    const std::string rest = whole.substr(start.size());
    if (rest.starts_with(' ')) return rest.substr(1);
    return rest.find(' ') == std::string::npos ? rest : whole;
  }

  /// What is said between the digits of 0.5: what is left of it without the two numbers.
  void add_point(const NumberSpeller& spell, const std::string& lang) {
    const auto said = words(spell.spell(0.5), lang);
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

  std::optional<SpokenNumber> scale_at(std::span<const Word> said) const {
    for (std::size_t length = std::min(longest_scale_, said.size()); length > 0; --length) {
      const auto found = scales_.find(joined(said.first(length)));
      if (found != scales_.end()) return SpokenNumber(found->second, length);
    }
    return std::nullopt;
  }

  /// "Zweitausendfünf", a word around a "tausend"; else below 1,000.
  std::optional<SpokenNumber> group(std::span<const Word> said) const {
    if (const auto small = spelled(said); small || said.empty()) return small;
    const std::string& word = said.front().norm;
    const auto part = [this](const std::string& form, int otherwise) -> std::optional<int> {
      if (form.empty()) return otherwise;
      const auto found = forms_.find(form);
      return found == forms_.end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& [form, scale] : scales_) {
      const std::size_t at = word.find(form);
      if (scale != kFirstUnspelled || at == std::string::npos || word == form) continue;
      const auto before = part(word.substr(0, at), 1);
      const auto behind = part(word.substr(at + form.size()), 0);
      if (before && behind) return SpokenNumber(*before * scale + *behind, 1);
    }
    return std::nullopt;
  }

  /// "Two million three hundred thousand and five": groups below 1,000, each with its scale.
  std::optional<SpokenNumber> spelled_whole(std::span<const Word> said) const {
    SpokenNumber number(0, 0);
    for (double below = 1e12; below > 1;) {
      std::size_t at = number.words;
      const bool joined_on = at > 0 && at < said.size() && joins_.contains(said[at].norm);
      if (joined_on) ++at;
      const auto small = group(said.subspan(at));
      if (small) at += small->words;
      const bool may_scale = !small || small->value < kFirstUnspelled;
      const auto scale = may_scale ? scale_at(said.subspan(at)) : std::nullopt;
      const bool scaled =
          scale && scale->value < below && (small || (at == 0 && scale->value == kFirstUnspelled));
      if (!small && !scaled) break;
      const double value = small ? small->value : 1;
      if (!scaled && value >= below) break;
      number.value += scaled ? value * scale->value : value;
      number.words = at + (scaled ? scale->words : 0);
      below = scaled ? scale->value : 1;
    }
    if (number.words == 0) return std::nullopt;
    return number;
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
  std::unordered_set<std::string> seen_;            ///< While they are put together: as ICU writes them.
  std::size_t longest_ = 0;                         ///< Words of the longest form.
  std::unordered_map<std::string, double> scales_;  ///< "thousand", "millionen"
  std::size_t longest_scale_ = 0;
  std::unordered_set<std::string> joins_;  ///< "and"
  std::string ones_;                       ///< What a hundred begins with: "one", "ein".
  std::vector<std::string> point_;         ///< "point", "komma".
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

std::vector<std::string> number_phrases(std::string_view lang) {
  return number_words(lang).phrases();
}

}  // namespace parley
