#include "runtime/rfc3339.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace parley {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::year;

constexpr std::int64_t kDay = 86'400'000;

/// Takes pieces off the front of a text; once something does not fit, nothing does.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : rest_(text) {}

  int digits(std::size_t count, int most) {
    int value = 0;
    const bool enough = rest_.size() >= count;
    const char* const end = rest_.data() + (enough ? count : 0);
    const auto read = std::from_chars(rest_.data(), end, value);
    if (!enough || read.ptr != end || rest_.front() == '-' || value > most) return fail();
    rest_.remove_prefix(count);
    return value;
  }
  void expect(std::string_view one_of) {
    if (rest_.empty() || one_of.find(rest_.front()) == std::string_view::npos) {
      fail();
    } else {
      rest_.remove_prefix(1);
    }
  }
  bool take(char what) {
    if (rest_.empty() || rest_.front() != what) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Of a second; digits beyond the third say nothing here.
  int milliseconds() {
    int value = 0;
    int scale = 100;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1)) {
      value += scale * (rest_.front() - '0');
      scale /= 10;
    }
    return value;
  }
  int fail() {
    failed_ = true;
    rest_ = {};
    return 0;
  }
  bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::string to_rfc3339(std::int64_t milliseconds) {
  const std::chrono::sys_days date(std::chrono::days(milliseconds / kDay));
  const std::chrono::year_month_day parts(date);
  const std::int64_t time = milliseconds % kDay;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(parts.year()),
                     static_cast<unsigned>(parts.month()), static_cast<unsigned>(parts.day()),
                     time / 3'600'000, time / 60'000 % 60, time / 1000 % 60, time % 1000);
}

std::optional<std::int64_t> from_rfc3339(std::string_view text) {
  MomentReader read(text);
  const int y = read.digits(4, 9999);
  read.expect("-");
  const int m = read.digits(2, 12);
  read.expect("-");
  const int d = read.digits(2, 31);
  read.expect("Tt ");
  std::int64_t time = std::int64_t{read.digits(2, 23)} * 3'600'000;
  read.expect(":");
  time += std::int64_t{read.digits(2, 59)} * 60'000;
  read.expect(":");
  time += std::int64_t{read.digits(2, 60)} * 1000;
  if (read.take('.')) time += read.milliseconds();
  if (!read.take('Z') && !read.take('z')) {
    const bool behind = read.take('-');
    if (!behind) read.expect("+");
    std::int64_t offset = std::int64_t{read.digits(2, 23)} * 3'600'000;
    read.expect(":");
    offset += std::int64_t{read.digits(2, 59)} * 60'000;
    time += behind ? offset : -offset;
  }
  const auto date = year(y) / month(static_cast<unsigned>(m)) / day(static_cast<unsigned>(d));
  if (!read.is_done() || !date.ok()) return std::nullopt;
  time += std::chrono::sys_days(date).time_since_epoch().count() * kDay;
  if (time < 0) return std::nullopt;
  return time;
}

}  // namespace parley
