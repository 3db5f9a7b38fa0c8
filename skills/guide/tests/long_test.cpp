#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <parley/session_key.hpp>
#include <string>
#include <utility>
#include <vector>

#include "conversation.hpp"

using namespace parley::guide;
using parley::SessionKey;

TEST_CASE("guide: of a hundred conversations at once none hears of another") {
  std::vector<std::unique_ptr<Dialogue>> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(std::make_unique<Dialogue>());
    all.back()->state.session_id = "session " + std::to_string(i);
  }
  // Each in another step of another task, spoken to in turns.
  Sessions sessions(1000);
  const std::vector<std::string> names{"carbonara", "tomato sauce", "smoothie", "dripping tap", "shelf"};
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->say(names[i % names.size()]);
  for (auto& one : all) one->say("yes");
  for (auto& one : all) one->say("start");
  for (std::size_t round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i % 2 == round % 2) all[i]->say("next");
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i]->state.phase == Phase::kExecuting);
    CHECK(all[i]->state.at == 1);
    sessions.keep(all[i]->state, "local");
  }
  CHECK(sessions.size() == 100);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const State* const kept =
        std::as_const(sessions).find(SessionKey("local", "session " + std::to_string(i)));
    REQUIRE(kept != nullptr);
    CHECK(kept->to_json() == all[i]->state.to_json());
  }
}

TEST_CASE("guide: of more conversations than are remembered the one that was silent for longest goes") {
  Sessions sessions(2);
  for (int i = 1; i <= 3; ++i) {
    State state;
    state.session_id = std::to_string(i);
    state.last_turn = i == 1 ? 10 : i;
    sessions.keep(state, "local");
  }
  CHECK(sessions.size() == 2);
  CHECK(sessions.find({"local", "1"}) != nullptr);
  CHECK(sessions.find({"local", "2"}) == nullptr);
}

TEST_CASE("guide: sessions of one name that belong to two owners are two") {
  Sessions sessions(10);
  State state;
  state.session_id = "me";
  state.task = "carbonara";
  sessions.keep(state, "anna");
  state.task = "shelf";
  sessions.keep(state, "ben");
  CHECK(sessions.find({"anna", "me"})->task == "carbonara");
  CHECK(sessions.find({"ben", "me"})->task == "shelf");
}
