#include <doctest/doctest.h>

#include <parley/language.hpp>

#include "orchestrator/orchestrator.hpp"
#include "session/session.hpp"
#include "support/assistant_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

const Languages kLanguages("en-US", {"en-US", "de-DE", "fr-FR", "it-IT", "es-ES"});

/// The signals, the strongest first, each with a language of its own.
const std::vector<std::pair<std::string, std::string>> kSignals = {
    {"stt_lang", "de-DE"}, {"detected_lang", "fr-FR"}, {"request_lang", "it-IT"}, {"lang", "es-ES"}};

SessionPtr kitchen(Json fields) {
  fields["session_id"] = "kitchen";
  return session_of(fields);
}

/// Claims the utterance in a language of the stage's choice.
Answer refines(std::string tag) {
  return [tag = std::move(tag)](const MatchRequest& request) {
    return std::optional<Match>(Match("tea.test", "brew", tag, request.utterance()));
  };
}

/// A skill with a greeting in English and German, and a toast in English alone.
void add_greeter(TestAssistant& parley) {
  parley.locale("tea.test", "en-US/greeting.dialog", "hello\n");
  parley.locale("tea.test", "de-DE/greeting.dialog", "hallo\n");
  parley.locale("tea.test", "en-US/toast.dialog", "cheers\n");
  parley.handler("tea.test", "brew", does([](Turn& turn) { turn.speak_dialog(turn.text()); }));
}

std::string spoken(TestAssistant& parley, const std::string& dialog, const SessionPtr& session) {
  parley.heard.clear();
  parley.say(dialog, session);
  const Message said = parley.one("ovos.utterance.speak");
  return said.text("utterance") + " " + said.text("lang");
}

}  // namespace

// ---- L-1

TEST_CASE("L-1 signals: data.lang, stt_lang, detected_lang, request_lang, lang, the configured default") {
  Json fields = Json::object();
  for (const auto& [name, tag] : kSignals) fields[name] = tag;
  CHECK(resolve_language("en-US", *kitchen(fields), kLanguages).tag == "en-US");
  CHECK(resolve_language("en-US", *kitchen(fields), kLanguages).source == "data.lang");
  for (const auto& [name, tag] : kSignals) {  // the strongest goes, the next one decides
    const ResolvedLanguage resolved = resolve_language("", *kitchen(fields), kLanguages);
    CHECK(resolved.tag == tag);
    CHECK(resolved.source == "session." + name);
    fields.erase(name);
  }
  CHECK(resolve_language("", *kitchen(fields), kLanguages).tag == "en-US");
}

TEST_CASE("L-1 signals: one of whose language none is enabled is passed over") {
  const Json fields = {
      {"stt_lang", "nl-NL"}, {"detected_lang", ""}, {"request_lang", "no language"}, {"lang", "de-DE"}};
  const ResolvedLanguage resolved = resolve_language("pt-BR", *kitchen(fields), kLanguages);
  CHECK(resolved.tag == "de-DE");
  CHECK(resolved.passed_over == "pt-BR");
  CHECK(resolve_language("pt-BR", *kitchen({{"lang", "nl-NL"}}), kLanguages).tag == "en-US");
  const Json others = {{"output_lang", "de-DE"}, {"secondary_langs", {"de-DE"}}};  // no signals of this
  CHECK(resolve_language("", *kitchen(others), kLanguages).tag == "en-US");
}

TEST_CASE("L-1 signals: a tag stands for the enabled one of its language, script before region") {
  const auto tag_of = [](const std::string& tag, std::vector<std::string> enabled) {
    const ResolvedLanguage resolved =
        resolve_language(tag, Session("kitchen"), Languages("en-US", std::move(enabled)));
    CHECK(resolved.passed_over.empty() == (resolved.source == "data.lang"));
    return resolved.tag;
  };
  for (const char* german : {"de-AT", "de", "DE-at", "de-Latn-CH", "de-x-odd"}) {
    CAPTURE(german);
    CHECK(tag_of(german, {"en-US", "de-DE"}) == "de-DE");
  }
  CHECK(tag_of("de-AT", {"en-US", "de-DE", "de", "de-AT"}) == "de-AT");
  CHECK(tag_of("de-AT", {"de-DE", "de", "de-CH"}) == "de-DE");  // the configured order decides
  CHECK(tag_of("de-AT", {"de", "de-DE", "de-CH"}) == "de");
  CHECK(tag_of("zh-Hant-HK", {"zh-Hans-HK", "zh-Hant-TW"}) == "zh-Hant-TW");
  CHECK(tag_of("zh-Hant-TW", {"zh-Hant-HK", "zh-Hant-TW"}) == "zh-Hant-TW");
  CHECK(tag_of("zh-hans", {"zh-Hant-TW", "zh-Hans-CN"}) == "zh-Hans-CN");
  CHECK(tag_of("zh-Hant", {"zh-Hans-CN"}) == "zh-Hans-CN");
  CHECK(tag_of("es-419", {"es-ES", "es-419"}) == "es-419");
  CHECK(tag_of("dex", {"en-US", "de-DE"}) == "en-US");
  CHECK(tag_of("de-", {"en-US", "de-DE"}) == "en-US");
}

