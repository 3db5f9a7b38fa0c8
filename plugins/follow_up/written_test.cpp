#include "written.hpp"

#include <doctest/doctest.h>

#include "test_reader.hpp"

using parley::follow_up::as_written;
using parley::follow_up::follow_up_words;

TEST_CASE("written: what is spoken otherwise is put as it is written, the rest stays as it was said") {
  const auto german = [](const char* said) { return as_written(said, follow_up_words(), "de-AT"); };
  CHECK(german("Wia spät is' es, bitte?") == "wie spät ist' es, bitte?");
  CHECK(german("wieviel is 17 mal 23") == "wie viel ist 17 mal 23");
  CHECK(german("Wie spät ist es?") == "Wie spät ist es?");
  CHECK(german("") == "");
  CHECK(as_written("I wanna go", follow_up_words(), "en-US") == "I want to go");
  CHECK(as_written("wia is es", follow_up_words(), "en-US") == "wia is es");
  CHECK(as_written("wia is es", follow_up_words(), "xx") == "wia is es");
}
