#include "cluster/log_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "net/grant.hpp"

namespace parley::cluster {
namespace {

/// Of a digest: what two names share by chance is less than what anybody says.
constexpr std::size_t kDigest = 32;
constexpr std::size_t kTokens = 6;

std::string short_digest(const std::string& name) {
  return net::sha256(name).substr(0, kDigest);
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

LogName::LogName(const LoggedTurn& what, std::string where)
    : owner(short_digest(what.owner)),
      session(short_digest(what.session_id)),
      turn(short_digest(what.utterance_id)),
      began(what.began),
      ended(what.ended),
      instance(std::move(where)) {}

LogName::LogName(const ToldEvent& what, std::string where)
    : owner(short_digest(what.owner)),
      session(short_digest(what.session_id)),
      turn(kEvent + short_digest(what.event_id)),
      began(what.happened),
      ended(what.time),
      instance(std::move(where)) {}

std::string LogName::subject() const {
  return fmt::format("{}.{}.{}.{}.{}.{}", owner, session, turn, began, ended, instance);
}

std::optional<LogName> LogName::read(std::string_view subject) {
  std::array<std::string_view, kTokens> tokens;
  for (std::size_t i = 0; i < kTokens; ++i) {
    const auto dot = subject.find('.');
    if ((dot == subject.npos) != (i + 1 == kTokens)) return std::nullopt;
    tokens[i] = subject.substr(0, dot);
    if (dot != subject.npos) subject.remove_prefix(dot + 1);
  }
  const auto began = number_of(tokens[3]);
  const auto ended = number_of(tokens[4]);
  if (!began || !ended) return std::nullopt;
  LogName name;
  name.owner = tokens[0];
  name.session = tokens[1];
  name.turn = tokens[2];
  name.began = *began;
  name.ended = *ended;
  name.instance = tokens[5];
  return name;
}

ForgottenTurns::ForgottenTurns(const ForgetWhat& what) {
  if (what.everything) return;
  if (!what.owner.empty()) owner_ = short_digest(what.owner);
  if (!what.session_id.empty()) session_ = short_digest(what.session_id);
  since_ = what.since;
  until_ = what.until;
}

ForgottenTurns::ForgottenTurns(const ForgottenObjects& what) : owner_(short_digest(what.owner)) {
  for (const auto& id : what.turns) turns_.push_back(short_digest(id));
  for (const auto& id : what.event_ids) turns_.push_back(LogName::kEvent + short_digest(id));
  if (turns_.empty()) until_ = since_;  // none
}

bool ForgottenTurns::fits(const LogName& name) const {
  const auto is_within = [this](std::int64_t time) { return time >= since_ && time < until_; };
  const bool is_of_the_time = name.is_event() ? is_within(name.began) || is_within(name.ended)
                                              : name.ended >= since_ && name.began < until_;
  return (owner_.empty() || name.owner == owner_) && (session_.empty() || name.session == session_) &&
         (turns_.empty() || std::find(turns_.begin(), turns_.end(), name.turn) != turns_.end()) &&
         is_of_the_time;
}

std::string ForgottenTurns::filter() const {
  if (owner_.empty() && session_.empty()) return ">";
  return fmt::format("{}.{}.{}.>", owner_.empty() ? "*" : owner_, session_.empty() ? "*" : session_,
                     turns_.size() == 1 ? turns_.front() : "*");
}

}  // namespace parley::cluster
