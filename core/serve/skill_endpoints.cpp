#include "serve/skill_endpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/assistant.hpp"
#include "app/inventory.hpp"
#include "net/remote_skills.hpp"
#include "settings/reader.hpp"
#include "skill/skill_host.hpp"

namespace parley {
namespace {

using api::Json;

const char* word_of(OptionType type) {
  switch (type) {
    case OptionType::kFlag:
      return "flag";
    case OptionType::kInteger:
      return "integer";
    case OptionType::kNumber:
      return "number";
    case OptionType::kText:
      return "text";
    case OptionType::kWord:
      return "word";
    case OptionType::kDuration:
      return "duration";
    case OptionType::kSize:
      return "size";
    case OptionType::kList:
      return "list";
    case OptionType::kMap:
      return "map";
    case OptionType::kRange:
      return "range";
  }
  return "";
}

const char* word_of(SettingsChanged::Takes takes) {
  switch (takes) {
    case SettingsChanged::Takes::kAtOnce:
      return "at_once";
    case SettingsChanged::Takes::kWithReload:
      return "with_reload";
    case SettingsChanged::Takes::kWhenIdle:
      return "when_idle";
  }
  return "";
}

Json option_json(const Option& option, const std::string& id, const Json& told, const Layers& layers) {
  const std::string key = option.key;
  const bool is_secret = config::is_secret(key);
  const Json fallback = config::as_in_file(option, config::default_of(option));
  Json value = told.value(key, fallback);
  if (is_secret && value.is_string() && value != "") value = api::kHidden;
  const Origin origin = layers.origin_of(id, key);
  Json json = {{"key", key},
               {"type", word_of(option.type)},
               {"help", option.help},
               {"expects", config::describe(option)},
               {"default", fallback},
               {"value", std::move(value)},
               {"source", word_of(origin.kind)},
               {"place", origin.place},
               {"secret", is_secret}};
  if (option.type == OptionType::kWord) json["words"] = config::words_of(option);
  const bool is_number = option.type == OptionType::kInteger || option.type == OptionType::kNumber;
  if (is_number && option.low < option.high) {
    json["low"] = option.low;
    json["high"] = option.high;
  }
  return json;
}

Json options_json(const Assistant& assistant, const std::string& id) {
  const Layers& layers = assistant.layers();
  const auto settings = assistant.config().skills.settings.find(id);
  const Json told = settings == assistant.config().skills.settings.end() ? Json::object() : settings->second;
  Json options = Json::array();
  for (const Option& option : assistant.options_of_skill(id))
    options.push_back(option_json(option, id, told, layers));
  return options;
}

/// How its turns ended: `{complete, error, …}`, and how often something of it threw.
void add_figures(Assistant& assistant, const std::string& id, Json& json) {
  Json turns = Json::object();
  std::uint64_t faults = 0;
  for (const auto& one : assistant.counters().all()) {
    const auto is_of_it = [&](const auto& label) { return label.first == "skill" && label.second == id; };
    if (std::none_of(one.labels.begin(), one.labels.end(), is_of_it)) continue;
    if (one.name == "parley_skill_faults_total") faults = one.value;
    if (one.name == "parley_turns_total") turns[one.labels.front().second] = one.value;
  }
  json["turns"] = std::move(turns);
  json["faults"] = faults;
}

/// The skill as it is now; nothing: there is none of that name.
std::optional<Json> skill_json(Assistant& assistant, const net::RemoteSkills& remote, const std::string& id) {
  Json json = {{"skill_id", id}, {"placement", placement_of(assistant, id)}};
  const auto is_it = [&](const LoadedPart& one) { return one.id == id; };
  const auto loaded = assistant.loaded_skills();
  const auto disabled = assistant.disabled_skills();
  const auto idle = std::find_if(disabled.begin(), disabled.end(), is_it);
  const auto part = std::find_if(loaded.begin(), loaded.end(), is_it);
  const auto speakers = remote.speakers();
  const auto speaker = speakers.find(id);
  if (part == loaded.end() && idle == disabled.end() && speaker == speakers.end()) return std::nullopt;
  if (speaker != speakers.end()) json["connection"] = speaker->second;
  if (speaker == speakers.end()) {
    const LoadedPart& about = part != loaded.end() ? *part : *idle;
    json["version"] = about.version;
    json["file"] = about.file;
    json["languages"] = about.languages;
  }
  json["state"] = speaker != speakers.end() ? "running" : state_of(assistant, id);
  Json intents = Json::array();
  for (auto& intent : intents_of(assistant))
    if (intent.at("skill_id") == id) intents.push_back(std::move(intent));
  json["intents"] = std::move(intents);
  json["options"] = options_json(assistant, id);
  add_figures(assistant, id, json);
  return json;
}

class SkillEndpoints : public std::enable_shared_from_this<SkillEndpoints> {
 public:
  SkillEndpoints(Assistant& assistant, const net::RemoteSkills& remote)
      : assistant_(assistant), remote_(remote) {}

  void show(const api::Call& call) const {
    const api::Query none(call.request.target, {});
    assistant_.wake_languages([self = shared_from_this(), call] { self->reply_with(call, {}); });
  }

