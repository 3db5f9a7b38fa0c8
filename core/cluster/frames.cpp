#include "cluster/frames.hpp"

#include <parley/json.hpp>
#include <parley/session.hpp>
#include <utility>

namespace parley::cluster {
namespace {

void put_share(Json& into, const char* key, const std::optional<std::size_t>& share) {
  if (share) into[key] = *share;
}

std::optional<std::size_t> share_of(const Json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::size_t>();
}

Json describe(const net::Grant& grant) {
  Json told = {{"client", grant.client},
               {"rights", grant.rights},
               {"sessions", static_cast<int>(grant.sessions)},
               {"listed", grant.listed_sessions}};
  put_share(told, "turns", grant.shares.turns);
  put_share(told, "registrations", grant.shares.registrations);
  put_share(told, "skills", grant.shares.skills);
  return told;
}

std::vector<std::string> texts_of(const Json& from, const char* key) {
  std::vector<std::string> texts;
  const auto found = from.find(key);
  if (found == from.end() || !found->is_array()) return texts;
  for (const auto& text : *found) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

/// @throws nlohmann::json::exception when it is none
net::GrantPtr grant_of(const Json& told) {
  const auto grant = std::make_shared<net::Grant>();
  grant->client = told.at("client").get<std::string>();
  grant->rights = told.at("rights").get<unsigned>();
  grant->sessions = static_cast<net::Grant::Sessions>(told.at("sessions").get<int>());
  grant->listed_sessions = told.at("listed").get<std::vector<std::string>>();
  grant->shares.turns = share_of(told, "turns");
  grant->shares.registrations = share_of(told, "registrations");
  grant->shares.skills = share_of(told, "skills");
  return grant;
}

}  // namespace

std::string Frame::text(const char* key) const {
  const auto found = head.find(key);
  return found == head.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

std::uint64_t Frame::number(const char* key) const {
  const auto found = head.find(key);
  return found == head.end() || !found->is_number_unsigned() ? 0 : found->get<std::uint64_t>();
}

bool Frame::flag(const char* key) const {
  const auto found = head.find(key);
  return found != head.end() && found->is_boolean() && found->get<bool>();
}

std::optional<Frame> Frame::read(std::string_view text) {
  const auto end = text.find('\n');
  Json head = object_of(text.substr(0, end));
  if (!head.is_object()) return std::nullopt;
  Frame frame(std::move(head));
  if (end != std::string_view::npos) frame.message = text.substr(end + 1);
  return frame;
}

Json object_of(std::string_view text) {
  Result<Json> read = parse_json(text);
  return read && read->is_object() ? std::move(*read) : Json();
}

std::string frame(const Json& head) {
  return head.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string frame(const Json& head, const Message& message) {
  return frame(head) + '\n' + message.wire();
}

Json describe(const net::Client& client) {
  Json told = {{"n", client.id}, {"name", client.name}, {"address", client.address}};
  if (client.grant) told["grant"] = describe(*client.grant);
  return told;
}

Json describe(std::uint64_t client, const net::Listening& listening) {
  return {{"k", "hears"},
          {"c", client},
          {"topics", listening.topics},
          {"sessions", listening.sessions},
          {"traces", listening.hears_traces}};
}

net::Listening listening_of(const Frame& frame) {
  net::Listening listening;
  listening.topics = texts_of(frame.head, "topics");
  listening.sessions = texts_of(frame.head, "sessions");
  listening.hears_traces = frame.flag("traces");
  return listening;
}

net::ClientPtr described(const Json& description, std::uint64_t number) {
  try {
    const auto grant = description.find("grant");
    return std::make_shared<const net::Client>(number, description.at("name").get<std::string>(),
                                               description.at("address").get<std::string>(),
                                               grant == description.end() ? nullptr : grant_of(*grant));
  } catch (const Json::exception&) {
    return nullptr;
  }
}

}  // namespace parley::cluster
