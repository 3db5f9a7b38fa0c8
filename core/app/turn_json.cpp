#include "app/turn_json.hpp"

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

namespace parley {

nlohmann::json to_json(const TurnResult& result) {
  nlohmann::json speech = nlohmann::json::array();
  for (const auto& spoken : result.speech)
    speech.push_back({{"utterance", spoken.utterance}, {"lang", spoken.lang}});
  nlohmann::json json{{"id", result.session_id},
                      {"utterance_id", result.utterance_id},
                      {"status", to_string(result.status)},
                      {"speech_text", result.speech_text()},
                      {"speech", std::move(speech)},
                      {"listen", result.listen},
                      {"source",
                       {{"pipeline_id", result.pipeline_id},
                        {"skill_id", result.skill_id},
                        {"intent_name", result.intent_name}}},
                      {"session", result.session ? to_json(*result.session) : nlohmann::json::object()}};
  if (!result.error.empty()) json["error"] = result.error;
  if (result.screen) json["screen"] = *result.screen;
  if (result.options) json["options"] = *result.options;
  return json;
}

}  // namespace parley
