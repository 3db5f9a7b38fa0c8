#pragma once

#include "config/reader.hpp"
#include "settings/document.hpp"

namespace parley::config {

/// Writes into the document what it leaves out about stages: the stages themselves, and the entries of
/// those whose plugin is known. What is set from outside then meets something to change.
void add_default_stages(Node& root);

void read_stages(Reader& reader, const Node& root, Config& config);

/// What no key can tell by itself: the pipeline against the stages, entries of two stages, the default
/// language, latitude without longitude, bounds that contradict one another.
void check_together(Reader& reader, const Node& root, const Config& config);

}  // namespace parley::config
