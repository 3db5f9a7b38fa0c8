#include "language/zone_names.hpp"

#include <unicode/strenum.h>

#include "language/icu.hpp"

namespace parley {

std::string zone_here(const std::string& configured) {
  if (!configured.empty()) return configured;
  const std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::detectHostTimeZone());
  icu::UnicodeString id;
  const std::string name = from_icu::utf8(zone->getID(id));
  return name.empty() || name == "Etc/Unknown" ? "UTC" : name;
}

bool is_known_zone(std::string_view name) {
  return from_icu::zone(name) != nullptr;
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::StringEnumeration> all(icu::TimeZone::createTimeZoneIDEnumeration(
      UCAL_ZONE_TYPE_CANONICAL_LOCATION, nullptr, nullptr, status));
  if (U_FAILURE(status) != 0 || all == nullptr) return names;
  while (const char* const name = all->next(nullptr, status)) names.emplace_back(name);
  return names;
}

}  // namespace parley
