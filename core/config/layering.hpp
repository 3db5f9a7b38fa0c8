#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "config/config.hpp"
#include "config/layers.hpp"
#include "plugin/catalogue.hpp"
#include "settings/document.hpp"

namespace parley::config {

/// Puts what comes from outside of the file into a document.
using ApplyOverrides = std::function<void(Node& root)>;

/// What a configuration was put together from.
/// @param file        the document as it was written
/// @param sets_skills whether anything from outside of the file is about skills
Layers layers_of(const Node& file, const ApplyOverrides& apply, bool sets_skills, Catalogue& installed,
                 const Config& config);

/// Reads what was changed of skills, and gives it to the configuration. What no longer fits is left out of
/// that, and told in `problems`.
void take_changes(const std::filesystem::path& file, Layers& layers, Catalogue& installed, Config& config,
                  std::vector<Problem>& problems);

}  // namespace parley::config
