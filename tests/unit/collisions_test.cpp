#include "registry/collisions.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace parley;

namespace {

constexpr CollisionBounds kBounds(16, 1'000'000);

std::shared_ptr<IntentRegistration> intent(const std::string& skill, const std::string& name,
                                           const std::string& lang = "en-US") {
  auto made = std::make_shared<IntentRegistration>();
  made->session_id = "default";
  made->skill_id = skill;
  made->intent_name = name;
  made->lang = lang;
  return made;
}

std::shared_ptr<IntentRegistration> templates(const std::string& skill, std::vector<std::string> samples,
                                              const std::string& lang = "en-US") {
  auto made = intent(skill, "do", lang);
  TemplateIntent pattern;
  pattern.samples = std::move(samples);
  made->pattern = std::move(pattern);
  return made;
}

std::shared_ptr<IntentRegistration> keywords(const std::string& skill, std::vector<std::string> needed) {
  auto made = intent(skill, "do");
  KeywordIntent pattern;
  for (auto& phrase : needed) pattern.required.emplace_back(phrase, std::vector<std::string>{phrase});
  made->pattern = std::move(pattern);
  return made;
}

EntityPtr entity(const std::string& skill, const std::string& name, std::vector<std::string> values) {
  auto made = std::make_shared<EntityRegistration>();
  made->session_id = "default";
  made->skill_id = skill;
  made->entity_name = name;
  made->lang = "en-US";
  made->samples = std::move(values);
  return made;
}

/// "sentence: winner, other", with a `=` in front of a tie.
std::vector<std::string> told(const std::vector<IntentPtr>& intents,
                              const std::vector<EntityPtr>& entities = {}, CollisionBounds bounds = kBounds) {
  std::vector<std::string> lines;
  for (const Collision& one : find_collisions(intents, entities, bounds).found) {
    lines.push_back((one.tie ? "= " : "") + one.sentence + ": " + one.winner.intent->skill_id + ", " +
                    one.other.intent->skill_id);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("collisions: a sentence two skills claim equally is a tie, told once") {
  CHECK(told({templates("b", {"(turn|switch) on the light", "turn the light on"}),
              templates("a", {"please turn on the light", "[please] switch on (the|a) (light|lamp)"})}) ==
        Lines{"= switch on the light: a, b"});
}

TEST_CASE("T-0 collisions: who names more of the words wins, and that is no tie") {
  CHECK(told({templates("a", {"play {what}"}), templates("b", {"play the news"})}) ==
        Lines{"play the news: b, a"});
  CHECK(told({templates("a", {"play {what}"}), templates("b", {"play {song} loudly"})}) ==
        Lines{"play {song} loudly: b, a"});
  CHECK(told({templates("a", {"play {what}"}), templates("b", {"play {song}"})}) ==
        Lines{"= play {what}: a, b"});
}

TEST_CASE("T-0 T-7 collisions: a listed value is not open, and who lists others yields") {
  CHECK(told({templates("a", {"play {song}"}), templates("b", {"play {station}"})},
             {entity("b", "station", {"(jazz|rock) radio"})}) == Lines{"play {song}: a, b"});
  CHECK(told({templates("a", {"play {song} now"}), templates("b", {"play {station} [now]"})},
             {entity("a", "song", {"hello"}), entity("b", "station", {"(jazz|rock) radio"})}) ==
        Lines{"play hello now: a, b"});
}

TEST_CASE("collisions: one skill's own intents do not collide, nor do other languages or what can't happen") {
  CHECK(told({templates("a", {"stop it"}), templates("a", {"stop it"})}).empty());
  CHECK(told({templates("a", {"stop it"}), templates("b", {"stop it"}, "de-DE")}).empty());
  CHECK(told({templates("a", {"stop it"}), templates("b", {"stop it now"})}).empty());
  CHECK(told({templates("a", {"stop it"}, "en-GB"), templates("b", {"stop it"})}).size() == 1);
  const auto off = templates("b", {"stop it"});
  off->enabled = false;
  CHECK(told({templates("a", {"stop it"}), off}).empty());
  const auto gated = templates("b", {"stop it"});
  gated->requires_context.emplace_back("playing", false);
  CHECK(told({templates("a", {"stop it"}), gated}).empty());
  const auto one_room = templates("a", {"stop it"});
  const auto other_room = templates("b", {"stop it"});
  one_room->session_id = "kitchen";
  other_room->session_id = "hall";
  CHECK(told({one_room, other_room}).empty());
}

TEST_CASE("T-6 collisions: a blacklisted phrase or value claims nothing") {
  auto wary = templates("b", {"play {song}"});
  std::get<TemplateIntent>(wary->pattern).blacklist = {"the news"};
  CHECK(told({wary, templates("a", {"play the news"})}).empty());
  auto picky = templates("b", {"play {song}"});
  std::get<TemplateIntent>(picky->pattern).slot_blacklist["song"] = {"the news"};
  CHECK(told({picky, templates("a", {"play the news"})}).empty());
}

TEST_CASE("U-3 collisions: a sample without a required slot claims nothing by itself") {
  auto needy = templates("b", {"play", "play {song}"});
  needy->required_slots = {"song"};
  CHECK(told({needy, templates("a", {"play"})}).empty());
}

TEST_CASE("R-4 collisions: keyword intents collide with each other, and yield to templates") {
  CHECK(told({keywords("a", {"weather", "today"}), keywords("b", {"weather", "today"})}) ==
        Lines{"= weather today: a, b"});
  CHECK(told({keywords("a", {"weather"}), templates("b", {"weather"})}) == Lines{"weather: b, a"});
  CHECK(told({keywords("a", {"weather", "today"}), templates("b", {"weather"})}).empty());
}

TEST_CASE("T-2 collisions: templates of many expansions are sampled, each branch once") {
  const std::string many =
      "(a0|a1|a2|a3|a4|a5|a6|a7|a8|a9) (b0|b1|b2|b3|b4|b5|b6|b7|b8|b9) "
      "(c0|c1|c2|c3|c4|c5|c6|c7|c8|c9) [d0|d1|d2] [e0|e1] [f0|f1|f2|f3] [g0|g1]";
  CHECK(told({templates("a", {many}), templates("b", {"a7 b7 c7"})}) == Lines{"= a7 b7 c7: a, b"});
  CHECK(told({templates("a", {many}), templates("b", {"{x} b7 {y}"})}).size() == 1);
}

TEST_CASE("collisions: the bound on comparisons is kept and told") {
  const std::vector<IntentPtr> pair{templates("a", {"stop it"}), templates("b", {"stop it"})};
  CHECK_FALSE(find_collisions(pair, {}, CollisionBounds(16, 1)).complete);
  CHECK(find_collisions(pair, {}, kBounds).complete);
}
