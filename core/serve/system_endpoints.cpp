#include "serve/system_endpoints.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/assistant.hpp"
#include "app/collisions.hpp"
#include "config/changes.hpp"
#include "registry/collisions.hpp"
#include "registry/registry.hpp"
#include "settings/reader.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

constexpr CollisionBounds kBounds(8, 5'000'000);

/// What stages and skills are told may hold what is nobody's business, whoever asks.
void hide_secrets(Json& settings) {
  if (!settings.is_structured()) return;
  for (const auto& entry : settings.items()) {
    if (settings.is_object() && config::is_secret(entry.key()) && entry.value() != "") {
      entry.value() = api::kHidden;
    } else {
      hide_secrets(entry.value());
    }
  }
}

void system(Assistant& assistant, const api::Call& call) {
  const api::Query none(call.request.target, {});
  Json configuration = to_json(assistant.config());
  hide_secrets(configuration["skills"]);
  hide_secrets(configuration["stages"]);
  Json problems = Json::array();
  for (const auto& one : assistant.problems())
    problems.push_back({{"place", one.place}, {"message", one.message}, {"fatal", one.fatal}});
  Json stages = Json::array();
  for (const auto& one : assistant.loaded_stages())
    stages.push_back({{"pipeline_id", one.id}, {"version", one.version}, {"file", one.file}});
  call.reply(net::json_reply({{"configuration", std::move(configuration)},
                              {"changed", changed_keys(Config(), assistant.config())},
                              {"problems", std::move(problems)},
                              {"stages", std::move(stages)},
                              {"store", assistant.store().file().string()},
                              {"store_trouble", assistant.store_trouble()}}));
}

/// The last part of a path of the configuration, without quotes.
std::string_view last_key(std::string_view path) {
  if (path.ends_with('"')) {
    path.remove_suffix(1);
    return path.substr(path.rfind('"') + 1);
  }
  return path.substr(path.rfind('.') + 1);
}

/// Calls back with every value and its path. A list is one value.
void visit_values(const Json& node, const std::string& path,
                  const std::function<void(const std::string& path, const Json& value)>& visit) {
  if (!node.is_object() || node.empty()) return visit(path, node);
  for (const auto& [key, value] : node.items()) visit_values(value, config::join(path, key), visit);
}

Json value_json(const std::string& path, const Json& value, const Layers& layers, const Json* fallback) {
  const auto written = layers.origins.find(path);
  const Origin origin = written == layers.origins.end() ? Origin() : written->second;
  const bool may_be_secret = path.starts_with("skills.") || path.starts_with("stages.");
  const bool is_hidden = may_be_secret && config::is_secret(last_key(path)) && value != "";
  return {{"key", path},
          {"value", is_hidden ? Json(api::kHidden) : value},
          {"source", word_of(origin.kind)},
          {"place", origin.place},
          {"differs", fallback == nullptr || *fallback != value}};
}

/// What is changed of skills has its own say where its values come from.
void note_changes(const Layers& layers, Json& list) {
  const auto note = [&](const std::string& path, const Origin& origin) {
    const auto at =
        std::find_if(list.begin(), list.end(), [&](const Json& one) { return one["key"] == path; });
    if (at == list.end()) return;
    (*at)["source"] = word_of(origin.kind);
    (*at)["place"] = origin.place;
  };
  for (const auto& [id, changed] : layers.changes.settings) {
    for (const auto& [key, value] : changed.items())
      note(config::join(config::join("skills.settings", id), key), layers.origin_of(id, key));
  }
  if (!layers.changes.enabled.empty() && !layers.disabled_origin.is_fixed())
    note("skills.disabled", Origin(Origin::Kind::kChanged, layers.changes_file.string()));
}

void configuration(const Assistant& assistant, const api::Call& call) {
  const api::Query none(call.request.target, {});
  std::map<std::string, Json> defaults;
  visit_values(to_json(Config()), "", [&](const auto& path, const Json& value) { defaults[path] = value; });
  Json list = Json::array();
  visit_values(to_json(assistant.config()), "", [&](const auto& path, const Json& value) {
    const auto fallback = defaults.find(path);
    list.push_back(value_json(path, value, assistant.layers(),
                              fallback == defaults.end() ? nullptr : &fallback->second));
  });
  note_changes(assistant.layers(), list);
  call.reply(net::json_reply({{"values", std::move(list)}}));
}

/// Comparing takes long: one search goes on at a time, and who asks meanwhile gets what it finds. On the
/// loop.
class CollisionSearch {
 public:
  explicit CollisionSearch(Assistant& assistant) : assistant_(assistant) {}

  void ask(const api::Call& call) {
    const api::Query none(call.request.target, {});
    asking_.push_back(call);
    if (asking_.size() > 1) return;
    assistant_.wake_languages([this] { search(); });
  }

 private:
  void search() {
    const auto found = std::make_shared<Collisions>();
    const Registry& registry = assistant_.registry();
    assistant_.in_background(
        [found, intents = registry.intents(), entities = registry.entities()] {
          *found = find_collisions(intents, entities, kBounds);
        },
        [this, found] { answer(to_json(*found, assistant_, std::nullopt)); });
  }

  void answer(const Json& found) {
    for (const auto& call : std::exchange(asking_, {})) call.reply(net::json_reply(found));
  }

  Assistant& assistant_;
  std::vector<api::Call> asking_;
};

}  // namespace

api::Endpoints system_endpoints(Assistant& assistant) {
  api::Endpoints all;
  all.emplace_back("GET", "/v1/system", net::Right::kAdmin,
                   [&assistant](const api::Call& call) { system(assistant, call); });
  all.emplace_back("GET", "/v1/config", net::Right::kAdmin,
                   [&assistant](const api::Call& call) { configuration(assistant, call); });
  all.emplace_back(
      "GET", "/v1/collisions", net::Right::kAdmin,
      [search = std::make_shared<CollisionSearch>(assistant)](const api::Call& call) { search->ask(call); });
  return all;
}

}  // namespace parley
