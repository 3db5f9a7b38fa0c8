#pragma once

#include "config/config.hpp"

namespace parley::testing {

/// What holds when nobody says anything: the defaults, and the stages that come along with theirs.
inline const Config& installed_config() {
  static const Config config = load_config(ConfigSources());
  return config;
}

}  // namespace parley::testing
