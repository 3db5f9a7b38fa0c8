#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::evidence {

/// What somebody told, as far as it says one thing of one subject: of two with the same topic and another
/// value the later one holds.
struct Telling {
  Telling() = default;
  std::string topic;  ///< Subject and relation: "spare key|where".
  std::string value;  ///< "under the pot".
};

/// Reads "the spare key is under the pot", "I put the key in the drawer", "my wife is called Ana". English,
/// German, French, Spanish and Portuguese.
/// @return nothing when it can't be read that way ("I'm allergic to nuts"). From any thread.
std::optional<Telling> read_telling(std::string_view text, std::string_view lang);

}  // namespace parley::evidence
