// What skills keep and what is to come for them. The skill of docs/storage.md stands here word for word, and
// runs.
#include <doctest/doctest.h>

#include <parley/files.hpp>
#include <parley/session_memory.hpp>
#include <parley/storage.hpp>

#include "support/spoken_fixture.hpp"

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
  parley::Task<> goodbye(parley::Turn turn);
  parley::Task<> name_it(parley::Turn turn);
  parley::Task<> remind_now(parley::Due due);

  parley::SessionMemory<std::string> named_{256, std::chrono::minutes(2)};
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

parley::Task<> Kitchen::name_it(parley::Turn turn) {
  if (turn.slot("thing")) named_.note(turn.message(), *turn.slot("thing"), clock().now());
  const std::string* last = named_.find(turn.session_key(), clock().now());  // null: nothing, or too long ago
  turn.speak_dialog("remember", {{"thing", last ? *last : "nothing"}});
  co_return;
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
    const bool is_ours = entry.owner == turn.owner() && entry.session_id == turn.session_id();
    if (is_ours) co_await schedule().cancel(entry.id);
  }
  turn.speak_dialog("added");
}

parley::Task<> Kitchen::goodbye(parley::Turn turn) {
  turn.speak_dialog("added");
  turn.emit("parley.session.close", parley::Json::object());
  co_return;
}

void Kitchen::start() {
  on_intent("add", &Kitchen::add);
  on_intent("how_many", &Kitchen::how_many);
  on_intent("count", &Kitchen::count);
  on_intent("remind", &Kitchen::remind);
  on_intent("every_morning", &Kitchen::every_morning);
  on_intent("forget_it", &Kitchen::forget_it);
  on_intent("goodbye", &Kitchen::goodbye);
  on_intent("name_it", &Kitchen::name_it);
  on_due("remind", &Kitchen::remind_now);
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
             {"add", "how_many", "count", "remind", "every_morning", "forget_it", "goodbye", "name_it"});
  CHECK(run.say("thing=milk add") == "added");
  CHECK(run.say("thing=eggs add", called("kitchen")) == "added");
  CHECK(run.say("how_many") == "so_many 2");
  CHECK(run.say("count") == "so_many 1");
  CHECK(run.say("count", called("kitchen")) == "so_many 2");
  const auto other = std::make_shared<const parley::Sender>(7, "client", "anna");
  CHECK(run.say("count", nullptr, other) == "so_many 1");
  CHECK(run.say("thing=flour name_it", called("me")) == "remember flour");
  CHECK(run.say("name_it", called("me")) == "remember flour");
  CHECK(run.say("name_it", called("me"), other) == "remember nothing");
  run.core().run_for(3min);
  CHECK(run.say("name_it", called("me")) == "remember nothing");
  CHECK(run.say("thing=cake remind", called("kitchen")) == "added");
  CHECK(run.say("goodbye", called("kitchen")) == "added");
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

namespace {

/// Where somebody else writes between what is read and what is written.
class Contested final : public parley::StorageHost {
 public:
  parley::Task<std::optional<Stored>> storage_get(parley::StoragePlace, std::string) override {
    co_return Stored(std::to_string(value), version);
  }
  parley::Task<std::map<std::string, std::string>> storage_all(parley::StoragePlace, std::string) override {
    co_return std::map<std::string, std::string>();
  }
  parley::Task<Written> storage_write(parley::StoragePlace, std::string, std::optional<std::string> json,
                                      std::optional<std::uint64_t> expect) override {
    if (others-- > 0) {
      value += 10;
      ++version;
    }
    if (expect && *expect != version) co_return Written(false, version);
    value = std::stoi(*json);
    co_return Written(true, ++version);
  }
  int value = 1, others = 2;
  std::uint64_t version = 1;
};

}  // namespace

TEST_CASE("storage: a change decides anew when another write comes between, so that both count") {
  Contested contested;
  int calls = 0;
  Spoken run(goes([&](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
               const parley::StoragePlace place(self.skill_id(), StorageScope::kHousehold, "", "");
               parley::Storage storage(contested, place);
               parley::Storage::Edit one_more = [&calls](std::optional<Json> was) -> std::optional<Json> {
                 ++calls;
                 return was->get<int>() + 1;
               };
               const auto now = co_await storage.change("n", one_more);
               turn.speak(now->dump());
             }),
             {"go"});
  CHECK(run.say("go") == "22");
  CHECK(calls == 3);
}
