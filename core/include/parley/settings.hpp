#pragma once

#include <map>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <variant>
#include <vector>

namespace parley {

using SettingValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// One setting a skill declares: its type is that of its default. What the configuration gives is
/// checked against it before the skill starts.
struct Setting {
  Setting(std::string name, SettingValue value, std::string text)
      : key(std::move(name)), fallback(std::move(value)), help(std::move(text)) {}
  /// Narrows a number to a range, both ends included.
  Setting between(double low, double high) &&;
  /// Narrows a text to one of these.
  Setting one_of(std::vector<std::string> values) &&;

  std::string key;
  SettingValue fallback;
  std::string help;
  std::optional<double> least, most;
  std::vector<std::string> choices;
};

/// The values of a skill's settings: every declared key, from the configuration or by default.
class Settings {
 public:
  Settings() = default;
  explicit Settings(std::map<std::string, SettingValue> values) : values_(std::move(values)) {}

  /// @throws std::out_of_range for a key that was not declared, std::bad_variant_access for the
  ///         wrong type.
  template <class T>
  const T& get(const std::string& key) const {
    return std::get<T>(values_.at(key));
  }
  const std::string& text(const std::string& key) const { return get<std::string>(key); }
  std::int64_t integer(const std::string& key) const { return get<std::int64_t>(key); }
  double number(const std::string& key) const { return get<double>(key); }
  bool flag(const std::string& key) const { return get<bool>(key); }

 private:
  std::map<std::string, SettingValue> values_;
};

/// Checks configured values against declared settings.
/// @param problems  gets one sentence per fault (unknown key with the nearest known one, wrong type,
///                  out of range); the default stands in for a faulty value.
Settings check_settings(const std::vector<Setting>& declared, const Json& configured,
                        std::vector<std::string>& problems);

}  // namespace parley
