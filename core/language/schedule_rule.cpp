#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/schedule.hpp>
#include <stdexcept>
#include <string_view>

namespace parley {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;

constexpr seconds kWholeDay = days(1);
constexpr seconds kLongestPeriod = days(366);

void check_time(seconds time) {
  if (time < seconds(0) || time >= kWholeDay)
    throw std::invalid_argument("a rule's time is from midnight on and below 24 hours");
}

/// "07:30" or "07:30:15".
std::optional<seconds> read_time(std::string_view text) {
  if (text.size() != 5 && text.size() != 8) return std::nullopt;
  long parts[3] = {0, 0, 0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_colon = i % 3 == 2;
    if (is_colon ? text[i] != ':' : text[i] < '0' || text[i] > '9') return std::nullopt;
    if (!is_colon) parts[i / 3] = parts[i / 3] * 10 + (text[i] - '0');
  }
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
  return std::chrono::hours(parts[0]) + std::chrono::minutes(parts[1]) + seconds(parts[2]);
}

std::string write_time(seconds time) {
  const auto count = time.count();
  std::string text = fmt::format("{:02}:{:02}", count / 3600, count / 60 % 60);
  if (count % 60 != 0) text += fmt::format(":{:02}", count % 60);
  return text;
}

Result<unsigned> whole(const Json& rule, const char* key, unsigned most) {
  const auto found = rule.find(key);
  if (found != rule.end() && found->is_number_integer()) {
    const auto value = found->get<std::int64_t>();
    if (value >= 1 && value <= most) return static_cast<unsigned>(value);
  }
  return Error(fmt::format("'{}' of a rule is a whole number from 1 to {}", key, most));
}

}  // namespace

ScheduleRule::ScheduleRule(Kind kind, seconds time, unsigned day) : kind_(kind), time_(time), day_(day) {
  if (kind != Kind::kPeriod) check_time(time);
}

ScheduleRule ScheduleRule::daily(seconds time) {
  return {Kind::kDaily, time, 0};
}
ScheduleRule ScheduleRule::weekdays(seconds time) {
  return {Kind::kWeekdays, time, 0};
}
ScheduleRule ScheduleRule::weekly(std::chrono::weekday day, seconds time) {
  if (!day.ok()) throw std::invalid_argument("a weekly rule needs a day of the week");
  return {Kind::kWeekly, time, day.iso_encoding()};
}
ScheduleRule ScheduleRule::monthly(unsigned day, seconds time) {
  if (day < 1 || day > 31) throw std::invalid_argument("a monthly rule needs a day from 1 to 31");
  return {Kind::kMonthly, time, day};
}
ScheduleRule ScheduleRule::period(seconds length) {
  if (length < seconds(1) || length > kLongestPeriod)
    throw std::invalid_argument("a rule's period is from 1 second to 366 days");
  return {Kind::kPeriod, length, 0};
}

Result<ScheduleRule> ScheduleRule::from_json(const Json& rule) {
  if (!rule.is_object()) return Error("a rule is an object with 'every' and 'time', or with 'seconds'");
  if (rule.contains("seconds")) {
    const auto length = whole(rule, "seconds", static_cast<unsigned>(kLongestPeriod.count()));
    if (!length) return length.error();
    return period(seconds(*length));
  }
  const auto every = rule.find("every");
  const auto at = rule.find("time");
  const std::string kind = every != rule.end() && every->is_string() ? every->get<std::string>() : "";
  const auto time =
      at != rule.end() && at->is_string() ? read_time(at->get<std::string>()) : std::optional<seconds>();
  if (!time) return Error("'time' of a rule is a time of day, such as \"07:30\"");
  if (kind == "day") return daily(*time);
  if (kind == "weekdays") return weekdays(*time);
  if (kind == "week") {
    const auto day = whole(rule, "weekday", 7);
    if (!day) return day.error();
    return weekly(std::chrono::weekday(*day), *time);
  }
  if (kind == "month") {
    const auto day = whole(rule, "day", 31);
    if (!day) return day.error();
    return monthly(*day, *time);
  }
  return Error("'every' of a rule is \"day\", \"weekdays\", \"week\" or \"month\"");
}

Json ScheduleRule::to_json() const {
  if (kind_ == Kind::kPeriod) return {{"seconds", time_.count()}};
  Json rule = {{"time", write_time(time_)}};
  switch (kind_) {
    case Kind::kDaily:
      rule["every"] = "day";
      break;
    case Kind::kWeekdays:
      rule["every"] = "weekdays";
      break;
    case Kind::kWeekly:
      rule["every"] = "week";
      rule["weekday"] = day_;
      break;
    case Kind::kMonthly:
      rule["every"] = "month";
      rule["day"] = day_;
      break;
    case Kind::kPeriod:
      break;
  }
  return rule;
}

bool ScheduleRule::falls_on(local_days day) const {
  const std::chrono::weekday weekday(day);
  switch (kind_) {
    case Kind::kWeekdays:
      return weekday.iso_encoding() <= 5;
    case Kind::kWeekly:
      return weekday.iso_encoding() == day_;
    case Kind::kMonthly: {
      const std::chrono::year_month_day date(day);
      const std::chrono::year_month_day_last last(date.year(), date.month() / std::chrono::last);
      return date.day() == std::min(std::chrono::day(day_), last.day());
    }
    default:
      return true;
  }
}

ScheduleRule::Moment ScheduleRule::next(Moment after, const Zone& zone) const {
  if (kind_ == Kind::kPeriod) return after + time_;
  // Two months hold every rule, and a change of clocks moves a time by less than a day.
  local_days day = zone.today(after) - days(1);
  for (int tries = 0; tries < 70; ++tries, day += days(1)) {
    if (!falls_on(day)) continue;
    const Moment moment = zone.moment(std::chrono::local_seconds(day) + time_);
    if (moment > after) return moment;
  }
  throw std::logic_error("a rule that never falls on any day");
}

Scheduled::Scheduled() : data(std::make_shared<const Json>(Json::object())) {}

}  // namespace parley
