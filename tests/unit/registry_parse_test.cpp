#include "support/registry_fixture.hpp"

using namespace parley;
using namespace parley::test;

namespace {

/// A registration and the part of the warning that says why it is refused.
struct Refused {
  Refused(Json fields, std::string part) : more(std::move(fields)), reason(std::move(part)) {}
  Json more;
  std::string reason;
};

void check_refused(RegistryFixture& fixture, const std::string& topic, const Json& data,
                   const std::string& reason) {
  CAPTURE(data.dump());
  fixture.warnings.clear();
  fixture.changes.clear();
  fixture.send(topic, data);
  CHECK(fixture.changes.empty());
  const bool said = fixture.warned(reason);
  CHECK_MESSAGE(said, "wanted: ", reason,
                " got: ", fixture.warnings.empty() ? "silence" : fixture.warnings.back());
}

const KeywordIntent& keywords_of(const RegistryFixture& fixture) {
  return std::get<KeywordIntent>(fixture.registry.intents().at(0)->pattern);
}

const TemplateIntent& template_pattern(const RegistryFixture& fixture) {
  return std::get<TemplateIntent>(fixture.registry.intents().at(0)->pattern);
}

Json list_of(const Json& one) {
  return Json::array({one});
}

}  // namespace

TEST_CASE_FIXTURE(RegistryFixture,
                  "M-2 skill_id and intent_name must be identifiers for stages to see the intent") {
  for (const char* name : {"a:b", "two words", ".brew", "brew.", "a..b", "caf\xc3\xa9"}) {
    check_refused(*this, kTemplateTopic, template_of(name), "intent_name");
    check_refused(*this, kTemplateTopic, template_of("brew", "en-US", {{"skill_id", name}}), "skill_id");
  }
  CHECK(registered().empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 R-5 reserved names are refused and not even listed") {
  for (const char* name : {"converse", "response", "stop", "fallback", "common_query"}) {
    check_refused(*this, kTemplateTopic, template_of(name), "reserved");
    check_refused(*this, kKeywordTopic, keyword_of(name), "reserved");
  }
  CHECK(ask("ovos.intent.list", Json::object())["intents"].empty());
  send(kTemplateTopic, template_of("stop_brewing"));
  CHECK(registered().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-1 a registration without a usable name or language has no key and is ignored") {
  for (const Json& bad : {Json(), Json(5), Json(""), Json::array(), Json::object()}) {
    check_refused(*this, kTemplateTopic, template_of("brew", "en-US", {{"intent_name", bad}}),
                  "'intent_name'");
    check_refused(*this, kKeywordTopic, keyword_of("brew", "en-US", {{"lang", bad}}), "'lang'");
    check_refused(
        *this, "ovos.entity.register",
        entity_of("size").patch(Json::array({{{"op", "replace"}, {"path", "/lang"}, {"value", bad}}})),
        "'lang'");
    check_refused(
        *this, "ovos.entity.register",
        entity_of("size").patch(Json::array({{{"op", "replace"}, {"path", "/entity_name"}, {"value", bad}}})),
        "'entity_name'");
  }
  CHECK(ask("ovos.intent.list", Json::object())["intents"].empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-1 a language that is no tag is refused") {
  check_refused(*this, kTemplateTopic, template_of("brew", "english please"), "is no language tag");
  check_refused(*this, "ovos.entity.register", entity_of("size", "e"), "is no language tag");
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 a keyword intent has its four roles") {
  send(kKeywordTopic,
       keyword_of("set", "en-US",
                  {{"optional", list_of(vocabulary("please", {"please"}))},
                   {"excluded", list_of(vocabulary("question", {"what is", "how"}))},
                   {"one_of", list_of(Json::array({vocabulary("up", {"up", "(higher|brighter)"}),
                                                   vocabulary("down", {"down"})}))}}));
  REQUIRE(registered() == Names{"coffee.parley:set en-US keyword default"});
  const KeywordIntent& intent = keywords_of(*this);
  REQUIRE(intent.required.size() == 1);
  CHECK(intent.required[0].name == "set");
  CHECK(intent.required[0].samples == Names{"set", "change"});
  CHECK(intent.optional.at(0).name == "please");
  CHECK(intent.excluded.at(0).samples == Names{"what is", "how"});
  REQUIRE(intent.one_of.size() == 1);
  CHECK(intent.one_of[0].at(0).samples == Names{"up", "(higher|brighter)"});
  CHECK(intent.one_of[0].at(1).name == "down");
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 one_of alone is enough, required and one_of both empty are not") {
  Json data = keyword_of("set");
  data.erase("required");
  check_refused(*this, kKeywordTopic, data, "nothing would have to be said");
  data["required"] = Json::array();
  data["one_of"] = Json::array();
  data["optional"] = list_of(vocabulary("please", {"please"}));
  check_refused(*this, kKeywordTopic, data, "nothing would have to be said");
  data["one_of"] = list_of(list_of(vocabulary("up", {"up"})));
  send(kKeywordTopic, data);
  CHECK(registered().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 malformed constraints are refused, each with its place") {
  const Json good = vocabulary("up", {"up"});
  const Refused cases[] = {
      {{{"required", "set"}}, "required is a string; it must be an array"},
      {{{"required", nullptr}}, "required is null"},
      {{{"optional", Json::object()}}, "optional is an object"},
      {{{"excluded", 5}}, "excluded is a number"},
      {{{"one_of", true}}, "one_of is a boolean"},
      {{{"one_of", list_of(good)}}, "one_of[0] is an object"},
      {{{"one_of", list_of(Json::array())}}, "one_of[0] is empty"},
      {{{"one_of", list_of(list_of("up"))}}, "one_of[0][0] is a string"},
      {{{"required", list_of("set")}}, "required[0] is a string"},
      {{{"optional", list_of({{"samples", {"x"}}})}}, "optional[0].name"},
      {{{"optional", list_of({{"name", ""}, {"samples", {"x"}}})}}, "optional[0].name"},
      {{{"optional", list_of({{"name", 1}, {"samples", {"x"}}})}}, "optional[0].name"},
      {{{"excluded", list_of({{"name", "x"}})}}, "excluded[0].samples must hold at least one"},
      {{{"excluded", list_of({{"name", "x"}, {"samples", Json::array()}})}}, "excluded[0].samples must hold"},
      {{{"excluded", list_of({{"name", "x"}, {"samples", "x"}})}}, "excluded[0].samples is a string"}};
  for (const auto& one : cases)
    check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", one.more), one.reason);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 a name stands under one role only") {
  const Json again = list_of(vocabulary("set", {"put"}));
  check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", {{"optional", again}}),
                "'set' is both in required and in optional");
  check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", {{"excluded", again}}),
                "'set' is both in required and in excluded");
  check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", {{"one_of", list_of(again)}}),
                "'set' is both in required and in one_of");
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 the same name twice in one role is one vocabulary with all samples") {
  const Json twice = Json::array(
      {vocabulary("set", {"set"}), vocabulary("level", {"level"}), vocabulary("set", {"change", "set"})});
  const Json groups =
      Json::array({list_of(vocabulary("up", {"up"})),
                   Json::array({vocabulary("down", {"down"}), vocabulary("up", {"higher"})})});
  send(kKeywordTopic, keyword_of("set", "en-US", {{"required", twice}, {"one_of", groups}}));
  REQUIRE(registered().size() == 1);
  const KeywordIntent& intent = keywords_of(*this);
  REQUIRE(intent.required.size() == 2);
  CHECK(intent.required[0].samples == Names{"set", "change"});
  CHECK(intent.required[1].name == "level");
  REQUIRE(intent.one_of.size() == 2);
  CHECK(intent.one_of[0].at(0).samples == Names{"up", "higher"});
  CHECK(intent.one_of[1].at(1).samples == Names{"up", "higher"});
  CHECK(intent.one_of[1].at(0).samples == Names{"down"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 groups that multiply their samples are refused, not built") {
  Json groups = Json::array();
  for (int i = 0; i < 1'000; ++i) groups.push_back(list_of(vocabulary("up", {"up" + std::to_string(i)})));
  check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", {{"one_of", groups}}),
                "one_of has more than");
}

TEST_CASE_FIXTURE(
    RegistryFixture,
    "R-4 samples that do not parse are skipped by name, a vocabulary with none left is refused") {
  const Json some = list_of({{"name", "set"}, {"samples", {"set", "(open", 5, "{slot}", "", "put"}}});
  send(kKeywordTopic, keyword_of("set", "en-US", {{"required", some}}));
  REQUIRE(registered().size() == 1);
  CHECK(keywords_of(*this).required.at(0).samples == Names{"set", "put"});
  CHECK(warnings.size() == 4);
  CHECK(warned("required[0].samples[1] '(open'"));
  CHECK(warned("required[0].samples[2] is a number"));
  CHECK(warned("required[0].samples[3] '{slot}'"));
  CHECK(warned("intent_name 'set' of 'coffee.parley' [en-US]"));
  CHECK(warned(kKeywordTopic));
  const Json none = list_of({{"name", "set"}, {"samples", {"(open", "[maybe]"}}});
  check_refused(*this, kKeywordTopic, keyword_of("set", "en-US", {{"required", none}}),
                "required[0].samples holds no phrase");
}

TEST_CASE_FIXTURE(RegistryFixture, "R-4 a keyword intent requires no slots, whatever it says") {
  send(kKeywordTopic, keyword_of("set", "en-US", {{"required_slots", {"size"}}, {"samples", 5}}));
  REQUIRE(registered().size() == 1);
  CHECK(registry.intents()[0]->required_slots.empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 a template intent has all its fields") {
  send(kTemplateTopic, template_of("brew", "en-US",
                                   {{"samples", {"brew {size} coffee", "coffee in {duration:delay}"}},
                                    {"blacklist", {"tea", "hot (milk|water)"}},
                                    {"required_slots", {"size", "size"}},
                                    {"slot_blacklist", {{"size", {"it", "that"}}}},
                                    {"slot_types", {{"size", "number"}, {"delay", "duration"}}}}));
  REQUIRE(registered().size() == 1);
  const TemplateIntent& intent = template_pattern(*this);
  CHECK(intent.samples == Names{"brew {size} coffee", "coffee in {duration:delay}"});
  CHECK(intent.blacklist == Names{"tea", "hot (milk|water)"});
  CHECK(intent.slot_blacklist.at("size") == Names{"it", "that"});
  CHECK(intent.slot_types == std::map<std::string, std::string>{{"delay", "duration"}, {"size", "number"}});
  CHECK(registry.intents()[0]->required_slots == Names{"size"});
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-5 slot types come from the samples too, and unknown or malformed ones degrade to none") {
  send(kTemplateTopic,
       template_of("brew", "en-US",
                   {{"samples", {"brew {number:count} cups of {kind} now"}},
                    {"slot_types", {{"kind", "beverage"}, {"count", 5}, {"other", "date"}}}}));
  REQUIRE(registered().size() == 1);
  CHECK(template_pattern(*this).slot_types == std::map<std::string, std::string>{{"count", "number"}});
  send(kTemplateTopic, template_of("brew", "en-US", {{"slot_types", "none"}}));
  CHECK(template_pattern(*this).slot_types.empty());
  CHECK(registered().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 malformed template registrations are refused, each with its reason") {
  const Refused cases[] = {{{{"samples", Json::array()}}, "samples must hold at least one template"},
                           {{{"samples", nullptr}}, "samples is null"},
                           {{{"samples", "brew"}}, "samples is a string"},
                           {{{"samples", {"(brew", 7, "{size}"}}}, "samples holds no template"},
                           {{{"blacklist", "tea"}}, "blacklist is a string"},
                           {{{"required_slots", "size"}}, "required_slots is a string"},
                           {{{"required_slots", {"size", 5}}}, "required_slots holds a number"},
                           {{{"required_slots", {"sugar"}}}, "required_slots names 'sugar'"},
                           {{{"slot_blacklist", {"it"}}}, "slot_blacklist is an array"},
                           {{{"slot_blacklist", {{"size", "it"}}}}, "slot_blacklist.size is a string"}};
  for (const auto& one : cases)
    check_refused(*this, kTemplateTopic, template_of("brew", "en-US", one.more), one.reason);
  Json data = template_of("brew");
  data.erase("samples");
  check_refused(*this, kTemplateTopic, data, "samples must hold at least one template");
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-5 templates that do not parse are skipped by name and declare no slots") {
  send(kTemplateTopic, template_of("brew", "en-US",
                                   {{"samples", {"brew {size} coffee", "brew {sugar", "{a}{b} x", 5}},
                                    {"blacklist", {"(tea", "milk"}},
                                    {"slot_blacklist", {{"sugar", {"it"}}, {"size", {"{x}", 1}}}}}));
  REQUIRE(registered().size() == 1);
  const TemplateIntent& intent = template_pattern(*this);
  CHECK(intent.samples == Names{"brew {size} coffee"});
  CHECK(intent.blacklist == Names{"milk"});
  CHECK(intent.slot_blacklist.empty());
  CHECK(warned("samples[1] 'brew {sugar'"));
  CHECK(warned("samples[2] '{a}{b} x'"));
  CHECK(warned("samples[3] is a number"));
  CHECK(warned("blacklist[0] '(tea'"));
  CHECK(warned("slot_blacklist.sugar is of a slot no usable sample declares"));
  CHECK(warned("slot_blacklist.size[0] '{x}'"));
  CHECK(warnings.size() == 7);
  check_refused(*this, kTemplateTopic,
                template_of("brew", "en-US",
                            {{"samples", {"brew coffee", "brew {sugar"}}, {"required_slots", {"sugar"}}}),
                "required_slots names 'sugar'");
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 a long bad sample is named in short, in whole characters") {
  std::string sample = "(a";
  for (int i = 0; i < 500; ++i) sample += "\xc3\xa4";
  send(kTemplateTopic, template_of("brew", "en-US", {{"samples", {"brew coffee", sample}}}));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].size() < 400);
  CHECK_NOTHROW(Json(warnings[0]).dump());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 unknown fields are ignored") {
  send(kTemplateTopic, template_of("brew", "en-US", {{"x_vendor", {{"a", 1}}}, {"required", 5}}));
  CHECK(registered().size() == 1);
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 entities: at least one sample must be usable") {
  send("ovos.entity.register", entity_of("size", "en-US", {"small", "(big", 5, "{slot}", "(huge|giant)"}));
  REQUIRE(registry.entities().size() == 1);
  CHECK(registry.entities()[0]->samples == Names{"small", "(huge|giant)"});
  CHECK(warnings.size() == 3);
  CHECK(warned("entity_name 'size' of 'coffee.parley' [en-US]"));
  const std::pair<Json, const char*> cases[] = {{Json::array(), "samples must hold at least one"},
                                                {Json(), "samples is null"},
                                                {Json("small"), "samples is a string"},
                                                {Json::array({"(big"}), "samples holds no phrase"}};
  for (const auto& [samples, reason] : cases) {
    check_refused(*this, "ovos.entity.register", entity_of("size", "en-US", samples), reason);
  }
  check_refused(*this, "ovos.entity.register", entity_of("a:b"), "entity_name 'a:b' must be");
  REQUIRE(registry.entities().size() == 1);
  CHECK(registry.entities()[0]->samples.size() == 2);
}

TEST_CASE_FIXTURE(RegistryFixture, "X-2 gates are bare strings, which are private, or a key with its scope") {
  for (const char* topic : {kTemplateTopic, kKeywordTopic}) {
    Json data = topic == kTemplateTopic ? template_of("brew") : keyword_of("brew");
    data["requires_context"] = {"milk", {{"key", "person"}, {"scope", "shared"}}, {{"key", "sugar"}}};
    data["excludes_context"] = Json::array({Json{{"key", "person"}, {"scope", "private"}}});
    send(topic, data);
    const IntentPtr intent = registry.intents().back();
    REQUIRE(intent->requires_context.size() == 3);
    CHECK(intent->requires_context[0].key == "milk");
    CHECK_FALSE(intent->requires_context[0].shared);
    CHECK(intent->requires_context[1].key == "person");
    CHECK(intent->requires_context[1].shared);
    CHECK_FALSE(intent->requires_context[2].shared);
    REQUIRE(intent->excludes_context.size() == 1);
    CHECK_FALSE(intent->excludes_context[0].shared);
  }
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "X-2 a gate that can't be read refuses the registration instead of standing open") {
  const Refused cases[] = {
      {{{"requires_context", "milk"}}, "requires_context is a string"},
      {{{"requires_context", {5}}}, "requires_context[0] must be"},
      {{{"requires_context", {"milk", ""}}}, "requires_context[1] must be"},
      {{{"requires_context", {"tea.parley:milk"}}}, "requires_context[0] must be"},
      {{{"excludes_context", list_of({{"scope", "shared"}})}}, "excludes_context[0] must be"},
      {{{"excludes_context", list_of({{"key", "x"}, {"scope", "global"}})}}, "excludes_context[0].scope"},
      {{{"excludes_context", list_of({{"key", "x"}, {"scope", nullptr}})}}, "excludes_context[0].scope"},
      {{{"requires_context", {"x"}}, {"excludes_context", {"x"}}}, "both required and excluded"}};
  for (const auto& one : cases)
    check_refused(*this, kTemplateTopic, template_of("brew", "en-US", one.more), one.reason);
}

TEST_CASE("R-4 R-5 a registration has so many samples in all its lists, and no more, and so much text") {
  const auto refusal = [](const Json& payload, Method method, std::size_t samples, std::size_t text) {
    RegistrationLimits limits;
    limits.max_samples = samples;
    limits.max_text = text;
    const auto parsed = parse_intent(
        payload, method, [](const std::string&) {}, limits);
    return parsed ? std::string("fine") : parsed.error().message;
  };
  Json keywords = keyword_of("brew");
  keywords["required"] = list_of(vocabulary("a", {"1a", "2a"}));
  keywords["optional"] = list_of(vocabulary("b", {"1b"}));
  keywords["one_of"] = list_of(list_of(vocabulary("c", {"1c", "2c"})));
  CHECK(refusal(keywords, Method::kKeyword, 5, 10) == "fine");
  CHECK(refusal(keywords, Method::kKeyword, 4, 10).find("more than 4 samples in all") != std::string::npos);
  CHECK(refusal(keywords, Method::kKeyword, 5, 9).find("more than 9 bytes in all") != std::string::npos);
  const Json templates =
      template_of("brew", "en-US", {{"samples", {"make it"}}, {"blacklist", {"no", "never"}}});
  CHECK(refusal(templates, Method::kTemplate, 3, 100) == "fine");
  CHECK(refusal(templates, Method::kTemplate, 2, 100).find("registration.max_samples") != std::string::npos);
}

TEST_CASE("X-2 R-5 lists of rules are bounded as well, and so is what joins without a space in all samples") {
  Json keys = Json::array();
  for (int i = 0; i < 65; ++i) keys.push_back("key" + std::to_string(i));
  Json data = template_of("brew", "en-US", {{"requires_context", keys}});
  const auto complain = [](const std::string&) {};
  CHECK(parse_intent(data, Method::kTemplate, complain).error().message ==
        "requires_context has more than 64 entries");
  data = template_of("brew");
  const std::string joined = "(a|b|c|d|e|f|g|h|i|j)";
  for (int i = 0; i < 11; ++i)
    data["samples"].push_back("x" + std::to_string(i) + " " + joined + joined + joined + joined);
  CHECK(parse_intent(data, Method::kTemplate, complain).error().message.find("more than 100000 forms") !=
        std::string::npos);
}

TEST_CASE("registrations: the text of a payload is counted no further than needed") {
  Json data = Json::object();
  for (int i = 0; i < 1000; ++i) data["samples"].push_back(std::string(100, 'x'));
  CHECK(text_in(data, 1'000'000) > 100'000);
  CHECK(text_in(data, 1000) < 1300);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "T-3 R-5 a sample with slots side by side is no candidate, but kept to teach") {
  send(kTemplateTopic, template_of("play", "en-US",
                                   {{"samples", {"play {song}", "play {song} {artist}", "play {"}},
                                    {"required_slots", {"artist"}}}));
  REQUIRE(registered().size() == 1);
  CHECK(template_pattern(*this).samples == std::vector<std::string>{"play {song}"});
  CHECK(template_pattern(*this).teaching == std::vector<std::string>{"play {song} {artist}"});
  CHECK(warned("it matches nothing, but teaches"));
  CHECK(registry.intents().at(0)->required_slots == std::vector<std::string>{"artist"});
  check_refused(*this, kTemplateTopic, template_of("only", "en-US", {{"samples", {"play {song} {artist}"}}}),
                "no template that can be used");
}

TEST_CASE_FIXTURE(RegistryFixture, "U-3 R-5 slots that are asked for are declared by a sample, each") {
  send(kTemplateTopic,
       template_of("brew", "en-US",
                   {{"samples", {"brew {size}", "brew"}}, {"asked_slots", {"size", "size"}}}));
  REQUIRE(registered().size() == 1);
  CHECK(registry.intents().at(0)->asked_slots == std::vector<std::string>{"size"});
  CHECK(registry.intents().at(0)->required_slots.empty());
  check_refused(*this, kTemplateTopic, template_of("odd", "en-US", {{"asked_slots", {"none"}}}),
                "asked_slots names 'none'");
}
