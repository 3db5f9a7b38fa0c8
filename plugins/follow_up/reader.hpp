#pragma once

#include <chrono>
#include <parley/locale.hpp>
#include <string>
#include <utility>

namespace parley::follow_up {

/// What reading needs to know of the language and the day.
struct Reader {
  Reader(const LocaleResources& words, std::string tag, std::chrono::local_seconds when)
      : common(words), lang(std::move(tag)), now(when) {}
  const LocaleResources& common;  ///< The core's words.
  std::string lang;               ///< BCP-47, of the utterance.
  std::chrono::local_seconds now;
};

}  // namespace parley::follow_up
