#pragma once

#include <cstddef>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace parley::net {

/// What one connection has made the core remember: intents, entities, fallbacks, and what it has disabled.
/// Counts as the registry does: what is registered again replaces.
class Registrations {
 public:
  /// Whether a message adds to what is remembered.
  static bool adds(const Message& message);

  /// Takes over what a message of a skill registers, as long as there are no more than `most`.
  /// @returns false when there is no room for it
  bool add(const Message& message, std::size_t most);
  /// Takes over what it takes away.
  void remove(const Message& message);
  /// All of a skill.
  void forget(const std::string& skill_id);
  /// Takes back choices that no other client made: intents disabled in sessions other than the default
  /// one.
  std::vector<Message> undone() const;

 private:
  /// Skill, session, what it is, its name, folded language.
  using Key = std::tuple<std::string, std::string, char, std::string, std::string>;
  void drop(const Message& message, char kind, const std::string& name);

  std::set<Key> keys_;
};

}  // namespace parley::net
