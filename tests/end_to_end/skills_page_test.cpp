// The skill of docs/skills.md, from "Asking the user" to "Waiting for others": what is shown there stands
// here word for word, and runs.
#include <doctest/doctest.h>

#include <parley/files.hpp>
#include <parley/numbers.hpp>
#include <parley/text.hpp>

#include "message/log.hpp"
#include "runtime/http.hpp"
#include "support/end_to_end.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

class Coffee final : public parley::Skill {
 public:
  void start() override;

 private:
  parley::Task<> brew(parley::Turn turn);
  parley::Task<> brew_slowly(parley::Turn turn);
  parley::Task<> order(parley::Turn turn);
  parley::Task<> make_it_two(parley::Turn turn);
  parley::Task<> look_up_prices();
  parley::Task<> boiled(parley::Message message);
  parley::Task<> tell(parley::Turn turn) {
    turn.speak(prices_ + ", " + beans_);
    co_return;
  }

  std::string prices_ = "no prices", beans_ = "whole";
};

parley::Task<> Coffee::brew(parley::Turn turn) {
  auto size = turn.slot("size");
  if (!size) size = co_await turn.ask("which_size");
  if (!size) co_return turn.speak_dialog("never_mind");
  const auto sure = co_await turn.confirm("sure");
  if (sure.yes()) turn.speak_dialog("brewing", {{"size", *size}});
}

parley::Task<> Coffee::brew_slowly(parley::Turn turn) {
  parley::AskOptions options;
  options.timeout = std::chrono::minutes(1);
  options.retry = "say_a_size";
  const auto size = co_await turn.ask("which_size", parley::Slots(), options);
  turn.speak_dialog("brewing", {{"size", size ? *size : "no"}});
}

parley::Task<> Coffee::order(parley::Turn turn) {
  const auto cups = [](const std::string& said, const std::string& lang) -> std::optional<int> {
    const auto number = parley::leading_number(parley::words(said, lang), lang);
    return number ? std::optional(static_cast<int>(number->value)) : std::nullopt;
  };
  parley::AskOptions options;
  options.not_understood = "say_a_number";
  const auto count = co_await turn.ask("how_many", cups, parley::Slots(), options);
  if (!count) co_return turn.speak_dialog("never_mind");
  turn.set_context("ordered");
  turn.speak_dialog("ordered", {{"cups", std::to_string(*count)}});
}

void Coffee::start() {
  on_intent("brew", &Coffee::brew);
  on_intent("brew_slowly", &Coffee::brew_slowly);
  on_intent("tell", &Coffee::tell);
  on_intent("order", &Coffee::order);
  on_intent("make_it_two", &Coffee::make_it_two, parley::in_context("ordered"));
  on_event("kettle.boiled", &Coffee::boiled);
  every(std::chrono::minutes(30), &Coffee::look_up_prices);
}

parley::Task<> Coffee::make_it_two(parley::Turn turn) {
  turn.remove_context("ordered");
  turn.speak_dialog("ordered", {{"cups", "2"}});
  co_return;
}

parley::Task<> Coffee::look_up_prices() {
  auto request = parley::HttpRequest::get("https://coffee.example/prices");
  request.timeout = std::chrono::seconds(5);
  const auto answer = co_await http(request);
  if (!answer) co_return log(parley::LogLevel::kWarning, answer.error().message);
  if (answer->ok()) prices_ = answer->body;
}

parley::Task<> Coffee::boiled(parley::Message message) {
  auto question = message.forward("pot.state", {{"pot", "big"}});
  const auto state = co_await request(std::move(question), std::chrono::seconds(2));
  if (!state || state->text("is") != "clean") co_return;
  const auto grind = [] { return std::string("ground"); };
  beans_ = co_await run_blocking(grind);
}

