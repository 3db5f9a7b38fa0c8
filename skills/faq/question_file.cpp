#include "question_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/files.hpp>
#include <parley/text.hpp>

namespace parley::faq {
namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20U;

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : name_(file.string()) {}

  QuestionFile read(const YAML::Node& root) {
    if (!root.IsMap()) {
      fault(root, "expected 'questions:' and below it a list");
      return std::move(result_);
    }
    for (const auto& member : root) {
      const auto key = member.first.as<std::string>();
      if (key == "ignore") {
        result_.ignored = texts(member.second, "'ignore'");
      } else if (key == "questions") {
        read_entries(member.second);
      } else {
        fault(member.first, fmt::format("unknown key '{}'; expected 'questions' or 'ignore'", key));
      }
    }
    return std::move(result_);
  }

  void fault(const YAML::Mark& at, const std::string& what) {
    result_.problems.push_back(at.is_null()
                                   ? fmt::format("{}: {}", name_, what)
                                   : fmt::format("{}:{}:{}: {}", name_, at.line + 1, at.column + 1, what));
  }
  QuestionFile failed() { return std::move(result_); }

 private:
  void fault(const YAML::Node& node, const std::string& what) { fault(node.Mark(), what); }

  void read_entries(const YAML::Node& list) {
    if (!list.IsSequence()) {
      fault(list, "'questions' must be a list");
      return;
    }
    for (const auto& node : list) {
      Entry entry = read_entry(node);
      if (!entry.phrasings.empty() && !entry.answer.empty()) result_.entries.push_back(std::move(entry));
    }
  }

  Entry read_entry(const YAML::Node& node) {
    Entry entry;
    if (!node.IsMap()) {
      fault(node, "a question must have 'ask' and 'answer'; it is left out");
      return entry;
    }
    for (const auto& member : node) {
      const auto key = member.first.as<std::string>();
      if (key == "ask") {
        entry.phrasings = texts(member.second, "'ask'");
      } else if (key == "answer" && member.second.IsScalar()) {
        entry.answer = member.second.as<std::string>();
      } else {
        fault(member.first,
              fmt::format("'{}' is not known here; expected 'ask' (texts) and 'answer' (a text)", key));
      }
    }
    std::erase_if(entry.phrasings, [](const std::string& text) { return words(text, "").empty(); });
    if (entry.phrasings.empty()) fault(node, "a question without 'ask' is left out");
    if (entry.answer.empty()) fault(node, "a question without 'answer' is left out");
    return entry;
  }

  /// A list of texts, or one.
  std::vector<std::string> texts(const YAML::Node& node, std::string_view what) {
    if (node.IsScalar()) return {node.as<std::string>()};
    std::vector<std::string> list;
    if (!node.IsSequence()) {
      fault(node, fmt::format("{} must be a text or a list of texts", what));
      return list;
    }
    for (const auto& one : node) {
      if (one.IsScalar()) {
        list.push_back(one.as<std::string>());
      } else {
        fault(one, fmt::format("{} must be a text or a list of texts", what));
      }
    }
    return list;
  }

  std::string name_;
  QuestionFile result_;
};

}  // namespace

QuestionFile read_questions(const std::filesystem::path& file) {
  Reader reader(file);
  const auto text = read_file(file, kLargestFile);
  if (!text) {
    reader.fault(YAML::Mark::null_mark(), text.error().message);
    return reader.failed();
  }
  try {
    return reader.read(YAML::Load(*text));
  } catch (const YAML::Exception& error) {
    reader.fault(error.mark, error.msg);
  }
  return reader.failed();
}

}  // namespace parley::faq
