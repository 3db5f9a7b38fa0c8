#include "net/topic_filter.hpp"

#include <algorithm>

#include "net/url.hpp"

namespace parley::net {
namespace {

constexpr std::size_t kMostTopics = 1024;

}  // namespace

Result<TopicFilter> TopicFilter::parse(std::string_view topics, std::string_view sessions) {
  TopicFilter filter;
  const auto patterns = split_list(topics);
  if (patterns.size() > kMostTopics)
    return Error("'topics' lists more than " + std::to_string(kMostTopics) + " of them");
  for (const auto& pattern : patterns) {
    const bool prefix = pattern.ends_with(".*");
    const auto name = std::string_view(pattern).substr(0, pattern.size() - (prefix ? 2 : 0));
    if (!is_topic(name)) {
      return Error("'" + pattern.substr(0, 80) +
                   "' in 'topics' is neither a topic such as ovos.utterance.speak nor a prefix such as "
                   "ovos.utterance.*");
    }
    if (prefix) {
      filter.prefixes_.push_back(std::string(name) + ".");
    } else {
      filter.exact_.insert(pattern);
    }
  }
  filter.sessions_ = split_list(sessions);
  return filter;
}

TopicFilter TopicFilter::nothing() {
  TopicFilter filter;
  filter.nothing_ = true;
  return filter;
}

bool TopicFilter::wants_topic(std::string_view topic) const {
  if (nothing_) return false;
  if (exact_.empty() && prefixes_.empty()) return !topic.starts_with("parley.");
  if (exact_.contains(std::string(topic))) return true;
  return std::any_of(prefixes_.begin(), prefixes_.end(),
                     [topic](const auto& prefix) { return topic.starts_with(prefix); });
}

std::vector<std::string> TopicFilter::topics() const {
  std::vector<std::string> all(exact_.begin(), exact_.end());
  std::sort(all.begin(), all.end());
  for (const auto& prefix : prefixes_) all.push_back(prefix + "*");
  return all;
}

bool TopicFilter::lists(const std::function<bool(std::string_view)>& kind) const {
  return std::any_of(exact_.begin(), exact_.end(), kind) ||
         std::any_of(prefixes_.begin(), prefixes_.end(), kind);
}

bool TopicFilter::wants_session(const Message& message) const {
  return sessions_.empty() ||
         std::find(sessions_.begin(), sessions_.end(), message.session_id()) != sessions_.end();
}

}  // namespace parley::net
