#include "corrected.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test_reader.hpp"

using parley::follow_up::corrected;
using parley::follow_up::follow_up_words;
using CorrectedTexts = std::vector<std::string>;

TEST_CASE("corrected: what is said last holds, in the sentence it corrects") {
  const auto meant = [](const char* said, const char* lang = "en-US") {
    return corrected(said, parley::words(said, lang), follow_up_words(), lang);
  };
  CHECK(meant("fifty minus seventy no sorry fifty minus seventeen") ==
        CorrectedTexts{"fifty minus seventeen"});
  CHECK(meant("the capital of Peru, no wait, of Chile please") ==
        CorrectedTexts{"the capital of Chile", "of Chile"});
  CHECK(meant("set a timer for ten, I mean fifteen minutes") ==
        CorrectedTexts{"set a timer for fifteen minutes", "fifteen minutes"});
  CHECK(meant("call it jam, no sorry I mean honey") == CorrectedTexts{"honey"});
  CHECK(meant("die Hälfte von 356, nein warte, von 358", "de-DE") ==
        CorrectedTexts{"die Hälfte von 358", "von 358"});
}

TEST_CASE("corrected: nothing, where nothing is corrected or nothing is said instead") {
  const auto is_none = [](const char* said) {
    return corrected(said, parley::words(said, "en-US"), follow_up_words(), "en-US").empty();
  };
  CHECK(is_none("fifty minus seventeen"));
  CHECK(is_none("no sorry"));
  CHECK(is_none("no sorry, ten minutes"));
  CHECK(is_none("ten minutes no sorry"));
  CHECK(is_none(""));
}
