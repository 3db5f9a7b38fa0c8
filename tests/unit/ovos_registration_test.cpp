// W-6: what older skills register (ovos-wire 2, 6.1, 9.1).
#include "support/ovos_peer.hpp"

using namespace parley;
using namespace parley::net::ovos;
using parley::testing::OvosPeer;
using parley::testing::topics;

namespace {

constexpr const char* kPasta = OvosPeer::kSkill;
const std::string kLetters = "pasta_openvoiceos";

/// A message of the skill from inside a handler: in a session, and in a turn.
Json in_handler() {
  return OvosPeer::context_of_turn();
}

Said says_phrase(OvosPeer& peer, const std::string& type, const std::string& phrase,
                 const std::string& lang = "en-US") {
  return peer.says("register_vocab",
                   {{"entity_value", phrase}, {"entity_type", kLetters + type}, {"lang", lang}},
                   OvosPeer::of_skill());
}

Json types_of(const std::vector<std::string>& types) {
  Json list = Json::array();
  for (const auto& type : types) list.push_back(Json::array({kLetters + type, kLetters + type}));
  return list;
}

Json adapt_intent(const std::string& name, const Json& required, const Json& more = Json::object()) {
  Json data = {{"name", std::string(kPasta) + ":" + name},
               {"requires", required},
               {"optional", Json::array()},
               {"at_least_one", Json::array()},
               {"excludes", Json::array()}};
  data.update(more);
  return data;
}

Json words_of(const std::string& type, const std::vector<std::string>& samples) {
  return {{"name", kLetters + type}, {"samples", samples}};
}

}  // namespace

TEST_CASE("ovos-wire 2.1: a Padatious intent is a template intent, under its own name, for everybody") {
  OvosPeer peer;
  const Json data = {{"name", "pasta.openvoiceos:cook.intent"},
                     {"samples", {"cook {what}", "make pasta"}},
                     {"lang", "en-us"},
                     {"file_name", "/opt/cook.intent"},
                     {"blacklisted_words", nullptr}};
  const Json expected = {{"skill_id", kPasta},
                         {"intent_name", "cook.intent"},
                         {"lang", "en-us"},
                         {"samples", {"cook {what}", "make pasta"}},
                         {"blacklist", Json::array()}};
  for (const Json& context : {OvosPeer::of_skill(), in_handler(), Json::object()}) {
    const Json registration = peer.becomes("padatious:register_intent", data, context);
    CHECK(registration.at("type") == "ovos.intent.register.template");
    CHECK(registration.at("data") == expected);
    CHECK(registration.at("context").at("skill_id") == kPasta);
    CHECK_FALSE(registration.at("context").contains("session"));
    CHECK_FALSE(registration.at("context").contains("utterance_id"));
  }
}

TEST_CASE("ovos-wire 2.1: words that rule an intent out stay with it") {
  OvosPeer peer;
  const Json registration = peer.becomes("padatious:register_intent",
                                         {{"name", "pasta.openvoiceos:cook.intent"},
                                          {"samples", {"cook"}},
                                          {"lang", "en-US"},
                                          {"blacklisted_words", {"rice"}}},
                                         OvosPeer::of_skill());
  CHECK(registration.at("data").at("blacklist") == Json::array({"rice"}));
}

TEST_CASE("ovos-wire 2.2: a Padatious entity loses the digest of its name") {
  OvosPeer peer;
  const auto name_for = [&](const std::string& name) {
    return peer.becomes("padatious:register_entity",
                        {{"name", name}, {"samples", {"red"}}, {"lang", "en-US"}},
                        OvosPeer::of_skill())["data"]["entity_name"];
  };
  CHECK(name_for("pasta.openvoiceos:color_0123456789abcdef0123456789abcdef") == "color");
  CHECK(name_for("pasta.openvoiceos:color_of_sauce") == "color_of_sauce");
}

