#include <doctest/doctest.h>
#include <sys/stat.h>

#include <parley/language.hpp>

#include "support/temporary_folder.hpp"

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

TEST_CASE("language tags: what came from outside is a tag of bounded length, or nothing") {
  CHECK(tag_or_nothing("de-AT") == "de-AT");
  for (const std::string& bad :
       std::vector<std::string>{"", "../../etc/passwd", "en/../de", "e", "en-US\n", "en US"}) {
    CAPTURE(bad);
    CHECK(tag_or_nothing(bad).empty());
  }
  CHECK(tag_or_nothing(std::string("en\0.yaml", 8)).empty());
  std::string long_one = "en";
  for (int i = 0; i < 20; ++i) long_one += "-abcd";
  CHECK(tag_or_nothing(long_one).empty());
}

TEST_CASE("language files: found among what is there, regular files only; a tag never becomes a path") {
  const testing::TemporaryFolder folder;
  const auto german = folder.write("data/de.yaml", "x");
  folder.write("outside.yaml", "x");
  REQUIRE(::mkfifo((folder.path() / "data/fr.yaml").c_str(), 0600) == 0);
  const auto data = folder.path() / "data";
  CHECK(language_file(data, "de-AT", ".yaml") == german);
  CHECK(language_file(data, "DE", ".yaml") == german);
  CHECK_FALSE(language_file(data, "de", ".txt"));
  for (const std::string& tag : {std::string("fr-FR"), std::string("../outside"), std::string("it"),
                                 std::string(), std::string("de\0", 3), std::string("de.yaml\0x", 9)}) {
    CAPTURE(tag);
    CHECK_FALSE(language_file(data, tag, ".yaml"));
  }
  CHECK_FALSE(language_file(folder.path() / "nowhere", "de", ".yaml"));
}