TEST_CASE("L-1 signals: a tag passed over is warned of once a session") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  const auto warnings = [&] {
    return std::count_if(parley.warnings.begin(), parley.warnings.end(), [](const std::string& line) {
      return line.find("speaks 'nl-NL', and no language like that is enabled") != line.npos;
    });
  };
  for (int i = 0; i < 3; ++i) parley.say("thee", kitchen({{"lang", "nl-NL"}}));
  CHECK(warnings() == 1);
  parley.say("thee", session_of({{"session_id", "hall"}, {"lang", "nl-NL"}}));
  CHECK(warnings() == 2);
  parley.say("tee", session_of({{"session_id", "cellar"}, {"lang", "en-GB"}}));
  CHECK(parley.warnings.size() == 2);
}

TEST_CASE("L-1 one tag: every stage, the match, the dispatch and the handler get it") {
  TestAssistant parley;
  parley.config.language.enabled = {"en-US", "de-DE"};
  std::vector<std::string> seen;
  const auto notes = [&seen](Answer answer) {
    return [&seen, answer](const MatchRequest& request) {
      seen.push_back(request.lang());
      return answer(request);
    };
  };
  parley.stage_at_once("one", notes(declines()));
  parley.stage_at_once("two", notes(declines()));
  parley.stage_at_once("three", notes(claims("tea.test", "brew")));
  parley.handler("tea.test", "brew", does([&seen](Turn& turn) { seen.push_back(turn.lang()); }));
  parley.start();
  parley.say("tee", kitchen({{"stt_lang", "DE-de"}, {"lang", "en-US"}}));
  CHECK(seen == std::vector<std::string>(4, "de-DE"));
  CHECK(parley.one("ovos.intent.matched").text("lang") == "de-DE");
  CHECK(parley.one("tea.test:brew").text("lang") == "de-DE");
}

TEST_CASE("L-1 one tag: told of when nobody matched; a data.lang that is no string is none") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  const SessionPtr german = kitchen({{"lang", "de-DE"}});
  parley.send(utterance_message(Json{{"utterances", {"tea"}}, {"lang", "en-US"}}, german));
  CHECK(parley.one("ovos.intent.unmatched").text("lang") == "en-US");
  for (const Json& none : {Json(7), Json(), Json(""), Json{"en-US"}}) {
    CAPTURE(none);
    parley.heard.clear();
    parley.send(utterance_message(Json{{"utterances", {"tea"}}, {"lang", none}}, german));
    CHECK(parley.one("ovos.intent.unmatched").text("lang") == "de-DE");
  }
}

TEST_CASE("L-1 once at entry: what changes the session later leaves the tag alone") {
  TestAssistant parley;
  std::vector<std::string> seen;
  StageContext* services = nullptr;
  auto& stage = parley.stage("one", [&](MatchRequest request) -> Task<std::optional<Match>> {
    seen.push_back(request.lang());
    co_await services->sleep(1s);
    co_return std::nullopt;
  });
  stage.on_start = [&services](LambdaStage& self) { services = &self.services(); };
  parley.stage_at_once("two", [&seen](const MatchRequest& request) {
    seen.push_back(request.lang());
    return std::optional<Match>();
  });
  parley.start();
  SUBCASE("a change while it runs") {
    parley.send(utterance_message("tea", session_of({{"lang", "de-DE"}})));
    parley.send(Message("ovos.session.sync", Json{{"session", {{"lang", "en-US"}}}}));
    parley.run();
    CHECK(seen == std::vector<std::string>{"de-DE", "de-DE"});
  }
  SUBCASE("two entries that come in one go") {
    parley.bus().publish(utterance_message("tea", session_of({{"lang", "de-DE"}})));
    parley.bus().publish(utterance_message("tea", session_of({{"lang", "en-US"}})));
    parley.run();
    CHECK(seen == std::vector<std::string>{"de-DE", "en-US", "de-DE", "en-US"});
  }
}

// ---- L-2

