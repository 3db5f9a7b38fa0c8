#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// A moment as RFC 3339 in UTC with milliseconds: "2026-11-23T07:30:00.000Z".
/// @param milliseconds  Unix time, from 0 on and before the year 10000
std::string to_rfc3339(std::int64_t milliseconds);

/// Unix milliseconds of such a text; the fraction may be missing or longer, and the zone may be `Z` or an
/// offset such as `+01:00`. Nothing: it is none, or it is before 1970.
std::optional<std::int64_t> from_rfc3339(std::string_view text);

}  // namespace parley
