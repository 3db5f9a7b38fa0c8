#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "plugin/catalogue.hpp"
#include "settings/reader.hpp"

namespace parley::config {

/// The stages that are installed and have entries without being told any, by the place of their first one.
std::vector<const PluginDescription*> default_stages(Catalogue& installed);
/// The entries of these in their order, without those that need an option which `stages` does not set.
std::vector<std::string> default_pipeline(Catalogue& installed,
                                          const std::map<std::string, StageConfig, std::less<>>& stages = {});
/// Of entries in a manifest: the options as a map.
Node options_node(const DefaultEntry& entry, const Place& place);

/// The name of the plugin of a stage, as far as the document has one that can be read.
std::string plugin_of(const Member& stage);

/// Writes into the document what it leaves out about stages: the stages themselves, and the entries of
/// those that are installed. What is set from outside then meets something to change.
void add_default_stages(Node& root, Catalogue& installed);

void read_stages(Reader& reader, const Node& root, Catalogue& installed, Config& config);

/// What no key can tell by itself: the pipeline against the stages, entries of two stages, the default
/// language, latitude without longitude, bounds that contradict one another.
void check_together(Reader& reader, const Node& root, Catalogue& installed, const Config& config);

/// How long a match may take for good reason, by the options of a stage as a file has them.
std::chrono::milliseconds least_match_timeout(OptionTable table, const nlohmann::json& options);

}  // namespace parley::config
