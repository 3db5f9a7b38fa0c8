#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "question_index.hpp"

namespace parley::faq {

/// What a file of questions holds:
///
///     ignore: [please, hey]          # words that say nothing
///     questions:
///       - ask:                       # one phrasing or more
///           - what is parley
///           - tell me about parley
///         answer: Parley is a voice assistant.
struct QuestionFile {
  QuestionFile() = default;
  std::vector<Entry> entries;
  std::vector<std::string> ignored;
  /// What is wrong, each with file, line and column; what it is about is left out, the rest is there.
  std::vector<std::string> problems;
};

/// Reads a file. One that can't be read at all, or holds no YAML, has no entries and says why.
QuestionFile read_questions(const std::filesystem::path& file);

}  // namespace parley::faq
