#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

class ZoneRules;

/// A time zone. A cheap, immutable value; copies share the rules and may be used from any thread.
///
/// The rules come from the operating system's zone files, which are updated when governments change them.
/// ICU's own copy, as old as ICU's package, only answers where there is no such file.
class Zone {
 public:
  /// @param id  an IANA name such as "Asia/Tokyo" or "UTC"; case counts
  /// @param files  folder of compiled zone files
  /// @return nothing when neither the system nor ICU knows the name, or it is no name at all
  static std::optional<Zone> named(std::string_view id,
                                   const std::filesystem::path& files = "/usr/share/zoneinfo");

  const std::string& id() const noexcept { return id_; }
  /// The wall clock and calendar there, in whole seconds.
  std::chrono::local_seconds local(std::chrono::system_clock::time_point moment) const;
  /// The moment when clocks there show that. When clocks go back and show it twice: the first one. When they
  /// skip it: as much later as they go forward.
  std::chrono::system_clock::time_point moment(std::chrono::local_seconds local) const;
  /// The calendar day there.
  std::chrono::local_days today(std::chrono::system_clock::time_point moment) const;

 private:
  Zone(std::string id, std::shared_ptr<const ZoneRules> rules);

  std::string id_;
  std::shared_ptr<const ZoneRules> rules_;
};

}  // namespace parley
