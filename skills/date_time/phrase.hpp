#pragma once

#include <unicode/smpdtfmt.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::date_time {

/// What ICU says, as the skill says it.
std::string utf8(const icu::UnicodeString& text);

/// A text of a language file with "{…}" in it. In the braces stands one of the words below, or else a pattern
/// of Unicode (LDML) that ICU fills in: "{hour} y {minute} {BBBB}", "{h:mm a}". Immutable once built.
class Phrase {
 public:
  using Formatter = std::unique_ptr<icu::SimpleDateFormat>;
  /// Makes what fills in an LDML pattern.
  using MakeFormatter = std::function<Formatter(const std::string& pattern)>;
  /// What a word stands for.
  using Fill = std::function<std::string(std::string_view word)>;

  /// @param text  see problem(); the rest of a text with one is taken literally
  Phrase(std::string_view text, const MakeFormatter& make);

  /// @param at  the local time, as if it were UTC
  std::string say(std::chrono::local_seconds at, const Fill& fill) const;

  /// Is that one of the words: "hour", "next", "minute", "left", "day"?
  static bool is_word(std::string_view field);
  /// What is wrong with a text's braces, for people; nothing when they are fine.
  static std::string problem(std::string_view text);

 private:
  struct Piece {
    std::string text;  ///< Literal, or a word.
    bool word = false;
    Formatter formatter;  ///< Null for both.
  };
  std::vector<Piece> pieces_;
};

}  // namespace parley::date_time
