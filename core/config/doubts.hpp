#pragma once

#include <vector>

#include "config/config.hpp"
#include "plugin/catalogue.hpp"
#include "settings/document.hpp"

namespace parley::config {

/// What can be read and is probably not meant: names that nobody has, a pipeline that asks nobody, a default
/// language that no skill speaks, overrides that replace nothing. Looks at what is installed and beside
/// `sources.file`; no code of a plugin runs.
std::vector<Problem> doubts_about(const Node& root, const ConfigSources& sources, Catalogue& installed,
                                  const Config& config);

}  // namespace parley::config
