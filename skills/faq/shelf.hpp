#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "question_index.hpp"

namespace parley::faq {

/// The files of questions in a folder, one for each language (`en-US.yaml`), as they are now.
class Shelf {
 public:
  explicit Shelf(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Reads what is new or has changed, and forgets what has gone. A file that has become unreadable or empty
  /// of questions leaves what it held before. Gives what is wrong with what it read.
  std::vector<std::string> refresh();

  /// The questions for a speaker of `lang`; null when there are none in that language.
  std::shared_ptr<const QuestionIndex> questions(std::string_view lang) const;

 private:
  /// By what a change of a file is seen.
  using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
  struct Book {
    Book() = default;
    Stamp stamp;
    std::shared_ptr<const QuestionIndex> questions;  ///< Null: never was readable.
  };

  std::filesystem::path folder_;
  std::map<std::string, Book> books_;  ///< By language.
};

}  // namespace parley::faq
