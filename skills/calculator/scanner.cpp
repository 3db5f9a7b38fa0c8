#include "scanner.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace parley::calculator {
namespace {

bool is_apostrophe(UChar32 c) {
  return c == U'\'' || c == U'\u2019' || c == U'\u2018';
}
bool is_invisible(UChar32 c) {
  return u_charType(c) == U_NON_SPACING_MARK || u_charType(c) == U_FORMAT_CHAR;
}

icu::UnicodeString lower_without_accents(std::string_view text) {
  auto given =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  given.foldCase();
  UErrorCode status = U_ZERO_ERROR;
  const auto* decompose = icu::Normalizer2::getNFDInstance(status);
  return U_SUCCESS(status) != 0 ? decompose->normalize(given, status) : given;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(lower_without_accents(text)) {}

  std::vector<Piece> run() {
    while (at_ < text_.length()) step();
    drop_final_punctuation();
    return std::move(pieces_);
  }

 private:
  UChar32 current() const { return text_.char32At(at_); }
  bool is_digit(std::int32_t at) const {
    return at >= 0 && at < text_.length() && u_isdigit(text_.char32At(at)) != 0;
  }
  bool is_letter(std::int32_t at) const {
    return at >= 0 && at < text_.length() && u_isalpha(text_.char32At(at)) != 0;
  }

  void step() {
    const UChar32 c = current();
    if (u_isdigit(c) != 0) {
      take_digits();
    } else if (u_isalpha(c) != 0) {
      take_word();
    } else {
      const bool joins_words = c == U'-' && is_letter(at_ + 1) && at_ > 0 && text_.char32At(at_ - 1) != U' ';
      if (u_isUWhiteSpace(c) == 0 && !is_apostrophe(c) && !is_invisible(c) && !joins_words) {
        add(icu::UnicodeString(c), false);
      }
      at_ = text_.moveIndex32(at_, 1);
    }
  }

  void take_digits() {
    icu::UnicodeString digits;
    for (; at_ < text_.length(); at_ = text_.moveIndex32(at_, 1)) {
      const UChar32 c = current();
      if (u_isdigit(c) != 0) {
        digits.append(static_cast<char16_t>(u'0' + u_charDigitValue(c)));
      } else if ((c == U'.' || c == U',') && is_digit(at_ + 1)) {
        digits.append(c);
      } else {
        break;
      }
    }
    add(digits, true);
  }

  void take_word() {
    icu::UnicodeString word;
    for (; at_ < text_.length(); at_ = text_.moveIndex32(at_, 1)) {
      const UChar32 c = current();
      if (is_apostrophe(c) || is_invisible(c)) continue;
      if (u_isalpha(c) == 0) break;
      word.append(c);
    }
    add(word, false);
  }

  void add(const icu::UnicodeString& text, bool digits) {
    Piece piece;
    text.toUTF8String(piece.text);
    piece.digits = digits;
    pieces_.push_back(std::move(piece));
  }

  void drop_final_punctuation() {
    const std::u32string_view endings = U"?!.,";
    const auto is_ending = [&](const Piece& piece) {
      return piece.text.size() == 1 && endings.find(static_cast<char32_t>(piece.text[0])) != endings.npos;
    };
    while (!pieces_.empty() && is_ending(pieces_.back())) pieces_.pop_back();
  }

  icu::UnicodeString text_;
  std::int32_t at_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> scan(std::string_view text) {
  return Scanner(text).run();
}

std::string joined(const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) out += (out.empty() ? "" : " ") + piece.text;
  return out;
}

}  // namespace parley::calculator
