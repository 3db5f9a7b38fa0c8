#include "game.hpp"

#include <doctest/doctest.h>

#include <parley/text.hpp>
#include <string>
#include <vector>

#include "player_words.hpp"

using namespace parley::number_game;

namespace {

const parley::LocaleResources& resources() {
  static const parley::LocaleResources loaded([] {
    parley::LocaleFolders folders;
    folders.skill = PARLEY_NUMBER_GAME_FOLDER;
    return folders;
  }());
  return loaded;
}

std::int64_t guess(const std::string& text, const std::string& lang = "en-US") {
  return PlayerWords(resources()).guess(text, lang).value_or(-1);
}

}  // namespace

TEST_CASE("number game: a guess is told where the number is, and counts") {
  Game game(42);
  CHECK(game.guess(50) == Verdict::kLower);
  CHECK(game.guess(25) == Verdict::kHigher);
  CHECK(game.guess(42) == Verdict::kRight);
  CHECK(game.guesses() == 3);
}

TEST_CASE("number game: a hint counts as a guess, and there are three") {
  Game game(42);
  CHECK(game.hint() == Hint::kParity);
  CHECK(game.hint() == Hint::kThree);
  CHECK(game.hint() == Hint::kLastDigit);
  CHECK(game.guesses() == 3);
  CHECK_FALSE(game.hint());
  CHECK(game.guesses() == 3);
}

TEST_CASE("number game: a guess is a number with nothing but words of guessing around it") {
  CHECK(guess("fifty") == 50);
  CHECK(guess("50") == 50);
  CHECK(guess("Is it forty-two?") == 42);
  CHECK(guess("how about 7 then") == 7);
  CHECK(guess("my guess is one hundred") == 100);
  CHECK(guess("1,000") == 1000);
  CHECK(guess("fünfzig", "de-DE") == 50);
  CHECK(guess("Ist es die zweiundvierzig?", "de-DE") == 42);
  CHECK(guess("ich tippe auf 7", "de-DE") == 7);
}

TEST_CASE("number game: what is about something else is no guess") {
  CHECK(guess("what time is it") == -1);
  CHECK(guess("set a timer for ten minutes") == -1);
  CHECK(guess("ten minutes") == -1);
  CHECK(guess("2.5") == -1);
  CHECK(guess("") == -1);
  CHECK(guess("wie spät ist es", "de-DE") == -1);
  CHECK(guess("zehn Minuten", "de-DE") == -1);
}

TEST_CASE("number game: a story may stand around a guess, but nothing about other matters") {
  const PlayerWords words(resources());
  CHECK(words.guess_within("grandpa says it's his lucky number, thirteen", "en-US") == 13);
  CHECK(words.guess_within("um forty, I mean fourteen", "en-US") == 14);
  CHECK(words.guess_within("das ist mein Geburtstag, zwölf", "de-DE") == 12);
  CHECK(words.guess_within("moi je dis cinquante", "fr-FR") == 50);
  CHECK_FALSE(words.guess_within("we have thirteen and fourteen of them", "en-US"));
  CHECK_FALSE(words.guess_within("the cake needs thirty minutes", "en-US"));
  CHECK_FALSE(words.guess_within("give me a moment", "en-US"));
  CHECK_FALSE(words.guess_within("wie viele Tage hat der Februar 28", "de-DE"));
}

TEST_CASE("number game: hints and giving up are asked for in many ways") {
  const auto says = [](const char* vocabulary, const char* text, const char* lang) {
    return resources().vocabulary_equals(lang, vocabulary, parley::words(text, lang));
  };
  CHECK(says("hint", "Give me a hint, please.", "en-US"));
  CHECK(says("hint", "noch ein Tipp", "de-DE"));
  CHECK_FALSE(says("hint", "hint at something", "en-US"));
  CHECK(says("give_up", "I give up!", "en-US"));
  CHECK(says("give_up", "Ich gebe auf", "de-DE"));
  CHECK_FALSE(says("give_up", "never give up", "en-US"));
}

TEST_CASE("number game: questions about where the number is have it in every language") {
  struct Asked {
    const char* text;
    const char* lang;
    Comparison::Kind kind;
    std::int64_t from, to;
  };
  const Asked asked[] = {{"is it bigger than fifty", "en-US", Comparison::Kind::kAbove, 50, 50},
                         {"is the number below 30?", "en-US", Comparison::Kind::kBelow, 30, 30},
                         {"is it between 20 and 40", "en-US", Comparison::Kind::kBetween, 20, 40},
                         {"ist sie größer als fünfzig", "de-DE", Comparison::Kind::kAbove, 50, 50},
                         {"liegt sie zwischen 20 und 40", "de-DE", Comparison::Kind::kBetween, 20, 40},
                         {"est-il plus grand que cinquante", "fr-FR", Comparison::Kind::kAbove, 50, 50},
                         {"es menor que treinta", "es-ES", Comparison::Kind::kBelow, 30, 30},
                         {"é maior do que cinquenta", "pt-PT", Comparison::Kind::kAbove, 50, 50}};
  const PlayerWords words(resources());
  for (const Asked& one : asked) {
    const std::string said = one.text;
    const auto found = words.comparison(one.text, one.lang);
    REQUIRE_MESSAGE(found, said);
    CHECK_MESSAGE(found->kind == one.kind, said);
    CHECK_MESSAGE(found->from == one.from, said);
    CHECK_MESSAGE(found->to == one.to, said);
  }
  for (const char* other :
       {"is it 50", "set a timer for 50 minutes", "between 20 and 40 minutes", "bigger than"})
    CHECK_FALSE(words.comparison(other, "en-US"));
}

TEST_CASE("number game: the ends of a range belong to it, and a question counts as a guess") {
  const Comparison range(Comparison::Kind::kBetween, 40, 20);
  CHECK(range.holds_for(20));
  CHECK(range.holds_for(40));
  CHECK_FALSE(range.holds_for(41));
  CHECK_FALSE(Comparison(Comparison::Kind::kAbove, 50, 50).holds_for(50));
  CHECK(Comparison(Comparison::Kind::kBelow, 50, 50).holds_for(49));
  Game game(42);
  CHECK(game.last_guesses().empty());
  game.spend();
  game.guess(50);
  CHECK(game.last_guesses() == std::vector<std::int64_t>{50});
  CHECK(game.guesses() == 2);
  for (std::int64_t guess = 1; guess <= 10; ++guess) game.guess(guess);
  CHECK(game.last_guesses().size() == Game::kMostKept);
  CHECK(game.last_guesses().front() == 1);
  CHECK(game.last_guesses().back() == 10);
}

TEST_CASE("number game: other matters are told from the game") {
  const PlayerWords words(resources());
  CHECK(words.is_of_other_matters("remind me to give up sugar", "en-US"));
  CHECK_FALSE(words.is_of_other_matters("grandpa is stuck, could you give him a small hint", "en-US"));
}

TEST_CASE("number game: the time of something is no guess") {
  const PlayerWords words(resources());
  CHECK_FALSE(words.guess_within("no it's on Sunday at eight", "en-US"));
  CHECK_FALSE(words.guess_within("ach nein erst am Sonntag um acht", "de-DE"));
  CHECK_FALSE(words.guess_within("ah non c'est dimanche à huit heures", "fr-FR"));
  CHECK_FALSE(words.guess_within("uy no si es domingo a las ocho y media", "es-ES"));
  CHECK_FALSE(words.guess_within("ai não, se é domingo às oito e meia", "pt-PT"));
}
