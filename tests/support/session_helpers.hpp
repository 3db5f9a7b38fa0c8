#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/orchestrator.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {

/// A field of a value that it may have, and values that it may not.
struct FieldCase {
  FieldCase(std::string key, Json value, std::vector<Json> wrong)
      : name(std::move(key)), good(std::move(value)), bad(std::move(wrong)) {}
  std::string name;
  Json good;
  std::vector<Json> bad;
};

inline std::vector<FieldCase> field_cases() {
  const std::vector<Json> no_text = {nullptr, 7, true, Json::array(), Json::object()};
  const std::vector<Json> no_texts = {
      nullptr, 7, "x", Json::object(), Json{1}, Json{"a", nullptr}, Json{"a", Json{"b"}}};
  const Json handler = {{"skill_id", "tea.test"}, {"activated_at", 1767441600.25}};
  const std::vector<Json> no_handlers = {nullptr,
                                         "x",
                                         handler,
                                         Json{"tea.test"},
                                         Json::array({handler, {{"skill_id", "b"}}}),
                                         Json::array({handler, {{"activated_at", 1}}}),
                                         Json::array({{{"skill_id", ""}, {"activated_at", 1}}}),
                                         Json::array({{{"skill_id", 7}, {"activated_at", 1}}}),
                                         Json::array({{{"skill_id", "b"}, {"activated_at", "now"}}}),
                                         Json::array({{{"skill_id", "b"}, {"activated_at", nullptr}}})};
  std::vector<FieldCase> cases;
  for (const char* name :
       {"lang", "output_lang", "stt_lang", "request_lang", "detected_lang", "persona_id", "site_id"}) {
    cases.emplace_back(name, "de-DE", no_text);
  }
  for (const char* name :
       {"secondary_langs", "pipeline", "blacklisted_pipelines", "blacklisted_skills", "blacklisted_intents",
        "fallback_handlers", "utterance_transformers", "blacklisted_dialog_transformers"}) {
    cases.emplace_back(name, Json{"a", "b"}, no_texts);
  }
  for (const char* name : {"active_handlers", "converse_handlers"}) {
    cases.emplace_back(name, Json::array({handler, {{"skill_id", "b"}, {"activated_at", 7}}}), no_handlers);
  }
  cases.emplace_back(
      "response_mode", Json{{"skill_id", "tea.test"}, {"expires_at", 1767441600.5}},
      std::vector<Json>{nullptr, "x", Json::array(), Json{{"skill_id", "b"}}, Json{{"expires_at", 1}},
                        Json{{"skill_id", "b"}, {"expires_at", "soon"}}});
  cases.emplace_back(
      "intent_context",
      Json{{"a", {{"value", "x"}, {"expires_at", 1767441600.5}, {"turns_remaining", 2}}},
           {"tea.test:b", {{"value", nullptr}}}},
      std::vector<Json>{nullptr, "x", Json::array(), Json{{"a", "x"}}, Json{{"a", Json::object()}},
                        Json{{"a", {{"value", 7}}}}, Json{{"a", {{"value", "x"}, {"expires_at", nullptr}}}},
                        Json{{"a", {{"value", "x"}, {"turns_remaining", 1.5}}}}});
  cases.emplace_back("location",
                     Json{{"lat", 52.5}, {"lon", 13.4}, {"tz", "Europe/Berlin"}, {"city", "Berlin"}},
                     std::vector<Json>{nullptr, "x", Json::array(), Json{{"lat", "north"}},
                                       Json{{"tz", nullptr}}, Json{{"lat", 52.5}, {"tz", 7}}});
  return cases;
}

/// A handler that runs for a second and then does something.
inline Handler after_a_second(std::function<void(Turn&)> what) {
  return [what = std::move(what)](Turn turn) -> Task<> {
    co_await turn.sleep(std::chrono::seconds(1));
    what(turn);
  };
}

/// Sends `ovos.session.sync` in a session, for one turn if wanted.
inline void sync(TestAssistant& parley, const Json& session, const std::string& carrier,
                 const std::string& utterance_id = {}) {
  Context context;
  context.session = std::make_shared<const Session>(carrier);
  context.utterance_id = utterance_id;
  parley.send(Message("ovos.session.sync", Json{{"session", session}}, context));
}

/// The session of the only turn there was, as it ended.
inline Json final_session(const TestAssistant& parley) {
  return to_json(*parley.one("ovos.utterance.handled").context().session);
}

}  // namespace parley::testing
