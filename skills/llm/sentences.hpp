#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::llm {

/// Cuts a text that comes in pieces into sentences, so that the first can be spoken while the last is not yet
/// written. A sentence ends with `.`, `!`, `?`, `…` or `:` before white space, or with a line; one that is
/// very short stays with the next, which keeps "Dr. Who" together.
class Sentences {
 public:
  void add(std::string_view piece) { text_ += piece; }
  /// The next whole sentence, white space trimmed; nothing while it isn't whole.
  std::optional<std::string> next();
  /// What is left once nothing more comes; empty when nothing is.
  std::string rest();

 private:
  std::string text_;
};

}  // namespace parley::llm
