#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley {

/// One word of a text: how it is compared, and where it stands.
struct Word {
  Word(std::string form, std::size_t from, std::size_t to) : norm(std::move(form)), begin(from), end(to) {}
  bool operator==(const Word&) const = default;

  std::string norm;   ///< Matching form (T-4): lower case, no punctuation, NFKC.
  std::size_t begin;  ///< First byte in the original text.
  std::size_t end;    ///< One past the last byte in the original text.
};

/// Splits `utf8` into words (T-4). Utterances and templates are both split here, so the rules below hold for
/// both:
///
/// - A word is a run of letters, marks and digits; everything else separates words and is dropped.
/// - Lower-casing follows the language (Turkish I becomes ı). Compatibility forms are folded (NFKC), so
///   full-width digits and ligatures equal the plain ones.
/// - Apostrophes, straight or typographic, vanish inside a word: "what's" and "what’s" are `whats`, "o'clock"
///   is `oclock`. In languages that elide (French, Italian, Catalan, …) they separate: "l'heure" is `l
///   heure`.
/// - Hyphens and dashes separate: "forty-two" is `forty two`.
/// - `.`, `,` and `:` between two digits belong to the number: `3.5`, `1,000`, `10:30` are one word each.
/// - A sign or currency symbol in front of a number, and `%`, `‰` or `°` behind it, are not part of
///   `norm`, but they are part of the byte range: "50%" is `50`, and
///   a slot that takes it still reads "50%".
/// - Soft hyphens, joiners and other invisible format characters vanish without separating.
/// - Scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are split by dictionary.
///   Words of characters that are composed together (half-width kana and what follows) share their range.
/// - Bytes that are not UTF-8, and control characters, separate.
///
/// `lang` is a BCP-47 tag; an unknown or empty one gets the rules all languages share. Safe on any bytes and
/// from any thread. Text beyond 256 MiB is ignored.
std::vector<Word> words(std::string_view utf8, std::string_view lang);

/// The matching form of a text (T-4): the words of `words()` joined by single spaces. Doing it twice changes
/// nothing, unless a dictionary splits: it may split a word further that stands alone.
std::string normalise(std::string_view utf8, std::string_view lang);

/// The words `said` as they were given in `text`: from the first byte of the first to the last byte of the
/// last (T-0). `said` is a part of what words(text, …) returned; empty gives "".
std::string_view surface(std::string_view text, std::span<const Word> said);

}  // namespace parley
