#pragma once

#include <filesystem>
#include <optional>
#include <parley/locale.hpp>
#include <string>

namespace parley {

/// Where a sample of an intent was written.
struct SamplePlace {
  SamplePlace(std::filesystem::path where, std::size_t at) : file(std::move(where)), line(at) {}
  std::filesystem::path file;
  std::size_t line;  ///< 1-based.
};

/// Finds the line of NAME.intent that gave a registered sample. Reads the files anew: for messages, not for
/// every day. Nothing when no line did: then it came over the bus, or the file has changed since.
/// @param sample  as registered, vocabularies written out
std::optional<SamplePlace> find_sample(const LocaleFolders& folders, const std::string& lang,
                                       const std::string& intent, const std::string& sample);

}  // namespace parley
