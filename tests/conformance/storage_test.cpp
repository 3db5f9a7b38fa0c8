// What skills keep and what is to come for them. The skill of docs/storage.md stands here word for word, and
// runs.
#include <doctest/doctest.h>

#include <parley/files.hpp>
#include <parley/storage.hpp>

#include "support/assistant_fixture.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;
using parley::Json;
using parley::StorageScope;

namespace {

class Kitchen final : public parley::Skill {
 public:
  void start() override;

 private:
  parley::Task<> add(parley::Turn turn);
  parley::Task<> how_many(parley::Turn turn);
  parley::Task<> count(parley::Turn turn);
  parley::Task<> remind(parley::Turn turn);
  parley::Task<> every_morning(parley::Turn turn);
  parley::Task<> forget_it(parley::Turn turn);
  parley::Task<> remind_now(parley::Due due);
};

parley::Task<> Kitchen::add(parley::Turn turn) {
  parley::Json item = {{"amount", turn.slot("amount").value_or("one")}};
  co_await storage().put("list/" + turn.slot("thing").value_or("milk"), item);
  turn.speak_dialog("added");
}

parley::Task<> Kitchen::how_many(parley::Turn turn) {
  const auto list = co_await storage().all("list/");
  turn.speak_dialog("so_many", {{"count", std::to_string(list.size())}});
}

parley::Task<> Kitchen::count(parley::Turn turn) {
  parley::Storage::Edit one_more = [](std::optional<parley::Json> cups) -> std::optional<parley::Json> {
    return cups ? cups->get<int>() + 1 : 1;
  };
  const auto cups = co_await storage(parley::StorageScope::kOwner, turn).change("cups", one_more);
  turn.speak_dialog("so_many", {{"count", std::to_string(cups->get<int>())}});
}

parley::Task<> Kitchen::remind(parley::Turn turn) {
  parley::Json what = {{"thing", turn.slot("thing").value_or("oven")}};
  const auto when = clock().wall() + std::chrono::minutes(20);
  co_await schedule().at(when, "remind", what, turn);
  turn.speak_dialog("added");
}

parley::Task<> Kitchen::every_morning(parley::Turn turn) {
  const auto rule = parley::ScheduleRule::weekdays(std::chrono::hours(7));
  parley::Json what = {{"thing", "bread"}};
  co_await schedule().repeat(rule, "remind", what, turn);
  turn.speak_dialog("added");
}

parley::Task<> Kitchen::remind_now(parley::Due due) {
  due.turn.speak_dialog("remember", {{"thing", due.payload().at("thing").get<std::string>()}});
  if (due.late > std::chrono::minutes(1)) due.turn.speak_dialog("sorry");
  co_return;
}

parley::Task<> Kitchen::forget_it(parley::Turn turn) {
  for (const auto& entry : co_await schedule().list("remind")) {
    if (entry.session_id == turn.session_id()) co_await schedule().cancel(entry.id);
  }
  turn.speak_dialog("added");
}

void Kitchen::start() {
  on_intent("add", &Kitchen::add);
  on_intent("how_many", &Kitchen::how_many);
  on_intent("count", &Kitchen::count);
  on_intent("remind", &Kitchen::remind);
  on_intent("every_morning", &Kitchen::every_morning);
  on_intent("forget_it", &Kitchen::forget_it);
  on_due("remind", &Kitchen::remind_now);
}

/// An assistant in which whatever is said is the name of an intent of one skill, after its slots: "thing=eggs
/// add".
class Spoken {
 public:
  explicit Spoken(std::unique_ptr<parley::Skill> skill, const Names& intents) {
    for (const auto& name : intents) folder_.write("skill/locale/en-US/" + name + ".intent", name + "\n");
    for (const char* const dialog : {"added", "so_many {count}", "remember {thing}", "sorry"}) {
      const std::string text(dialog);
      folder_.write("skill/locale/en-US/" + text.substr(0, text.find(' ')) + ".dialog", text + "\n");
    }
    parley::Config config;
    config.pipeline = {"test"};
    config.location.tz = "Europe/Berlin";
    parley::AssistantOptions options;
    options.jumping_clock = true;
    options.load_plugins = false;
    core_ = std::make_unique<parley::Assistant>(config, options);
    core_->add_stage("test", std::make_unique<LambdaStage>(at_once([](const parley::MatchRequest& request) {
                       const std::string said = request.utterance();
                       const auto space = said.rfind(' ');
                       parley::Match match("keeper.test", space == said.npos ? said : said.substr(space + 1),
                                           request.lang(), said);
                       if (const auto is = said.find('='); is != said.npos)
                         match.slots[said.substr(0, is)] = said.substr(is + 1, space - is - 1);
                       return std::optional(std::move(match));
                     })));
    core_->add_skill("keeper.test", std::move(skill), folder_.path() / "skill");
    tap_ = core_->bus().subscribe("*", [this](const parley::Message& message) {
      heard.push_back(message);
      if (message.type() == "ovos.utterance.speak") spoken.push_back(message.text("utterance"));
    });
    core_->start();
    core_->run_until_idle();
  }
  std::string say(const std::string& text, parley::SessionPtr session = nullptr,
                  parley::SenderPtr sender = nullptr) {
    parley::TurnInput input(text);
    input.session = std::move(session);
    input.sender = std::move(sender);
    std::optional<parley::TurnResult> result;
    parley::converse(*core_, std::move(input),
                     [&](parley::TurnResult done) { result.emplace(std::move(done)); });
    core_->run_until_idle();
    REQUIRE(result.has_value());
    return result->status == parley::TurnStatus::kError ? "failed: " + result->error : result->speech_text();
  }
  parley::Assistant& core() { return *core_; }
  std::size_t count(std::string_view topic) const {
    return static_cast<std::size_t>(
        std::count_if(heard.begin(), heard.end(), [&](const auto& one) { return one.type() == topic; }));
  }