/// An assistant with this skill.
class Kitchen : public EndToEnd {
 public:
  Kitchen() {
    const auto file = [this](const std::string& name, std::string_view text) {
      locale("coffee.example", "en-US/" + name, text);
    };
    file("brew.intent", "make [a {size}] coffee\n");
    file("brew_slowly.intent", "take your time\n");
    file("order.intent", "order coffee\n");
    file("make_it_two.intent", "make it two\n");
    file("tell.intent", "tell me all\n");
    file("which_size.dialog", "Which size?\n");
    file("say_a_size.dialog", "Small or large?\n");
    file("how_many.dialog", "How many cups?\n");
    file("say_a_number.dialog", "Say a number.\n");
    file("sure.dialog", "Sure?\n");
    file("never_mind.dialog", "Never mind.\n");
    file("brewing.dialog", "A {size} coffee comes.\n");
    file("ordered.dialog", "Ordered: {cups}.\n");
    options.http = given;
    make().add_skill("coffee.example", std::make_unique<Coffee>(),
                     folder.path() / skill_folder("coffee.example"));
    assistant().start();
  }

  const std::shared_ptr<parley::GivenAnswers> given = std::make_shared<parley::GivenAnswers>();
};

std::string text_of(const char* file) {
  const auto text = parley::read_file(file, std::size_t{1} << 20U);
  REQUIRE(text);
  return *text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

TEST_CASE("docs/skills.md: what is shown of asking, contexts and waiting is what this file runs") {
  const auto here = lines_of(text_of(PARLEY_THIS_FILE));
  std::string page = text_of(PARLEY_SKILLS_PAGE);
  page = page.substr(page.find("## Asking the user"));
  page.resize(page.find("## Holding the floor"));
  bool code = false;
  int seen = 0;
  for (const auto& line : lines_of(page)) {
    if (line.starts_with("```")) {
      code = line == "```cpp";
    } else if (code) {
      ++seen;
      CHECK_MESSAGE(std::find(here.begin(), here.end(), line) != here.end(), line);
    }
  }
  CHECK(seen > 40);
}

TEST_CASE("docs/skills.md: asking") {
  Kitchen run;
  parley::Conversation talk(run.assistant(), session("s"));
  CHECK(run.say(talk, "make coffee").speech_text() == "Which size?");
  CHECK(run.say(talk, "large").speech_text() == "Sure?");
  CHECK(run.say(talk, "yes").speech_text() == "A large coffee comes.");
  CHECK(run.say(talk, "take your time").speech_text() == "Which size?");
  run.assistant().run_for(61s);
  CHECK(run.spoken().back() == "Small or large?");
  CHECK(run.say(talk, "small").speech_text() == "A small coffee comes.");
}

TEST_CASE("docs/skills.md: a parser, and an intent for a while") {
  Kitchen run;
  parley::Conversation talk(run.assistant(), session("s"));
  CHECK(run.say(talk, "make it two").status == parley::TurnStatus::kUnmatched);
  CHECK(run.say(talk, "order coffee").speech_text() == "How many cups?");
  CHECK(run.say(talk, "some").speech_text() == "Say a number.");
  CHECK(run.say(talk, "three please").speech_text() == "Ordered: 3.");
  CHECK(run.say(talk, "make it two").speech_text() == "Ordered: 2.");
  CHECK(run.say(talk, "make it two").status == parley::TurnStatus::kUnmatched);
}

TEST_CASE("docs/skills.md: waiting for a server, for an answer on the bus and for a thread") {
  Kitchen run;
  auto& bus = run.assistant().bus();
  run.assistant().run_for(31min);
  CHECK(run.log.has("GET https://coffee.example/prices: nothing is sent here"));
  run.given->give("GET", "https://coffee.example/prices", 200, "2 euros");
  run.assistant().run_for(30min);
  bus.publish(parley::Message("kettle.boiled"));
  run.assistant().run_for(3s);
  CHECK(run.say("tell me all").speech_text() == "2 euros, whole");
  const auto pot = bus.subscribe("pot.state", [&bus](const parley::Message& question) {
    bus.publish(question.response({{"is", "clean"}}));
  });
  bus.publish(parley::Message("kettle.boiled"));
  run.assistant().run_for(3s);
  CHECK(run.say("tell me all").speech_text() == "2 euros, ground");
}
