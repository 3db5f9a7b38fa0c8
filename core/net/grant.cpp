#include "net/grant.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_set>

#include "message/topics.hpp"

namespace parley::net {

std::string_view word_of(Right right) noexcept {
  switch (right) {
    case Right::kTalk:
      return "talk";
    case Right::kRead:
      return "read";
    case Right::kWrite:
      return "write";
    case Right::kAdmin:
      return "admin";
  }
  return "";
}

namespace {

/// The elements of `more` that `list` lacks go to its end.
void add(std::optional<Session::Strings>& list, const Session::Strings& more) {
  if (more.empty()) return;
  if (!list) list.emplace();
  const std::unordered_set<std::string> there(list->begin(), list->end());
  for (const auto& one : more) {
    if (!there.contains(one)) list->push_back(one);
  }
}

/// The same for a list in JSON that is there; one of the wrong form is left to whoever reads it.
void add(Json& session, const char* key, const Session::Strings& more) {
  const auto found = session.find(key);
  if (found == session.end() || !found->is_array() || more.empty()) return;
  std::unordered_set<std::string> there;
  for (const auto& one : *found) {
    if (one.is_string()) there.insert(one.get<std::string>());
  }
  for (const auto& one : more) {
    if (!there.contains(one)) found->push_back(one);
  }
}

/// The id a session in `data` names; nothing when it names none, which then is the message's own.
std::optional<std::string> session_named_in(const Message& message) {
  const Json* const session = synced_session(message);
  if (session == nullptr) return std::nullopt;
  const auto id = session->find("session_id");
  if (id == session->end() || !id->is_string()) return std::nullopt;
  return id->get<std::string>();
}

}  // namespace

bool Grant::allows_session(std::string_view session_id) const {
  switch (sessions) {
    case Sessions::kAny:
      return true;
    case Sessions::kOwn:
      return session_id.starts_with(client) &&
             (session_id.size() == client.size() || session_id[client.size()] == '.');
    case Sessions::kListed:
      return std::find(listed_sessions.begin(), listed_sessions.end(), session_id) != listed_sessions.end();
  }
  return false;
}

SessionPtr Grant::stamped(const SessionPtr& session) const {
  if (blacklisted_pipelines.empty() && blacklisted_skills.empty() && blacklisted_intents.empty())
    return session;
  auto changed = session ? std::make_shared<Session>(*session) : std::make_shared<Session>();
  add(changed->blacklisted_pipelines, blacklisted_pipelines);
  add(changed->blacklisted_skills, blacklisted_skills);
  add(changed->blacklisted_intents, blacklisted_intents);
  return changed;
}

Json Grant::stamped(Json session) const {
  add(session, "blacklisted_pipelines", blacklisted_pipelines);
  add(session, "blacklisted_skills", blacklisted_skills);
  add(session, "blacklisted_intents", blacklisted_intents);
  return session;
}

namespace {

std::optional<Refusal> refusal_by_grant(const GrantPtr& grant, std::string_view topic) {
  const std::string_view named = topic.substr(0, 100);
  if (!grant) return std::nullopt;
  if (!grant->has(Right::kTalk)) {
    return Refusal("grant",
                   fmt::format("dropped '{}': the grant of '{}' has no right to talk", named, grant->client));
  }
  if (grant->send && !grant->send->wants_topic(topic)) {
    return Refusal("grant", fmt::format("dropped '{}': the grant of '{}' does not let it send this", named,
                                        grant->client));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> refusal_of_topic(const GrantPtr& grant, std::string_view topic) {
  if (topic::speaker_of(topic) == topic::Speaker::kCore)
    return Refusal("core_topic", fmt::format("dropped '{}': only the core says this", topic.substr(0, 100)));
  return refusal_by_grant(grant, topic);
}

std::optional<Refusal> refusal_of_session(const GrantPtr& grant, std::string_view session_id) {
  if (!grant || grant->allows_session(session_id)) return std::nullopt;
  return Refusal("grant", fmt::format("the grant of '{}' does not cover session '{}'", grant->client,
                                      session_id.substr(0, 80)));
}

namespace {

/// The part that is about sessions.
std::variant<Message, Refusal> within_sessions(const GrantPtr& grant, Message message) {
  if (!grant) return message;
  const auto named = session_named_in(message);
  for (const std::string_view id :
       {std::string_view(message.session_id()),
        named ? std::string_view(*named) : std::string_view(message.session_id())}) {
    if (auto refusal = refusal_of_session(grant, id)) {
      refusal->text = fmt::format("dropped '{}': {}", message.type().substr(0, 100), refusal->text);
      return std::move(*refusal);
    }
  }
  const SessionPtr& session = message.context().session;
  SessionPtr changed = grant->stamped(session);
  if (message.type() == topic::kSessionSync && message.data().contains("session")) {
    Json data = message.data();
    data["session"] = grant->stamped(std::move(data["session"]));
    Context context = message.context();
    context.session = std::move(changed);
    return Message(message.type(), std::move(data), std::move(context));
  }
  if (changed != session) return message.with_session(std::move(changed));
  return message;
}

}  // namespace

std::variant<Message, Refusal> admitted(const GrantPtr& grant, Message message) {
  if (auto refusal = refusal_of_topic(grant, message.type())) return std::move(*refusal);
  return within_sessions(grant, std::move(message));
}

std::variant<Message, Refusal> relayable(const GrantPtr& grant, Message message) {
  if (auto refusal = refusal_by_grant(grant, message.type())) return std::move(*refusal);
  return within_sessions(grant, std::move(message));
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("the SHA-256 of a token could not be computed");
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

bool Rate::take(double per_second, Time now, double at_once) {
  if (per_second <= 0) return true;
  const double most = at_once > 0 ? at_once : std::max(per_second, 1.0);
  if (tokens_ < 0) {
    tokens_ = most;
  } else {
    tokens_ = std::min(most, tokens_ + per_second * std::chrono::duration<double>(now - since_).count());
  }
  since_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

}  // namespace parley::net
