#include "shelf.hpp"

#include <fmt/format.h>

#include <parley/language.hpp>
#include <system_error>

#include "question_file.hpp"

namespace parley::faq {
namespace fs = std::filesystem;

std::vector<std::string> Shelf::refresh() {
  std::vector<std::string> problems;
  std::map<std::string, Book> now;
  std::error_code failure;
  for (fs::directory_iterator file(folder_, failure), end; !failure && file != end; file.increment(failure)) {
    const std::string lang = file->path().stem().string();
    if (file->path().extension() != ".yaml" || !is_language_tag(lang)) continue;
    std::error_code gone;
    const Stamp stamp(file->last_write_time(gone), file->file_size(gone));
    if (gone) continue;
    Book& book = now[lang] = books_[lang];
    if (book.stamp == stamp) continue;
    book.stamp = stamp;
    QuestionFile read = read_questions(file->path());
    problems.insert(problems.end(), read.problems.begin(), read.problems.end());
    if (read.entries.empty()) {
      problems.push_back(fmt::format("{}: no usable question{}", file->path().string(),
                                     book.questions ? ": what it held before stays" : ""));
    } else {
      book.questions = std::make_shared<const QuestionIndex>(std::move(read.entries), read.ignored, lang);
    }
  }
  if (failure) problems.push_back(fmt::format("{}: {}", folder_.string(), failure.message()));
  if (!failure) books_ = std::move(now);
  return problems;
}

std::shared_ptr<const QuestionIndex> Shelf::questions(std::string_view lang) const {
  std::vector<std::string> readable;
  for (const auto& [tag, book] : books_) {
    if (book.questions) readable.push_back(tag);
  }
  const auto closest = closest_language(lang, readable);
  return closest ? books_.at(*closest).questions : nullptr;
}

}  // namespace parley::faq
