// What shipped skills were told, over an end of the process.
#include <algorithm>
#include <chrono>

#include "support/end_to_end.hpp"
#include "support/store_bytes.hpp"

using namespace std::chrono_literals;
using parley::testing::contains;
using parley::testing::EndToEnd;
using parley::testing::is_in_files;
using parley::testing::TemporaryFolder;

namespace {

/// Starts an assistant over one store, at that time, with the shipped skills that are talked to: to learn
/// what all of them understand takes a sanitizer half a minute.
void start_over(EndToEnd& run, const std::filesystem::path& store,
                std::optional<std::chrono::system_clock::time_point> now = std::nullopt) {
  run.take_skills(PARLEY_BUILD_FOLDER "/lib/parley/skills", {"lists", "memory", "reminder", "timer"});
  run.config.language.enabled = {"en-US"};
  run.config.store.path = store.string();
  run.options.keeps_as = "a test";
  auto& assistant = run.make();
  if (now) assistant.jumping_clock()->set_wall(*now);
  assistant.start();
}

std::string answer(EndToEnd& run, const std::string& text) {
  return run.say(text).speech_text();
}

bool heard(const EndToEnd& run, const std::string& part) {
  const auto all = run.spoken();
  return std::any_of(all.begin(), all.end(), [&](const auto& text) { return contains(text, part); });
}

}  // namespace

TEST_CASE("storage: a shopping list, a timer and an alarm are there after a restart, and ring in time") {
  const TemporaryFolder folder;
  const auto store = folder.path() / "parley.db";
  std::chrono::system_clock::time_point now;
  {
    EndToEnd run;
    start_over(run, store);
    CHECK(contains(answer(run, "add milk and eggs to my shopping list"), "milk and eggs"));
    CHECK(contains(answer(run, "set a ten minute pasta timer"), "10 minutes"));
    CHECK(contains(answer(run, "set an eight minute rice timer"), "8 minutes"));
    CHECK(contains(answer(run, "cancel the rice timer"), "rice"));
    CHECK(answer(run, "wake me up in half an hour") == "Your alarm will ring in 30 minutes.");
    now = run.assistant().clock().wall();
  }
  EndToEnd run;
  start_over(run, store, now + 4min);
  CHECK(answer(run, "what's on my shopping list") == "2 things on the shopping list: milk and eggs.");
  const std::string left = answer(run, "how long is left on the pasta timer");
  CHECK_MESSAGE(contains(left, "6 minutes"), left);
  run.assistant().run_for(5min);
  CHECK_FALSE(heard(run, "time is up"));
  run.assistant().run_for(2min);
  CHECK(heard(run, "pasta"));
  CHECK(heard(run, "time is up"));
  CHECK_FALSE(heard(run, "rice"));
  CHECK_FALSE(heard(run, "This is your alarm."));
  run.assistant().run_for(20min);
  CHECK(heard(run, "This is your alarm."));
}

TEST_CASE("storage: a timer and a reminder that were missed are told late, and once") {
  const TemporaryFolder folder;
  const auto store = folder.path() / "parley.db";
  std::chrono::system_clock::time_point now;
  {
    EndToEnd run;
    start_over(run, store);
    answer(run, "set a ten minute pasta timer");
    answer(run, "remind me in twenty minutes to check the oven");
    now = run.assistant().clock().wall();
  }
  {
    EndToEnd run;
    start_over(run, store, now + 2h);
    run.assistant().run_for(1min);
    CHECK(heard(run, "Your pasta timer was up 1 hour and 50 minutes ago."));
    CHECK(heard(run, "You missed a reminder"));
    CHECK(heard(run, "check the oven"));
  }
  EndToEnd run;
  start_over(run, store, now + 3h);
  run.assistant().run_for(1h);
  CHECK(run.spoken().empty());
}

TEST_CASE("storage: a paused timer, one that got more time and one with a new name are so after a restart") {
  const TemporaryFolder folder;
  const auto store = folder.path() / "parley.db";
  std::chrono::system_clock::time_point now;
  {
    EndToEnd run;
    start_over(run, store);
    answer(run, "set a ten minute pasta timer");
    run.assistant().run_for(4min);
    CHECK(contains(answer(run, "pause the pasta timer"), "6 minutes"));
    answer(run, "set an eight minute rice timer");
    CHECK(contains(answer(run, "add two minutes to the rice timer"), "10 minutes"));
    CHECK(contains(answer(run, "rename the rice timer to risotto"), "risotto"));
    now = run.assistant().clock().wall();
  }
  EndToEnd run;
  start_over(run, store, now + 4min);
  std::string left = answer(run, "how long is left on the risotto timer");
  CHECK_MESSAGE(contains(left, "6 minutes"), left);
  run.assistant().run_for(1h);
  CHECK(heard(run, "risotto"));
  CHECK_FALSE(heard(run, "pasta"));
  left = answer(run, "how long is left on the pasta timer");
  CHECK_MESSAGE(contains(left, "paused"), left);
  CHECK_MESSAGE(contains(left, "6 minutes"), left);
  CHECK(contains(answer(run, "resume the pasta timer"), "6 minutes"));
  run.assistant().run_for(6min);
  CHECK(heard(run, "pasta"));
}

TEST_CASE("P-5 storage: after a restart a bare stop asks about the timer that runs") {
  const TemporaryFolder folder;
  const auto store = folder.path() / "parley.db";
  std::chrono::system_clock::time_point now;
  {
    EndToEnd run;
    start_over(run, store);
    answer(run, "set a ten minute pasta timer");
    now = run.assistant().clock().wall();
  }
  EndToEnd run;
  start_over(run, store, now + 1min);
  run.begin("stop");
  CHECK(run.until([&run] { return heard(run, "pasta"); }));
}

TEST_CASE("storage: what is forgotten is in no file, with what it was before it was corrected") {
  const TemporaryFolder folder;
  const auto store = folder.path() / "parley.db";
  EndToEnd run;
  start_over(run, store);
  answer(run, "my name is Zebulon");
  answer(run, "the spare key is under the wheelbarrow");
  answer(run, "the spare key is under the wheelbarrow");
  answer(run, "actually my name is Robertino");
  answer(run, "actually my name is Ludovika");
  CHECK(answer(run, "what's my name") == "You told me just now: my name is Ludovika.");
  for (const char* const name : {"Zebulon", "Robertino", "Ludovika"}) CHECK(is_in_files(store, name));
  CHECK(answer(run, "forget my name") == "I've forgotten it.");
  // The answer that said so is the transcript's, as the docs say.
  for (const char* const name : {"Zebulon", "Robertino"}) CHECK_MESSAGE(!is_in_files(store, name), name);
  CHECK(is_in_files(store, "wheelbarrow"));
  answer(run, "where is the spare key");
  answer(run, "no, it is in the attic");
  CHECK(answer(run, "forget where the spare key is") ==
        "You told me: the spare key is in the attic. Shall I forget it?");
  answer(run, "yes");
  CHECK(run.spoken().back() == "I've forgotten it.");
  CHECK(answer(run, "where is the spare key") == "Nobody has told me anything about the spare key.");
}
