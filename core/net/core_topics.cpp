#include "net/core_topics.hpp"

#include <algorithm>
#include <array>

namespace parley::net {
namespace {

constexpr std::array<std::string_view, 8> kCoreOnly{"ovos.intent.matched",
                                                    "ovos.intent.unmatched",
                                                    "ovos.utterance.handled",
                                                    "ovos.session.rejected",
                                                    "ovos.core.ready",
                                                    "ovos.intent.list.response",
                                                    "ovos.intent.describe.response",
                                                    "ovos.converse.active.list.response"};

bool answers_for_a_stage(std::string_view topic) {
  return topic.starts_with("ovos.pipeline.") && topic.ends_with(".intents.list.response");
}

/// To a ping of stop, converse, fallback or common query, or to a question.
bool answers_a_poll(std::string_view topic) {
  return topic == "ovos.stop.pong" || topic == "ovos.common_query.pong" ||
         topic.ends_with(".converse.pong") || topic.ends_with(".fallback.pong") ||
         topic.ends_with(".common_query.response");
}

}  // namespace

TopicRule rule_of(std::string_view topic) noexcept {
  if (topic == "ovos.intent.handler.complete" || topic == "ovos.intent.handler.error")
    return TopicRule::kEndReport;
  if (topic == "ovos.intent.handler.start") return TopicRule::kStartReport;
  const bool core = topic.find(':') != std::string_view::npos || topic.starts_with("parley.") ||
                    std::find(kCoreOnly.begin(), kCoreOnly.end(), topic) != kCoreOnly.end() ||
                    answers_for_a_stage(topic);
  if (core) return TopicRule::kCoreOnly;
  return answers_a_poll(topic) ? TopicRule::kPollAnswer : TopicRule::kOpen;
}

}  // namespace parley::net
