#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Messages that are sound to look at and made to cost as much as a message can. The tests say what they do
/// to others, the benchmark how long each holds the loop.
namespace parley::hostile {

using Json = nlohmann::json;

/// Below the 1 MiB of `gateway.max_frame`.
constexpr std::size_t kMostBytes = 1'000'000;
/// As `registration.max_samples` has it.
constexpr std::size_t kMostSamples = 10'000;

struct Input {
  Input(std::string what, std::vector<std::string> texts)
      : name(std::move(what)), messages(std::move(texts)) {}
  std::string name;
  std::vector<std::string> messages;
};

inline std::string message(const char* type, Json data, Json context = Json::object()) {
  return Json{{"type", type}, {"data", std::move(data)}, {"context", std::move(context)}}.dump();
}

/// An utterance in a session of these fields.
inline std::string utterance(const std::string& text, Json session = {{"session_id", "hostile"}}) {
  return message("ovos.utterance.handle", {{"utterances", {text}}, {"lang", "en-US"}},
                 {{"session", std::move(session)}});
}

/// `count` different texts that begin alike.
inline Json many(const char* what, std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i) list.push_back(fmt::format("{}{}", what, i));
  return list;
}

/// An utterance whose session has one field that is as long as this.
inline std::string with_field(const char* field, Json value) {
  return utterance("good morning bench", {{"session_id", "hostile"}, {field, std::move(value)}});
}

inline std::string template_of(Json samples, const std::string& intent = "flood") {
  return message("ovos.intent.register.template",
                 {{"skill_id", "hostile.test"},
                  {"intent_name", intent},
                  {"lang", "en-US"},
                  {"samples", std::move(samples)}},
                 {{"skill_id", "hostile.test"}});
}

/// One sample with so many slots, a word before each.
inline std::string template_of_slots(std::size_t count) {
  std::string sample = "flood";
  for (std::size_t i = 0; i < count; ++i) sample += fmt::format(" w {{s{}}}", i);
  return template_of({sample});
}

inline std::string keywords_of(std::size_t count) {
  return message("ovos.intent.register.keyword",
                 {{"skill_id", "hostile.test"},
                  {"intent_name", "words"},
                  {"lang", "en-US"},
                  {"required", {{{"name", "flood"}, {"samples", many("flood word ", count)}}}}},
                 {{"skill_id", "hostile.test"}});
}

inline std::string entity_of(std::size_t count) {
  return message("ovos.entity.register",
                 {{"skill_id", "hostile.test"},
                  {"entity_name", "thing"},
                  {"lang", "en-US"},
                  {"samples", many("thing ", count)}},
                 {{"skill_id", "hostile.test"}});
}

inline std::string fallback_of(const std::string& skill_id) {
  return message("ovos.fallback.register", {{"skill_id", skill_id}, {"priority", 50}},
                 {{"skill_id", skill_id}});
}

inline std::vector<std::string> pool_and_denied(std::size_t skills, std::size_t denied) {
  std::vector<std::string> messages;
  for (std::size_t i = 0; i < skills; ++i) messages.push_back(fallback_of(fmt::format("pool{}.test", i)));
  messages.push_back(with_field("blacklisted_skills", many("no.", denied)));
  return messages;
}

inline Json owners(std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    list.push_back({{"skill_id", fmt::format("o{}.test", i)}, {"activated_at", 1.0}});
  return list;
}

inline Json remembered(std::size_t count) {
  Json entries = Json::object();
  for (std::size_t i = 0; i < count; ++i) entries[fmt::format("k{}", i)] = {{"value", "x"}};
  return entries;
}

/// `text` so often that it fills a message.
inline std::string repeated(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() + text.size() <= bytes) all += text;
  return all;
}

/// What one client can send. Nothing of it is malformed as JSON or as a message.
inline std::vector<Input> inputs() {
  std::vector<Input> all;
  const auto one = [&all](const char* name, std::string text) {
    all.emplace_back(name, std::vector<std::string>{std::move(text)});
  };
  one("numbers_400000", message("flood.big", {{"list", Json(std::vector<int>(400'000, 0))}}));
  one("template_20000_slots", template_of_slots(20'000));
  // What has more samples than are allowed is refused.
  one("template_60000_samples", template_of(many("flood ", 60'000)));
  one("template_10000_samples", template_of(many("flood ", kMostSamples)));
  one("template_100000_brackets", template_of({repeated("[a] ", 400'000) + "flood"}));
  one("template_deep", template_of({repeated("(a|", 100'000) + "b" + std::string(33'333, ')')}));
  one("template_1mb_of_words", template_of({repeated("flood words ", kMostBytes - 1'000)}));
  one("keywords_60000_samples", keywords_of(50'000));
  one("keywords_10000_samples", keywords_of(kMostSamples));
  one("entity_60000_samples", entity_of(60'000));
  one("entity_10000_samples", entity_of(kMostSamples));
  one("pipeline_60000", with_field("pipeline", many("stage_", 60'000)));
  one("pipeline_same_60000", with_field("pipeline", Json(std::vector<std::string>(60'000, "intent_high"))));
  one("blacklisted_skills_80000", with_field("blacklisted_skills", many("no.", 80'000)));
  one("blacklisted_intents_50000", with_field("blacklisted_intents", many("no.x:y", 50'000)));
  one("blacklisted_pipelines_60000", with_field("blacklisted_pipelines", many("stage_", 60'000)));
  one("converse_handlers_20000", with_field("converse_handlers", owners(20'000)));
  one("active_handlers_20000", with_field("active_handlers", owners(20'000)));
  one("fallback_handlers_60000", with_field("fallback_handlers", many("no.", 60'000)));
  one("intent_context_30000", with_field("intent_context", remembered(30'000)));
  one("session_id_900kb", utterance("good morning bench", {{"session_id", std::string(900'000, 's')}}));
  one("unknown_field_600kb", with_field("unknown", std::string(600'000, 'x')));
  one("utterances_60000", message("ovos.utterance.handle", {{"utterances", many("say ", 60'000)}}));
  one("utterance_900kb_of_words", utterance(repeated("flood the words ", 900'000)));
  one("utterance_900kb_one_word", utterance(std::string(900'000, 'w')));
  one("utterance_numbers", utterance(repeated("twenty one thousand and ", 900'000)));
  all.emplace_back("fallback_3000_skills", pool_and_denied(3'000, 60'000));
  return all;
}

}  // namespace parley::hostile
