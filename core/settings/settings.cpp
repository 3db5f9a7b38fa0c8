#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/settings.hpp>

#include "settings/values.hpp"

namespace parley {
namespace {

std::string type_name(const SettingValue& value) {
  constexpr const char* kNames[] = {"true or false", "a whole number", "a number", "a text",
                                    "a list of texts"};
  return kNames[value.index()];
}

bool all_strings(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
}

/// The configured value as the type of the declared default; nothing when it is of another type.
std::optional<SettingValue> converted(const SettingValue& like, const Json& value) {
  if (std::holds_alternative<bool>(like) && value.is_boolean()) return value.get<bool>();
  if (std::holds_alternative<std::int64_t>(like) && value.is_number_integer())
    return value.get<std::int64_t>();
  if (std::holds_alternative<double>(like) && value.is_number()) return value.get<double>();
  if (std::holds_alternative<std::string>(like) && value.is_string()) return value.get<std::string>();
  if (std::holds_alternative<std::vector<std::string>>(like) && all_strings(value)) {
    return value.get<std::vector<std::string>>();
  }
  return std::nullopt;
}

std::string out_of_range(const Setting& setting, const SettingValue& value) {
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || setting.choices.empty()) return {};
    if (std::find(setting.choices.begin(), setting.choices.end(), *text) != setting.choices.end()) return {};
    return fmt::format("must be one of {}; found '{}'", fmt::join(setting.choices, ", "), *text);
  }
  if (setting.least && number < *setting.least)
    return fmt::format("must be at least {}; found {}", *setting.least, number);
  if (setting.most && number > *setting.most)
    return fmt::format("must be at most {}; found {}", *setting.most, number);
  return {};
}

}  // namespace

Setting Setting::between(double low, double high) && {
  least = low;
  most = high;
  return std::move(*this);
}

Setting Setting::one_of(std::vector<std::string> values) && {
  choices = std::move(values);
  return std::move(*this);
}

Settings check_settings(const std::vector<Setting>& declared, const Json& configured,
                        std::vector<std::string>& problems) {
  std::map<std::string, SettingValue> values;
  for (const auto& setting : declared) values.emplace(setting.key, setting.fallback);
  for (const auto& [name, value] : configured.items()) {
    const std::string& key = name;  // clang 14 captures no structured binding
    const auto setting =
        std::find_if(declared.begin(), declared.end(), [&](const Setting& one) { return one.key == key; });
    if (setting == declared.end()) {
      std::vector<std::string> keys;
      for (const auto& one : declared) keys.push_back(one.key);
      const auto near = nearest(key, keys);
      problems.push_back(fmt::format("unknown setting '{}'; {}", key,
                                     near           ? fmt::format("did you mean '{}'?", *near)
                                     : keys.empty() ? "the skill has none"
                                                    : fmt::format("it has {}", fmt::join(keys, ", "))));
      continue;
    }
    auto made = converted(setting->fallback, value);
    if (!made) {
      problems.push_back(fmt::format("'{}' must be {} ({}); found {}", key, type_name(setting->fallback),
                                     setting->help, value.dump()));
      continue;
    }
    const std::string wrong = out_of_range(*setting, *made);
    if (wrong.empty()) {
      values[key] = std::move(*made);
    } else {
      problems.push_back(fmt::format("'{}' {} ({})", key, wrong, setting->help));
    }
  }
  return Settings(std::move(values));
}

}  // namespace parley
