#include "explain.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

using parley::command::explain;
using parley::command::format_microseconds;
using parley::command::Paint;

namespace {

std::string story(const std::string& json) {
  return explain(nlohmann::json::parse(json), Paint(false));
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("explain: a turn reads as a story") {
  const auto text =
      story(R"({"utterance_id": "u1", "session_id": "default", "utterances": ["what time is it in tokyo"],
    "lang": "en-US", "duration_us": 110, "outcome": "complete", "steps": [
    {"at_us": 0, "kind": "language", "subject": "en-US", "text": "en-US from the configured default", "facts": {}},
    {"at_us": 0, "kind": "pipeline", "subject": "", "text": "intent_high → fallback_high", "facts": {}},
    {"at_us": 12, "kind": "ask", "subject": "intent_high", "text": "", "facts": {}},
    {"at_us": 20, "kind": "candidate", "subject": "date_time.parley:what_time", "text": "what time is it in {place}", "facts": {"score": "1.000"}},
    {"at_us": 21, "kind": "veto", "subject": "other.skill:x", "text": "", "facts": {"score": 0.8, "why": "blacklisted"}},
    {"at_us": 41, "kind": "match", "subject": "intent_high", "text": "date_time.parley:what_time", "facts": {"slots": "place: tokyo", "lang": "en-US", "pipeline_id": "intent"}},
    {"at_us": 95, "kind": "speak", "subject": "date_time.parley", "text": "It is nine.", "facts": {}},
    {"at_us": 110, "kind": "handled", "subject": "", "text": "", "facts": {}}]})");
  CHECK(text ==
        "\"what time is it in tokyo\"  en-US  session default\n"
        "     0 µs  language          en-US from the configured default\n"
        "     0 µs  pipeline          intent_high → fallback_high\n"
        "    12 µs  intent_high       asked\n"
        "              ✓ date_time.parley:what_time        1.00  what time is it in {place}\n"
        "              ✗ other.skill:x                     0.80  blacklisted\n"
        "    41 µs  intent_high       matched  date_time.parley:what_time  {place: tokyo}\n"
        "    95 µs  date_time.parley  says  \"It is nine.\"\n"
        "           completed; handled after 110 µs\n");
}

TEST_CASE("explain: unknown kinds are shown as they are") {
  const auto text = story(
      R"({"steps": [{"at_us": 3, "kind": "rerank", "subject": "common_query", "text": "by votes", "facts": {"n": 2}}]})");
  CHECK(holds(text, "common_query      rerank  by votes  {n: 2}"));
}

TEST_CASE("explain: whatever JSON comes, there is a text and no exception") {
  for (
      const char* const json :
      {"null", "[]", "3", "\"x\"", "{}", R"({"steps": 5})", R"({"steps": [1, null, {}, {"facts": []}]})",
       R"({"utterances": [1, {}], "lang": 7, "duration_us": "long", "steps": [{"at_us": "x", "kind": [], "text": {}}]})"}) {
    CAPTURE(json);
    CHECK(holds(story(json), "handled after"));
  }
}

TEST_CASE("explain: what was said can't reach for the terminal") {
  const auto text = story(R"({"utterances": ["a\u001b[2Jb\nc"], "steps": []})");
  CHECK(holds(text, "\"a [2Jb c\""));
  CHECK_FALSE(holds(text, "\x1b"));
}

TEST_CASE("explain: colours are only there when they are wanted") {
  const nlohmann::json trace{{"utterances", {"hi"}}, {"outcome", "unmatched"}};
  CHECK(holds(explain(trace, Paint(true)), "\x1b["));
  CHECK_FALSE(holds(explain(trace, Paint(false)), "\x1b["));
}

TEST_CASE("explain: times are as exact as their size deserves") {
  CHECK(format_microseconds(0) == "0 µs");
  CHECK(format_microseconds(9999) == "9999 µs");
  CHECK(format_microseconds(12'400) == "12.4 ms");
  CHECK(format_microseconds(1'204'000) == "1.20 s");
  CHECK(format_microseconds(-1) == "? µs");
}
