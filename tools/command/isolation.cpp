#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "child/probe.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace parley::command {

int check_isolation() {
  const auto all = child::probe_limits();
  const Paint paint(wants_colour(STDOUT_FILENO));
  std::string out;
  for (const auto& one : all)
    out += fmt::format("{:<11} {}\n", one.limit,
                       one.holds ? paint.green("holds") + " (" + one.how + ")"
                                 : paint.yellow("does not hold") + ": " + one_line(one.how));
  print(out);
  const bool any = std::any_of(all.begin(), all.end(), [](const auto& one) { return !one.holds; });
  return any ? kDiffers : kGood;
}

}  // namespace parley::command
