#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <vector>

#include "chat.hpp"
#include "reply_stream.hpp"
#include "sentences.hpp"

using namespace parley::llm;
using parley::Json;

namespace {

std::vector<std::string> sentences_of(std::string_view text, std::size_t piece) {
  Sentences sentences;
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    sentences.add(text.substr(at, piece));
    while (auto one = sentences.next()) all.push_back(*one);
  }
  if (std::string last = sentences.rest(); !last.empty()) all.push_back(last);
  return all;
}

std::string text_of(std::string_view body, std::size_t piece) {
  ReplyStream reply;
  std::string text;
  for (std::size_t at = 0; at < body.size(); at += piece) text += reply.add(body.substr(at, piece));
  return text + reply.finish();
}

std::string event(const std::string& text) {
  const Json delta = Json::object({{"delta", Json::object({{"content", text}})}});
  return "data: " + Json::object({{"choices", Json::array({delta})}}).dump() + "\n\n";
}

}  // namespace

TEST_CASE("sentences: the same whatever the pieces they come in") {
  const std::string text =
      "  The sea is wide. Pi is 3.14 or so! \"Is that it?\" she asked… Dr. No said so.\nNo\nThe end";
  const std::vector<std::string> expected{"The sea is wide.", "Pi is 3.14 or so!", "\"Is that it?\"",
                                          "she asked…",       "Dr. No said so.",   "No",
                                          "The end"};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, text.size()}) {
    CAPTURE(piece);
    CHECK(sentences_of(text, piece) == expected);
  }
}

TEST_CASE("sentences: what is not whole is not given out, white space alone is nothing") {
  Sentences sentences;
  sentences.add("The sea is wide.");
  CHECK_FALSE(sentences.next());
  sentences.add(" ");
  CHECK(sentences.next() == "The sea is wide.");
  sentences.add(" \n\t ");
  CHECK_FALSE(sentences.next());
  CHECK(sentences.rest().empty());
}

TEST_CASE("reply: events come together from any pieces, comments and unknown fields in between") {
  const std::string body = ": hello\r\n\r\n" + event("The ") + "event: x\nid: 5\n" + event("sea “ä”") +
                           "data: {\"choices\": []}\n\ndata:{\"usage\": {}}\n\ndata: [DONE]\n\n" +
                           event("never");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, body.size()})
    CHECK(text_of(body, piece) == "The sea “ä”");
}

TEST_CASE("reply: null content, as the first delta has it, is no text") {
  CHECK(text_of("data: {\"choices\": [{\"delta\": {\"role\": \"assistant\", \"content\": null}}]}\n\n" +
                    event("yes"),
                5) == "yes");
}

TEST_CASE("reply: one JSON object instead of events, with or without a line end") {
  const std::string body = R"({"choices": [{"message": {"content": "All at once."}}]})";
  CHECK(text_of(body, 4) == "All at once.");
  CHECK(text_of(body + "\n", 4) == "All at once.");
}

TEST_CASE("reply: what the server says went wrong is its error") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"data: {\"error\": {\"message\": \"overloaded\"}}\n", "overloaded"},
      {R"({"error": {"message": "no such model"}})", "no such model"},
      {R"({"error": "no such model"})", "no such model"},
      {R"({"error": {}})", "an error without words"},
      {"data: {not json\n", "the reply holds something that is no JSON"},
      {"data: " + std::string(60'000, '[') + "\n", "the reply holds something that is no JSON"},
      {"<html>no</html>", "the reply holds something that is no JSON"}};
  for (const auto& one : wrong) {
    const std::string& body = one.first;
    const std::string& error = one.second;
    CAPTURE(body);
    ReplyStream reply;
    CHECK(reply.add(body).empty());
    CHECK(reply.finish().empty());
    CHECK(reply.error() == error);
  }
}

TEST_CASE("reply: JSON of another shape is no text and no crash") {
  for (const char* body : {"5", "[]", "{}", "null", R"({"choices": 5})", R"({"choices": [5]})",
                           R"({"choices": [{"delta": 5}]})", R"({"choices": [{"delta": {"content": 5}}]})"}) {
    CAPTURE(body);
    CHECK(text_of(std::string("data: ") + body + "\n\n", 100).empty());
    CHECK(text_of(body, 100).empty());
  }
}

TEST_CASE("reply: an endless line is an error, not endless memory") {
  ReplyStream reply;
  const std::string piece(1 << 16, 'x');
  for (int i = 0; i < 17; ++i) reply.add(piece);
  CHECK(reply.error() == "a line of the reply is longer than 1 MiB");
}

TEST_CASE("chat: roles alternate and the talk begins with the user") {
  const std::vector<parley::TalkLine> before{
      parley::TalkLine("1", false, "hm"), parley::TalkLine("2", true, "one"),
      parley::TalkLine("2", false, "two."), parley::TalkLine("2", false, "three."),
      parley::TalkLine("3", true, "four")};
  const Json request = chat_request("be nice", before, "five", 5);
  CHECK(request == Json{{"stream", true},
                        {"max_tokens", 5},
                        {"messages",
                         {{{"role", "system"}, {"content", "be nice"}},
                          {{"role", "user"}, {"content", "one"}},
                          {{"role", "assistant"}, {"content", "two. three."}},
                          {{"role", "user"}, {"content", "four five"}}}}});
  const Json hi = Json::object({{"role", "user"}, {"content", "hi"}});
  CHECK(chat_request("", {}, "hi", 5) ==
        Json{{"stream", true}, {"max_tokens", 5}, {"messages", Json::array({hi})}});
}
