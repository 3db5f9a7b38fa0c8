#include "child/frames.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace parley::child {
namespace {

std::chrono::system_clock::time_point wall_from(std::int64_t ns) {
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(ns)));
}

StorageScope scope_from(int number) {
  if (number < 0 || number > static_cast<int>(StorageScope::kSession))
    throw std::invalid_argument("there is no such scope");
  return static_cast<StorageScope>(number);
}

}  // namespace

Json json_of(const StoragePlace& place) {
  return {{"scope", static_cast<int>(place.scope)}, {"owner", place.owner}, {"session_id", place.session_id}};
}

StoragePlace place_from(const Json& json, const std::string& skill_id) {
  return {skill_id, scope_from(json.at("scope").get<int>()), json.at("owner").get<std::string>(),
          json.at("session_id").get<std::string>()};
}

Json json_of(const Scheduled& what) {
  Json json = {{"id", what.id},
               {"name", what.name},
               {"payload", what.payload()},
               {"due_ns", ns_of(what.due)},
               {"session_id", what.session_id},
               {"lang", what.lang},
               {"owner", what.owner},
               {"zone", what.time_zone}};
  if (what.rule) json["rule"] = what.rule->to_json();
  return json;
}

Scheduled scheduled_from(const Json& json) {
  Scheduled what;
  what.id = json.at("id").get<std::string>();
  what.name = json.at("name").get<std::string>();
  what.data = std::make_shared<const Json>(json.at("payload"));
  what.due = wall_from(json.at("due_ns").get<std::int64_t>());
  what.session_id = json.at("session_id").get<std::string>();
  what.lang = json.at("lang").get<std::string>();
  what.owner = json.at("owner").get<std::string>();
  what.time_zone = json.at("zone").get<std::string>();
  if (const auto rule = json.find("rule"); rule != json.end()) {
    const auto read = ScheduleRule::from_json(*rule);
    if (!read) throw std::invalid_argument(read.error().message);
    what.rule = *read;
  }
  return what;
}

Json json_of(const ScheduleRow& row) {
  return {{"what", json_of(row.what)}, {"context", *row.context}};
}

ScheduleRow row_from(const Json& json, const std::string& skill_id) {
  ScheduleRow row;
  row.what = scheduled_from(json.at("what"));
  row.skill_id = skill_id;
  row.context = std::make_shared<const Json>(json.at("context"));
  return row;
}

Json json_of(const HttpRequest& request) {
  Json headers = Json::array();
  for (const auto& [name, value] : request.headers) headers.push_back(Json::array({name, value}));
  return {{"method", request.method},
          {"url", request.url},
          {"headers", std::move(headers)},
          {"timeout_ns", ns_of(request.timeout)},
          {"silence_ns", ns_of(request.silence)},
          {"most_bytes", request.most_bytes},
          {"redirections", request.redirections}};
}

HttpRequest request_from(const Json& json, std::string body) {
  HttpRequest request(json.at("method").get<std::string>(), json.at("url").get<std::string>());
  request.body = std::move(body);
  for (const auto& header : json.at("headers"))
    request.headers.emplace_back(header.at(0).get<std::string>(), header.at(1).get<std::string>());
  request.timeout = std::chrono::nanoseconds(json.at("timeout_ns").get<std::int64_t>());
  request.silence = std::chrono::nanoseconds(json.at("silence_ns").get<std::int64_t>());
  request.most_bytes = json.at("most_bytes").get<std::size_t>();
  request.redirections = json.at("redirections").get<int>();
  return request;
}

SessionPtr session_from(const Json& json) {
  std::vector<std::string> spoiled;
  return std::make_shared<const Session>(session_from_json(json, spoiled));
}

}  // namespace parley::child
