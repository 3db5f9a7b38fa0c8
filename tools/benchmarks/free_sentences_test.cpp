#include "free_sentences.hpp"

#include <doctest/doctest.h>

using namespace parley::bench;

TEST_CASE("free sentences: a line says who should answer, what is spoken, and what is said") {
  const auto read = read_free_sentences("some.txt",
                                        "# comment\n"
                                        "@ lang de-DE\n"
                                        "@ clock 2026-11-23T09:30:00Z\n"
                                        "@ session {\"location\": {\"tz\": \"Asia/Tokyo\"}}\n"
                                        "date_time.parley /10:30|1\\/2/ | wie spät ist es\n"
                                        "timer.parley | stell einen Timer\r\n"
                                        "- | mach Licht\n");
  CHECK(read.problems.empty());
  REQUIRE(read.sentences.size() == 3);
  const FreeSentence& first = read.sentences[0];
  CHECK(first.line == 5);
  CHECK(first.lang == "de-DE");
  CHECK(first.skill_id == "date_time.parley");
  CHECK(first.speech_text == "10:30|1\\/2");
  CHECK(first.utterance == "wie spät ist es");
  CHECK(first.time.has_value());
  CHECK(first.session.find("Tokyo") != std::string::npos);
  CHECK_FALSE(read.sentences[1].speech.has_value());
  CHECK(read.sentences[1].utterance == "stell einen Timer");
  CHECK(read.sentences[2].skill_id.empty());
}

TEST_CASE("free sentences: each has a session of its own, but for what prepares it and for conversations") {
  const auto read = read_free_sentences("some.txt",
                                        "+ | start the game\n+ | fifty\ngame | am I close\ngame | play\n"
                                        "@ conversation\na | one\na | two\n@ conversation\na | three\n"
                                        "@ alone\na | four\na | five\n");
  CHECK(read.problems.empty());
  std::string joined;
  for (const auto& one : read.sentences) joined += one.goes_on ? '+' : '.';
  CHECK(joined == ".++..+...");
  CHECK_FALSE(read.sentences[0].counts);
  CHECK(read.sentences[2].counts);
}

TEST_CASE("free sentences: every line that can't be read is told with its place") {
  const auto read = read_free_sentences("some.txt",
                                        "what time is it\n@ lang 7\n@ clock noon\n@ session []\n@ pause\n"
                                        "a /(/ | b\na /b | c\na |\n| b\n");
  CHECK(read.sentences.empty());
  REQUIRE(read.problems.size() == 9);
  for (std::size_t i = 0; i < read.problems.size(); ++i)
    CHECK(read.problems[i].starts_with("some.txt:" + std::to_string(i + 1) + ": "));
}

TEST_CASE("free sentences: to decline is wrong for nobody's sentence never, and to answer it always") {
  const auto read = read_free_sentences("some.txt", "timer /ten/ | a\n- | b\ntimer | c\n").sentences;
  REQUIRE(read.size() == 3);
  CHECK(judge(read[0], "timer", "TEN minutes", false) == FreeVerdict::kRight);
  CHECK(judge(read[0], "timer", "for ten\u202fminutes", false) == FreeVerdict::kRight);
  CHECK(judge(read_free_sentences("some.txt", "timer /ten min/ | a\n").sentences[0], "timer", "ten\u00a0min",
              false) == FreeVerdict::kRight);
  const auto wide = read_free_sentences("some.txt", "timer /^[^x]+ g[aãá]o [0-9]$/ | a\n").sentences;
  REQUIRE(wide.size() == 1);
  CHECK(judge(wide[0], "timer", "um gão 1", false) == FreeVerdict::kRight);
  CHECK(judge(wide[0], "timer", "um gao 1", false) == FreeVerdict::kRight);
  CHECK(judge(wide[0], "timer", "um gêo 1", false) == FreeVerdict::kWrong);
  CHECK(judge(read[0], "timer", "five minutes", false) == FreeVerdict::kWrong);
  CHECK(judge(read[0], "clock", "ten minutes", false) == FreeVerdict::kWrong);
  CHECK(judge(read[0], "", "", true) == FreeVerdict::kDeclined);
  CHECK(judge(read[1], "", "", true) == FreeVerdict::kRight);
  CHECK(judge(read[1], "timer", "ten", false) == FreeVerdict::kWrong);
  CHECK(judge(read[2], "timer", "", false) == FreeVerdict::kRight);
}
