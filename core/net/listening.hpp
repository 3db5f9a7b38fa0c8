#pragma once

#include <string>
#include <vector>

#include "net/grant.hpp"
#include "net/topic_filter.hpp"

namespace parley::net {

/// What a client is sent at most: for those elsewhere who decide what is worth sending to its instance.
struct Listening {
  Listening() = default;
  bool is_deaf = false;               ///< It is sent nothing.
  bool hears_traces = false;          ///< It asked for `parley.turn.trace`, and may have it.
  std::vector<std::string> topics;    ///< `a.b`, or `c.*` for any depth below; empty: all but `parley.*`.
  std::vector<std::string> sessions;  ///< Ids; one that ends with a dot: all that begin so. Empty: all.
};

/// @param grant     null: everything is allowed
/// @param is_older  the filter names topics from before the OVOS specifications, which stand for others
Listening listening_of(const TopicFilter& filter, const GrantPtr& grant, bool is_older);

}  // namespace parley::net
