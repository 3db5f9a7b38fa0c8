#include "store/kept_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/rfc3339.hpp"

namespace parley {
namespace {

/// In one line, so that nothing that was said looks like the next line of the transcript.
std::string in_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

/// What Markdown would take for its own is said as it is.
std::string in_markdown(const std::string& text) {
  std::string escaped;
  for (const char c : in_one_line(text)) {
    if (std::string_view("\\`*_{}[]()#+-.!|<>~&").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

Json to_json(const TurnRow& turn) {
  Json answers = Json::array();
  for (const auto& [text, lang] : turn.answers) answers.push_back({{"text", text}, {"lang", lang}});
  Json json = {{"utterance_id", turn.utterance_id},
               {"time", to_rfc3339(turn.time)},
               {"lang", turn.lang},
               {"said", turn.said},
               {"answers", std::move(answers)},
               {"outcome", turn.outcome}};
  if (turn.started != 0) json["started"] = to_rfc3339(turn.started);
  if (!turn.skill_id.empty()) json["skill_id"] = turn.skill_id;
  if (!turn.intent_name.empty()) json["intent_name"] = turn.intent_name;
  if (!turn.pipeline_id.empty()) json["pipeline_id"] = turn.pipeline_id;
  if (!turn.error.empty()) json["error"] = turn.error;
  return json;
}

TurnRow turn_from(const Json& json) {
  const auto text = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  TurnRow turn;
  turn.time = from_rfc3339(text("time")).value_or(0);
  turn.started = from_rfc3339(text("started")).value_or(0);
  turn.utterance_id = text("utterance_id");
  turn.owner = text("owner");
  turn.session_id = text("session_id");
  turn.lang = text("lang");
  turn.said = text("said");
  turn.outcome = text("outcome");
  turn.skill_id = text("skill_id");
  turn.intent_name = text("intent_name");
  turn.pipeline_id = text("pipeline_id");
  turn.error = text("error");
  const auto answers = json.find("answers");
  if (answers == json.end() || !answers->is_array()) return turn;
  for (const auto& answer : *answers) {
    if (answer.is_object()) turn.answers.emplace_back(answer.value("text", ""), answer.value("lang", ""));
  }
  return turn;
}

Json to_json(const EventRow& event) {
  Json json = {{"lsn", event.lsn},
               {"event_id", events::id_of(event.lsn)},
               {"time", to_rfc3339(event.time)},
               {"session_id", event.session_id},
               {"kind", event.kind},
               {"actor", event.actor},
               {"causes", Json::array()},
               {"data", event.data}};
  if (!event.utterance_id.empty()) json["utterance_id"] = event.utterance_id;
  if (event.cause != 0) json["causes"].push_back(events::id_of(event.cause));
  return json;
}

Json to_json(const KeptSession& session) {
  return {{"id", session.id},
          {"state", to_string(session.state)},
          {"owner", session.owner},
          {"lang", session.lang},
          {"opened", to_rfc3339(session.opened)},
          {"last_turn", to_rfc3339(session.last_turn)},
          {"turns", session.turns}};
}

Json transcript_json(const std::string& session_id, const std::vector<TurnRow>& turns) {
  Json list = Json::array();
  for (const auto& turn : turns) list.push_back(to_json(turn));
  return {{"session_id", session_id}, {"turns", std::move(list)}};
}

std::string transcript_markdown(const std::string& session_id, const std::vector<TurnRow>& turns) {
  std::string text = fmt::format("# {}\n", in_markdown(session_id));
  for (const auto& turn : turns) {
    text += fmt::format("\n*{}*\n\n> {}\n\n", to_rfc3339(turn.time), in_markdown(turn.said));
    for (const auto& [answer, lang] : turn.answers) text += in_markdown(answer) + "\n\n";
    if (turn.answers.empty()) text += fmt::format("*{}*\n\n", turn.outcome);
    text.pop_back();
  }
  return text;
}

std::string transcript_text(const std::vector<TurnRow>& turns) {
  std::string text;
  for (const auto& turn : turns) {
    text += fmt::format("{}\n  > {}\n", to_rfc3339(turn.time), in_one_line(turn.said));
    for (const auto& [answer, lang] : turn.answers) text += fmt::format("  < {}\n", in_one_line(answer));
    if (turn.answers.empty()) text += fmt::format("  ({})\n", turn.outcome);
  }
  return text;
}

}  // namespace parley