TEST_CASE("ovos-wire 2.3 and 2.5: vocabularies and an Adapt intent become one keyword intent a language") {
  OvosPeer peer;
  CHECK(says_phrase(peer, "Cookkeyword", "cook").passed.empty());
  says_phrase(peer, "Cookkeyword", "boil");
  says_phrase(peer, "Cookkeyword", "koche", "de-DE");
  says_phrase(peer, "Large", "a lot");
  says_phrase(peer, "Rice", "rice");
  const Json data = adapt_intent("CookIntent", types_of({"CookKeyword"}),
                                 {{"optional", types_of({"large"})}, {"excludes", Json::array({"rice"})}});
  const Said said = peer.says("register_intent", data, in_handler());
  REQUIRE(said.passed.size() == 2);
  const Json german = to_json(said.passed[0]);
  const Json english = to_json(said.passed[1]);
  CHECK(german.at("data") == Json{{"skill_id", kPasta},
                                  {"intent_name", "CookIntent"},
                                  {"lang", "de-DE"},
                                  {"required", Json::array({words_of("CookKeyword", {"koche"})})},
                                  {"optional", Json::array()},
                                  {"one_of", Json::array()},
                                  {"excluded", Json::array()}});
  CHECK(english.at("type") == "ovos.intent.register.keyword");
  CHECK(english.at("data").at("required") == Json::array({words_of("CookKeyword", {"cook", "boil"})}));
  CHECK(english.at("data").at("optional") == Json::array({words_of("large", {"a lot"})}));
  CHECK(english.at("data").at("excluded") == Json::array({{{"name", "rice"}, {"samples", {"rice"}}}}));
  CHECK_FALSE(english.at("context").contains("session"));
}

TEST_CASE("ovos-wire 2.5: one of several, each group by itself") {
  OvosPeer peer;
  says_phrase(peer, "A", "aa");
  says_phrase(peer, "B", "bb");
  const Json groups = Json::array({Json::array({kLetters + "A", kLetters + "B", kLetters + "C"})});
  const Json data =
      peer.becomes("register_intent", adapt_intent("i", Json::array(), {{"at_least_one", groups}}),
                   OvosPeer::of_skill())["data"];
  CHECK(data.at("one_of") == Json::array({Json::array({words_of("A", {"aa"}), words_of("B", {"bb"})})}));
}

TEST_CASE("ovos-wire 2.5: a vocabulary that comes late is in the intent with the next word of the skill") {
  OvosPeer peer;
  CHECK(peer.says("register_intent", adapt_intent("i", types_of({"a", "b"})), OvosPeer::of_skill())
            .passed.empty());
  CHECK(says_phrase(peer, "A", "aa").passed.empty());
  CHECK(says_phrase(peer, "B", "bb").passed.empty());
  CHECK(says_phrase(peer, "B", "cc").passed.empty());
  const auto registered = [](const Said& said) {
    REQUIRE_FALSE(said.passed.empty());
    CHECK(said.passed.front().type() == "ovos.intent.register.keyword");
    return said.passed.front().data().at("required");
  };
  const Json expected = Json::array({words_of("a", {"aa"}), words_of("b", {"bb", "cc"})});
  SUBCASE("or when it says nothing more") {
    REQUIRE(peer.translator.due());
    CHECK(registered(peer.translator.on_time(peer.now)) == expected);
  }
  SUBCASE("in what it says then") {
    CHECK(registered(peer.says("mycroft.skills.loaded", {{"id", kPasta}})) == expected);
  }
  CHECK_FALSE(peer.translator.due());
}

TEST_CASE("ovos-wire 2.4: a regular expression is said to be unsupported") {
  OvosPeer peer;
  const Said said =
      peer.says("register_vocab", {{"regex", "(of )(?P<x>\\w+)"}, {"lang", "en-US"}}, OvosPeer::of_skill());
  REQUIRE(said.notes.size() == 1);
  CHECK(said.notes.front().text.find("regular expression") != std::string::npos);
  CHECK(said.passed.empty());
}

TEST_CASE("ovos-wire 2.6: a type that has no vocabulary is one that the context fills") {
  OvosPeer peer;
  says_phrase(peer, "More", "more");
  const Json data =
      peer.becomes("register_intent", adapt_intent("MoreIntent", types_of({"More", "prev_dialog"})),
                   OvosPeer::of_skill())["data"];
  CHECK(data.at("required") == Json::array({words_of("More", {"more"})}));
  CHECK(data.at("requires_context") == Json::array({"prev_dialog"}));
  const Json session = {{"session_id", "kitchen"},
                        {"intent_context", {{std::string(kPasta) + ":prev_dialog", {{"value", "births"}}}}}};
  const Heard heard = peer.hears_dispatch("MoreIntent", {{kLetters + "More", "more"}}, session);
  REQUIRE(heard.instead);
  CHECK(heard.instead->text(kLetters + "prev_dialog") == "births");
  CHECK(heard.instead->text("prev_dialog") == "births");
}

