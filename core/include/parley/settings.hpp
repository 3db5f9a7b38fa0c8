#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <parley/json.hpp>
#include <parley/options.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley {

/// The values of the settings that a skill declares in `kSettings`, from the configuration or by
/// default. Cheap to copy. Safe from any thread.
///
/// Each function throws std::out_of_range for a key that was not declared or is not set, and
/// std::invalid_argument for one of another type.
class Settings {
 public:
  Settings();  ///< None.
  /// @param values  an object with a value for each option of `table`, as OptionType says
  explicit Settings(Json values);

  bool flag(const std::string& key) const;
  /// A whole number, or a size in bytes.
  std::int64_t integer(const std::string& key) const;
  double number(const std::string& key) const;
  /// A text, or one of the option's words.
  const std::string& text(const std::string& key) const;
  std::chrono::milliseconds duration(const std::string& key) const;
  std::vector<std::string> list(const std::string& key) const;
  std::map<std::string, std::int64_t> map(const std::string& key) const;
  std::pair<std::int64_t, std::int64_t> range(const std::string& key) const;
  /// Whether it has a value: always, unless it was declared without a default.
  bool has(const std::string& key) const;
  /// All of them, as an object; never null.
  const Json& all() const noexcept { return *values_; }

 private:
  std::shared_ptr<const Json> values_;
};

}  // namespace parley
