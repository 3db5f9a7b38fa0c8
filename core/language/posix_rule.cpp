#include "language/posix_rule.hpp"

#include <charconv>

namespace parley {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr int kMostHours = 167;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }

  bool accept(char wanted) {
    if (peek() != wanted || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::optional<int> number(int least, int most) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (failure != std::errc() || peek() == '-' || value < least || value > most) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  // "CET" or "<+0530>"
  bool name() {
    const bool quoted = accept('<');
    const std::size_t length = quoted ? text_.find('>') : text_.find_first_of("0123456789+-,");
    if (length == 0 || (quoted && length == std::string_view::npos)) return false;
    text_.remove_prefix(std::min(length, text_.size()));
    return !quoted || accept('>');
  }

  // [+-]hh[:mm[:ss]]
  std::optional<seconds> clock_time() {
    const bool negative = accept('-');
    if (!negative) accept('+');
    const auto hour = number(0, kMostHours);
    if (!hour) return std::nullopt;
    seconds value = hours(*hour);
    for (const int unit : {60, 1}) {
      if (!accept(':')) break;
      const auto part = number(0, 59);
      if (!part) return std::nullopt;
      value += seconds(*part * unit);
    }
    return negative ? -value : value;
  }

  std::optional<ChangeDay> change_day() {
    ChangeDay change;
    if (!(peek() == 'M' ? weekday(change) : day_of_year(change))) return std::nullopt;
    change.time = hours(2);
    if (accept('/')) {
      const auto time = clock_time();
      if (!time) return std::nullopt;
      change.time = *time;
    }
    return change;
  }

 private:
  bool weekday(ChangeDay& change) {
    accept('M');
    const auto month = number(1, 12);
    if (!month || !accept('.')) return false;
    const auto week = number(1, 5);
    if (!week || !accept('.')) return false;
    const auto weekday = number(0, 6);
    if (!weekday) return false;
    change.kind = ChangeDay::Kind::kWeekday;
    change.month = static_cast<unsigned>(*month);
    change.week = static_cast<unsigned>(*week);
    change.weekday = static_cast<unsigned>(*weekday);
    return true;
  }

  bool day_of_year(ChangeDay& change) {
    const bool julian = accept('J');
    const auto day = julian ? number(1, 365) : number(0, 365);
    if (!day) return false;
    change.kind = julian ? ChangeDay::Kind::kJulian : ChangeDay::Kind::kZeroBased;
    change.day = *day;
    return true;
  }

  std::string_view text_;
};

}  // namespace

std::chrono::sys_seconds ChangeDay::in(std::chrono::year year) const {
  namespace ch = std::chrono;
  const ch::sys_days first = ch::sys_days(year / ch::January / 1);
  if (kind == Kind::kWeekday) {
    const auto in_month = year / ch::month(month);
    const ch::weekday wanted(weekday);
    if (week == 5) return ch::sys_days(in_month / wanted[ch::last]) + time;
    return ch::sys_days(in_month / wanted[week]) + time;
  }
  constexpr int kFebruaryOver = 60;
  const bool leap_day_skipped = kind == Kind::kJulian && year.is_leap() && day >= kFebruaryOver;
  const int index = kind == Kind::kJulian ? day - 1 : day;
  return first + days(index + (leap_day_skipped ? 1 : 0)) + time;
}

std::optional<PosixRule> PosixRule::parse(std::string_view text) {
  Reader reader(text);
  PosixRule rule;
  if (!reader.name()) return std::nullopt;
  const auto behind = reader.clock_time();
  if (!behind) return std::nullopt;
  rule.standard = -*behind;  // POSIX counts westward
  rule.summer = rule.standard + hours(1);
  if (reader.done()) return rule;

  if (!reader.name()) return std::nullopt;
  if (reader.peek() != ',') {
    const auto summer_behind = reader.clock_time();
    if (!summer_behind) return std::nullopt;
    rule.summer = -*summer_behind;
  }
  if (!reader.accept(',')) return std::nullopt;
  const auto begin = reader.change_day();
  if (!begin || !reader.accept(',')) return std::nullopt;
  const auto end = reader.change_day();
  if (!end || !reader.done()) return std::nullopt;
  rule.begin = *begin;
  rule.end = *end;
  return rule;
}

std::chrono::seconds PosixRule::offset_at(std::chrono::sys_seconds moment) const {
  if (begin.kind == ChangeDay::Kind::kNever) return standard;
  const auto local_day = std::chrono::floor<days>(moment + standard);
  const std::chrono::year year = std::chrono::year_month_day(local_day).year();
  const auto from = begin.in(year)-standard;
  const auto to = end.in(year)-summer;
  const bool is_summer = from < to ? (moment >= from && moment < to) : !(moment >= to && moment < from);
  return is_summer ? summer : standard;
}

}  // namespace parley
