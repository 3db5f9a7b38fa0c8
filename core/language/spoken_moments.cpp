#include "language/spoken_moments.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/moments.hpp>
#include <parley/speech.hpp>
#include <stdexcept>
#include <utility>

#include "language/icu.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;

bool allows(const std::vector<int>& list, int value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<int> numbers_of(const YAML::Node& list) {
  return list ? list.as<std::vector<int>>() : std::vector<int>();
}

/// A moment with that time of day, on some day.
ch::local_seconds some_day(ch::seconds time) {
  return ch::local_days(ch::year(2024) / ch::January / ch::day(1)) + time;
}

const MomentSpeech* speech_of(const std::string& lang) {
  const auto* speech = words_for<MomentSpeech>(lang);
  return speech != nullptr && speech->known() ? speech : nullptr;
}

}  // namespace

MomentSpeech::MomentSpeech(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
  read_value_file(file, [this](const YAML::Node& root) {
    if (root["spoken"]) read(root["spoken"]);
  });
}

void MomentSpeech::read(const YAML::Node& section) {
  at_ = rules(section["at"]);
  on_weekday_ = rules(section["on_weekday"]);
  on_day_ = rules(section["on_day"]);
  every_week_ = rules(section["every_week"]);
  every_month_ = rules(section["every_month"]);
  tomorrow_ = section["tomorrow"].as<std::string>();
  every_day_ = section["every_day"].as<std::string>();
  every_workday_ = section["every_workday"].as<std::string>();
}

MomentSpeech::Rules MomentSpeech::rules(const YAML::Node& list) const {
  Rules all;
  for (const auto& node : list) {
    Rule rule;
    rule.hours = numbers_of(node["hours"]);
    rule.minutes = numbers_of(node["minutes"]);
    rule.weekdays = numbers_of(node["weekdays"]);
    rule.pieces = pieces(node["say"].as<std::string>(), node);
    all.push_back(std::move(rule));
  }
  if (all.empty() || !all.back().hours.empty() || !all.back().minutes.empty() || !all.back().weekdays.empty())
    throw YAML::Exception(list.Mark(), "the last rule of a list in 'spoken' has to fit any moment");
  return all;
}

std::vector<MomentSpeech::Piece> MomentSpeech::pieces(const std::string& text,
                                                      const YAML::Node& where) const {
  std::vector<Piece> all;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = std::min(text.find('{', at), text.size());
    if (open > at) all.push_back(Piece{text.substr(at, open - at), nullptr});
    if (open == text.size()) break;
    const auto close = text.find('}', open);
    if (close == std::string::npos) throw YAML::Exception(where.Mark(), "'{' without '}'");
    UErrorCode status = U_ZERO_ERROR;
    auto format = std::make_shared<icu::SimpleDateFormat>(
        from_icu::text(text.substr(open + 1, close - open - 1)), from_icu::locale(lang_, status), status);
    if (U_FAILURE(status) != 0)
      throw YAML::Exception(where.Mark(), fmt::format("ICU takes no such pattern: {}", u_errorName(status)));
    format->setTimeZone(*icu::TimeZone::getGMT());
    all.push_back(Piece{"", std::move(format)});
    at = close + 1;
  }
  return all;
}

bool MomentSpeech::Rule::fits(ch::local_seconds when) const {
  const auto day = ch::floor<ch::days>(when);
  const auto of_day = ch::floor<ch::minutes>(when - day).count();
  return allows(hours, static_cast<int>(of_day / 60)) && allows(minutes, static_cast<int>(of_day % 60)) &&
         allows(weekdays, static_cast<int>(ch::weekday(day).iso_encoding()));
}

std::string MomentSpeech::say(const Rules& rules, ch::local_seconds when) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return one.fits(when); });
  if (rule == rules.end()) return std::string();
  std::string all;
  for (const Piece& piece : rule->pieces) {
    all += piece.text;
    if (!piece.format) continue;
    // Formatting changes the calendar inside, hence a copy.
    const std::unique_ptr<icu::SimpleDateFormat> format(piece.format->clone());
    const ch::duration<double, std::milli> since = when.time_since_epoch();
    icu::UnicodeString text;
    format->format(since.count(), text);
    text.toUTF8String(all);
  }
  return all;
}

std::string say_at(ch::minutes time, const std::string& lang) {
  const ch::local_seconds when = some_day(time % ch::days(1));
  if (const auto* speech = speech_of(lang)) return speech->at(when);
  const auto of_day = time % ch::days(1);
  return fmt::format("{}:{:02}", of_day / ch::hours(1), of_day % ch::hours(1) / ch::minutes(1));
}

std::string say_when(ch::local_seconds when, ch::local_seconds now, const std::string& lang) {
  const auto day = ch::floor<ch::days>(when);
  const auto days = (day - ch::floor<ch::days>(now)).count();
  const std::string at = say_at(ch::floor<ch::minutes>(when - day), lang);
  if (days == 0) return at;
  const auto* speech = speech_of(lang);
  const bool far = days < -300 || days > 300;
  if (speech == nullptr || far)
    return say_date(day, lang, far ? DateParts::kYear : DateParts::kDay) + ' ' + at;
  if (days == 1) return speech->tomorrow() + ' ' + at;
  return (days > 0 && days < 7 ? speech->on_weekday(when) : speech->on_day(when)) + ' ' + at;
}

std::string say_rule(const ScheduleRule& rule, const std::string& lang) {
  using Rule = ScheduleRule::Kind;
  if (rule.kind() == Rule::kPeriod) throw std::invalid_argument("a period has no time of day to be said");
  const std::string at = say_at(ch::floor<ch::minutes>(rule.time()), lang);
  const auto* speech = speech_of(lang);
  if (speech == nullptr) return at;
  if (rule.kind() == Rule::kDaily) return speech->every_day() + ' ' + at;
  if (rule.kind() == Rule::kWeekdays) return speech->every_workday() + ' ' + at;
  // The 1st of that January is a Monday.
  const auto on = some_day(ch::days(rule.day() - 1));
  return (rule.kind() == Rule::kWeekly ? speech->every_week(on) : speech->every_month(on)) + ' ' + at;
}

}  // namespace parley
