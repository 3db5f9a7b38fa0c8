#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <parley/fold.hpp>

#include "language/icu.hpp"

namespace parley::text {
namespace {

bool is_apostrophe(UChar32 c) {
  return c == U'\'' || c == U'\u2019' || c == U'\u2018' || c == U'\u02BB' || c == U'`';
}

// Letters that Unicode does not take apart into base and accent.
std::u16string_view plain(UChar32 c) {
  switch (c) {
    case U'ø':
      return u"o";
    case U'ł':
      return u"l";
    case U'đ':
      return u"d";
    case U'ı':
      return u"i";
    case U'æ':
      return u"ae";
    case U'œ':
      return u"oe";
    default:
      return {};
  }
}

// Whether the apostrophe at `at` follows a word of one letter, an elided one: "l'Inde", "d'avril". O is none:
// "o'clock", "O'Brien".
bool elides(const icu::UnicodeString& letters, std::int32_t at) {
  if (at == 0 || letters[at - 1] == u'o' || u_isalpha(letters[at - 1]) == 0) return false;
  return at == 1 || (u_isalnum(letters[at - 2]) == 0 && !is_apostrophe(letters[at - 2]));
}

void append_folded(UChar32 c, icu::UnicodeString& out) {
  if (is_apostrophe(c) || u_charType(c) == U_NON_SPACING_MARK) return;
  if (const auto letters = plain(c); !letters.empty()) {
    out.append(letters.data(), static_cast<std::int32_t>(letters.size()));
  } else if (u_isalnum(c) != 0 || u_charType(c) == U_COMBINING_SPACING_MARK) {
    out.append(c);
  } else if (!out.isEmpty() && !out.endsWith(u' ')) {
    out.append(u' ');
  }
}

}  // namespace

std::string fold(std::string_view text) {
  const auto is_folded = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (std::all_of(text.begin(), text.end(), is_folded)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const auto* casefold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const auto* decompose = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status) != 0) return std::string(text);
  const icu::UnicodeString letters =
      decompose->normalize(casefold->normalize(from_icu::text(text), status), status);
  icu::UnicodeString folded;
  for (std::int32_t i = 0; i < letters.length(); i = letters.moveIndex32(i, 1)) {
    const bool apart = is_apostrophe(letters.char32At(i)) && elides(letters, i);
    append_folded(apart ? u' ' : letters.char32At(i), folded);
  }
  return from_icu::utf8(folded.trim());
}

std::string fold_umlaut_spelling(std::string folded) {
  for (std::size_t i = 1; i < folded.size(); ++i) {
    const char before = folded[i - 1];
    if (folded[i] == 'e' && (before == 'a' || before == 'o' || before == 'u')) folded.erase(i, 1);
  }
  return folded;
}

}  // namespace parley::text
