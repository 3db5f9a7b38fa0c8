#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley::lists {

/// A list as it is kept. A value.
class List {
 public:
  explicit List(std::string given_name) : name_(std::move(given_name)) {}
  /// What to_json() gave; empty for anything else.
  static List from_json(const Json& kept);
  Json to_json() const;

  /// As it was given when the list was begun; of the shopping and the to-do list empty.
  const std::string& name() const noexcept { return name_; }
  const std::vector<std::string>& items() const noexcept { return items_; }

  enum class Added { kYes, kThere, kFull };
  /// Items are the same when their words are. @param most  items the list may have
  Added add(const std::string& item, std::size_t most, const std::string& lang);
  /// Those a text means: the one that says just that, else all that have its words ("bread": "two loaves of
  /// bread"), or whose words it has; if there are none, those whose words end a little otherwise ("breads").
  std::vector<std::string> meant_by(const std::string& text, const std::string& lang) const;
  /// Those that a longer text names, by most of their words: "I called the bank" names "call the bank".
  std::vector<std::string> named_in(const std::string& text, const std::string& lang) const;
  bool remove(const std::string& item);

 private:
  std::string name_;
  std::vector<std::string> items_;
};

}  // namespace parley::lists
