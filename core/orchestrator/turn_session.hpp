#pragma once

#include <parley/session.hpp>
#include <parley/stage.hpp>
#include <string>

#include "orchestrator/turn_owner.hpp"
#include "turn/handler_host.hpp"

namespace parley {

/// A session's list, or the configured one when it has none: an empty one counts as none (S-1).
const std::vector<std::string>& effective(const std::optional<Session::Strings>& own,
                                          const std::vector<std::string>& configured);

/// The session of one turn, and what the turn does to it: the match round's intent context, recency, and
/// writing back. On the loop's thread.
class TurnSession {
 public:
  /// Whether what changes `default` is kept (S-5).
  enum class Keeps { kChanges, kNothing };

  /// @param entry  carries the session; both must outlive this
  TurnSession(TurnOwner& owner, const Message& entry, Keeps keeps);

  /// As it is now; of `default` what the core holds (S-5).
  SessionPtr now() const;
  const std::string& id() const noexcept { return session_->session_id; }
  /// As a stage sees it: the configured blacklists hold where it has none of its own.
  SessionPtr for_stages() const;
  bool is_blacklisted(const std::string& skill_id) const { return is_blacklisted(*now(), skill_id); }
  bool is_blacklisted(const std::string& skill_id, const std::string& intent_name) const;

  /// Replaces the turn's session, and writes to the stored one what that changes (S-5).
  /// @param by  what changes it, for the log; empty: the turn
  void change(const Session& before, const Session& after, const std::string& by = {});
  void patch(const Session& patch, const std::string& by);
  /// Takes over what a handler made of it (S-6).
  void take(const HandlerEnd& end, const Session& dispatched, const std::string& skill_id);
  /// The question of that skill is not open any more.
  void drop_question(const std::string& skill_id);
  /// Says that a change would have made it too large and is refused (S-5).
  void warn_of_size(const std::string& by) const;

  void open_round();
  void close_round();
  /// What a match makes of it before it is dispatched.
  void commit(const Match& match);

 private:
  bool is_stored() const;
  bool is_blacklisted(const Session& session, const std::string& skill_id) const;
  double now_seconds() const;
  void activate(Session& session, const std::string& skill_id, const std::string& intent_name) const;
  void drop_dead_question(Session& session) const;

  TurnOwner& owner_;
  const Message& entry_;
  const Keeps keeps_;
  SessionPtr session_;
  SessionPtr round_began_;  ///< The session the match round started from.
};

}  // namespace parley
