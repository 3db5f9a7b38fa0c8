#include "language_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "fold.hpp"

namespace parley::date_time {
namespace {

namespace ch = std::chrono;

[[noreturn]] void fail(const YAML::Node& at, const std::string& problem) {
  throw YAML::Exception(at.Mark(), problem);
}

ch::weekday weekday(const YAML::Node& node) {
  constexpr std::array<std::string_view, 7> kNames{"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};
  const auto name = node.as<std::string>();
  for (unsigned i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return ch::weekday(i);
  }
  fail(node, fmt::format("unknown weekday '{}'; expected monday … sunday", name));
}

ch::month month(const YAML::Node& node) {
  const ch::month value(node.as<unsigned>());
  if (!value.ok()) fail(node, "a month is a number from 1 to 12");
  return value;
}

// "12-25"
ch::month_day month_day(const YAML::Node& node) {
  const auto text = node.as<std::string>();
  const char* end = text.data() + text.size();
  unsigned in_month = 0;
  unsigned in_day = 0;
  const auto month_end = std::from_chars(text.data(), end, in_month);
  if (month_end.ec == std::errc() && month_end.ptr != end && *month_end.ptr == '-') {
    const auto day_end = std::from_chars(month_end.ptr + 1, end, in_day);
    const ch::month_day value = ch::month(in_month) / ch::day(in_day);
    if (day_end.ec == std::errc() && day_end.ptr == end && value.ok()) return value;
  }
  fail(node, fmt::format("'{}' is no date; expected month-day, such as 12-25", text));
}

const YAML::Node& need_size(const YAML::Node& node, std::size_t size, const char* expected) {
  if (!node.IsSequence() || node.size() != size) fail(node, fmt::format("expected {}", expected));
  return node;
}

DayRule day_rule(const YAML::Node& day) {
  if (day["date"]) return YearlyDate{month_day(day["date"])};
  if (day["easter"]) return EasterBased{ch::days(day["easter"].as<int>())};
  if (day["weekday"]) return ComingWeekday{weekday(day["weekday"])};
  if (const auto nth = day["nth"]) {
    need_size(nth, 3, "[month, weekday, which]");
    const int which = nth[2].as<int>();
    if (which == 0 || which < -1 || which > 5) fail(nth[2], "expected 1 to 5, or -1 for the last");
    return NthWeekday{month(nth[0]), weekday(nth[1]), which};
  }
  if (const auto before = day["before"]) {
    need_size(before, 3, "[month-day, weekday, how many before]");
    return WeekdayBefore{month_day(before[0]), weekday(before[1]), before[2].as<int>()};
  }
  fail(day, "a day needs one of date, easter, weekday, nth, before");
}

std::string text_or(const YAML::Node& parent, const char* key, std::string otherwise) {
  if (!parent || !parent[key]) return otherwise;
  return parent[key].as<std::string>();
}

}  // namespace

LanguageFile::LanguageFile(const std::filesystem::path& data, Language& language)
    : file_(path(data, language.tag())), language_(&language) {}

std::filesystem::path LanguageFile::path(const std::filesystem::path& data, std::string_view tag) {
  std::string language = text::fold(tag.substr(0, tag.find_first_of("-_")));
  return data / (language + ".yaml");
}

void LanguageFile::load() {
  try {
    read(YAML::LoadFile(file_.string()));
  } catch (const YAML::BadFile&) {
    throw std::runtime_error(fmt::format("{}: can't be read; it belongs to the skill", file_.string()));
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file_.string(), line, problem.msg));
  }
}

void LanguageFile::read(const YAML::Node& root) {
  read_patterns(root);
  read_days(root["days"]);
  for (const auto& entry : root["relative"]) {
    add_all(entry.second, WordKind::kRelative, entry.first.as<int>());
  }
  read_words(root["words"]);
  read_units(root["units"]);
  for (const auto& entry : root["weekdays"]) {
    add_all(entry.second, WordKind::kWeekday, static_cast<int>(weekday(entry.first).c_encoding()));
  }
}

void LanguageFile::read_patterns(const YAML::Node& root) {
  SpeechPatterns& patterns = language_->patterns_;
  const YAML::Node time = root["time"];
  patterns.whole_hour_12 = time["12h"]["whole_hour"].as<std::string>();
  patterns.other_12 = time["12h"]["other"].as<std::string>();
  patterns.whole_hour_24 = time["24h"]["whole_hour"].as<std::string>();
  patterns.other_24 = time["24h"]["other"].as<std::string>();
  patterns.noon = time["noon"].as<std::string>();
  patterns.midnight = time["midnight"].as<std::string>();
  const YAML::Node date = root["date"];
  patterns.full_date = text_or(date, "full", "");
  patterns.date_with_year = text_or(date, "with_year", "");
  patterns.date_this_year = text_or(date, "this_year", "");
  patterns.subject = text_or(root, "subject", "{0}");
  patterns.until = text_or(root, "until", "{0}");
}

void LanguageFile::read_words(const YAML::Node& root) {
  if (!root) return;
  add_all(root["one"], WordKind::kNumber, 1);
  add_all(root["next"], WordKind::kNext);
  add_all(root["this"], WordKind::kThis);
  add_all(root["last"], WordKind::kLast);
  add_all(root["future"], WordKind::kFuture);
  add_all(root["past"], WordKind::kPast);
  add_all(root["ignore"], WordKind::kIgnore);
  for (const auto& ending : root["ordinal_endings"]) {
    language_->ordinal_endings_.push_back(ending.as<std::string>());
  }
}

void LanguageFile::read_units(const YAML::Node& units) {
  if (!units) return;
  add_all(units["day"], WordKind::kUnit, 1);
  add_all(units["week"], WordKind::kUnit, 7);
  add_all(units["fortnight"], WordKind::kUnit, 14);
  add_all(units["month"], WordKind::kUnit, -1);
  add_all(units["year"], WordKind::kUnit, -12);
}

void LanguageFile::read_days(const YAML::Node& days) {
  for (const auto& day : days) {
    const YAML::Node names = day["names"];
    if (!names || !names.IsSequence() || names.size() == 0) fail(day, "a day needs a list of names");
    const auto spoken = names[0].as<std::string>();
    language_->named_days_.push_back(
        NamedDay{text_or(day, "subject", spoken), text_or(day, "until", spoken), day_rule(day)});
    add_all(names, WordKind::kNamed, static_cast<int>(language_->named_days_.size()) - 1);
  }
}

void LanguageFile::add_all(const YAML::Node& phrases, WordKind kind, int value) {
  for (const auto& phrase : phrases) language_->add(phrase.as<std::string>(), Word{kind, value});
}

}  // namespace parley::date_time
