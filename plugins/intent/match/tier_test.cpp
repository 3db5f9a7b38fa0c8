#include "match/tier.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "match/test_support.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

namespace {

struct TierFixture : IndexFixture {
  /// Who wins in an entry with that name and these options.
  std::string taken(const std::string& text, const std::string& entry, const Json& options = Json::object()) {
    const auto found = candidates(text);
    const Candidate* winner = choose(found, tier_of(entry, options));
    return winner == nullptr ? "-" : winner->intent->skill_id + ':' + winner->intent->intent_name;
  }
};

}  // namespace

TEST_CASE_FIXTURE(TierFixture, "tiers: a template is taken by every entry, however many open words it has") {
  add(template_intent("music", "play", {"play {song}"}));
  for (const char* entry : {"intent_high", "intent_medium", "intent_low"}) {
    CHECK(taken("play one two three four five six", entry) == "music:play");
  }
}

TEST_CASE_FIXTURE(TierFixture, "tiers: high takes a keyword match only when there is no other intent's") {
  add(keyword_intent("lamp", "on", {{"light"}}));
  CHECK(taken("red light", "intent_high") == "lamp:on");
  add(keyword_intent("lamp", "color", {{"light"}, {"red"}}));
  CHECK(taken("red light", "intent_high") == "-");
  CHECK(taken("red light", "intent_medium") == "lamp:color");
  CHECK(taken("green light", "intent_high") == "lamp:on");
}

TEST_CASE_FIXTURE(TierFixture,
                  "tiers: a vetoed rival, a template or the same intent makes no keyword match ambiguous") {
  add(keyword_intent("lamp", "on", {{"light"}}));
  add(keyword_intent("lamp", "color", {{"light"}, {"red"}}));
  policy.disabled = {"color"};
  CHECK(taken("red light", "intent_high") == "lamp:on");
  add(template_intent("paint", "mix", {"{color} light"}));
  CHECK(taken("light please", "intent_high") == "lamp:on");
  auto own = keyword_intent("lamp", "on", {{"light"}});
  own.session_id = "kitchen";
  add(own);
  policy.session = "kitchen";
  CHECK(taken("light please", "intent_high") == "lamp:on");
}

TEST_CASE_FIXTURE(TierFixture,
                  "tiers: high wants keywords to cover half, medium three in ten, low a quarter") {
  add(keyword_intent("lamp", "on", {{"light"}}));
  CHECK(taken("light please", "intent_high") == "lamp:on");
  CHECK(taken("the light please", "intent_high") == "-");
  CHECK(taken("the light please", "intent_medium") == "lamp:on");
  CHECK(taken("one two three light", "intent_medium") == "-");
  CHECK(taken("one two three light", "intent_low") == "lamp:on");
  CHECK(taken("one two three four light", "intent_low") == "-");
  CHECK(taken("one two three four light", "intent_low", {{"min_coverage", 0}}) == "lamp:on");
}

TEST_CASE_FIXTURE(TierFixture,
                  "tiers: an ambiguous keyword match does not keep high from a template behind it") {
  add(keyword_intent("lamp", "on", {{"turn on"}, {"light"}}));
  add(keyword_intent("lamp", "dim", {{"turn on"}, {"light"}}));
  add(template_intent("any", "device", {"turn on {device}"}));
  CHECK(taken("turn on light", "intent_high") == "any:device");
  CHECK(taken("turn on light", "intent_medium") == "lamp:dim");
}

TEST_CASE_FIXTURE(TierFixture, "tiers: options set the level and the bound of an entry") {
  add(keyword_intent("lamp", "on", {{"light"}}));
  add(keyword_intent("lamp", "color", {{"light"}, {"red"}}));
  CHECK(taken("red light", "intent_low", {{"level", "high"}}) == "-");
  CHECK(taken("red light", "intent_high", {{"level", "medium"}}) == "lamp:color");
  CHECK(taken("one two three four light", "intent_medium", {{"min_coverage", 0.2}}) == "lamp:on");
  CHECK(taken("light please", "intent_low", {{"min_coverage", 1}}) == "-");
  CHECK(taken("light", "whatever") == "lamp:on");
}

