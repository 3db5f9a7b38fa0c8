#include "net/audience.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace parley::net {

void Audience::add(std::uint64_t client, const Listening& listening) {
  remove(client);
  if (listening.is_deaf) return;
  Listener& listener = listeners_[client];
  listener.topics = fmt::format("{}", fmt::join(listening.topics, ","));
  listener.sessions = listening.sessions;
  if (listener.sessions.empty()) listener.sessions.emplace_back();
  std::sort(listener.sessions.begin(), listener.sessions.end());
  const auto twice = std::unique(listener.sessions.begin(), listener.sessions.end());
  listener.sessions.erase(twice, listener.sessions.end());
  listener.hears_traces = listening.hears_traces;
  if (listener.hears_traces) ++tracing_;
  for (const auto& session : listener.sessions) {
    if (session.ends_with('.')) longest_prefix_ = std::max(longest_prefix_, session.size());
    const auto [group, is_new] = by_session_[session].try_emplace(listener.topics);
    ++group->second.clients;
    if (!is_new) continue;
    // What can't be read is of another build: then everything is.
    if (auto topics = TopicFilter::parse(listener.topics, ""))
      group->second.topics = std::move(topics).value();
  }
}

void Audience::remove(std::uint64_t client) {
  const auto listener = listeners_.extract(client);
  if (listener.empty()) return;
  if (listener.mapped().hears_traces) --tracing_;
  for (const auto& session : listener.mapped().sessions) {
    const auto groups = by_session_.find(session);
    const auto group = groups->second.find(listener.mapped().topics);
    if (--group->second.clients == 0) groups->second.erase(group);
    if (groups->second.empty()) by_session_.erase(groups);
  }
}

bool Audience::hears_in(std::string_view sessions, const std::string& topic) const {
  const auto groups = by_session_.find(sessions);
  return groups != by_session_.end() &&
         std::any_of(groups->second.begin(), groups->second.end(),
                     [&](const auto& group) { return group.second.topics.wants_topic(topic); });
}

bool Audience::hears(const std::string& topic, std::string_view session_id) const {
  if (by_session_.empty()) return false;
  if (hears_in("", topic) || hears_in(session_id, topic)) return true;
  for (auto dot = session_id.find('.'); dot < longest_prefix_; dot = session_id.find('.', dot + 1)) {
    if (hears_in(session_id.substr(0, dot + 1), topic)) return true;
  }
  return false;
}

}  // namespace parley::net
