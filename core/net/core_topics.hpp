#pragma once

#include <string_view>

namespace parley::net {

/// What a message from outside means to the gateway, by its topic (W-2, W-4).
enum class TopicRule {
  kOpen,         ///< Goes onto the bus.
  kCoreOnly,     ///< Only the core says this: refused.
  kEndReport,    ///< How a remote skill says that a handler ended: consumed.
  kStartReport,  ///< Says nothing the core does not know: dropped.
  kPollAnswer    ///< What a skill says to a poll: counts only from whoever speaks for it.
};
TopicRule rule_of(std::string_view topic) noexcept;

}  // namespace parley::net
