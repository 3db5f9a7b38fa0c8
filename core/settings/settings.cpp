#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/settings.hpp>
#include <stdexcept>

namespace parley {
namespace {

const Json& value(const Json& values, const std::string& key, bool (Json::*is_type)() const noexcept) {
  const auto found = values.find(key);
  if (found == values.end()) {
    throw std::out_of_range(fmt::format("there is no setting '{}': declare it in kSettings", key));
  }
  if (!((*found).*is_type)()) {
    throw std::invalid_argument(fmt::format("the setting '{}' is of another type: {}", key, found->dump()));
  }
  return *found;
}

}  // namespace

Settings::Settings() : Settings(Json::object()) {}

Settings::Settings(Json values) : values_(std::make_shared<const Json>(std::move(values))) {}

bool Settings::flag(const std::string& key) const {
  return value(*values_, key, &Json::is_boolean).get<bool>();
}

std::int64_t Settings::integer(const std::string& key) const {
  return value(*values_, key, &Json::is_number_integer).get<std::int64_t>();
}

double Settings::number(const std::string& key) const {
  return value(*values_, key, &Json::is_number).get<double>();
}

const std::string& Settings::text(const std::string& key) const {
  return value(*values_, key, &Json::is_string).get_ref<const std::string&>();
}

std::chrono::milliseconds Settings::duration(const std::string& key) const {
  return std::chrono::milliseconds(integer(key));
}

std::vector<std::string> Settings::list(const std::string& key) const {
  return value(*values_, key, &Json::is_array).get<std::vector<std::string>>();
}

std::map<std::string, std::int64_t> Settings::map(const std::string& key) const {
  return value(*values_, key, &Json::is_object).get<std::map<std::string, std::int64_t>>();
}

std::pair<std::int64_t, std::int64_t> Settings::range(const std::string& key) const {
  return value(*values_, key, &Json::is_array).get<std::pair<std::int64_t, std::int64_t>>();
}

bool Settings::has(const std::string& key) const {
  return values_->contains(key);
}

}  // namespace parley
