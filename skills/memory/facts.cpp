#include "facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <parley/fold.hpp>
#include <parley/text.hpp>

namespace parley::memory {
namespace {

constexpr std::string_view kTold = "told:";   ///< What the ids of events begin with that telling() makes.
constexpr char kWhich = '#';                  ///< What which of them it is comes behind.
constexpr std::string_view kOfTurn = "mem_";  ///< What the ids of turns' memories begin with.

Json query_of(const Asker& asker, const std::string& text, const std::string& lang, std::int64_t most,
              const char* memory_type) {
  return {{"query_text", text},
          {"query_scope", "private"},
          {"agent_id", asker.owner},
          {"session_id", asker.session_id},
          {"lang", lang},
          {"top_k", most},
          {"object_types", {"memory"}},
          {"memory_types", {memory_type}},
          {"response_mode", "objects_only"},
          {"include_cold", true}};
}

/// The latest first.
Json all_of(Json query) {
  query["time_window"] = {{"from", to_text(Moment())}};
  return query;
}

}  // namespace

std::string text_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<Fact> facts_in(const Json& answer) {
  std::vector<Fact> facts;
  const auto objects = answer.find("objects");
  if (objects == answer.end() || !objects->is_array()) return facts;
  for (const auto& object : *objects) {
    if (object.contains("superseded_by") || object.contains("expanded")) continue;
    Fact fact;
    fact.id = text_at(object, "object_id");
    fact.text = text_at(object, "summary");
    fact.agent = text_at(object, "agent_id");
    fact.time = from_text(text_at(object, "time"));
    fact.coverage = object.value("coverage", 0.0);
    if (const auto told = object.find("told"); told != object.end()) {
      fact.subject = text_at(*told, "subject");
      fact.relation = text_at(*told, "relation");
      fact.value = text_at(*told, "value");
    }
    if (const auto routine = object.find("routine"); routine != object.end()) {
      fact.hour = std::chrono::hours(routine->value("hour", 0));
      fact.text = text_at(*routine, "said");
    }
    facts.push_back(std::move(fact));
  }
  return facts;
}

Asker Asker::of(const Message& turn) {
  return {turn.owner(), turn.session_id()};
}

Json query_told(const Asker& asker, const std::string& text, const std::string& lang, std::int64_t most) {
  return query_of(asker, text, lang, most, "semantic");
}

Json query_all_told(const Asker& asker, std::int64_t most) {
  return all_of(query_of(asker, "*", "", most, "semantic"));
}

Json query_done(const Asker& asker, std::int64_t most) {
  return all_of(query_of(asker, "*", "", most, "procedural"));
}

Json query_turns(const Asker& asker, const std::string& text, const std::string& lang, std::int64_t most) {
  return query_of(asker, text, lang, most, "episodic");
}

Json telling(const Asker& asker, const std::string& utterance_id, const std::string& text,
             const std::string& lang, Moment now, const std::string& contradicts) {
  // One utterance may tell several things.
  const std::size_t which = std::hash<std::string>()(text);
  Json event = {{"event_id", fmt::format("{}{}{}{:x}", kTold, utterance_id, kWhich, which)},
                {"event_type", "told"},
                {"time", to_text(now)},
                {"agent_id", asker.owner},
                {"session_id", asker.session_id},
                {"memory_type", "semantic"},
                {"lang", lang},
                {"text", text}};
  for (const char* const type : {"contradicts", "updates"}) {
    if (!contradicts.empty()) event["edges"].push_back({{"dst", contradicts}, {"edge_type", type}});
  }
  return {{"events", Json::array({std::move(event)})}};
}

std::optional<std::string> told_in(const std::string& event_id) {
  if (!event_id.starts_with(kTold)) return std::nullopt;
  const std::size_t end = event_id.rfind(kWhich);
  return event_id.substr(kTold.size(), end == std::string::npos ? end : end - kTold.size());
}

std::string turn_of_memory(const std::string& id) {
  return id.substr(kOfTurn.size());
}

std::string memory_of_turn(const std::string& utterance_id) {
  return std::string(kOfTurn) + utterance_id;
}

std::string to_text(Moment time) {
  const auto at = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

Moment from_text(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) < 6)
    return {};
  const std::chrono::sys_days date(std::chrono::year(year) / month / day);
  return date + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

std::optional<std::string> corrected(const std::string& text, const std::string& value,
                                     const std::string& instead, std::string_view lang) {
  const auto said = words(text, lang);
  for (std::size_t begin = 1; begin < said.size(); ++begin) {
    std::string folded;
    for (std::size_t i = begin; i < said.size(); ++i) {
      folded += (folded.empty() ? "" : " ") + text::fold(said[i].norm);
      if (folded != value) continue;
      return text.substr(0, said[begin].begin) + instead + text.substr(said[i].end);
    }
  }
  return std::nullopt;
}

}  // namespace parley::memory
