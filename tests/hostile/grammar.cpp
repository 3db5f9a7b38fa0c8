#include "hostile/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace parley::testing {
namespace {

using Fields = std::vector<const char*>;

/// What each topic's data may hold. Topics that only the core may say are here too.
const std::vector<std::pair<std::string, Fields>>& topics() {
  static const Fields intent{"skill_id",  "intent_name",    "lang",      "samples",
                             "blacklist", "required_slots", "slot_types"};
  static const Fields keyword{"skill_id", "intent_name", "lang",  "required",
                              "optional", "excluded",    "one_of"};
  static const std::vector<std::pair<std::string, Fields>> all{
      {"ovos.utterance.handle", {"utterances", "lang"}},
      {"ovos.utterance.handle", {"utterances", "lang"}},
      {"ovos.utterance.handle", {"utterances", "lang"}},
      {"ovos.utterance.speak", {"utterance", "lang", "listen"}},
      {"ovos.utterance.handled", {}},
      {"ovos.intent.register.template", intent},
      {"ovos.intent.register.template", intent},
      {"ovos.intent.register.keyword", keyword},
      {"ovos.entity.register", {"skill_id", "entity_name", "lang", "samples"}},
      {"ovos.intent.deregister", {"skill_id", "intent_name", "lang"}},
      {"ovos.entity.deregister", {"skill_id", "entity_name", "lang"}},
      {"ovos.skill.deregister", {"skill_id"}},
      {"ovos.intent.enable", {"skill_id", "intent_name"}},
      {"ovos.intent.disable", {"skill_id", "intent_name"}},
      {"ovos.intent.list", {"skill_id", "lang", "session_id"}},
      {"ovos.intent.describe", {"skill_id", "intent_name", "lang", "session_id"}},
      {"ovos.intent.matched", intent},
      {"ovos.intent.unmatched", {"utterances", "lang"}},
      {"ovos.intent.handler.start", {"skill_id", "intent_name"}},
      {"ovos.intent.handler.complete", {"skill_id", "intent_name"}},
      {"ovos.intent.handler.error", {"skill_id", "intent_name", "exception"}},
      {"ovos.session.sync", {"session"}},
      {"ovos.session.sync", {"session"}},
      {"ovos.session.rejected", {"msg_type", "reason"}},
      {"ovos.stop", {}},
      {"ovos.stop.pong", {"skill_id", "can_handle"}},
      {"ovos.fallback.register", {"skill_id", "priority"}},
      {"ovos.fallback.deregister", {"skill_id"}},
      {"ovos.common_query.pong", {"skill_id", "utterance", "can_answer", "latency_ms"}},
      {"ovos.converse.active.list", {}},
      {"ovos.pipeline.intent.intents.list", {"lang", "skill_id"}},
      {"ovos.core.ready", {}},
      {"SKILL.fallback.pong", {"skill_id", "can_handle"}},
      {"SKILL.converse.pong", {"skill_id", "result", "can_handle"}},
      {"SKILL.common_query.response", {"skill_id", "utterance", "answer", "conf"}},
      {"SKILL:go", {"utterance", "lang", "slots"}},
      {"parley.turn.trace", {}},
      {"parley.session.forget", {"session_id"}},
      {"parley.storage.get", {"key", "scope"}},
      {"flood.any", {"utterance", "samples", "session"}},
  };
  return all;
}

constexpr std::array kSessionFields{"lang",
                                    "output_lang",
                                    "secondary_langs",
                                    "pipeline",
                                    "blacklisted_pipelines",
                                    "blacklisted_skills",
                                    "blacklisted_intents",
                                    "fallback_handlers",
                                    "active_handlers",
                                    "converse_handlers",
                                    "response_mode",
                                    "intent_context",
                                    "persona_id",
                                    "site_id",
                                    "location",
                                    "utterance_transformers",
                                    "unknown"};

constexpr std::array kLanguages{"en-US",    "de-DE",          "en",
                                "de-AT",    "xx-YY",          "",
                                "EN-us",    "zh-Hant-TW",     "../../../etc/passwd",
                                "en-US\0x", "en-US/../de-DE", "\u202een-US"};

constexpr std::array kWords{"go",
                            "stop",
                            "stop everything",
                            "yes",
                            "no",
                            "cancel",
                            "what is the capital of france",
                            "good morning",
                            "twenty one",
                            "\u202e\u0000",
                            "\x1b[2J",
                            "\xf0\x9f\x98\x80",
                            "one two three",
                            "who are you",
                            "(",
                            "{x}",
                            "a\nb"};

constexpr std::array kSamples{
    "word",  "(a|b)",       "[x]", "{slot}",     "{number:n}", "<voc>",        "(", ")", "|", "[", "{",
    "{{s}}", "(a|(b|[c]))", "()",  "{bad name}", "wort",       "{slot} {slot}"};

}  // namespace