TEST_CASE("L-2 tags: compared without regard to case, told of as the configuration writes them") {
  CHECK(same_language("de-DE", "DE-de"));
  CHECK_FALSE(same_language("de-DE", "de"));
  CHECK_FALSE(same_language("de-DE", "de-AT"));
  CHECK(resolve_language("DE-de", *kitchen(Json::object()), kLanguages).tag == "de-DE");
  CHECK(resolve_language("", *kitchen({{"lang", "fr-fr"}}), kLanguages).tag == "fr-FR");
}

TEST_CASE("L-2 refinement: what the stage matched in is what the handler gets") {
  TestAssistant parley;
  parley.stage_at_once("one", refines("de-AT"));
  parley.handler("tea.test", "brew", does([](Turn& turn) { turn.speak("servus"); }));
  parley.start();
  parley.say("tee", kitchen({{"lang", "de-DE"}}));
  CHECK(parley.one("ovos.intent.matched").text("lang") == "de-AT");
  CHECK(parley.one("tea.test:brew").text("lang") == "de-AT");
  CHECK(parley.one("ovos.utterance.speak").text("lang") == "de-AT");
}

TEST_CASE("L-2 refinement: a match that does not state its language is none") {
  for (const char* tag : {"", "no language"}) {
    CAPTURE(tag);
    TestAssistant parley;
    parley.stage_at_once("one", refines(tag));
    parley.handler("tea.test", "brew", does([](Turn&) {}));
    parley.start();
    CHECK(parley.say("tea").status == TurnStatus::kUnmatched);
  }
}

// ---- L-3

TEST_CASE("L-3 answers: in output_lang if the skill has it, else in the utterance's language") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  add_greeter(parley);
  parley.start();
  CHECK(spoken(parley, "greeting", kitchen(Json::object())) == "hello en-US");
  CHECK(spoken(parley, "greeting", kitchen({{"lang", "de-DE"}})) == "hallo de-DE");
  CHECK(spoken(parley, "greeting", kitchen({{"output_lang", "de-DE"}})) == "hallo de-DE");
  CHECK(spoken(parley, "greeting", kitchen({{"output_lang", "DE-de"}})) == "hallo de-DE");
  CHECK(spoken(parley, "greeting", kitchen({{"lang", "de-DE"}, {"output_lang", "en-US"}})) == "hello en-US");
  CHECK(spoken(parley, "greeting", kitchen({{"lang", "de-DE"}, {"output_lang", "fr-FR"}})) == "hallo de-DE");
  CHECK(spoken(parley, "toast", kitchen({{"output_lang", "de-DE"}})) == "cheers en-US");
}

TEST_CASE("L-3 answers: speech carries the language that was rendered, not the one wished for") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  add_greeter(parley);
  parley.start();
  CHECK(spoken(parley, "greeting", kitchen({{"output_lang", "de-AT"}})) ==
        "hallo de-DE");                                                            // the region it has
  CHECK(spoken(parley, "toast", kitchen({{"lang", "de-DE"}})) == "cheers en-US");  // all there is
}

TEST_CASE("L-3 answers: an output_lang that the handler sets counts at once") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.locale("tea.test", "en-US/greeting.dialog", "hello\n");
  parley.locale("tea.test", "de-DE/greeting.dialog", "hallo\n");
  parley.handler("tea.test", "brew", does([](Turn& turn) {
                   turn.change_session([](Session& session) { session.output_lang = "de-DE"; });
                   turn.speak_dialog("greeting");
                   CHECK(turn.render_lang("greeting") == "de-DE");
                   turn.speak("plain words");
                 }));
  parley.start();
  parley.say("tea", kitchen(Json::object()));
  const auto said = parley.all("ovos.utterance.speak");
  REQUIRE(said.size() == 2);
  CHECK(said[0].text("utterance") == "hallo");
  CHECK(said[0].text("lang") == "de-DE");
  CHECK(said[1].text("lang") == "en-US");  // a finished text is in the language of the turn
}

TEST_CASE("U-7 candidates: what is said in a dialect is asked about in standard words, then as it was said") {
  TestAssistant parley;
  parley.config.language.enabled = {"en-US", "de-DE"};
  std::vector<std::vector<std::string>> seen;
  parley.stage_at_once("one", [&seen](const MatchRequest& request) {
    seen.push_back(request.utterances());
    return std::optional<Match>();
  });
  parley.start();
  parley.say("wos brauch i", kitchen({{"lang", "de-DE"}}));
  parley.say("was brauche ich", kitchen({{"lang", "de-DE"}}));
  parley.say("wos brauch i", kitchen({{"lang", "en-US"}}));
  CHECK(seen == std::vector<std::vector<std::string>>{
                    {"was brauche ich", "wos brauch i"}, {"was brauche ich"}, {"wos brauch i"}});
  CHECK(parley.all("ovos.intent.unmatched").front().data().at("utterances") == Json::array({"wos brauch i"}));
}
