#include "language.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/language.hpp>
#include <parley/yaml.hpp>

#include "phrase.hpp"

namespace parley::date_time {
namespace {

constexpr int kHours = 24;
constexpr int kMinutes = 60;

[[noreturn]] void fail(const YAML::Node& at, const std::string& problem) {
  throw YAML::Exception(at.Mark(), problem);
}

std::string text_or(const YAML::Node& parent, const char* key, std::string otherwise) {
  if (!parent || !parent[key]) return otherwise;
  return parent[key].as<std::string>();
}

std::string phrase(const YAML::Node& node) {
  auto text = node.as<std::string>();
  if (const auto problem = Phrase::problem(text); !problem.empty()) fail(node, problem);
  return text;
}

std::string phrase_or_usual(const YAML::Node& parent, const char* key) {
  return parent && parent[key] ? phrase(parent[key]) : std::string();
}

std::vector<std::string> texts(const YAML::Node& list) {
  std::vector<std::string> found;
  for (const auto& text : list) found.push_back(text.as<std::string>());
  return found;
}

// A number, or a list of them.
std::vector<int> numbers(const YAML::Node& node, int end) {
  std::vector<int> found;
  if (node && node.IsScalar()) found.push_back(node.as<int>());
  if (node && node.IsSequence()) found = node.as<std::vector<int>>();
  if (std::ranges::any_of(found, [end](int number) { return number < 0 || number >= end; })) {
    fail(node, fmt::format("expected numbers from 0 to {}", end - 1));
  }
  return found;
}

TimeRule time_rule(const YAML::Node& node, bool has_hours) {
  TimeRule rule;
  rule.hours = numbers(node["hour"], kHours);
  rule.minutes = numbers(node["minute"], kMinutes);
  if (!node["say"]) fail(node, "a rule needs what to say: { hour: 0, minute: 0, say: midnight }");
  rule.say = phrase(node["say"]);
  const bool needs_hours =
      rule.say.find("{hour}") != rule.say.npos || rule.say.find("{next}") != rule.say.npos;
  if (needs_hours && !has_hours) fail(node["say"], "{hour} and {next} need a list 'hours' beside 'rules'");
  return rule;
}

ClockSpeech clock(const YAML::Node& time, const char* name) {
  const YAML::Node node = time[name];
  if (!node || !node["rules"]) fail(time, fmt::format("'time: {{ {}: {{ rules: … }} }}' is missing", name));
  ClockSpeech clock;
  clock.hours = texts(node["hours"]);
  if (!clock.hours.empty() && clock.hours.size() != kHours && clock.hours.size() != kHours / 2) {
    fail(node["hours"],
         fmt::format("expected 12 or 24 hours, from midnight on; there are {}", clock.hours.size()));
  }
  for (const auto& rule : node["rules"]) clock.rules.push_back(time_rule(rule, !clock.hours.empty()));
  if (clock.rules.empty() || !clock.rules.back().hours.empty() || !clock.rules.back().minutes.empty()) {
    fail(node["rules"], "the last rule must fit every time: { say: … }");
  }
  return clock;
}

}  // namespace

Language::Language(const std::filesystem::path& data, std::string_view tag) : tag_(tag) {
  const auto file = language_file(data, tag, ".yaml");
  if (!file) throw std::runtime_error(fmt::format("{}: no file for the language '{}'", data.string(), tag));
  read_yaml_file(*file, [this](const YAML::Node& root) { read(root); });
}

bool Language::exists(const std::filesystem::path& data, std::string_view tag) {
  return language_file(data, tag, ".yaml").has_value();
}

void Language::read(const YAML::Node& root) {
  if (!root["time"]) fail(root, "the section 'time' is missing");
  read_time(root["time"]);
  read_date(root["date"]);
  for (const auto& day : root["days"]) {
    const auto name = day.first.as<std::string>();
    days_.emplace(name, DayNames{text_or(day.second, "subject", name), text_or(day.second, "until", name)});
  }
  before_times_ = texts(root["before_times"]);
  before_places_ = texts(root["before_places"]);
}

void Language::read_time(const YAML::Node& time) {
  patterns_.clock_12 = clock(time, "12h");
  patterns_.clock_24 = clock(time, "24h");
  patterns_.number_rules = text_or(time, "numbers", "");
  patterns_.time_begins = time["begins_sentence"] && time["begins_sentence"].as<bool>();
  patterns_.usual_clock = text_or(time, "usual", "");
  if (!patterns_.usual_clock.empty() && patterns_.usual_clock != "12h" && patterns_.usual_clock != "24h") {
    fail(time["usual"], "expected 12h or 24h; without it the region decides");
  }
}

void Language::read_date(const YAML::Node& date) {
  patterns_.full_date = phrase_or_usual(date, "full");
  patterns_.date_with_year = phrase_or_usual(date, "with_year");
  patterns_.date_this_year = phrase_or_usual(date, "this_year");
  const auto forms = [&date](const char* key) {
    const YAML::Node node = date ? date[key] : YAML::Node();
    return DayNames{text_or(node, "subject", "{0}"), text_or(node, "until", "{0}")};
  };
  patterns_.date = forms("date");
  patterns_.weekday = forms("weekday");
  if (date && date["days"]) patterns_.days = date["days"].as<std::map<int, std::string>>();
}

DayNames Language::day_names(const std::string& holiday) const {
  const auto found = days_.find(holiday);
  return found == days_.end() ? DayNames{holiday, holiday} : found->second;
}

}  // namespace parley::date_time
