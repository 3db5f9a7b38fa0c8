#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <parley/language_model.hpp>
#include <parley/session.hpp>
#include <stdexcept>
#include <string>

#include "support/temporary_folder.hpp"

using namespace parley;
using parley::testing::TemporaryFolder;

namespace {

TalkLine line(const std::string& turn, const std::string& text, bool by_user = true) {
  return {turn, by_user, text};
}

/// What somebody, or a skill, says in a session.
Message said(const std::string& type, const std::string& turn, const std::string& text, SenderPtr by) {
  Context context;
  context.session = std::make_shared<const Session>("me");
  context.utterance_id = turn;
  context.sender = std::move(by);
  return Message(type, {{"utterance", text}}, context);
}

std::vector<std::string> texts(const std::vector<TalkLine>& lines) {
  std::vector<std::string> all;
  for (const TalkLine& one : lines) all.push_back((one.by_user ? "> " : "< ") + one.text);
  return all;
}

}  // namespace

TEST_CASE("talk history: the oldest goes when the budget is spent, per session") {
  TalkHistory history(10);
  const SessionKey kitchen{"local", "kitchen"};
  const SessionKey cellar{"local", "cellar"};
  history.add(kitchen, line("1", "12345"));
  history.add(kitchen, line("1", "12345", false));
  history.add(cellar, line("2", "xyz"));
  CHECK(history.before(kitchen, "9").size() == 2);
  history.add(kitchen, line("3", "1"));
  REQUIRE(history.before(kitchen, "9").size() == 2);
  CHECK_FALSE(history.before(kitchen, "9")[0].by_user);
  CHECK(history.before(cellar, "9").size() == 1);
  CHECK(history.before(kitchen, "3").size() == 1);
  history.add(kitchen, line("4", std::string(11, 'x')));
  CHECK(history.before(kitchen, "9").empty());
  CHECK(history.before({"local", "nowhere"}, "9").empty());
}

TEST_CASE("talk history: of very many sessions of an owner the one that was quiet for longest is forgotten") {
  TalkHistory history(100);
  history.add({"anna", "s1"}, line("1", "hers"));
  for (int i = 0; i < 64; ++i) history.add({"ben", "s" + std::to_string(i)}, line("1", "x"));
  history.add({"ben", "s0"}, line("2", "y"));
  history.add({"ben", "new"}, line("3", "z"));
  CHECK(history.sessions() == 65);
  CHECK(history.before({"ben", "s0"}, "").size() == 2);
  CHECK(history.before({"ben", "s1"}, "").empty());
  CHECK(history.before({"anna", "s1"}, "").size() == 1);
}

TEST_CASE("K-4 talk history: what two owners say in sessions of the same name is not mixed") {
  TalkHistory history(1'000);
  const auto anna = std::make_shared<const Sender>(1, "client 1", "anna");
  const auto ben = std::make_shared<const Sender>(2, "client 2", "ben");
  history.hear(said("ovos.intent.matched", "a", "my pin is one two", anna));
  history.hear(said("ovos.utterance.speak", "a", "noted", anna));
  history.hear(said("ovos.intent.matched", "b", "hello", ben));
  CHECK(texts(history.before(said("x.y", "c", "", anna))) ==
        std::vector<std::string>{"> my pin is one two", "< noted"});
  CHECK(texts(history.before(said("x.y", "c", "", ben))) == std::vector<std::string>{"> hello"});
}

TEST_CASE("K-4 talk history: what a skill of another connection says belongs to whose turn it is") {
  TalkHistory history(1'000);
  const auto anna = std::make_shared<const Sender>(1, "client 1", "anna");
  const auto skill = std::make_shared<const Sender>(2, "client 2", "skills");
  history.hear(said("ovos.intent.matched", "a", "how deep is the sea", anna));
  history.hear(said("ovos.utterance.speak", "a", "very", skill));
  history.hear(said("ovos.utterance.speak", "guessed", "listen to me", skill));
  CHECK(texts(history.before(said("x.y", "c", "", anna))) ==
        std::vector<std::string>{"> how deep is the sea", "< very"});
}

TEST_CASE("model endpoint: the key is where the settings say, and what is wrong with it names the setting") {
  const TemporaryFolder folder;
  folder.write("key", "from-a-file\nnot this\n");
  folder.write("empty", "\n");
  const std::string where = folder.path().string();
  ::setenv("PARLEY_TEST_MODEL_KEY", "from-outside", 1);  // NOLINT(concurrency-mt-unsafe)
  CHECK(model_key("", "").empty());
  CHECK(model_key("PARLEY_TEST_MODEL_KEY", "") == "from-outside");
  CHECK(model_key("", where + "/key") == "from-a-file");
  CHECK_THROWS_WITH_AS(model_key("PARLEY_TEST_NO_KEY", ""), doctest::Contains("key_variable"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(model_key("", where + "/nothing"), doctest::Contains("key_file"), std::runtime_error);
  CHECK_THROWS_WITH_AS(model_key("", where + "/empty"), doctest::Contains("is empty"), std::runtime_error);
  CHECK_THROWS_WITH_AS(model_key("", "key"), doctest::Contains("the whole path"), std::runtime_error);
  CHECK_THROWS_WITH_AS(model_key("A", "/b"), doctest::Contains("leave one of them out"), std::runtime_error);
}

TEST_CASE("model endpoint: requests have the model, the key and the address without a double slash") {
  const ModelEndpoint endpoint("http://model.test/v1//", "tiny", "secret");
  const HttpRequest chat = endpoint.chat({{"max_tokens", 3}});
  CHECK(chat.url == "http://model.test/v1/chat/completions");
  CHECK(Json::parse(chat.body) == Json{{"max_tokens", 3}, {"model", "tiny"}});
  CHECK(chat.headers.back() == std::pair<std::string, std::string>("Authorization", "Bearer secret"));
  CHECK(ModelEndpoint("https://a", "", "").models().headers.empty());
  CHECK_THROWS_AS(ModelEndpoint("model.test/v1", "", ""), std::invalid_argument);
}
