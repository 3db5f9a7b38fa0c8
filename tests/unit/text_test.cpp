#include <doctest/doctest.h>
#include <parley/phrases.hpp>
#include <parley/text.hpp>

#include <random>
#include <string>

using namespace parley;

namespace {

/// "norm|as given" of each word.
std::vector<std::string> split(const std::string& text, std::string_view lang = "en-US") {
  std::vector<std::string> shown;
  for (const Word& word : words(text, lang)) {
    shown.push_back(word.norm + "|" + text.substr(word.begin, word.end - word.begin));
  }
  return shown;
}

using Shown = std::vector<std::string>;

}  // namespace

TEST_CASE("T-4 normalise: lower case, no punctuation, single spaces") {
  CHECK(normalise("  What TIME\tis it,\n in  Tokyo?! ", "en-US") == "what time is it in tokyo");
  CHECK(normalise("", "en-US").empty());
  CHECK(normalise("?!... --- ()", "en-US").empty());
}

TEST_CASE("T-4 normalise: apostrophes of every kind vanish inside a word") {
  for (const char* said : {"what's", "what’s", "what`s", "what´s", "whatʼs", "WHAT‘S"}) {
    CAPTURE(said);
    CHECK(normalise(said, "en-US") == "whats");
  }
  CHECK(normalise("five o'clock", "en-US") == "five oclock");
  CHECK(normalise("the dogs' 'bowl'", "en-US") == "the dogs bowl");
  CHECK(normalise("5'10\"", "en-US") == "5 10");
}

TEST_CASE("T-4 normalise: where languages elide, an apostrophe separates words") {
  CHECK(normalise("Quelle est l'heure ? Aujourd’hui", "fr-FR") == "quelle est l heure aujourd hui");
  CHECK(normalise("dov'è l'ora", "it-IT") == "dov è l ora");
}

TEST_CASE("T-4 normalise: hyphens and dashes separate words") {
  CHECK(normalise("forty-two – well—then", "en-US") == "forty two well then");
}

TEST_CASE("T-4 normalise: a number keeps the separators between its digits") {
  CHECK(normalise("3.5, 1,000. at 10:30: 7.", "en-US") == "3.5 1,000 at 10:30 7");
  CHECK(normalise("v1.x a.b", "en-US") == "v1 x a b");
}

TEST_CASE("T-4 normalise: Unicode letters are lower-cased and composed") {
  CHECK(normalise("GRÜẞE aus KÖLN", "de-DE") == "grüße aus köln");
  CHECK(normalise("E\u0301te\u0301 ÉTÉ", "fr-FR") == "été été");
  CHECK(normalise("ΌΔΟΣ", "el-GR") == "όδος");
  CHECK(normalise("ＡＢ３．５ ﬁsh", "en-US") == "ab3.5 fish");
  CHECK(normalise("i\u00ADcloud me™ 😀", "en-US") == "icloud me");
}

TEST_CASE("T-4 normalise: lower-casing follows the language") {
  CHECK(normalise("ISPARTA İzmir", "tr-TR") == "ısparta izmir");
  CHECK(normalise("ISPARTA", "en-US") == "isparta");
}

TEST_CASE("T-4 normalise: scripts without spaces are split by dictionary") {
  CHECK(normalise("打开卧室的灯", "zh-CN") == "打开 卧室 的 灯");
  CHECK(normalise("今日の天気は?", "ja-JP") == "今日 の 天気 は");
  CHECK(split("สวัสดีครับ 5", "th-TH") == Shown{"สวัสดี|สวัสดี", "ครับ|ครับ", "5|5"});
}

TEST_CASE("T-0 words: each knows where it stands in the text as it was given") {
  CHECK(split("What's the TIME, ÄRGER?", "de") ==
        Shown{"whats|What's", "the|the", "time|TIME", "ärger|ÄRGER"});
  CHECK(split("ﬁsh İx Ⅷ end") == Shown{"fish|ﬁsh", "i\u0307x|İx", "viii|Ⅷ", "end|end"});
}

TEST_CASE("T-0 words: signs, currencies and percent belong to the number as it was given") {
  CHECK(split("set -5.5° or $3,000 €7 50% +1") ==
        Shown{"set|set", "5.5|-5.5°", "or|or", "3,000|$3,000", "7|€7", "50|50%", "1|+1"});
  CHECK(split("½ cup ⅓ mile 3㎧") == Shown{"½|½", "cup|cup", "⅓|⅓", "mile|mile", "3|3"});
  CHECK(split("forty-5 - 6 -x") == Shown{"forty|forty", "5|5", "6|6", "x|x"});
}

