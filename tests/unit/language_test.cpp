#include <doctest/doctest.h>
#include <parley/language.hpp>

using namespace parley;

namespace {

std::string closest(std::string_view wanted, const std::vector<std::string>& available) {
  return closest_language(wanted, available).value_or("none");
}

}  // namespace

TEST_CASE("L-2 language tags: compare without regard to case, and nothing else") {
  CHECK(same_language("en-US", "EN-us"));
  CHECK(same_language("zh-Hans-CN", "zh-hans-cn"));
  CHECK_FALSE(same_language("en-US", "en-GB"));
  CHECK_FALSE(same_language("en", "en-US"));
  CHECK(same_language("", ""));
}

TEST_CASE("language tags: the primary language is the first subtag in lower case") {
  CHECK(primary_language("DE-at") == "de");
  CHECK(primary_language("fr") == "fr");
  CHECK(primary_language("").empty());
}

TEST_CASE("language tags: what has the shape of one") {
  for (const char* good : {"en", "en-US", "zh-Hans-CN", "ast", "de-1996"}) {
    CAPTURE(good);
    CHECK(is_language_tag(good));
  }
  for (const char* bad :
       {"", "e", "-en", "en-", "en--US", "en_US", "dialogs-are-toolongsubtag", "en US", "x1", "日本"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_language_tag(bad));
  }
}

TEST_CASE("closest language: the same tag wins over any other") {
  CHECK(closest("en-us", {"en", "en-GB", "en-US"}) == "en-US");
}

TEST_CASE("closest language: else the same primary language, most shared subtags first, then the shortest") {
  CHECK(closest("de-AT", {"en-US", "de-DE"}) == "de-DE");
  CHECK(closest("zh-Hans-CN", {"zh-Hant", "zh-Hans"}) == "zh-Hans");
  CHECK(closest("en-AU", {"en-GB", "en"}) == "en");
  CHECK(closest("en-AU", {"en-GB", "en-US"}) == "en-GB");
}

TEST_CASE("closest language: none when nothing shares the primary language") {
  CHECK(closest("fr-FR", {"en-US", "de-DE"}) == "none");
  CHECK(closest("en-US", {}) == "none");
  CHECK(closest("", {"en-US"}) == "none");
  CHECK(closest("e", {"en-US"}) == "none");
}