std::size_t Grammar::size() {
  const int kind = dice_.below(1'000);
  if (kind < 800) return static_cast<std::size_t>(dice_.below(6));
  if (kind < 960) return static_cast<std::size_t>(dice_.below(60));
  if (kind < 997) return static_cast<std::size_t>(dice_.below(2'000));
  return static_cast<std::size_t>(dice_.below(40'000));
}

std::string Grammar::name(const std::vector<std::string>& others) {
  const int kind = dice_.below(100);
  if (kind < 45 && !others.empty()) return pick(others);
  if (kind < 80) return fmt::format("{}.skill{}", own_, dice_.below(30));
  if (kind < 85) return own_;
  if (kind < 88) return "default";
  if (kind < 91) return "intent";  // a stage
  if (kind < 93) return "";
  if (kind < 95) return "a:b";
  if (kind < 97) return "../../" + own_;
  if (kind < 99) return "honest.test\n";
  return std::string(size() * 20, 'n');
}

std::string Grammar::words() {
  std::string text;
  const std::size_t count = 1 + size() % 500;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + std::string(pick(kWords));
  return text;
}

std::string Grammar::sample() {
  std::string text = own_;
  const std::size_t count = 1 + size() % 100;
  for (std::size_t i = 0; i < count; ++i) text += " " + std::string(pick(kSamples));
  return text;
}

Json Grammar::wrong() {
  switch (dice_.below(12)) {
    case 0:
      return nullptr;
    case 1:
      return true;
    case 2:
      return 0;
    case 3:
      return -1;
    case 4:
      return 9'007'199'254'740'993;
    case 5:
      return 1.5e300;
    case 6:
      return "";
    case 7:
      return Json::array();
    case 8:
      return Json::object();
    case 9:
      return Json::array({nullptr, Json::array({Json::object()})});
    case 10:
      return {{"session_id", 7}, {"", ""}};
    default:
      return std::string(size() * 50, 'w');
  }
}

Json Grammar::owners(const Known& known) {
  Json list = Json::array();
  for (std::size_t i = size() % 3'000; i > 0; --i)
    list.push_back({{"skill_id", name(known.skills)},
                    {"activated_at", dice_.chance(90) ? Json(dice_.below(1000)) : wrong()}});
  return list;
}

Json Grammar::list(const std::string& of, const Known& known) {
  Json list = Json::array();
  for (std::size_t i = size(); i > 0; --i) {
    if (dice_.chance(2)) {
      list.push_back(wrong());
    } else if (of == "samples" || of == "blacklist") {
      list.push_back(sample());
    } else if (of == "utterances") {
      list.push_back("go " + name(known.skills) + " " + words());
    } else {
      list.push_back(name(known.skills));
    }
  }
  return list;
}

Json Grammar::value(const std::string& field, const Known& known) {
  if (dice_.chance(12)) return wrong();
  if (field == "session") return session(known);
  if (field == "session_id") return name(known.sessions);
  if (field == "skill_id") return name(known.skills);
  if (field.ends_with("lang")) return std::string(pick(kLanguages));
  if (field == "active_handlers" || field == "converse_handlers") return owners(known);
  if (field == "response_mode") return {{"skill_id", name(known.skills)}, {"expires_at", 4e9}};
  if (field == "intent_context") {
    Json entries = Json::object();
    for (std::size_t i = size(); i > 0; --i)
      entries[name(known.skills) + std::to_string(i)] = {{"value", words()}};
    return entries;
  }
  if (field == "location")
    return {{"tz", dice_.chance(50) ? "UTC" : "../../etc/passwd"}, {"lat", 1e9}, {"lon", -1e9}};
  if (field == "required" || field == "optional" || field == "excluded")
    return Json::array({{{"name", own_}, {"samples", list("samples", known)}}});
  if (field == "one_of")
    return Json::array({Json::array({{{"name", own_}, {"samples", list("samples", known)}}})});
  if (field == "slot_types" || field == "slots") return {{"slot", "number"}};
  if (field == "priority" || field == "latency_ms") return dice_.below(200) - 50;
  if (field == "conf") return dice_.below(12) / 10.0;
  if (field == "listen" || field.starts_with("can_") || field == "result") return dice_.chance(80);
  if (field == "intent_name" || field == "entity_name") return fmt::format("go{}", dice_.below(40));
  constexpr std::array kLists{"samples",  "blacklist",       "utterances",        "required_slots",
                              "pipeline", "secondary_langs", "fallback_handlers", "utterance_transformers"};
  if (field.starts_with("blacklisted") || std::find(kLists.begin(), kLists.end(), field) != kLists.end())
    return list(field, known);
  return words();
}

Json Grammar::session(const Known& known) {
  if (dice_.chance(6)) return wrong();
  Json session = Json::object();
  if (dice_.chance(95)) session["session_id"] = dice_.chance(70) ? own_ : name(known.sessions);
  for (int i = dice_.below(4); i > 0; --i) {
    const std::string field = pick(kSessionFields);
    session[field] = value(field, known);
  }
  return session;
}

Json Grammar::context(const Known& known) {
  if (dice_.chance(3)) return wrong();
  Json context = Json::object();
  if (dice_.chance(90)) context["session"] = session(known);
  if (dice_.chance(50)) context["skill_id"] = name(known.skills);
  if (dice_.chance(40)) context["utterance_id"] = dice_.chance(90) ? Json(name(known.utterances)) : wrong();
  if (dice_.chance(20)) context["source"] = name(known.skills);
  if (dice_.chance(20))
    context["destination"] = dice_.chance(50) ? Json(name(known.skills)) : list("x", known);
  if (dice_.chance(5)) context["unknown"] = wrong();
  return context;
}

Json Grammar::data_for(const std::string& topic, const Known& known) {
  if (dice_.chance(3)) return wrong();
  Json data = Json::object();
  for (const auto& [name, fields] : topics()) {
    if (name != topic) continue;
    for (const char* field : fields) {
      if (dice_.chance(92)) data[field] = value(field, known);
    }
    break;
  }
  if (dice_.chance(5)) data["unknown"] = wrong();
  return data;
}

std::string Grammar::text(const Known& known) {
  const std::string& chosen = pick(topics()).first;
  std::string topic = chosen;
  if (topic.starts_with("SKILL")) topic.replace(0, 5, name(known.skills));
  Json message = {{"type", dice_.chance(98) ? Json(topic) : wrong()},
                  {"data", data_for(chosen, known)},
                  {"context", context(known)}};
  if (dice_.chance(2)) message.erase("data");
  std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (dice_.chance(2)) text.resize(text.size() / 2);
  if (dice_.chance(1)) text.assign(1 + size(), '[');
  constexpr std::size_t kMost = 1'000'000;  // what is larger ends the connection, which is another test's
  return text.size() > kMost ? std::string("{}") : text;
}

std::string Grammar::body(const Known& known) {
  Json body = {{"id", dice_.chance(60) ? own_ : name(known.sessions)}, {"text", "go " + name(known.skills)}};
  if (dice_.chance(50)) body["session"] = session(known);
  if (dice_.chance(30)) body["lang"] = value("lang", known);
  if (dice_.chance(5)) body["text"] = wrong();
  std::string text = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (dice_.chance(5)) text.resize(text.size() / 2);
  return text;
}

}  // namespace parley::testing
