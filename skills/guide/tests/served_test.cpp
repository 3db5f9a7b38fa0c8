// The guide as clients of HTTP hear it.
#include <array>
#include <thread>

#include "support/served.hpp"
#include "test_guide_run.hpp"

using namespace parley;
using namespace parley::guide;
using namespace parley::testing;

namespace {

/// Served on a port, with the skills that come along; sessions last.
class GuideServed {
 public:
  explicit GuideServed(const Json& settings = settings_of_tests()) {
    server.real_stages(installed_config().pipeline);
    server.config.skills.directories = {few_skills(folder.path() / "skills")};
    server.config.skills.settings["guide.parley"] = settings;
    server.config.language.enabled = {"en-US"};
    server.config.store.path = (folder.path() / "parley.db").string();
    server.keeps_as = "a test";
    server.start();
  }
  /// What /run answers.
  Json run(const std::string& id, const std::string& text, bool resume = true) const {
    const auto answer =
        http(server.port(), "POST", "/run", Json{{"id", id}, {"text", text}, {"resume", resume}}.dump());
    return answer.status == 200 ? answer.json() : Json{{"speech_text", answer.body}};
  }
  std::string say(const std::string& id, const std::string& text, bool resume = true) const {
    return run(id, text, resume).at("speech_text");
  }

  TemporaryFolder folder;
  Served server;
};

Json texts(const Json& options) {
  Json all = Json::array();
  for (const Json& one : options) all.push_back(one.at("text"));
  return all;
}

constexpr std::array kHow{"red",  "green", "yellow", "white",  "black",
                          "sour", "salty", "smoky",  "crispy", "spicy"};
constexpr std::array kWhat{"lentils", "beans",   "carrots", "mushrooms", "dumplings",
                           "waffles", "muffins", "pickles", "peppers",   "radishes"};

std::string title_of(std::size_t number) {
  return std::string(kHow[number / 10]) + " " + kWhat[number % 10];
}

void write_task(const TemporaryFolder& folder, std::size_t number) {
  const std::string title = title_of(number);
  std::string text = "title: " + title +
                     "\ndomain: cooking\ncategory: pasta\nsummary: A dish.\nserves: 2\n"
                     "time: 5 min\nrequirements: []\nsource: a test\nsteps:\n";
  for (const char* const what : {"Wash", "Cut", "Fry"})
    text += "  - say: " + std::string(what) + " the " + title + ".\n";
  folder.write("tasks/en/dish-" + std::to_string(number) + ".yaml", text);
}

}  // namespace

TEST_CASE("guide: /run has what a screen shows, and what may be chosen") {
  const GuideServed served;
  Json answer = served.run("me", "something with pasta");
  CHECK(answer.at("screen").at("list") ==
        Json{{{"text", "Spaghetti carbonara"}}, {{"text", "Pasta with tomato sauce"}}});
  CHECK(texts(answer.at("options")) == Json{"Spaghetti carbonara", "Pasta with tomato sauce"});
  CHECK(answer.at("listen") == true);
  // What an option says is understood.
  answer = served.run("me", answer.at("options").at(0).at("say"));
  CHECK(answer.at("screen").at("title") == "Spaghetti carbonara");
  CHECK(answer.at("screen").at("list").size() == 6);
  CHECK(texts(answer.at("options")) == Json{"What do I need", "Start"});
  answer = served.run("me", answer.at("options").at(1).at("say"));
  CHECK(answer.at("screen").at("step") == Json{{"k", 1}, {"n", 5}});
  CHECK(answer.at("screen").at("body") == "Bring a large pot of salted water to the boil.");
  CHECK(texts(answer.at("options")) == Json{"Next", "Previous step"});
  answer = served.run("me", "next");
  CHECK(texts(answer.at("options")) == Json{"Set the timer", "Next", "Previous step"});
  served.run("me", "next");
  served.run("me", "no");
  answer = served.run("me", "tell me more");
  CHECK(texts(answer.at("options")) == Json::array({"Show the video"}));
  answer = served.run("me", answer.at("options").at(0).at("say"));
  CHECK(answer.at("screen").at("body") == "https://videos.example/bacon");
  answer = served.run("me", "cancel");
  CHECK(answer.at("listen") == false);
  CHECK(answer.at("session_state") == "closed");
}

TEST_CASE("guide: with resume false a session starts afresh, without it goes on") {
  const GuideServed served;
  served.say("me", "paper plane");
  served.say("me", "yes");
  CHECK(served.say("me", "next") == "Step 2: Fold both upper corners to the middle.");
  CHECK_FALSE(contains(served.say("me", "next", false), "Fold"));
  CHECK_FALSE(contains(served.say("me", "how many steps are left"), "step"));
  CHECK(contains(served.say("me", "paper plane", false), "Shall we take it?"));
  CHECK(contains(served.say("me", "something with pasta", false), "carbonara"));
  CHECK_FALSE(contains(served.say("me", "yes", false), "Step 1"));
  // The task stays with its owner.
  CHECK(served.say("me", "let's go on", false) == "Step 2: Fold both upper corners to the middle.");
}

TEST_CASE("guide: of a hundred sessions at once, each in another recipe, none hears of another's") {
  const TemporaryFolder folder;
  for (std::size_t number = 0; number < 100; ++number) write_task(folder, number);
  const GuideServed served(
      {{"shipped_tasks", false}, {"tasks_directories", {(folder.path() / "tasks").string()}}});
  std::array<std::vector<std::string>, 100> heard;
  const auto talk = [&](std::size_t from) {
    // Ten sessions in turns, while nine other clients do the same.
    const auto everywhere = [&](const auto& what) {
      for (std::size_t number = from; number < from + 10; ++number)
        heard[number].push_back(served.say("session " + std::to_string(number), what(number)));
    };
    everywhere([](std::size_t number) { return title_of(number); });
    for (const char* const said : {"the first one", "next", "repeat", "next"})
      everywhere([said](std::size_t) { return std::string(said); });
  };
  std::vector<std::thread> clients;
  for (std::size_t from = 0; from < 100; from += 10) clients.emplace_back(talk, from);
  for (std::thread& client : clients) client.join();
  for (std::size_t number = 0; number < 100; ++number) {
    const std::string title = title_of(number);
    REQUIRE(heard[number].size() == 5);
    CHECK(contains(heard[number][0], title));
    CHECK(heard[number][1] == "Step 1: Wash the " + title + ".");
    CHECK(heard[number][2] == "Step 2: Cut the " + title + ".");
    CHECK(heard[number][3] == heard[number][2]);
    CHECK(contains(heard[number][4], "The last step: Fry the " + title + "."));
  }
}
