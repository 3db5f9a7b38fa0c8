#pragma once

#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <string_view>

namespace parley::reminder {

/// A day of every month, as said within a text, and the other words.
struct Monthly {
  unsigned day = 0;  ///< 1 to 31.
  std::string rest;  ///< "Pay the rent at nine". May be empty.
};

/// Finds "on the first of every month", "every month on the 15th", "every 1st of the month".
/// @param locale  its vocabularies `every_month`, `of_month`, `each`, `month_day` and `month_last` are the
/// words
std::optional<Monthly> find_monthly(std::string_view text, std::string_view lang,
                                    const LocaleResources& locale);

}  // namespace parley::reminder
