#pragma once

#include <cstddef>
#include <parley/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::script {

struct PatternError : Error {
  PatternError(std::string text, std::size_t at) : Error(std::move(text)), column(at) {}
  std::size_t column;  ///< 1-based, in code points of the pattern.
};

/// What somebody is expected to say: literal text, `*` for any text (none included), `{a|b}` for one of
/// the alternatives (each a pattern; `{a}` is just `a`). A backslash takes the meaning off the next
/// character. Letters compare without regard to case, runs of white space as one space, typographic
/// quotes and apostrophes as plain ones: what counts is what is heard.
class SpokenPattern {
 public:
  static Result<SpokenPattern, PatternError> parse(std::string_view text);

  /// Whether the whole of `said` is what is expected. Time is at most proportional to the product of both
  /// lengths.
  bool matches(std::string_view said) const;

  /// The pattern that matches exactly this text, for `--update`.
  static std::string escaped(std::string_view said);

 private:
  enum class Kind { kText, kAny, kChoice };
  struct Node {
    explicit Node(Kind node_kind) : kind(node_kind) {}
    Kind kind;
    std::string text;                         ///< kText: folded.
    std::vector<std::vector<Node>> branches;  ///< kChoice.
  };
  using Sequence = std::vector<Node>;
  using Positions = std::vector<bool>;  ///< Where in the folded text one may stand.

  class Parser;

  static Positions step(const Node& node, const std::string& said, const Positions& from);
  static Positions follow(const Sequence& sequence, const std::string& said, Positions from);

  Sequence root_;
};

}  // namespace parley::script