  void change_settings(const api::Call& call) {
    const api::Query none(call.request.target, {});
    refuse_remote(call.id);
    const Json values = api::body_of(call.request);
    assistant_.change_settings(call.id, values,
                               [self = shared_from_this(), call](const SettingsChanged& how) {
                                 switch (how.end) {
                                   case SettingsChanged::End::kUnknown:
                                     return call.reply(api::not_found(how.reason).reply());
                                   case SettingsChanged::End::kRefused:
                                     return call.reply(net::error_reply(409, "refused", how.reason));
                                   case SettingsChanged::End::kInvalid:
                                     return call.reply(invalid(how));
                                   case SettingsChanged::End::kDone:
                                     break;
                                 }
                                 Json more = {{"takes_effect", word_of(how.takes)}};
                                 if (!how.not_kept.empty()) more["not_kept"] = how.not_kept;
                                 self->reply_with(call, more);
                               });
  }

  using Change = void (Assistant::*)(const std::string&, std::function<void(const Reloaded&)>);
  void change_state(const api::Call& call, Change change) {
    const api::Query none(call.request.target, {});
    refuse_remote(call.id);
    (assistant_.*change)(call.id, [self = shared_from_this(), call](const Reloaded& how) {
      if (how.end == Reloaded::End::kUnknown) return call.reply(api::not_found(how.reason).reply());
      if (how.end == Reloaded::End::kRefused) return call.reply(net::error_reply(409, "refused", how.reason));
      Json more = Json::object();
      if (!how.reason.empty()) more["not_kept"] = how.reason;
      self->reply_with(call, more);
    });
  }

  void reload(const api::Call& call) {
    const api::Query none(call.request.target, {});
    refuse_remote(call.id);
    assistant_.reload_skill(call.id, [&assistant = assistant_, call](const Reloaded& how) {
      if (how.end == Reloaded::End::kUnknown) return call.reply(api::not_found(how.reason).reply());
      if (how.end == Reloaded::End::kRefused) return call.reply(net::error_reply(409, "refused", how.reason));
      if (how.end == Reloaded::End::kGone)
        return call.reply(net::json_reply({{"skill_id", call.id}, {"removed", true}}));
      const auto loaded = assistant.loaded_skills();
      const auto now =
          std::find_if(loaded.begin(), loaded.end(), [&](const auto& one) { return one.id == call.id; });
      if (now == loaded.end()) return call.reply(api::not_found("it was unloaded meanwhile").reply());
      call.reply(net::json_reply({{"skill_id", now->id},
                                  {"version", now->version},
                                  {"file", now->file},
                                  {"languages", now->languages}}));
    });
  }

 private:
  void refuse_remote(const std::string& id) const {
    if (assistant_.bus().presence().of(id) != Presence::kRemote) return;
    throw api::Refused(409, "not_a_library",
                       fmt::format("the skill '{}' speaks over a connection: change it where it runs", id));
  }

  void reply_with(const api::Call& call, const Json& more) const {
    auto json = skill_json(assistant_, remote_, call.id);
    if (!json) return call.reply(api::not_found(fmt::format("there is no skill '{}'", call.id)).reply());
    if (more.is_object()) json->update(more);
    call.reply(net::json_reply(*json));
  }

  static net::HttpReply invalid(const SettingsChanged& how) {
    Json faults = Json::array();
    std::string sentence = how.reason + ":";
    for (const auto& fault : how.faults) {
      faults.push_back({{"field", fault.key}, {"message", fault.message}});
      sentence += (faults.size() == 1 ? " " : "; ") + fault.message;
    }
    Json error = {{"code", "invalid_settings"}, {"message", sentence}, {"faults", faults}};
    if (!how.faults.front().key.empty()) error["field"] = how.faults.front().key;
    return net::json_reply({{"error", std::move(error)}}, 422);
  }

  Assistant& assistant_;
  const net::RemoteSkills& remote_;
};

}  // namespace

api::Endpoints skill_endpoints(Assistant& assistant, const net::RemoteSkills& remote) {
  const auto skills = std::make_shared<SkillEndpoints>(assistant, remote);
  constexpr auto kAdmin = net::Right::kAdmin;
  api::Endpoints all;
  all.emplace_back("GET", "/v1/skills/{id}", kAdmin, [skills](const api::Call& call) { skills->show(call); });
  all.emplace_back("PUT", "/v1/skills/{id}/settings", kAdmin,
                   [skills](const api::Call& call) { skills->change_settings(call); });
  all.emplace_back("POST", "/v1/skills/{id}/reload", kAdmin,
                   [skills](const api::Call& call) { skills->reload(call); });
  all.emplace_back("POST", "/v1/skills/{id}/disable", kAdmin, [skills](const api::Call& call) {
    skills->change_state(call, &Assistant::disable_skill);
  });
  all.emplace_back("POST", "/v1/skills/{id}/enable", kAdmin,
                   [skills](const api::Call& call) { skills->change_state(call, &Assistant::enable_skill); });
  return all;
}

}  // namespace parley
