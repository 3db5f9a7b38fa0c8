#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "task.hpp"

namespace parley::guide {

/// What came of reading a file of somebody else's.
struct Imported {
  std::vector<TaskMap> tasks;
  std::vector<std::string> faults;  ///< What can't be used, each "FILE: what and why".
};

/// Reads schema.org/Recipe and HowTo in JSON-LD, or in a saved page that has some inside: `@graph`, types in
/// arrays, HowToSection, steps as HTML or as one long text, yields and amounts as people write them.
/// @param name  of the file, for faults; ids are made of it
/// @param lang  BCP-47, of texts that do not say theirs
Imported import_json_ld(const std::string& text, const std::string& name, const std::string& lang);

/// "PT1H30M", "P0DT20M"; nothing for other texts and for none at all.
std::optional<std::chrono::seconds> iso_duration(std::string_view text);

/// A text without HTML: tags that begin a line are line ends, entities are what they stand for.
std::string plain_text(std::string_view html);

}  // namespace parley::guide