  Names spoken;
  std::vector<parley::Message> heard;

 private:
  TemporaryFolder folder_;
  std::unique_ptr<parley::Assistant> core_;
  parley::Subscription tap_;
};

/// A skill with one intent `go`, and nothing else.
std::unique_ptr<parley::Skill> goes(std::function<parley::Task<>(LambdaSkill&, parley::Turn)> go,
                                    std::function<void(LambdaSkill&)> more = nullptr) {
  return std::make_unique<LambdaSkill>([go = std::move(go), more = std::move(more)](LambdaSkill& self) {
    self.on_intent("go", [&self, go](parley::Turn turn) { return go(self, std::move(turn)); });
    if (more) more(self);
  });
}

parley::SessionPtr called(const std::string& id) {
  return std::make_shared<const parley::Session>(id);
}

Names code_of(const std::string& page) {
  Names lines;
  bool code = false;
  std::size_t at = 0;
  while (at < page.size()) {
    const auto end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("```")) {
      code = line == "```cpp";
    } else if (code && !line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

parley::Task<> try_everything(LambdaSkill& self, parley::Turn turn) {
  const auto throws = [](const std::exception& error) { return std::string(error.what()); };
  std::string refused;
  try {
    co_await self.storage().put("", Json(1));
  } catch (const std::invalid_argument& error) {
    refused = throws(error);
  }
  CHECK(refused == "a key has 1 to 256 bytes, not 0");
  try {
    co_await self.storage().put("big", Json(std::string(parley::Storage::kLargestValue, 'x')));
  } catch (const std::invalid_argument& error) {
    refused = throws(error);
  }
  CHECK(refused == "the value is 262146 bytes of JSON: 262144 are the most");
  try {
    co_await self.storage().put("text", Json("\xff"));
  } catch (const std::invalid_argument& error) {
    refused = throws(error);
  }
  CHECK(refused == "the value holds text that is no UTF-8");
  const auto all = co_await self.storage().all();
  turn.speak(std::to_string(all.size()));
}

}  // namespace

TEST_CASE("docs/storage.md: every line of code it shows is here") {
  const auto page = parley::read_file(PARLEY_SOURCE "/docs/storage.md", 1U << 20U);
  const auto here = parley::read_file(PARLEY_SOURCE "/tests/conformance/storage_test.cpp", 1U << 20U);
  REQUIRE(page);
  REQUIRE(here);
  const Names shown = code_of(*page);
  CHECK(shown.size() > 40);
  for (const auto& line : shown) CHECK_MESSAGE(here->find(line + "\n") != std::string::npos, line);
}

TEST_CASE("docs/storage.md: its skill keeps a list, counts and reminds") {
  Spoken run(std::make_unique<Kitchen>(),
             {"add", "how_many", "count", "remind", "every_morning", "forget_it"});
  CHECK(run.say("thing=milk add") == "added");
  CHECK(run.say("thing=eggs add", called("kitchen")) == "added");
  CHECK(run.say("how_many") == "so_many 2");
  CHECK(run.say("count") == "so_many 1");
  CHECK(run.say("count", called("kitchen")) == "so_many 2");
  const auto other = std::make_shared<const parley::Sender>(7, "client", "anna");
  CHECK(run.say("count", nullptr, other) == "so_many 1");
  CHECK(run.say("thing=cake remind", called("kitchen")) == "added");
  run.spoken.clear();
  run.core().run_for(19min);
  CHECK(run.spoken.empty());
  run.core().run_for(1min);
  CHECK(run.spoken == Names{"remember cake"});
  CHECK(run.say("remind", called("kitchen")) == "added");
  CHECK(run.say("remind") == "added");
  CHECK(run.say("forget_it") == "added");
  run.spoken.clear();
  run.core().run_for(1h);
  CHECK(run.spoken == Names{"remember oven"});  // the kitchen's
}

TEST_CASE("storage: values of sessions, owners and the household are apart") {
  Spoken run(
      goes([](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
        std::string text;
        for (const auto scope : {StorageScope::kHousehold, StorageScope::kOwner, StorageScope::kSession}) {
          auto storage = self.storage(scope, turn);
          parley::Storage::Edit one_more = [](std::optional<Json> was) -> std::optional<Json> {
            return was ? was->get<int>() + 1 : 1;
          };
          const auto now = co_await storage.change("n", one_more);
          text += now->dump();
        }
        turn.speak(text);
      }),
      {"go"});
  const auto anna = std::make_shared<const parley::Sender>(7, "client", "anna");
  CHECK(run.say("go", called("a")) == "111");
  CHECK(run.say("go", called("b")) == "221");
  CHECK(run.say("go", called("a"), anna) == "311");
  CHECK(run.say("go", called("a")) == "432");
}

TEST_CASE("storage: erase says whether there was one, and change erases by giving nothing") {
  Spoken run(goes([](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
               auto storage = self.storage();
               CHECK_FALSE(co_await storage.erase("a"));
               co_await storage.put("a", Json("x"));
               CHECK(co_await storage.get("a") == Json("x"));
               CHECK(co_await storage.erase("a"));
               CHECK_FALSE((co_await storage.get("a")).has_value());
               co_await storage.put("b", Json(nullptr));
               CHECK(co_await storage.get("b") == Json(nullptr));
               parley::Storage::Edit gone = [](std::optional<Json>) { return std::optional<Json>(); };
               CHECK_FALSE((co_await storage.change("b", gone)).has_value());
               const auto left = co_await storage.all();
               turn.speak(std::to_string(left.size()));
             }),
             {"go"});
  CHECK(run.say("go") == "0");
}

TEST_CASE("storage: what does not fit is refused with the reason, and changes nothing") {
  Spoken run(goes(try_everything), {"go"});
  CHECK(run.say("go") == "0");
}

TEST_CASE("storage: two changes of one key at a time both count") {
  int calls = 0;
  const auto bump = [&calls](LambdaSkill& self) -> parley::Task<> {
    parley::Storage::Edit one_more = [&calls](std::optional<Json> was) -> std::optional<Json> {
      ++calls;
      return was ? was->get<int>() + 1 : 1;
    };
    co_await self.storage().change("n", one_more);
  };
  const auto tell = [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
    const auto now = co_await self.storage().get("n");
    turn.speak(now->dump());
  };
  Spoken run(goes(tell,
                  [bump](LambdaSkill& self) {
                    self.on_event("bump", [bump, &self](parley::Message) { return bump(self); });
                  }),
             {"go"});
  run.core().bus().publish(parley::Message("bump"));
  run.core().bus().publish(parley::Message("bump"));
  run.core().run_for(1s);
  CHECK(run.say("go") == "2");
  CHECK(calls == 3);  // the second found that the first had written, and decided anew
}

TEST_CASE("K-3: what is due is a dispatch with a trio of its own, in its session and language") {
  parley::SessionPtr seen;
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   Json payload = {{"name", "pasta"}};
                   co_await self.schedule().at(self.clock().wall() + 10min, "ring", payload, turn);
                 },
                 [&seen](LambdaSkill& self) {
                   self.on_due("ring", [&seen](parley::Due due) -> parley::Task<> {
                     seen = due.turn.session();
                     due.turn.speak(due.payload().at("name").get<std::string>() + " " + due.turn.lang() +
                                    " " + due.turn.owner());
                     CHECK(due.late == 0ns);
                     CHECK(due.due_id.starts_with(due.id() + "@"));
                     co_return;
                   });
                 }),
             {"go"});
  auto session = std::make_shared<parley::Session>("kitchen");
  session->lang = "de-DE";
  session->site_id = "stove";
  const auto anna = std::make_shared<const parley::Sender>(7, "client", "anna");
  run.say("go", session, anna);
  run.heard.clear();
  run.spoken.clear();
  run.core().run_for(11min);
  CHECK(run.spoken == Names{"pasta de-DE anna"});
  REQUIRE(seen);
  CHECK(seen->session_id == "kitchen");
  CHECK(seen->site_id == "stove");
  Names topics;
  for (const auto& message : run.heard) {
    topics.push_back(message.type());
    CHECK(message.session_id() == "kitchen");
    CHECK(message.context().skill_id == "keeper.test");
  }
  CHECK(topics == Names{"keeper.test:due", "ovos.intent.handler.start", "ovos.utterance.speak",
                        "ovos.intent.handler.complete"});
  const Json& data = run.heard.front().data();
  CHECK(data.at("name") == "ring");
  CHECK(data.at("payload") == Json{{"name", "pasta"}});
  CHECK(data.at("late_ms") == 0);
  CHECK(data.contains("due_id"));
}

