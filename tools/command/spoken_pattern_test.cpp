#include "spoken_pattern.hpp"

#include <doctest/doctest.h>

#include <string>

using parley::script::SpokenPattern;

namespace {

bool says(std::string_view pattern, std::string_view said) {
  const auto parsed = SpokenPattern::parse(pattern);
  REQUIRE_MESSAGE(parsed.ok(), pattern);
  return parsed.value().matches(said);
}

std::string refusal(std::string_view pattern) {
  const auto parsed = SpokenPattern::parse(pattern);
  REQUIRE_FALSE(parsed.ok());
  return std::to_string(parsed.error().column) + ": " + parsed.error().message;
}

}  // namespace

TEST_CASE("spoken pattern: plain text stands for itself, as a whole") {
  CHECK(says("Paris is the capital of France.", "Paris is the capital of France."));
  CHECK_FALSE(says("Paris", "Paris is the capital of France."));
  CHECK_FALSE(says("Paris is the capital of France.", "Paris"));
  CHECK_FALSE(says("Paris", ""));
}

TEST_CASE("spoken pattern: what is heard counts, not case, spacing or the shape of quotes") {
  CHECK(says("it's five O'CLOCK", "It’s  five o’clock"));
  CHECK(says("3:00 PM", "3:00\u202FPM"));
  CHECK(says("  über  Straße ", "ÜBER STRASSE"));
  CHECK_FALSE(says("5 minutes", "5minutes"));
}

TEST_CASE("spoken pattern: an asterisk is any text, also none") {
  CHECK(says("*", ""));
  CHECK(says("*", "anything at all"));
  CHECK(says("*5 minutes*", "Timer set for 5 minutes."));
  CHECK(says("It is * in *.", "It is 9 PM in Tokyo."));
  CHECK(says("yes * no", "yes no"));
  CHECK_FALSE(says("*5 minutes", "5 minutes."));
}

TEST_CASE("spoken pattern: braces are one of several patterns") {
  CHECK(says("{For how long}*", "For how long should it run?"));
  CHECK_FALSE(says("{For how long}*", "How long?"));
  CHECK(says("{Sorry|Excuse me}, I {do not|don't} know*", "Excuse me, I don't know that."));
  CHECK(says("{very |}good", "good"));
  CHECK(says("{very |}good", "very good"));
  CHECK(says("{a{b|c*}|d}", "acorn"));
  CHECK_FALSE(says("{a{b|c*}|d}", "ad"));
}

TEST_CASE("spoken pattern: a backslash takes the meaning off the next character") {
  CHECK(says("2 \\* 3", "2 * 3"));
  CHECK_FALSE(says("2 \\* 3", "2 x 3"));
  CHECK(says("{a\\|b|c}", "a|b"));
  CHECK(says("a|b", "a|b"));
  CHECK(says("\\{x\\}", "{x}"));
}

TEST_CASE("spoken pattern: what escaped() gives matches just that text") {
  const std::string text = "Say {name}, 2 * 3, a|b, back\\slash";
  CHECK(says(SpokenPattern::escaped(text), text));
  CHECK_FALSE(says(SpokenPattern::escaped(text), "Say x, 2 * 3, a|b, back\\slash"));
}

TEST_CASE("spoken pattern: unbalanced braces are refused with their column") {
  CHECK(refusal("für {immer").starts_with("5: '{' without a '}'"));
  CHECK(refusal("a}b").starts_with("2: '}' without a '{'"));
  CHECK(refusal(std::string(40, '{') + std::string(40, '}')).find("nested more than 32") !=
        std::string::npos);
}

TEST_CASE("spoken pattern: hostile patterns and texts end soon") {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "{*a|*|a*}";
  CHECK_FALSE(says(pattern + "b", std::string(2'000, 'a')));
  CHECK(says("*", std::string("\xFF\xC0\x80") + std::string(1, '\0')));
  CHECK_FALSE(says("\xEF\xBF\xBD", "x"));
}
