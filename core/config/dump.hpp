#pragma once

#include <nlohmann/json.hpp>

#include "config/schema.hpp"
#include "settings/values.hpp"

namespace parley::config {

/// How durations are written: `500ms`, as in a file, or 500.
enum class Style { kFile, kNumbers };

inline nlohmann::json dump(std::chrono::milliseconds value, Style style) {
  return style == Style::kFile ? nlohmann::json(format_duration(value)) : nlohmann::json(value.count());
}
inline nlohmann::json dump(std::size_t value, Style style) {
  return style == Style::kFile ? nlohmann::json(format_size(value)) : nlohmann::json(value);
}
inline nlohmann::json dump(const PriorityRange& value, Style /*style*/) {
  return nlohmann::json::array({value.low, value.high});
}
template <class T>
nlohmann::json dump(const std::optional<T>& value, Style style) {
  return value ? dump(*value, style) : nlohmann::json();
}
template <class T>
nlohmann::json dump(const T& value, Style /*style*/) {
  if constexpr (std::is_enum_v<T>) {
    return Words<T>::kAll.at(static_cast<std::size_t>(value));
  } else {
    return value;
  }
}

/// The section as an object; what is not set is left out.
template <class S, std::size_t N>
nlohmann::json dump_section(const S& section, const std::array<Field<S>, N>& table, Style style) {
  nlohmann::json object = nlohmann::json::object();
  for (const Field<S>& field : table) {
    nlohmann::json value = std::visit([&](auto slot) { return dump(section.*slot, style); }, field.slot);
    if (!value.is_null()) object[std::string(field.key)] = std::move(value);
  }
  return object;
}

/// An object of `dump_section` in Style::kNumbers, rewritten as a file would have it. Keys the table does
/// not declare stay as they are.
template <class S, std::size_t N>
nlohmann::json as_in_file(nlohmann::json object, const std::array<Field<S>, N>& table) {
  for (const Field<S>& field : table) {
    const auto found = object.find(field.key);
    if (found == object.end() || !found->is_number_integer()) continue;
    if (std::holds_alternative<std::chrono::milliseconds S::*>(field.slot)) {
      *found = format_duration(std::chrono::milliseconds(found->template get<std::int64_t>()));
    }
  }
  return object;
}

}  // namespace parley::config
