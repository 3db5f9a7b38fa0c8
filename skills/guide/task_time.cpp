#include <cstdint>

#include "task_file.hpp"

namespace parley::guide {

std::optional<std::chrono::seconds> task_time(std::string_view text) {
  using std::chrono::seconds;
  constexpr std::int64_t most = 60LL * 86'400;
  std::int64_t sum = 0;
  bool any = false;
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  for (skip(); at < text.size(); skip()) {
    std::int64_t number = 0;
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 6)
      number = number * 10 + (text[at++] - '0');
    if (at == from) return std::nullopt;
    skip();
    const std::size_t unit = at;
    while (at < text.size() && text[at] >= 'a' && text[at] <= 'z') ++at;
    const std::string_view word = text.substr(unit, at - unit);
    const std::int64_t each = word == "s" || word == "sec" ? 1
                              : word == "min"              ? 60
                              : word == "h"                ? 3600
                              : word == "d"                ? 86'400
                                                           : 0;
    if (each == 0) return std::nullopt;
    sum += number * each;
    any = true;
  }
  if (!any || sum <= 0 || sum > most) return std::nullopt;
  return seconds(sum);
}

}  // namespace parley::guide
