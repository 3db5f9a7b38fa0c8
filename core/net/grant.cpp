#include "net/grant.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

namespace parley::net {
namespace {

void add(std::optional<Session::Strings>& list, const Session::Strings& more) {
  if (more.empty()) return;
  if (!list) list.emplace();
  for (const auto& one : more) {
    if (std::find(list->begin(), list->end(), one) == list->end()) list->push_back(one);
  }
}

}  // namespace

bool Grant::allows_session(const std::string& session_id) const {
  switch (sessions) {
    case Sessions::kAny:
      return true;
    case Sessions::kOwn:
      return session_id == client || session_id.starts_with(client + ".");
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

Message Grant::stamped(const Message& message) const {
  const SessionPtr& session = message.context().session;
  SessionPtr changed = stamped(session);
  return changed == session ? message : message.with_session(std::move(changed));
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

bool Rate::take(double per_second, Time now) {
  if (per_second <= 0) return true;
  const double most = std::max(per_second, 1.0);
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
