#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::guide {

enum class Domain { kCooking, kDiy };
std::string_view to_string(Domain domain) noexcept;
std::optional<Domain> domain_of(std::string_view word) noexcept;

/// What somebody may take instead of a requirement.
struct Substitute {
  std::string name, amount, note;
};

/// An ingredient or a tool.
struct Requirement {
  std::string name;    ///< As it is spoken; unique in its task.
  std::string amount;  ///< As it is spoken: "200 g"; may be empty.
  bool tool = false;
  std::vector<Substitute> substitutes;
};

/// When a step belongs to the way: a condition by its name, or several of them put together.
struct Rule {
  enum class Kind { kAlways, kName, kNot, kAny, kAll };
  Kind kind = Kind::kAlways;
  std::string name;         ///< Of kName.
  std::vector<Rule> parts;  ///< Of kNot (one), kAny and kAll.

  bool holds(const std::map<std::string, bool>& known) const;
  /// The names of conditions in it, in their order, repetitions included.
  void names(std::vector<std::string>& found) const;
};

/// What has to come before a step.
struct After {
  enum class Kind {
    kPrevious,  ///< The step before it in the file.
    kAll,       ///< All of `ids`; one that is left out holds nobody up.
    kAny        ///< Whichever of `ids` is on the way; when none is, this step is not either.
  };
  Kind kind = Kind::kPrevious;
  std::vector<std::string> ids;
};

struct Step {
  std::string id;       ///< May be empty.
  std::string say;      ///< What is read aloud; `{name}` stands for a requirement.
  std::string details;  ///< May be empty, as all below.
  std::chrono::seconds time{0};
  bool timer = false;  ///< Whether somebody has to wait for `time`.
  std::vector<std::string> needs;
  After after;
  Rule when;
  std::string picture, video;
};

/// A question that decides which steps are on the way.
struct Condition {
  std::string ask;
  bool by_default = false;  ///< What holds when the answer is neither yes nor no.
};

/// Something that takes a person several steps. A value; any thread may read it.
struct TaskMap {
  std::string id;    ///< The file's name without its ending.
  std::string lang;  ///< BCP-47.
  std::string title, summary, category, source, picture;
  Domain domain = Domain::kCooking;
  std::vector<std::string> tags;
  int serves = 0;  ///< 0: does not say.
  std::chrono::seconds time{0};
  std::string difficulty;  ///< "easy", "medium" or "hard"; empty: does not say.
  std::vector<Requirement> requirements;
  std::vector<Step> steps;
  std::map<std::string, Condition> conditions;
  std::vector<std::string> tips, jokes, facts;
  std::vector<std::size_t> order;  ///< The steps as they are gone through, whichever of them are on the way.

  const Requirement* requirement(std::string_view name) const;
  /// Whether a step is on the way, given what the person said. What was not asked yet holds by its default.
  bool on_the_way(std::size_t step, const std::map<std::string, bool>& known) const;
  /// The names of the conditions that decide about a step and were not asked yet, in their order.
  std::vector<std::string> open_conditions(std::size_t step, const std::map<std::string, bool>& known) const;
};

/// A text with each `{name}` replaced by that name, or by what `chosen` has for it.
std::string filled_in(std::string_view text, const std::map<std::string, std::string>& chosen);
/// The names in braces in a text, in their order.
std::vector<std::string> names_in(std::string_view text);

}  // namespace parley::guide
