#include "ringer.hpp"

#include <parley/settings.hpp>

namespace parley::reminder {
namespace {

void say_ring(Turn turn, const std::string& what) {
  turn.speak_dialog(what.empty() ? "ringing" : "ringing_named", {{"what", what}});
}

}  // namespace

void Ringer::ring(Turn turn, std::string what) {
  const SessionKey session = turn.session_key();
  silence(session);
  ringing_.emplace(session, Alarm(turn, what));
  say_ring(turn, what);
  ring_again(session);
}

void Ringer::ring_again(const SessionKey& session) {
  Alarm& alarm = ringing_.at(session);
  if (alarm.rings >= settings().integer("rings")) {
    ringing_.erase(session);
    return;
  }
  alarm.next = at(clock().wall() + settings().duration("ring_pause"), [this, session] {
    const auto found = ringing_.find(session);
    if (found == ringing_.end()) return;
    ++found->second.rings;
    say_ring(found->second.turn, found->second.what);
    ring_again(session);
  });
}

bool Ringer::silence(const SessionKey& session) {
  const auto found = ringing_.find(session);
  if (found == ringing_.end()) return false;
  cancel_timer(found->second.next);
  ringing_.erase(found);
  return true;
}

}  // namespace parley::reminder
