#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parley::bench {

/// The figures of an earlier run, to compare with.
class Earlier {
 public:
  Earlier() = default;
  /// @param file  what `--json` printed
  /// @throws std::runtime_error that names the file and what is wrong with it
  explicit Earlier(const std::string& file);

  /// `now` as a multiple of what it was then; nothing where it was not measured, or was zero.
  /// @param of  a key of the JSON: "p50_us", "per_s", …; "value" of a single figure
  std::optional<double> ratio(std::string_view name, int sessions, std::string_view of, double now) const;

 private:
  using Key = std::pair<std::string, int>;
  std::map<Key, std::map<std::string, double, std::less<>>> figures_;
};

}  // namespace parley::bench
