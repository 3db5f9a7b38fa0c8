#include "message/topics.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace parley {
namespace {

constexpr std::string_view kQuestionAnswer = ".common_query.response";
constexpr std::string_view kConversePong = ".converse.pong";
constexpr std::string_view kFallbackPong = ".fallback.pong";
constexpr std::string_view kOfStage = "ovos.pipeline.";
constexpr std::string_view kListOfStage = ".intents.list";
constexpr std::string_view kResponse = ".response";

bool is_blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

bool is_response_to(std::string_view topic, std::string_view query) {
  return topic.starts_with(query) && topic.substr(query.size()) == kResponse;
}

bool flag(const Message& message, const char* key) {
  const auto found = message.data().find(key);
  return found != message.data().end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

namespace topic {

std::string dispatch(const std::string& skill_id, const std::string& intent_name) {
  return skill_id + ':' + intent_name;
}

std::string list_of_stage(const std::string& pipeline_id) {
  return std::string(kOfStage) + pipeline_id + std::string(kListOfStage);
}

std::string converse_ping(const std::string& skill_id) {
  return skill_id + ".converse.ping";
}

std::string converse_pong(const std::string& skill_id) {
  return skill_id + std::string(kConversePong);
}

std::string fallback_ping(const std::string& skill_id) {
  return skill_id + ".fallback.ping";
}

std::string fallback_pong(const std::string& skill_id) {
  return skill_id + std::string(kFallbackPong);
}

std::string question_answer(const std::string& skill_id) {
  return skill_id + std::string(kQuestionAnswer);
}

bool is_evidence_request(std::string_view topic) noexcept {
  return std::find(kEvidenceRequests.begin(), kEvidenceRequests.end(), topic) != kEvidenceRequests.end();
}

bool is_lasting_request(std::string_view topic) noexcept {
  for (const std::string_view request : {kStoragePut, kStorageGet, kStorageAll, kStorageErase, kScheduleAdd,
                                         kScheduleCancel, kScheduleList, kSessionClose, kSessionForget}) {
    if (topic == request) return true;
  }
  return is_evidence_request(topic);
}

bool is_lasting_answer(std::string_view topic) noexcept {
  constexpr std::string_view kEnd = ".response";
  return topic.ends_with(kEnd) && is_lasting_request(topic.substr(0, topic.size() - kEnd.size()));
}

Speaker speaker_of(std::string_view topic) noexcept {
  if (is_lasting_request(topic)) return Speaker::kAnybody;
  if (topic == kHandlerStart) return Speaker::kReportsStart;
  if (topic == kHandlerComplete || topic == kHandlerError) return Speaker::kReportsEnd;
  for (const std::string_view own : {kMatched, kUnmatched, kHandled, kSessionRejected, kCoreReady}) {
    if (topic == own) return Speaker::kCore;
  }
  for (const std::string_view query : {kListIntents, kDescribeIntent, kActiveList}) {
    if (is_response_to(topic, query)) return Speaker::kCore;
  }
  const bool is_dispatch = topic.find(':') != std::string_view::npos;
  if (is_dispatch || topic.starts_with("parley.")) return Speaker::kCore;
  if (topic.starts_with(kOfStage) && topic.ends_with(kResponse) &&
      topic.substr(0, topic.size() - kResponse.size()).ends_with(kListOfStage))
    return Speaker::kCore;
  if (topic == kStopPong || topic == kStopDone || topic == kQuestionPong) return Speaker::kPolledSkill;
  for (const std::string_view end : {kConversePong, kFallbackPong, kQuestionAnswer}) {
    if (topic.ends_with(end)) return Speaker::kPolledSkill;
  }
  return Speaker::kAnybody;
}

}  // namespace topic

bool is_reserved(std::string_view intent_name) noexcept {
  return std::find(reserved::kAll.begin(), reserved::kAll.end(), intent_name) != reserved::kAll.end();
}

bool names_its_speaker(const Message& message) {
  const std::string named = message.text("skill_id");
  return named.empty() || named == message.context().skill_id;
}

Utterance::Utterance(const Message& message) : lang(message.text("lang")) {
  const auto list = message.data().find("utterances");
  is_list = list != message.data().end() && list->is_array();
  if (!is_list) return;
  std::size_t bytes = 0;
  for (const auto& one : *list) {
    if (!one.is_string() || is_blank(one.get_ref<const std::string&>())) continue;
    bytes += one.get_ref<const std::string&>().size();
    is_cut = bytes > kMostBytes || utterances.size() == kMostCandidates;
    if (is_cut) return;
    utterances.push_back(one);
  }
}

Json Utterance::to_json() const {
  Json data = {{"utterances", utterances}};
  if (!lang.empty()) data["lang"] = lang;
  return data;
}

Speech::Speech(const Message& message)
    : utterance(message.text("utterance")), lang(message.text("lang")), listen(flag(message, "listen")) {
  const Json& data = message.data();
  if (const auto found = data.find("screen"); found != data.end() && found->is_object())
    screen = std::make_shared<const Json>(*found);
  if (const auto found = data.find("options"); found != data.end() && found->is_array())
    options = std::make_shared<const Json>(*found);
}

Json Speech::to_json() const {
  Json data = {{"utterance", utterance}, {"lang", lang}};
  if (listen) data["listen"] = true;
  if (screen) data["screen"] = *screen;
  if (options) data["options"] = *options;
  return data;
}

MatchedIntent::MatchedIntent(const Message& message)
    : skill_id(message.text("skill_id")),
      intent_name(message.text("intent_name")),
      pipeline_id(message.text("pipeline_id")),
      lang(message.text("lang")),
      utterance(message.text("utterance")) {}

Json MatchedIntent::to_json() const {
  return {{"skill_id", skill_id}, {"intent_name", intent_name}, {"lang", lang}, {"utterance", utterance},
          {"slots", slots},       {"pipeline_id", pipeline_id}};
}

HandlerReport::HandlerReport(const Message& message)
    : skill_id(message.text("skill_id")), intent_name(message.text("intent_name")) {
  not_understood = message.type() == topic::kHandlerComplete && message.text("outcome") == "unmatched";
  if (message.type() != topic::kHandlerError) return;
  exception = message.text("exception");
  if (exception->empty()) exception = "an error without words";
}

Json HandlerReport::to_json() const {
  Json data = {{"skill_id", skill_id}, {"intent_name", intent_name}};
  if (exception) data["exception"] = *exception;
  if (not_understood) data["outcome"] = "unmatched";
  return data;
}

const Json* synced_session(const Message& message) {
  const auto found = message.data().find("session");
  return found == message.data().end() || !found->is_object() ? nullptr : &*found;
}

}  // namespace parley
