#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "task.hpp"

namespace parley::guide {

/// A kind of tasks, and what people call it.
struct Category {
  std::string id, title;
  std::vector<std::string> says;  ///< Its title included.
  std::vector<Category> parts;    ///< Sub-categories; those have none.
};

/// How what is wanted is narrowed down in a domain.
struct Conversation {
  std::vector<std::string> prompts;    ///< Remarks of the assistant's own.
  std::vector<std::string> questions;  ///< One follows a remark.
  std::vector<std::string> responses;  ///< Said when the answers led to something.
  std::vector<Category> categories;

  /// The category, or sub-category, that somebody named with all they said; null: none.
  const Category* named(const std::string& text, const std::string& lang) const;
  const Category* by_id(const std::string& id) const;
};

/// What is recommended for a week.
struct Theme {
  std::string title;
  std::vector<std::string> says;    ///< Its title included.
  std::vector<std::string> trivia;  ///< At least one.
  std::vector<std::string> tasks;   ///< Ids.
};

/// The conversations and themes of a language, from `data/elicitation/<lang>.yaml`, and what is told in
/// between, from `data/chat/<lang>.yaml`.
struct Elicitation {
  Elicitation() = default;
  /// @param data  the skill's folder of data
  /// @throws std::runtime_error naming the file and the line when one is broken
  Elicitation(const std::filesystem::path& data, const std::string& lang);

  std::map<Domain, Conversation> conversations;
  std::vector<Theme> themes;
  std::vector<std::string> facts, jokes;
  /// What stands between an amount and what it is of, "50 g de beurre", and what before a vowel. May be
  /// empty.
  std::vector<std::string> of;

  /// @param week  counted from any beginning
  const Theme* theme_of(std::int64_t week) const;
  bool has_category(Domain domain, const std::string& id) const;
};

}  // namespace parley::guide
