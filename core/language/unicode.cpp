#include "language/unicode.hpp"

#include <unicode/brkiter.h>
#include <unicode/casemap.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>

namespace parley::unicode {
namespace {

constexpr std::uint32_t kWordMask = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK;

struct Range {
  std::int32_t first, last;
};

constexpr std::array kUnspaced = {
    Range{0x0E00, 0x0EFF},  // Thai, Lao
    Range{0x1000, 0x109F},  // Burmese
    Range{0x1780, 0x17FF},  // Khmer
    Range{0x2E80, 0x2FDF}, Range{0x3005, 0x3007}, Range{0x3040, 0x30FF}, Range{0x31F0, 0x31FF},
    Range{0x3400, 0x4DBF}, Range{0x4E00, 0x9FFF}, Range{0xF900, 0xFAFF}, Range{0x20000, 0x3FFFF},
};

/// The characters whose compatibility form is several words: fractions, units like m/s, a.m., two blessings.
constexpr std::array kSeveralWords = {
    Range{0x00BC, 0x00BE}, Range{0x2100, 0x2101}, Range{0x2105, 0x2106}, Range{0x2150, 0x215E},
    Range{0x2189, 0x2189}, Range{0x33A7, 0x33A8}, Range{0x33AE, 0x33AF}, Range{0x33C2, 0x33C2},
    Range{0x33C6, 0x33C6}, Range{0x33D8, 0x33D8}, Range{0x33DE, 0x33DF}, Range{0xFDFA, 0xFDFB},
};

std::uint32_t category(std::int32_t code_point) noexcept {
  return U_GET_GC_MASK(code_point);
}

/// NFKC, but for symbols whose compatibility form would turn into letters or into a mark on a space: the
/// acute accent is used as an apostrophe, a trade mark sign is no "tm". No character becomes two words, which
/// would stand in the same place: one third stays one.
const icu::Normalizer2& compatibility_form() {
  static const icu::FilteredNormalizer2 kForm = [] {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(status);
    static const icu::UnicodeSet kFolded = [] {
      icu::UnicodeSet set(0, UCHAR_MAX_VALUE);
      for (const UChar32 kept : {0x00A8, 0x00B4, 0x2120, 0x2122}) set.remove(kept);
      for (const Range several : kSeveralWords) set.remove(several.first, several.last);
      set.freeze();
      return set;
    }();
    return icu::FilteredNormalizer2(*nfkc, kFolded);
  }();
  return kForm;
}

template <class Changes>
void collect(const icu::Edits& edits, Changes& changes) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Edits::Iterator at = edits.getFineChangesIterator();
  const auto index = [](std::int32_t value) { return static_cast<std::size_t>(value); };
  while (at.next(status) != 0) {
    if (at.oldLength() == at.newLength()) continue;  // every index behind it stays as it is
    changes.push_back({index(at.sourceIndex()), index(at.oldLength()), index(at.destinationIndex()),
                       index(at.newLength())});
  }
}

icu::StringPiece piece(std::string_view text) {
  return {text.data(), static_cast<std::int32_t>(text.size())};
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t at) noexcept {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto next = static_cast<std::int64_t>(at);
  const auto size = static_cast<std::int64_t>(text.size());
  UChar32 value = 0;
  U8_NEXT(bytes, next, size, value);
  return {value, static_cast<std::size_t>(next)};
}

std::size_t first_invalid(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = decode(text, at);
    if (here.value < 0) return at;
    at = here.next;
  }
  return std::string_view::npos;
}

std::size_t code_points_before(std::string_view text, std::size_t at) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(at, text.size()); ++count) i = decode(text, i).next;
  return count;
}

bool is_digit(std::int32_t code_point) noexcept {
  return (category(code_point) & U_GC_ND_MASK) != 0;
}
bool is_word_part(std::int32_t code_point) noexcept {
  return (category(code_point) & kWordMask) != 0;
}
bool is_invisible(std::int32_t code_point) noexcept {
  return (category(code_point) & U_GC_CF_MASK) != 0;
}
bool is_currency(std::int32_t code_point) noexcept {
  return (category(code_point) & U_GC_SC_MASK) != 0;
}

bool is_unspaced(std::int32_t code_point) noexcept {
  if (code_point < kUnspaced.front().first) return false;
  return std::any_of(kUnspaced.begin(), kUnspaced.end(), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

Folded::Folded(std::string_view text, const std::string& primary) : text_(text) {
  for (std::size_t at = 0; at < text_.size();) {
    const CodePoint here = decode(text_, at);
    if (here.value < 0)
      std::fill(text_.begin() + static_cast<std::ptrdiff_t>(at),
                text_.begin() + static_cast<std::ptrdiff_t>(here.next), ' ');
    at = here.next;
  }
  text_ = compose(text_, composed_);
  text_ = lower(text_, primary, lowered_);
}

std::string Folded::compose(const std::string& text, Changes& changes) {
  UErrorCode status = U_ZERO_ERROR;
  if (compatibility_form().isNormalizedUTF8(piece(text), status) != 0) return text;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  icu::Edits edits;
  compatibility_form().normalizeUTF8(0, piece(text), sink, &edits, status);
  if (U_FAILURE(status)) return text;
  collect(edits, changes);
  return out;
}

std::string Folded::lower(const std::string& text, const std::string& primary, Changes& changes) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  icu::Edits edits;
  icu::CaseMap::utf8ToLower(primary.c_str(), 0, piece(text), sink, &edits, status);
  if (U_FAILURE(status)) return text;
  collect(edits, changes);
  return out;
}

std::size_t Folded::source(std::size_t at, bool end) const {
  for (const Changes* changes : {&lowered_, &composed_}) {
    const auto after =
        std::upper_bound(changes->begin(), changes->end(), at,
                         [](std::size_t value, const Change& change) { return value < change.to; });
    if (after == changes->begin()) continue;
    const Change& change = *std::prev(after);
    const std::size_t inside = at - change.to;
    if (inside == 0) {
      at = change.from;
    } else if (inside >= change.to_length) {
      at = change.from + change.from_length + (inside - change.to_length);
    } else {
      at = end ? change.from + change.from_length : change.from;
    }
  }
  return at;
}

std::string composed(std::string word) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status) || nfc->isNormalizedUTF8(piece(word), status) != 0) return word;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  nfc->normalizeUTF8(0, piece(word), sink, nullptr, status);
  return U_FAILURE(status) ? word : out;
}

std::vector<std::size_t> word_boundaries(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  thread_local std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  std::vector<std::size_t> boundaries;
  if (iterator == nullptr || U_FAILURE(status)) return boundaries;
  UText* view = utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status);
  if (U_FAILURE(status)) return boundaries;
  iterator->setText(view, status);
  for (std::int32_t at = iterator->first(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    boundaries.push_back(static_cast<std::size_t>(at));
  }
  utext_close(view);
  return boundaries;
}

}  // namespace parley::unicode
