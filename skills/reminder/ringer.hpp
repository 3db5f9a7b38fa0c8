#pragma once

#include <map>
#include <parley/session_key.hpp>
#include <parley/skill.hpp>
#include <parley/turn.hpp>
#include <string>
#include <utility>

namespace parley::reminder {

/// Rings alarms, one a session, until they are silenced or give up. When they ring and what is understood of
/// what people say is for the skill itself.
class Ringer : public Skill {
 public:
  void stop() override { ringing_.clear(); }

 protected:
  /// For start().
  bool is_ringing(const SessionKey& session) const { return ringing_.contains(session); }

  /// In place of the one that rings in that session.
  void ring(Turn turn, std::string what);
  /// False: none rings.
  bool silence(const SessionKey& session);

 private:
  struct Alarm {
    Alarm(Turn by, std::string for_what) : turn(std::move(by)), what(std::move(for_what)) {}
    Turn turn;
    std::string what;
    int rings = 1;
    TimerId next = 0;
  };
  void ring_again(const SessionKey& session);

  std::map<SessionKey, Alarm> ringing_;
};

}  // namespace parley::reminder
