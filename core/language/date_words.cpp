#include "language/date_words.hpp"

#include <unicode/dtfmtsym.h>

#include <algorithm>
#include <charconv>
#include <parley/fold.hpp>

#include "language/icu.hpp"
#include "language/number_speller.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

using Kind = DateWord::Kind;

constexpr int kMostPlainNumber = 100;
constexpr int kFirstSpokenYear = 1990;
constexpr int kLastYear = 2100;
constexpr std::size_t kLongestPhrase = 6;  // words
constexpr std::size_t kMostDateWords = 24;

std::string folded(const icu::UnicodeString& text) {
  return text::fold(from_icu::utf8(text));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string join(const std::vector<std::string>& words, std::size_t from, std::size_t count) {
  std::string out = words[from];
  for (std::size_t i = 1; i < count; ++i) out += ' ' + words[from + i];
  return out;
}

}  // namespace

DateWords::DateWords(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
  read_value_file(file, [this](const YAML::Node& root) { read_file(root); });
  add_calendar_words();
  add_number_words();
}

void DateWords::add_calendar_words() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DateFormatSymbols symbols(from_icu::locale(lang_, status), status);
  if (U_FAILURE(status) != 0) return;
  const auto add_all = [this](const icu::UnicodeString* names, std::int32_t count, Kind kind, int first) {
    for (std::int32_t i = 0; i < count; ++i) {
      if (!names[i].isEmpty()) words_.try_emplace(folded(names[i]), DateWord{kind, first + i});
    }
  };
  for (const auto width : {icu::DateFormatSymbols::WIDE, icu::DateFormatSymbols::ABBREVIATED}) {
    for (const auto context : {icu::DateFormatSymbols::FORMAT, icu::DateFormatSymbols::STANDALONE}) {
      std::int32_t count = 0;
      const icu::UnicodeString* names = symbols.getMonths(count, context, width);
      add_all(names, count, Kind::kMonth, 1);
    }
  }
  std::int32_t count = 0;
  const icu::UnicodeString* names = symbols.getWeekdays(count);  // the first is empty, then Sunday
  add_all(names, count, Kind::kWeekday, -1);
}

void DateWords::add_number_words() {
  const NumberSpeller speller(lang_);
  for (const std::string& way : speller.ways("")) {
    const auto add_range = [&](int first, int last) {
      for (int number = first; number <= last; ++number)
        words_.try_emplace(text::fold(speller.spell(static_cast<std::int64_t>(number), way)),
                           DateWord{Kind::kNumber, number});
    };
    add_range(1, kMostPlainNumber);
    if (way.find("ordinal") == std::string::npos) add_range(kFirstSpokenYear, kLastYear);
  }
}

std::optional<DateWord> DateWords::word(const std::string& folded) const {
  if (const auto found = words_.find(folded); found != words_.end()) return found->second;
  constexpr int kMostNumber = 9999;
  int number = 0;
  const char* end = folded.data() + folded.size();
  const auto [rest, failure] = std::from_chars(folded.data(), end, number);
  if (failure != std::errc() || number < 1 || number > kMostNumber) return std::nullopt;
  const std::string ending(rest, end);
  if (!ending.empty() && std::ranges::find(ordinal_endings_, ending) == ordinal_endings_.end()) {
    return std::nullopt;
  }
  return DateWord{Kind::kNumber, number};
}

std::optional<std::vector<DateWord>> DateWords::read_folded(const std::string& folded) const {
  const auto words = words_of(folded);
  if (words.empty() || words.size() > kMostDateWords) return std::nullopt;
  std::vector<DateWord> meanings;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t length = std::min(kLongestPhrase, words.size() - at);
    std::optional<DateWord> meaning;
    for (; length > 0; --length) {
      meaning = word(join(words, at, length));
      if (meaning) break;
    }
    if (!meaning) return std::nullopt;
    if (meaning->kind != Kind::kIgnore) meanings.push_back(*meaning);
    at += length;
  }
  return meanings;
}

std::optional<std::vector<DateWord>> DateWords::read(std::string_view text) const {
  const std::string words = text::fold(text);
  auto meanings = read_folded(words);
  if (!meanings) meanings = read_folded(text::fold_umlaut_spelling(words));
  return meanings;
}

}  // namespace parley
