#pragma once

#include <chrono>
#include <parley/locale.hpp>
#include <string>

#include "reader.hpp"

namespace parley::follow_up {

/// The core's own words, for tests.
inline const LocaleResources& follow_up_words() {
  static const LocaleResources words = [] {
    LocaleFolders folders;
    folders.core = PARLEY_RESOURCES;
    return LocaleResources(folders);
  }();
  return words;
}

inline Reader follow_up_reader(const std::string& lang) {
  return {follow_up_words(), lang,
          std::chrono::local_seconds(std::chrono::local_days(std::chrono::year(2026) / 1 / 3))};
}

}  // namespace parley::follow_up