TEST_CASE("K-3: a handler of what is due that throws is an error, and it is not told again") {
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   co_await self.schedule().at(self.clock().wall() - 5min, "ring", Json::object(), turn);
                 },
                 [](LambdaSkill& self) {
                   self.on_due("ring", [](parley::Due due) -> parley::Task<> {
                     CHECK(due.late == 5min);
                     throw std::runtime_error("no bell");
                     co_return;
                   });
                 }),
             {"go"});
  run.say("go");
  run.core().run_for(2h);
  CHECK(run.count("keeper.test:due") == 1);
  CHECK(run.count("ovos.intent.handler.error") == 1);
}

TEST_CASE("K-3: a stop ends the handler of what is due, and a handler that hangs is ended by its bound") {
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   co_await self.schedule().at(self.clock().wall(), "ring", Json::object(), turn);
                 },
                 [](LambdaSkill& self) {
                   self.on_due("ring", [](parley::Due due) -> parley::Task<> {
                     co_await due.turn.sleep(24h);
                     due.turn.speak("never");
                   });
                 }),
             {"go"});
  run.say("go", called("kitchen"));
  run.core().run_for(1s);
  parley::Context context;
  context.session = called("kitchen");
  run.core().bus().publish(parley::Message("ovos.stop", Json::object(), context));
  run.core().run_for(1s);
  CHECK(run.count("ovos.intent.handler.error") == 1);
  CHECK(run.heard.back().text("exception") == "cancelled: stopped");
  run.say("go", called("kitchen"));
  run.core().run_for(48h);
  CHECK(run.count("ovos.intent.handler.error") == 2);
  CHECK(run.spoken.empty());
}

