#pragma once

#include <chrono>
#include <memory>
#include <string_view>

namespace parley {

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

}  // namespace parley
