#include "net/listening.hpp"

#include "message/topics.hpp"

namespace parley::net {

Listening listening_of(const TopicFilter& filter, const GrantPtr& grant, bool is_older) {
  const TopicFilter* const granted = grant && grant->receive ? &*grant->receive : nullptr;
  Listening listening;
  listening.is_deaf = filter.is_nothing() || (granted != nullptr && granted->is_nothing());
  listening.hears_traces =
      filter.wants_topic(topic::kTrace) && (granted == nullptr || granted->wants_topic(topic::kTrace));
  if (!is_older) listening.topics = filter.topics();
  if (!is_older && listening.topics.empty() && granted != nullptr) listening.topics = granted->topics();
  listening.sessions = filter.sessions();
  if (!listening.sessions.empty() || !grant) return listening;
  if (grant->sessions == Grant::Sessions::kOwn) listening.sessions = {grant->client, grant->client + '.'};
  if (grant->sessions == Grant::Sessions::kListed) {
    listening.sessions = grant->listed_sessions;
    listening.is_deaf = listening.is_deaf || listening.sessions.empty();
  }
  return listening;
}

}  // namespace parley::net
