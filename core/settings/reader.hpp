#pragma once

#include <functional>
#include <optional>
#include <parley/json.hpp>
#include <parley/options.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "settings/document.hpp"

namespace parley::config {

/// A key as a path has it: in double quotes when it holds a dot.
std::string printable_key(std::string_view key);
/// `a.b`, with quotes around a key that holds a dot: `skills.settings."timer.parley"`.
std::string join(std::string_view path, std::string_view key);

/// What the value of an option has to be: `a duration such as 500ms, 5s or 30min, between 1ms and 1h`.
std::string describe(const Option& option);
/// The words of an option of that type.
std::vector<std::string> words_of(const Option& option);

/// Whether the value of a key is secret, by the key's name.
bool is_secret(std::string_view key);

/// The default of an option, as OptionType says; null when it has none.
/// @throws std::logic_error when it does not fit the option itself
nlohmann::json default_of(const Option& option);

/// A value as OptionType says, written as a file would have it.
nlohmann::json as_in_file(const Option& option, nlohmann::json value);
/// The same with all of a table's; keys the table does not declare stay as they are.
nlohmann::json as_in_file(OptionTable table, nlohmann::json values);

/// Turns nodes into the values of options; what does not fit becomes a problem.
class Reader {
 public:
  /// Where a key is declared: for a hint when it is in the wrong section.
  using Elsewhere = std::function<std::optional<std::string>(std::string_view key)>;

  explicit Reader(std::vector<Problem>& problems, Elsewhere elsewhere = nullptr)
      : problems_(problems), elsewhere_(std::move(elsewhere)) {}

  void fail(const Place& place, std::string message) {
    problems_.push_back(problem_at(place, std::move(message)));
  }
  void expected(const Node& node, std::string_view path, const std::string& what);
  std::size_t failures() const noexcept { return problems_.size(); }
  /// Whether the node can be read as a section; an empty one can.
  bool is_section(const Node& node, std::string_view path);
  /// An id as a key, such as that of a stage or a skill.
  bool is_key(const Member& member, std::string_view path, std::string_view what);

  /// The value as OptionType says. Nothing, and a problem, when the node holds something else; nothing alone
  /// when it is empty and the option may be unset.
  std::optional<nlohmann::json> read(const Node& node, std::string_view path, const Option& option);

  /// Gets each value that is there and fits.
  using Take = std::function<void(const Option& option, nlohmann::json value)>;
  /// Reads the keys of a section that are `known`; `others` are read elsewhere, and any other is a problem.
  void read_section(const Node& node, std::string_view path, const std::vector<const Option*>& known,
                    const std::vector<std::string>& others, const Take& take);

  /// All values of a table, from the section or by default; those that are not set are left out.
  nlohmann::json read_table(const Node& node, std::string_view path, OptionTable table,
                            const std::vector<std::string>& others = {});

 private:
  void unknown_key(const Member& member, std::string_view path, const std::vector<std::string>& known);
  std::optional<nlohmann::json> read_text(const Node& node, std::string_view path, const Option& option);
  std::optional<nlohmann::json> read_word(const Node& node, std::string_view path, const Option& option);
  std::optional<nlohmann::json> read_list(const Node& node, std::string_view path, const Option& option);
  std::optional<nlohmann::json> read_map(const Node& node, std::string_view path, const Option& option);
  std::optional<nlohmann::json> read_range(const Node& node, std::string_view path, const Option& option);
  void check_limits(const Node& node, std::string_view path, OptionTable table, const nlohmann::json& values);

  std::vector<Problem>& problems_;
  Elsewhere elsewhere_;
};

}  // namespace parley::config
