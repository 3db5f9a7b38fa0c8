#include "report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace parley::bench {
namespace {

double rounded(double value, double parts) {
  return std::round(value * parts) / parts;
}

/// A whole number with a comma every three digits.
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string amount(double value) {
  return value < 1000 ? fmt::format("{:.4g}", value) : grouped(value);
}

/// `p50 ≤ 50 µs met (0.84×)`
std::string verdict(std::string_view of, const Target& target, double value, std::string_view unit) {
  const std::string_view sign = target.sense == Target::Sense::kAtMost ? "≤" : "≥";
  const std::string ratio =
      target.limit == 0 ? std::string() : fmt::format(" ({:.2f}×)", value / target.limit);
  return fmt::format("{}{}{} {}{} {}{}", of, of.empty() ? "" : " ", sign, amount(target.limit), unit,
                     target.met_by(value) ? "met" : "NOT MET", ratio);
}

nlohmann::json verdict_json(std::string_view name, std::string_view of, const Target& target, double value) {
  return {
      {"name", name},
      {"of", of},
      {"value", rounded(value, 1000)},
      {target.sense == Target::Sense::kAtMost ? "at_most" : "at_least", target.limit},
      {"ratio", target.limit == 0 ? nlohmann::json() : nlohmann::json(rounded(value / target.limit, 1000))},
      {"met", target.met_by(value)},
      {"limited_by", target.limited_by}};
}

/// Calls back for every figure of a series that has a target.
template <class Visit>
void for_each_target(const Series& series, Visit&& visit) {
  if (series.p50_target) visit("p50", "p50_us", *series.p50_target, series.p50_us, " µs");
  if (series.p99_target) visit("p99", "p99_us", *series.p99_target, series.p99_us, " µs");
  if (series.per_s_target) visit("", "per_s", *series.per_s_target, series.per_s, "/s");
}

/// What can be compared: the key it has in the JSON, and the figure.
using Values = std::vector<std::pair<std::string_view, double>>;

Values values_of(const Series& series) {
  return {{"p50_us", series.p50_us}, {"p99_us", series.p99_us}, {"per_s", series.per_s}};
}
Values values_of(const Figure& figure) {
  return {{"value", figure.value}};
}

/// `   against: p50_us 0.93×, per_s 1.05×`, or nothing.
std::string ratios(const Earlier& earlier, std::string_view name, int sessions, const Values& values) {
  std::string text;
  for (const auto& [of, now] : values) {
    const auto ratio = earlier.ratio(name, sessions, of, now);
    if (!ratio) continue;
    text += fmt::format("{}{}{}{:.2f}×", text.empty() ? "   against: " : ", ", of == "value" ? "" : of,
                        of == "value" ? "" : " ", *ratio);
  }
  return text;
}

void add_ratios(nlohmann::json& to, const Earlier& earlier, std::string_view name, int sessions,
                const Values& values) {
  for (const auto& [of, now] : values) {
    if (const auto ratio = earlier.ratio(name, sessions, of, now))
      to["against"][std::string(of)] = rounded(*ratio, 1000);
  }
}

/// The targets, a line each, with what limits the figure.
std::string table_of(const nlohmann::json& targets) {
  std::string text =
      fmt::format("\n{:<38} {:>10} {:>11}  {:<8} {}\n", "targets", "figure", "target", "", "what limits it");
  for (const auto& one : targets) {
    const bool at_most = one.contains("at_most");
    std::string name = fmt::format("{} {}", one.at("name").get_ref<const std::string&>(),
                                   one.at("of").get_ref<const std::string&>());
    if (one.contains("sessions")) name += fmt::format(" ({})", one.at("sessions").get<int>());
    text += fmt::format(
        "{:<38} {:>10} {:>11}  {:<8} {}\n", name, amount(one.at("value").get<double>()),
        (at_most ? "≤ " : "≥ ") + amount(one.at(at_most ? "at_most" : "at_least").get<double>()),
        one.at("met").get<bool>() ? "met" : "NOT MET", one.at("limited_by").get_ref<const std::string&>());
  }
  return text;
}

constexpr std::string_view kHeading =
    "what                     sessions    p50 µs     p99 µs           /s   targets\n";

}  // namespace

std::string line_of(const Series& series) {
  std::string targets;
  for_each_target(series, [&](std::string_view of, std::string_view, const Target& target, double value,
                              std::string_view unit) {
    targets += (targets.empty() ? "   " : "; ") + verdict(of, target, value, unit);
  });
  return fmt::format("{:<24} {:>8} {:>9.1f} {:>10.1f} {:>12}{}", series.name, series.sessions, series.p50_us,
                     series.p99_us, grouped(series.per_s), targets);
}

std::string line_of(const Figure& figure) {
  std::string line = fmt::format("{:<24} {:>8} {}", figure.name, amount(figure.value), figure.unit);
  if (figure.target) line += "   " + verdict("", *figure.target, figure.value, " " + figure.unit);
  if (!figure.remark.empty()) line += "   " + figure.remark;
  return line;
}

void Report::begin(std::string_view benchmark, std::string_view does) {
  if (!as_json_) command::print(fmt::format("{}: {}\n", benchmark, does));
  wants_heading_ = true;
}

void Report::add(const Series& series) {
  series_.push_back(series);
  if (as_json_) return;
  if (wants_heading_) command::print(kHeading);
  wants_heading_ = false;
  command::print(line_of(series) + ratios(earlier_, series.name, series.sessions, values_of(series)) + "\n");
}

void Report::add(const Figure& figure) {
  figures_.push_back(figure);
  if (as_json_) return;
  command::print(line_of(figure) + ratios(earlier_, figure.name, 0, values_of(figure)) + "\n");
}

void Report::tell(const std::string& text) const {
  if (!as_json_) command::print(text);
}

void Report::end() const {
  const nlohmann::json all = to_json();
  if (as_json_) {
    command::print(all.dump(2) + "\n");
  } else if (!all.at("targets").empty()) {
    command::print(table_of(all.at("targets")));
  }
}

nlohmann::json Report::to_json() const {
  auto results = nlohmann::json::array();
  auto figures = nlohmann::json::array();
  auto targets = nlohmann::json::array();
  for (const auto& one : series_) {
    results.push_back({{"name", one.name},
                       {"sessions", one.sessions},
                       {"p50_us", rounded(one.p50_us, 1000)},
                       {"p99_us", rounded(one.p99_us, 1000)},
                       {"per_s", rounded(one.per_s, 10)}});
    add_ratios(results.back(), earlier_, one.name, one.sessions, values_of(one));
    for_each_target(one, [&](std::string_view, std::string_view of, const Target& target, double value,
                             std::string_view) {
      targets.push_back(verdict_json(one.name, of, target, value));
      targets.back()["sessions"] = one.sessions;
    });
  }
  for (const auto& one : figures_) {
    figures.push_back({{"name", one.name}, {"value", rounded(one.value, 1000)}, {"unit", one.unit}});
    add_ratios(figures.back(), earlier_, one.name, 0, values_of(one));
    if (one.target) targets.push_back(verdict_json(one.name, "value", *one.target, one.value));
  }
  return {{"results", std::move(results)}, {"figures", std::move(figures)}, {"targets", std::move(targets)}};
}

}  // namespace parley::bench
