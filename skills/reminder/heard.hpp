#pragma once

#include <cstddef>
#include <map>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::reminder {

/// What is spoken otherwise than it is written, in one language: "auf d nocht" is "abends".
/// Immutable.
class Heard {
 public:
  /// @param locale  of its vocabulary `heard` the last word of each phrase is how the others are written
  Heard(const LocaleResources& locale, std::string lang);

  /// The text with those words as they are written; all else stays.
  std::string as_written(std::string_view text) const;

 private:
  std::string lang_;
  std::map<std::vector<std::string>, std::string> written_;
  std::size_t longest_ = 0;  ///< Words of the longest phrase.
};

}  // namespace parley::reminder