TEST_CASE("ovos-wire 2.7: an intent is taken away for everybody, from within a handler too") {
  OvosPeer peer;
  peer.becomes("padatious:register_intent",
               {{"name", "pasta.openvoiceos:cook.intent"}, {"samples", {"cook"}}, {"lang", "en-US"}},
               OvosPeer::of_skill());
  const Json away =
      peer.becomes("detach_intent", {{"intent_name", "pasta.openvoiceos:cook.intent"}}, in_handler());
  CHECK(away.at("type") == "ovos.intent.deregister");
  CHECK(away.at("data") == Json{{"skill_id", kPasta}, {"intent_name", "cook.intent"}});
  CHECK_FALSE(away.at("context").contains("session"));
}

TEST_CASE("ovos-wire 2.7: the name with a language behind it names nothing") {
  OvosPeer peer;
  peer.becomes("padatious:register_intent",
               {{"name", "pasta.openvoiceos:cook.intent"}, {"samples", {"cook"}}, {"lang", "en-US"}},
               OvosPeer::of_skill());
  const Said said =
      peer.says("detach_intent", {{"intent_name", "pasta.openvoiceos:cook.intent_en-US"}}, in_handler());
  CHECK(said.passed.empty());
  CHECK(said.dropped != nullptr);
}

TEST_CASE("ovos-wire 2.8: a skill is taken away with its vocabularies") {
  OvosPeer peer;
  says_phrase(peer, "A", "aa");
  const Json away = peer.becomes("detach_skill", {{"skill_id", kPasta}}, in_handler());
  CHECK(away.at("type") == "ovos.skill.deregister");
  CHECK_FALSE(away.at("context").contains("session"));
  CHECK(
      peer.says("register_intent", adapt_intent("i", types_of({"a"})), OvosPeer::of_skill()).passed.empty());
}

TEST_CASE("ovos-wire 2.9: to enable and disable is asked of the skill as well") {
  OvosPeer peer;
  for (const std::string word : {"enable", "disable"}) {
    const std::string topic = "mycroft.skill." + word + "_intent";
    const Said by_skill = peer.says(topic, {{"intent_name", "cook"}}, in_handler());
    CHECK(topics(by_skill.passed) == std::vector<std::string>{"ovos.intent." + word});
    CHECK(by_skill.passed.front().context().session == nullptr);
    CHECK(topics(by_skill.relayed) == std::vector<std::string>{topic});
    const Said by_anybody = peer.says(topic, {{"intent_name", "cook"}});
    CHECK(by_anybody.passed.empty());
    CHECK(topics(by_anybody.relayed) == std::vector<std::string>{topic});
  }
}

TEST_CASE("ovos-wire 2 and 10: of what newer skills register twice the current form counts") {
  const Json current = {
      {"skill_id", kPasta}, {"intent_name", "cook"}, {"lang", "en-US"}, {"samples", {"cook"}}};
  const Json older = {{"name", "pasta.openvoiceos:cook.intent"}, {"samples", {"cook"}}, {"lang", "en-US"}};
  OvosPeer peer;
  SUBCASE("when it comes first") {
    CHECK(topics(peer.says("ovos.intent.register.template", current, OvosPeer::of_skill()).passed) ==
          std::vector<std::string>{"ovos.intent.register.template"});
    const Said twin = peer.says("padatious:register_intent", older, OvosPeer::of_skill());
    CHECK(twin.passed.empty());
    CHECK(std::string(twin.dropped) == "duplicate");
  }
  SUBCASE("when it comes after the other") {
    peer.says("padatious:register_intent", older, OvosPeer::of_skill());
    const Said said = peer.says("ovos.intent.register.template", current, OvosPeer::of_skill());
    CHECK(topics(said.passed) ==
          std::vector<std::string>{"ovos.intent.deregister", "ovos.intent.register.template"});
    CHECK(said.passed.front().text("intent_name") == "cook.intent");
  }
}

TEST_CASE("ovos-wire 0.9 and 6.1: a fallback registers by its data, and 101 is as late as 100") {
  OvosPeer peer;
  const Json context = {{"session", {{"session_id", "default"}}}};
  for (const std::string topic : {"ovos.skills.fallback.register", "ovos.fallback.register"}) {
    const Json registration = peer.becomes(topic, {{"skill_id", kPasta}, {"priority", 101}}, context);
    CHECK(registration.at("type") == "ovos.fallback.register");
    CHECK(registration.at("data") == Json{{"skill_id", kPasta}, {"priority", 100}});
    CHECK(registration.at("context") == Json{{"skill_id", kPasta}});
  }
  CHECK(peer.becomes("ovos.skills.fallback.deregister", {{"skill_id", kPasta}}).at("type") ==
        "ovos.fallback.deregister");
}