TEST_CASE("T-0 surface: a slot's words come out as they were given") {
  const std::string text = "Play  The  Rolling-Stones, please!";
  const std::vector<Word> said = words(text, "en-US");
  REQUIRE(said.size() == 5);
  CHECK(surface(text, std::span(said).subspan(1, 3)) == "The  Rolling-Stones");
  CHECK(surface(text, {}).empty());
  CHECK(surface("short", said).empty());
}

TEST_CASE("T-4 words: bytes that are not UTF-8 and control characters only separate") {
  CHECK(split("\xff\xfe"
              "ab\xc3 c\xe2\x82") == Shown{"ab|ab", "c|c"});
  CHECK(split(std::string("a\0b\x01"
                          "c",
                          5)) == Shown{"a|a", "b|b", "c|c"});
  CHECK(split("\xed\xa0\x80x \xc0\xaf y\xf5") == Shown{"x|x", "y|y"});
  CHECK(normalise(std::string(100'000, '\x80'), "en-US").empty());
}

TEST_CASE("T-4 words: languages that are unknown, empty or garbage get the common rules") {
  for (const char* lang : {"", "xx-YY", "\xff", "waytoolongforalanguage", "-"}) {
    CAPTURE(lang);
    CHECK(normalise("Ärger IST", lang) == "ärger ist");
  }
}

namespace {

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Eight of `pieces`, three thousand times: words are in order, and normalising twice adds spaces at most.
void try_texts_of(const std::vector<std::string>& pieces, bool spaced) {
  std::mt19937 random(42);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += pieces[random() % pieces.size()];
    CAPTURE(text);
    const std::string once = normalise(text, "en-US");
    const std::string twice = normalise(once, "en-US");
    CHECK(without_spaces(twice) == without_spaces(once));
    if (spaced) CHECK(twice == once);
    std::size_t begin = 0, end = 0;
    for (const Word& word : words(text, "en-US")) {
      CHECK(word.begin >= (spaced ? end : begin));
      CHECK(word.end > word.begin);
      CHECK(word.end <= text.size());
      begin = word.begin;
      end = word.end;
    }
  }
}

}  // namespace

TEST_CASE("T-4 normalise: doing it twice changes nothing, and word ranges are in order") {
  std::vector<std::string> pieces = {"a", "İ",  "ß",       "ﬁ",      "½",      "⅓",      "㏂",   "Ⅷ",
                                     "'", "’",  "-",       ".",      ",",      "5",      "%",    "$",
                                     " ", "\t", "e\u0301", "\u0301", "\u00AD", "\u200D", "\xff", "\xc3",
                                     "😀", "Σ",  "ａ",      "１",     "`",      "´",      "¨",    "한"};
  try_texts_of(pieces, true);
  for (const char* unspaced : {"打开", "灯", "の", "ส", "ว", "ｶﾞ", "ㅏ"}) pieces.emplace_back(unspaced);
  try_texts_of(pieces, false);
}

TEST_CASE("T-6 phrases: occur only as a contiguous run of whole words") {
  const PhraseSet phrases({"art", "turn it OFF", "art", "?!"}, "en-US");
  const auto occurs = [&](const char* text) { return phrases.occurs_in(words(text, "en-US")); };
  CHECK(occurs("modern Art, please"));
  CHECK(occurs("please turn it off"));
  CHECK_FALSE(occurs("start"));
  CHECK_FALSE(occurs("turn off it"));
  CHECK_FALSE(occurs("turn it"));
  CHECK_FALSE(occurs(""));
}

TEST_CASE("T-6 phrases: equality is about the whole utterance") {
  const PhraseSet phrases({"stop", "stop it"}, "en-US");
  CHECK(phrases.equals(words("Stop!", "en-US")));
  CHECK(phrases.equals(words("stop it", "en-US")));
  CHECK_FALSE(phrases.equals(words("stop it now", "en-US")));
  CHECK_FALSE(phrases.equals({}));
  CHECK(phrases.longest_in(words("now stop it", "en-US")) == 2);
  CHECK(PhraseSet({"..."}, "en-US").empty());
}
