#include "pong.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace parley;
using namespace parley::fallback;

namespace {

Message of(const std::string& sender, Json data) {
  Context context;
  context.skill_id = sender;
  return Message("a.test.fallback.pong", std::move(data), std::move(context));
}
const Json kYes{{"skill_id", "a.test"}, {"can_handle", true}};

Pong read(const Message& pong, const std::string& ping_by = {}) {
  return read_pong(pong, of(ping_by, Json::object()), "a.test");
}

}  // namespace

TEST_CASE("F-3 pong: it counts when its skill_id is the one asked and can_handle is true") {
  CHECK(read(of("", kYes)) == Pong::kYes);
  CHECK(read(of("a.test", kYes)) == Pong::kYes);
  CHECK(read(of("", {{"skill_id", "a.test"}, {"can_handle", false}})) == Pong::kNo);
}

TEST_CASE("F-3 pong: from the skill that was asked, without a boolean or with another id, it is malformed") {
  for (const Json& wrong : {Json(1), Json("true"), Json(nullptr), Json::array({true})}) {
    CHECK(read(of("", {{"skill_id", "a.test"}, {"can_handle", wrong}})) == Pong::kMalformed);
  }
  CHECK(read(of("", {{"skill_id", "a.test"}})) == Pong::kMalformed);
  CHECK(read(of("a.test", {{"skill_id", "b.test"}, {"can_handle", true}})) == Pong::kMalformed);
  CHECK(read(of("a.test", {{"can_handle", true}})) == Pong::kMalformed);
  CHECK(read(of("a.test", {{"skill_id", 5}, {"can_handle", true}})) == Pong::kMalformed);
}

TEST_CASE("F-3 pong: from anyone else it is nothing") {
  CHECK(read(of("b.test", kYes)) == Pong::kStrange);
  CHECK(read(of("", {{"skill_id", "b.test"}, {"can_handle", true}})) == Pong::kStrange);
  CHECK(read(of("", {{"can_handle", true}})) == Pong::kStrange);
}

TEST_CASE("F-3 pong: what the utterance came with is inherited and names no sender") {
  CHECK(read(of("alarm.test", kYes), "alarm.test") == Pong::kYes);
  CHECK(read(of("other.test", kYes), "alarm.test") == Pong::kStrange);
}
