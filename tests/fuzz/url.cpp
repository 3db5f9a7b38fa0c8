// What stands in the first lines of an HTTP request.
#include "net/url.hpp"

#include "net/topic_filter.hpp"
#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;
using namespace parley::net;

void parley::testing::fuzz(std::string_view input) {
  FuzzInput parts(input);
  if (const auto target = parse_target(parts.line())) {
    for (const auto& [name, value] : target->fields) {
      for (const char byte : name + value) PARLEY_FUZZ_CHECK(static_cast<unsigned char>(byte) >= 0x20);
    }
    if (const auto filter = TopicFilter::parse(target->field("topics"), target->field("session"))) {
      static_cast<void>(filter->wants_topic("ovos.utterance.speak"));
      static_cast<void>(filter->wants_session(Message("a.topic")));
    }
  }
  const std::string origin(parts.line());
  const std::string host(parts.line());
  PARLEY_FUZZ_CHECK(is_origin_allowed(origin, host, {origin}) || origin.empty() || origin == "null");
  static_cast<void>(is_origin_allowed(origin, host, {}));
}
