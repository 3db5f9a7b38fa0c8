#pragma once

#include "config/config.hpp"
#include "plugin/catalogue.hpp"

namespace parley::config {

/// What is installed where a configuration says, whatever else is wrong with it.
Catalogue installed(const ConfigSources& sources);

}  // namespace parley::config