TEST_CASE("tiers: the level is what an entry's name ends in, else low") {
  CHECK(tier_of("intent_high", Json::object()).level == Level::kHigh);
  CHECK(tier_of("my_medium", Json::object()).level == Level::kMedium);
  CHECK(tier_of("intent_low", Json::object()).level == Level::kLow);
  CHECK(tier_of("intent", Json::object()).level == Level::kLow);
}

TEST_CASE("tiers: an option that makes no sense is refused with its entry and what was expected") {
  const auto message = [](const Json& options) {
    try {
      tier_of("intent_high", options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message({{"level", "top"}}) ==
        "intent: option 'level' of entry 'intent_high': expected 'by_name', 'high', 'medium' or 'low'");
  CHECK(message({{"level", 1}}).find("'level'") != std::string::npos);
  CHECK(message({{"min_coverage", "much"}}) ==
        "intent: option 'min_coverage' of entry 'intent_high': expected a number from 0 to 1");
  CHECK(message({{"min_coverage", 1.5}}).find("'min_coverage'") != std::string::npos);
  CHECK(message({{"min_coverage", -1}}).find("'min_coverage'") != std::string::npos);
}

TEST_CASE_FIXTURE(
    TierFixture,
    "tiers: a value nobody listed is taken by medium when nobody else is in question, else by low only") {
  add(template_intent("music", "play", {"please play {song}"}));
  add(entity("music", "song", {"stand by me", "hello"}));
  CHECK(taken("please play yesterday", "intent_medium") == "music:play");
  CHECK(taken("please play yesterday", "intent_high") == "-");
  CHECK(taken("please play one two three four", "intent_medium") == "-");
  CHECK(taken("please play one two three four", "intent_low") == "music:play");
  add(template_intent("game", "play", {"please play {game}"}));
  add(entity("game", "game", {"chess"}));
  CHECK(taken("please play chess", "intent_high") == "game:play");
  CHECK(taken("please play yesterday", "intent_medium") == "-");
  CHECK(taken("please play yesterday", "intent_low") == "game:play");
}

TEST_CASE_FIXTURE(
    TierFixture,
    "T-7 tiers: a value nobody listed is taken by low unless the utterance resembles another intent more") {
  add(template_intent("music", "play", {"please play {song}"}));
  add(entity("music", "song", {"stand by me", "hello"}));
  auto found = candidates("please play chess with me");
  REQUIRE(found.size() == 1);
  const Tier low = tier_of("intent_low", Json::object());
  const auto resembles = [&](const char* skill, double certainty, double likeness) {
    Candidate like(std::make_shared<const IntentRegistration>(template_intent(skill, "play", {"chess"})));
    like.certainty = certainty;
    like.likeness = likeness;
    auto all = found;
    all.push_back(std::move(like));
    const Candidate* const winner = choose(all, low);
    return winner == nullptr ? "-" : winner->intent->skill_id;
  };
  CHECK(resembles("music", 0.4, -0.5) == "music");
  CHECK(resembles("game", 0.1, -0.5) == "-");
  CHECK(resembles("game", 0.9, 1) == "game");
}

TEST_CASE_FIXTURE(TierFixture, "T-7 tiers: and so does medium, where a template with such a value is alone") {
  add(template_intent("music", "play", {"please play {song}"}));
  add(entity("music", "song", {"stand by me", "hello"}));
  auto found = candidates("please play chess");
  REQUIRE(found.size() == 1);
  const Tier medium = tier_of("intent_medium", Json::object());
  CHECK(choose(found, medium) == &found.front());
  Candidate like(std::make_shared<const IntentRegistration>(template_intent("game", "play", {"chess"})));
  like.certainty = 0.1;
  found.push_back(std::move(like));
  CHECK(choose(found, medium) == nullptr);
}

TEST_CASE_FIXTURE(TierFixture,
                  "T-0 tiers: a template with an unlisted value is read as it resembles where that finds "
                  "more listed ones") {
  add(template_intent("music", "play", {"play {song}"}));
  add(entity("music", "song", {"hello"}));
  add(entity("music", "room", {"kitchen"}));
  auto found = candidates("play hello kitchen");
  REQUIRE(found.size() == 1);
  Candidate like(found.front().intent);
  like.certainty = 0.4;
  like.bound = {Bound("song", 1, 2, false)};
  found.push_back(like);
  const Tier low = tier_of("intent_low", Json::object());
  CHECK(choose(found, low) == &found.front());
  found.back().bound = {Bound("song", 1, 2, true), Bound("room", 2, 3, true)};
  CHECK(choose(found, low) == &found.back());
}

TEST_CASE_FIXTURE(TierFixture,
                  "tiers: low takes a value nobody listed only where the classifier has not denied it") {
  add(template_intent("light", "state", {"what is the {room} light"}));
  add(entity("light", "room", {"kitchen"}));
  auto found = candidates("what is the moon light");
  REQUIRE(found.size() == 1);
  const Tier low = tier_of("intent_low", Json::object());
  CHECK(choose(found, low) != nullptr);  // nobody was asked
  Candidate denied(found.front().intent);
  denied.certainty = 0.1;
  found.push_back(denied);
  CHECK(choose(found, low) == nullptr);
  CHECK(refusal(found.front(), found, low).find("hardly resembles") != std::string_view::npos);
  found.back().certainty = 0.4;
  CHECK(choose(found, low) == &found.front());
}

TEST_CASE_FIXTURE(TierFixture, "tiers: what resembles a closed intent more is no other's") {
  Candidate leap(std::make_shared<const IntentRegistration>(template_intent("dates", "leap", {"leap"})));
  leap.certainty = 0.6;
  leap.likeness = 0.6;
  Candidate next(std::make_shared<const IntentRegistration>(template_intent("guide", "next", {"next"})));
  next.certainty = 0.9;
  next.likeness = 0.9;
  const Tier low = tier_of("intent_low", Json::object());
  CHECK(choose({leap}, low) != nullptr);
  next.veto = Veto(Veto::Kind::kGateClosed, "under_way");
  CHECK(choose({next, leap}, low) == nullptr);
  next.veto = Veto(Veto::Kind::kDisabled);
  CHECK(choose({next, leap}, low) != nullptr);
  next.veto = Veto(Veto::Kind::kGateClosed, "under_way");
  next.certainty = next.likeness = 0.7;
  CHECK(choose({next, leap}, low) != nullptr);
}

TEST_CASE_FIXTURE(
    TierFixture,
    "tiers: a template that is open slots for the most part is left to whom the classifier names") {
  add(template_intent("music", "hear", {"hear {song}"}));
  const Tier high = tier_of("intent_high", Json::object());
  auto found = candidates("hear one two three");
  REQUIRE(found.size() == 1);
  CHECK(needs_consent(found.front()));
  CHECK(choose(found, high) != nullptr);  // nobody was asked
  Candidate like(std::make_shared<const IntentRegistration>(template_intent("game", "play", {"chess"})));
  like.certainty = 0.4;
  found.push_back(like);
  CHECK(choose(found, high) == nullptr);
  CHECK(refusal(found.front(), found, high).find("another intent") != std::string_view::npos);
  Candidate alike(found.front().intent);
  alike.certainty = 0.2;  // another is surer by far…
  found.push_back(alike);
  CHECK(choose(found, high) == nullptr);
  found[1].certainty = *alike.certainty + 0.01;  // …or next to nothing, which says nothing
  CHECK(choose(found, high) == &found.front());
  found.pop_back();
  Candidate own(std::make_shared<const IntentRegistration>(template_intent("music", "stop", {"quiet"})));
  own.certainty = 0.25;  // it hardly knows which of the skill's is meant
  found.back() = own;
  CHECK(choose(found, high) == &found.front());
  found.back().certainty = 0.4;
  CHECK(choose(found, high) == nullptr);
  found.back().certainty = 0.15;  // no idea: whoever else is asked before the lowest level may know better
  CHECK(choose(found, high) == nullptr);
  CHECK(choose(found, tier_of("intent_low", Json::object())) == &found.front());
  found.back().certainty = 0.4;
  found.front().has_typed_value = true;  // what it says of a time or an amount is no accident
  CHECK(choose(found, high) == &found.front());
  CHECK_FALSE(needs_consent(candidates("hear hello").front()));
}