TEST_CASE("ovos-wire 2.10 and 0.9: a skill that says it is loaded is known, and everybody hears of it") {
  OvosPeer peer;
  const Json loaded = peer.becomes("mycroft.skills.loaded", {{"id", kPasta}, {"name", "Pasta"}});
  CHECK(loaded.at("type") == "mycroft.skills.loaded");
  CHECK(loaded.at("context").at("skill_id") == kPasta);
  CHECK(peer.translator.owns(kPasta));
}

TEST_CASE("ovos-wire 9.1: context of a skill is in the session, under the skill's name") {
  OvosPeer peer;
  const std::string key = std::string(kPasta) + ":prev_dialog";
  const Json added =
      peer.becomes("add_context", {{"context", kLetters + "prev_dialog"}, {"word", "births"}, {"origin", ""}},
                   in_handler());
  CHECK(added.at("type") == "ovos.session.sync");
  CHECK(added.at("data").at("session") ==
        Json{{"session_id", "kitchen"},
             {"intent_context", {{key, {{"value", "births"}, {"expires_at", 1120.0}}}}}});
  CHECK(added.at("context").at("utterance_id") == "t");
  const Json removed = peer.becomes("remove_context", {{"context", kLetters + "prev_dialog"}}, in_handler());
  CHECK(removed.at("data").at("session").at("intent_context") == Json{{key, nullptr}});
  const Json session = {{"session_id", "kitchen"}, {"intent_context", {{key, {{"value", "births"}}}}}};
  const Json cleared = peer.becomes("clear_context", Json::object(), OvosPeer::context_of_turn(session));
  CHECK(cleared.at("data").at("session").at("intent_context") == Json{{key, nullptr}});
}

TEST_CASE("ovos-wire 9.1: a context is spelled as the intent that needs it spells it") {
  OvosPeer peer;
  says_phrase(peer, "More", "more");
  peer.becomes("register_intent", adapt_intent("i", types_of({"More", "Prev_Dialog"})), OvosPeer::of_skill());
  const Json added =
      peer.becomes("add_context", {{"context", kLetters + "prev_dialog"}, {"word", "x"}}, in_handler());
  CHECK(added["data"]["session"]["intent_context"].contains(std::string(kPasta) + ":Prev_Dialog"));
}

TEST_CASE("ovos-wire 2: what one connection's vocabularies hold is bounded, and so is one registration") {
  net::ovos::Keywords keywords;
  const std::string phrase(net::ovos::Keywords::kMostRegistered / 4, 'a');
  std::size_t taken = 0;
  for (int i = 0; i < 100; ++i) {
    const Json data = {{"entity_value", phrase + std::to_string(i)}, {"entity_type", "t"}, {"lang", "en-US"}};
    if (keywords.add_phrase("a.test", data) == net::ovos::Keywords::Taken::kYes) ++taken;
  }
  CHECK(taken * phrase.size() <= net::ovos::Keywords::kMostText);
  CHECK(taken > 10);
  std::vector<Message> registrations;
  const Json wanted = {{"name", "a.test:i"}, {"requires", Json::array({Json::array({"t", "t"})})}};
  CHECK(keywords.add_intent("a.test", wanted, registrations) == net::ovos::Keywords::Taken::kFull);
  CHECK(registrations.empty());
  keywords.remove_skill("a.test");
  CHECK(keywords.add_phrase("a.test", {{"entity_value", phrase}, {"entity_type", "t"}, {"lang", "en-US"}}) ==
        net::ovos::Keywords::Taken::kYes);
}

TEST_CASE("ovos-wire 2: a word more of a vocabulary that many intents use is not registered all at once") {
  net::ovos::Keywords keywords;
  const auto add = [&](const std::string& word) {
    keywords.add_phrase("a.test", {{"entity_value", word}, {"entity_type", "t"}, {"lang", "en-US"}});
  };
  for (int i = 0; i < 1'000; ++i) add("a word, number " + std::to_string(i));
  std::vector<Message> registrations;
  for (int i = 0; i < 200; ++i) {
    const Json wanted = {{"name", "a.test:i" + std::to_string(i)},
                         {"requires", Json::array({Json::array({"t", "t"})})}};
    keywords.add_intent("a.test", wanted, registrations);
  }
  CHECK(registrations.size() == 200);
  add("one more");
  std::size_t renewed = 0;
  int goes = 0;
  for (; keywords.is_due(); ++goes) {
    const auto some = keywords.renew();
    CHECK(some.size() <= 8);
    renewed += some.size();
  }
  CHECK(renewed == 200);
  CHECK(goes >= 25);
}
