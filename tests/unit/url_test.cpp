#include "net/url.hpp"

#include <doctest/doctest.h>

using namespace parley::net;

TEST_CASE("gateway targets: path and fields are decoded, the last field of a name counts") {
  const auto target = parse_target("/v1/explain/?text=wie%20sp%C3%A4t+ist+es&lang=en&lang=de-AT&empty&=x");
  REQUIRE(target);
  CHECK(target->path == "/v1/explain");
  CHECK(target->field("text") == "wie spät ist es");
  CHECK(target->field("lang") == "de-AT");
  CHECK(target->field("empty").empty());
  CHECK(target->fields.size() == 3);
}

// What Boost.URL refuses: curl sends its user's letters as they are.
TEST_CASE("gateway targets: letters beyond ASCII may come as they were typed") {
  const auto target = parse_target("/core?session=küche&topics=a,b.*");
  REQUIRE(target);
  CHECK(target->field("session") == "küche");
  CHECK(target->field("topics") == "a,b.*");
}

TEST_CASE("gateway targets: broken and dangerous encodings are refused") {
  for (const char* const text : {"/a%2", "/a%zz", "/a?x=%", "/a%00b", "/a?x=%0a", "a", "", "*", "http://x/"})
    CHECK_FALSE_MESSAGE(parse_target(text), text);
}
