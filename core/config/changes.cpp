#include "config/changes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <type_traits>

#include "config/tables.hpp"

namespace parley {
namespace {

using nlohmann::json;

/// Calls `visit(key, section of a, section of b, field)` for every option of the core's own sections.
template <class A, class B, class Visit>
void for_each_field(A& a, B& b, Visit&& visit) {
  for (const auto& field : config::kTop) visit(std::string(field.option.key), a, b, field);
  config::for_each_section(a, [&](const char* key, auto& section, const auto& table, const char*) {
    config::for_each_section(b, [&](const char* same, auto& other, const auto&, const char*) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(section)>,
                                   std::remove_cvref_t<decltype(other)>>) {
        if (std::string_view(key) != same) return;
        for (const auto& field : table)
          visit(key + ("." + std::string(field.option.key)), section, other, field);
      }
    });
  });
}

void collect(const json& before, const json& after, const std::string& path,
             std::vector<std::string>& changed) {
  if (before == after) return;
  if (!before.is_object() || !after.is_object()) {
    changed.push_back(path);
    return;
  }
  std::set<std::string> keys;
  for (const auto* const object : {&before, &after}) {
    for (const auto& entry : object->items()) keys.insert(entry.key());
  }
  const auto value = [](const json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? json() : *found;
  };
  for (const auto& key : keys)
    collect(value(before, key), value(after, key), path.empty() ? key : path + "." + key, changed);
}

}  // namespace

std::vector<std::string> changed_keys(const Config& before, const Config& after) {
  std::vector<std::string> changed;
  collect(to_json(before), to_json(after), {}, changed);
  std::sort(changed.begin(), changed.end());
  return changed;
}

bool can_change_at_run_time(const std::string& key) {
  if (key == "skills.settings" || key.starts_with("skills.settings.")) return true;
  bool can = false;
  const Config any;
  for_each_field(any, any, [&](const std::string& name, const auto&, const auto&, const auto& field) {
    can = can || (name == key && field.takes == config::kAtOnce);
  });
  return can;
}

void take_at_run_time(Config& now, const Config& fresh) {
  for_each_field(now, fresh, [](const std::string&, auto& section, const auto& wanted, const auto& field) {
    if (field.takes == config::kAtOnce)
      std::visit([&](auto member) { section.*member = wanted.*member; }, field.slot);
  });
}

}  // namespace parley
