#include "isolation.hpp"

#include <string>

#include "prepared.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr const char* kPlaced = "date_time.parley";

Series turns_of(const char* placement, const Options& options) {
  const std::string name = std::string("in_") + placement;
  const Waiting waiting("turns of a skill placed '" + std::string(placement) + "'");
  const auto assistant =
      make_assistant({std::string("skills.options.") + kPlaced + ".placement=" + placement});
  start(*assistant);
  return measure(*assistant, Talk(name, "what time is it in tokyo", kPlaced), 1, options);
}

}  // namespace

void isolation(const Options& options, Report& report) {
  const Series here = turns_of("here", options);
  const Series process = turns_of("process", options);
  report.add(here);
  report.add(process);
  Figure more("more", process.p50_us - here.p50_us, "us");
  more.remark = "that the median turn takes in a child";
  more.target = Target::at_most(60, "two wake-ups of another process, and JSON of the messages");
  report.add(more);
}

}  // namespace parley::bench
