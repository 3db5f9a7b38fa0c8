#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "earlier.hpp"

namespace parley::bench {

/// What a figure should be, and what keeps it from being better.
struct Target {
  enum class Sense { kAtMost, kAtLeast };
  Target(Sense which, double value, std::string_view by) : sense(which), limit(value), limited_by(by) {}
  static Target at_most(double value, std::string_view limited_by) {
    return Target(Sense::kAtMost, value, limited_by);
  }
  static Target at_least(double value, std::string_view limited_by) {
    return Target(Sense::kAtLeast, value, limited_by);
  }

  bool met_by(double figure) const noexcept {
    return sense == Sense::kAtMost ? figure <= limit : figure >= limit;
  }

  Sense sense;
  double limit;
  std::string_view limited_by;
};

/// The same thing done again and again.
struct Series {
  Series(std::string what, int at_once) : name(std::move(what)), sessions(at_once) {}
  std::string name;
  int sessions;  ///< In flight at a time.
  double p50_us = 0, p99_us = 0, per_s = 0;
  double cpu_us = 0;   ///< Of all threads of the process, each time; 0: not measured.
  double loop_us = 0;  ///< Of the loop alone.
  std::optional<Target> p50_target, p99_target, per_s_target;
};

/// A single figure.
struct Figure {
  Figure(std::string what, double amount, std::string of)
      : name(std::move(what)), value(amount), unit(std::move(of)) {}
  std::string name;
  double value;
  std::string unit;
  std::string remark;  ///< For people: how it comes about.
  std::optional<Target> target;
};

/// Takes what the benchmarks find: for people it is printed at once, as JSON all of it at the end.
class Report {
 public:
  explicit Report(bool as_json, Earlier earlier = {}) : as_json_(as_json), earlier_(std::move(earlier)) {}
  void begin(std::string_view benchmark, std::string_view does);
  void add(const Series& series);
  void add(const Figure& figure);
  /// For people: text that is printed as it is.
  void tell(const std::string& text) const;
  /// For people: all targets together, and what limits each.
  void end() const;

  /// `{"results": [{"name", "sessions", "p50_us", "p99_us", "per_s"}, …],
  ///   "figures": [{"name", "value", "unit"}, …],
  ///   "targets": [{"name", "sessions", "of", "value", "at_most" or "at_least", "ratio", "met",
  ///   "limited_by"}, …]}`
  /// Where there is an earlier run, results and figures have "against": the ratio of each to what it was.
  nlohmann::json to_json() const;

 private:
  bool as_json_;
  Earlier earlier_;
  bool wants_heading_ = false;
  std::vector<Series> series_;
  std::vector<Figure> figures_;
};

/// One line each, as they are printed: the figures, then what they should be.
std::string line_of(const Series& series);
std::string line_of(const Figure& figure);

}  // namespace parley::bench
