#include "earlier.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace parley::bench {

using Json = nlohmann::json;

Earlier::Earlier(const std::string& file) {
  std::ifstream in(file);
  const Json report = Json::parse(in, nullptr, false);
  const auto wrong = [&file](const char* what) {
    return std::runtime_error(
        fmt::format("{}: {}; --against wants what `tools/bench … --json` printed", file, what));
  };
  if (!in.is_open()) throw wrong("can't be read");
  if (!report.is_object()) throw wrong("is no JSON object");
  for (const char* list : {"results", "figures"}) {
    if (!report.contains(list) || !report.at(list).is_array()) throw wrong("lacks its figures");
    for (const Json& one : report.at(list)) {
      if (!one.is_object() || !one.contains("name") || !one.at("name").is_string())
        throw wrong("has a figure without a name");
      auto& known = figures_[{one.at("name").get<std::string>(), one.value("sessions", 0)}];
      for (const auto& [key, value] : one.items()) {
        if (value.is_number()) known[key] = value.get<double>();
      }
    }
  }
}

std::optional<double> Earlier::ratio(std::string_view name, int sessions, std::string_view of,
                                     double now) const {
  const auto measured = figures_.find({std::string(name), sessions});
  if (measured == figures_.end()) return std::nullopt;
  const auto then = measured->second.find(of);
  if (then == measured->second.end() || then->second == 0) return std::nullopt;
  return now / then->second;
}

}  // namespace parley::bench
