#pragma once

#include <cstdint>
#include <map>
#include <parley/registry.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "registry/manifest.hpp"

namespace parley {

/// The valid entities.
class EntityTable {
 public:
  /// Takes the place of one with the same key.
  EntityPtr put(EntityRegistration entity);
  /// @return those taken away
  std::vector<EntityPtr> remove(const Target& target);
  /// In the order of registration.
  std::vector<EntityPtr> all() const;

 private:
  struct Numbered {
    EntityPtr entity;
    std::uint64_t number;
  };
  using Key =
      std::tuple<std::string, std::string, std::string, std::string>;  ///< Skill, session, name, language.

  std::map<Key, Numbered> entities_;
  std::uint64_t count_ = 0;
};

}  // namespace parley
