#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::date_time {

/// When a zone is ahead of or behind UTC by how much.
class ZoneRules {
 public:
  ZoneRules() = default;
  ZoneRules(const ZoneRules&) = delete;
  ZoneRules& operator=(const ZoneRules&) = delete;
  virtual ~ZoneRules() = default;
  /// @return how far local time is ahead of UTC at that moment; negative west of Greenwich.
  virtual std::chrono::seconds offset_at(std::chrono::sys_seconds moment) const = 0;
};

/// Rules from the bytes of a compiled zone file (TZif, version 2 or later).
/// @return nothing when the bytes are no such file or contradict themselves
std::shared_ptr<const ZoneRules> parse_tzif(std::string_view bytes);

/// A time zone. A cheap, immutable value; copies share the rules and may be used from any thread.
///
/// The rules come from the operating system's zone files, which get updates when governments change
/// their minds; ICU's own copy, frozen when ICU was packaged, only answers where there is no such file.
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
  /// The calendar day there.
  std::chrono::local_days today(std::chrono::system_clock::time_point moment) const;

 private:
  Zone(std::string id, std::shared_ptr<const ZoneRules> rules);

  std::string id_;
  std::shared_ptr<const ZoneRules> rules_;
};

}  // namespace parley::date_time
