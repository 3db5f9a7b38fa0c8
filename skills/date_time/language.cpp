#include "language.hpp"

#include <parley/language.hpp>

#include "yaml_file.hpp"

namespace parley::date_time {
namespace {

std::filesystem::path file_of(const std::filesystem::path& data, std::string_view tag) {
  return data / (primary_language(tag) + ".yaml");
}

std::string text_or(const YAML::Node& parent, const char* key, std::string otherwise) {
  if (!parent || !parent[key]) return otherwise;
  return parent[key].as<std::string>();
}

}  // namespace

Language::Language(const std::filesystem::path& data, std::string_view tag) : tag_(tag) {
  text::read_yaml_file(file_of(data, tag), [this](const YAML::Node& root) { read(root); });
}

bool Language::exists(const std::filesystem::path& data, std::string_view tag) {
  return std::filesystem::exists(file_of(data, tag));
}

void Language::read(const YAML::Node& root) {
  read_patterns(root);
  for (const auto& day : root["days"]) {
    const auto name = day.first.as<std::string>();
    days_.emplace(name, DayNames{text_or(day.second, "subject", name), text_or(day.second, "until", name)});
  }
}

void Language::read_patterns(const YAML::Node& root) {
  const YAML::Node time = root["time"];
  patterns_.whole_hour_12 = time["12h"]["whole_hour"].as<std::string>();
  patterns_.other_12 = time["12h"]["other"].as<std::string>();
  patterns_.whole_hour_24 = time["24h"]["whole_hour"].as<std::string>();
  patterns_.other_24 = time["24h"]["other"].as<std::string>();
  patterns_.noon = time["noon"].as<std::string>();
  patterns_.midnight = time["midnight"].as<std::string>();
  const YAML::Node date = root["date"];
  patterns_.full_date = text_or(date, "full", "");
  patterns_.date_with_year = text_or(date, "with_year", "");
  patterns_.date_this_year = text_or(date, "this_year", "");
  patterns_.subject = text_or(root, "subject", "{0}");
  patterns_.until = text_or(root, "until", "{0}");
}

DayNames Language::day_names(const std::string& holiday) const {
  const auto found = days_.find(holiday);
  return found == days_.end() ? DayNames{holiday, holiday} : found->second;
}

}  // namespace parley::date_time
