#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/options.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "settings/reader.hpp"

// A section of the configuration: options, each with the member of a struct that holds its value.
namespace parley::config {

/// The member a value is stored in. An enumeration's values are in the order of the option's words.
template <class S, class... Enums>
using SlotOf =
    std::variant<bool S::*, int S::*, double S::*, std::size_t S::*, std::chrono::milliseconds S::*,
                 std::string S::*, std::vector<std::string> S::*, std::optional<double> S::*,
                 std::optional<std::chrono::milliseconds> S::*, Enums S::*...>;

inline void store(const Option& /*option*/, const nlohmann::json& value, std::chrono::milliseconds& member) {
  member = std::chrono::milliseconds(value.get<std::int64_t>());
}
template <class T>
void store(const Option& option, const nlohmann::json& value, T& member) {
  if constexpr (std::is_enum_v<T>) {
    const std::vector<std::string> words = words_of(option);
    member = static_cast<T>(std::find(words.begin(), words.end(), value.get<std::string>()) - words.begin());
  } else {
    member = value.get<T>();
  }
}
template <class T>
void store(const Option& option, const nlohmann::json& value, std::optional<T>& member) {
  store(option, value, member.emplace());
}

inline nlohmann::json value_of(const Option& /*option*/, std::chrono::milliseconds member) {
  return member.count();
}
template <class T>
nlohmann::json value_of(const Option& option, const T& member) {
  if constexpr (std::is_enum_v<T>) {
    return words_of(option).at(static_cast<std::size_t>(member));
  } else {
    return member;
  }
}
template <class T>
nlohmann::json value_of(const Option& option, const std::optional<T>& member) {
  return member ? value_of(option, *member) : nlohmann::json();
}

/// When a changed value takes effect.
enum class Takes { kWithTheNextStart, kAtOnce };
inline constexpr Takes kAtOnce = Takes::kAtOnce;

/// An option of a section.
template <class S, class Slot>
struct FieldOf {
  Option option;
  Slot slot;
  Takes takes = Takes::kWithTheNextStart;

  void put(S& section, const nlohmann::json& value) const {
    std::visit([&](auto member) { store(option, value, section.*member); }, slot);
  }
  /// As OptionType says; null when it is not set.
  nlohmann::json get(const S& section) const {
    return std::visit([&](auto member) { return value_of(option, section.*member); }, slot);
  }
};

template <class S, class Table>
void set_defaults(S& section, const Table& table) {
  for (const auto& field : table) {
    if (const nlohmann::json value = default_of(field.option); !value.is_null()) field.put(section, value);
  }
}

template <class S, class Table>
void read_section(Reader& reader, const Node& node, const std::string& path, S& section, const Table& table,
                  const std::vector<std::string>& others = {}) {
  std::vector<const Option*> known;
  for (const auto& field : table) known.push_back(&field.option);
  reader.read_section(node, path, known, others, [&](const Option& option, const nlohmann::json& value) {
    const auto field =
        std::find_if(table.begin(), table.end(), [&](const auto& one) { return &one.option == &option; });
    field->put(section, value);
  });
}

/// The section as a file has it; what is not set is left out.
template <class S, class Table>
nlohmann::json dump_section(const S& section, const Table& table) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& field : table) {
    nlohmann::json value = field.get(section);
    if (!value.is_null()) object[field.option.key] = as_in_file(field.option, std::move(value));
  }
  return object;
}

}  // namespace parley::config
