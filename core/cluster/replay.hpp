#pragma once

#include <map>
#include <parley/message.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace parley::cluster {

/// Whether every instance has to hear a message because all of them keep what it says: registrations.
bool is_for_all(const Message& message);

/// What one client has registered, for instances that come later. Bounded by what a connection may register.
class Replay {
 public:
  void note(const Message& message);
  void forget(const std::string& skill_id);
  std::vector<Message> all() const;

 private:
  /// Skill, session, what it is and its name, language.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  void drop(const Message& message, const std::string& what);
  std::map<Key, Message> kept_;
};

}  // namespace parley::cluster
