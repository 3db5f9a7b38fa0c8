#pragma once

#include <functional>
#include <parley/message.hpp>
#include <parley/result.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace parley::net {

/// What a client wants to be sent (W-1).
class TopicFilter {
 public:
  /// Everything but `parley.*`.
  TopicFilter() = default;
  /// @param topics    `a.b,c.*`: exact, or any depth below a prefix; empty: everything
  /// @param sessions  `one,two`: only messages of these; empty: of all
  static Result<TopicFilter> parse(std::string_view topics, std::string_view sessions);
  /// No topic at all.
  static TopicFilter nothing();

  bool wants_topic(std::string_view topic) const;
  /// The topics as parse() takes them; empty: everything, or nothing.
  std::vector<std::string> topics() const;
  const std::vector<std::string>& sessions() const noexcept { return sessions_; }
  bool is_nothing() const noexcept { return nothing_; }
  /// Whether it names a topic, or the beginning of some, of that kind.
  bool lists(const std::function<bool(std::string_view)>& kind) const;
  /// A message without a session counts as the default one's.
  bool wants_session(const Message& message) const;

 private:
  bool nothing_ = false;
  std::unordered_set<std::string> exact_;
  std::vector<std::string> prefixes_;  ///< Each with its dot.
  std::vector<std::string> sessions_;
};

}  // namespace parley::net
