#include "phrase.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "words.hpp"

namespace parley::date_time {

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

std::string begin_sentence(const std::string& text) {
  auto unicode = icu::UnicodeString::fromUTF8(text);
  if (unicode.isEmpty()) return text;
  const UChar32 first = unicode.char32At(0);
  return utf8(unicode.replace(0, unicode.moveIndex32(0, 1), u_totitle(first)));
}

bool Phrase::is_word(std::string_view field) {
  constexpr std::array<std::string_view, 5> kWords{"hour", "next", "minute", "left", "day"};
  return std::ranges::find(kWords, field) != kWords.end();
}

std::string Phrase::problem(std::string_view text) {
  for (std::size_t at = text.find_first_of("{}"); at != std::string_view::npos;) {
    const auto end = text.find_first_of("{}", at + 1);
    if (text[at] == '}' || end == std::string_view::npos || text[end] == '{') {
      return fmt::format("'{}': a brace has no partner", text);
    }
    if (end == at + 1) return fmt::format("'{}': nothing stands between the braces", text);
    at = text.find_first_of("{}", end + 1);
  }
  return {};
}

Phrase::Phrase(std::string_view text, const MakeFormatter& make) {
  const auto add = [this](std::string_view literal, bool word, Formatter formatter) {
    if (literal.empty() && !formatter) return;
    Piece piece;
    piece.text = literal;
    piece.word = word;
    piece.formatter = std::move(formatter);
    pieces_.push_back(std::move(piece));
  };
  while (true) {
    const auto open = text.find('{');
    const auto close = text.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    add(text.substr(0, open), false, nullptr);
    const auto field = text.substr(open + 1, close - open - 1);
    if (is_word(field)) {
      add(field, true, nullptr);
    } else {
      add({}, false, make(std::string(field)));
    }
    text.remove_prefix(close + 1);
  }
  add(text, false, nullptr);
}

std::string Phrase::say(std::chrono::local_seconds at, const Fill& fill) const {
  const std::chrono::milliseconds moment = at.time_since_epoch();
  std::string said;
  for (const Piece& piece : pieces_) {
    if (piece.formatter) {
      icu::UnicodeString out;
      said += utf8(piece.formatter->format(static_cast<UDate>(moment.count()), out));
    } else {
      said += piece.word ? fill(piece.text) : piece.text;
    }
  }
  return said;
}

}  // namespace parley::date_time