TEST_CASE("K-3: a rule comes again and again, once for all that was missed, until it is cancelled") {
  std::vector<parley::Duration> late;
  Names ids;
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   const auto rule = parley::ScheduleRule::daily(7h);
                   co_await self.schedule().repeat(rule, "ring", Json::object(), turn);
                   const auto list = co_await self.schedule().list();
                   turn.speak(std::to_string(list.size()));
                 },
                 [&](LambdaSkill& self) {
                   self.on_due("ring", [&](parley::Due due) -> parley::Task<> {
                     late.push_back(due.late);
                     ids.push_back(due.due_id);
                     if (late.size() == 3) CHECK(co_await self.schedule().cancel(due.id()));
                   });
                 }),
             {"go"});
  CHECK(run.say("go") == "1");
  run.core().run_for(48h);
  CHECK(late.size() == 2);
  // The calendar is set on by ten days and an hour: only the last of the times that passed is told.
  run.core().jumping_clock()->set_wall(run.core().clock().wall() + 241h);
  run.core().run_for(2h);
  REQUIRE(late.size() == 3);
  CHECK(late[2] > 0h);
  CHECK(late[2] < 24h);
  run.core().run_for(72h);
  CHECK(late.size() == 3);
  std::sort(ids.begin(), ids.end());
  CHECK(std::unique(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("schedule: what nobody listens to and what is too much is refused with the reason") {
  Spoken run(
      goes(
          [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
            std::string refused;
            try {
              co_await self.schedule().at(self.clock().wall(), "bell", Json::object(), turn);
            } catch (const std::invalid_argument& error) {
              refused = error.what();
            }
            CHECK(refused == "the skill has no on_due(\"bell\", …)");
            for (std::size_t i = 0; i < parley::Schedule::kMost; ++i) {
              co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            }
            try {
              co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            } catch (const parley::StorageError& error) {
              refused = error.what();
            }
            turn.speak(refused);
          },
          [](LambdaSkill& self) { self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }); }),
      {"go"});
  CHECK(run.say("go") == "1000 things are to come for 'keeper.test' already: cancel some");
}

TEST_CASE("schedule: a name has one on_due, and cancel knows only what is to come") {
  Spoken run(
      goes(
          [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
            CHECK_THROWS_AS(self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }),
                            std::invalid_argument);
            CHECK_FALSE(co_await self.schedule().cancel("nothing"));
            const auto id =
                co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            CHECK(co_await self.schedule().cancel(id));
            CHECK_FALSE(co_await self.schedule().cancel(id));
            turn.speak("done");
          },
          [](LambdaSkill& self) { self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }); }),
      {"go"});
  CHECK(run.say("go") == "done");
  run.core().run_for(2h);
  CHECK(run.count("keeper.test:due") == 0);
}
