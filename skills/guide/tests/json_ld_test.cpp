#include "json_ld.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace parley::guide;

namespace {

TaskMap only_task(const std::string& json) {
  const auto read = import_json_ld(json, "my/Some Soup.json", "en");
  for (const auto& fault : read.faults) FAIL_CHECK(fault);
  REQUIRE(read.tasks.size() == 1);
  return read.tasks.front();
}

}  // namespace

TEST_CASE("json-ld: a recipe is a task") {
  const TaskMap task =
      only_task(R"({"@context": "https://schema.org", "@type": "Recipe", "name": "Soup &amp; bread",
    "description": "Warm.", "recipeYield": ["4", "4 servings"], "prepTime": "PT10M", "cookTime": "PT1H",
    "recipeIngredient": ["200 g carrots", "1 1/2 cups water", "salt", "salt"], "tool": ["pot"], "keywords": "quick",
    "image": {"@type": "ImageObject", "url": "https://x.example/soup.jpg"}, "inLanguage": "en-GB",
    "recipeInstructions": [{"@type": "HowToStep", "text": "Chop the carrots."}, {"@type": "HowToStep", "text": "Boil."}]})");
  CHECK(task.id == "some-soup");
  CHECK(task.title == "Soup & bread");
  CHECK(task.lang == "en-GB");
  CHECK(task.serves == 4);
  CHECK(task.time == std::chrono::minutes(70));
  REQUIRE(task.requirements.size() == 4);
  CHECK(task.requirements[0].amount == "200");
  CHECK(task.requirements[0].name == "g carrots");
  CHECK(task.requirements[1].amount == "1 1/2");
  CHECK(task.requirements[3].tool);
  CHECK(task.picture == "https://x.example/soup.jpg");
  CHECK(task.steps.size() == 2);
  CHECK(task.order.size() == 2);
}

TEST_CASE("json-ld: sections, steps as HTML and one long text are steps") {
  CHECK(
      only_task(
          R"({"@type": ["HowTo", "Thing"], "name": "Fix it", "step": [{"@type": "HowToSection", "name": "First",
    "itemListElement": [{"@type": "HowToStep", "text": "A."}, {"@type": "HowToStep", "name": "B."}]}, "C."]})")
          .steps.size() == 3);
  const TaskMap html = only_task(R"({"@type": "Recipe", "name": "Tea",
    "recipeInstructions": "<ol><li>Boil&nbsp;water.</li><li>Pour {it}.</li></ol>"})");
  REQUIRE(html.steps.size() == 2);
  CHECK(html.steps[0].say == "Boil water.");
  CHECK(html.steps[1].say == "Pour (it).");
  CHECK(only_task(
            R"({"@type": "http://schema.org/Recipe", "name": "Tea", "recipeInstructions": "Boil.\nPour."})")
            .steps.size() == 2);
}

TEST_CASE("json-ld: a saved page has it inside, also below @graph") {
  const TaskMap task = only_task(
      "<!doctype html><html><head><script type=\"application/ld+json\">{\"@graph\": [{\"@type\": "
      "\"WebPage\"}, "
      "{\"@type\": \"Recipe\", \"name\": \"Tea\", \"recipeInstructions\": "
      "[\"Boil.\"]}]}</script></head></html>");
  CHECK(task.title == "Tea");
}

TEST_CASE("json-ld: what pages have for JSON is read, too") {
  const auto page = [](const std::string& json) {
    return "<html><script type=\"application/ld+json\">" + json + "</script></html>";
  };
  const std::string tea = R"("@type": "Recipe", "name": "Tea")";
  for (const std::string& json : {"// <![CDATA[\n{" + tea + R"(, "recipeInstructions": "Boil."}// ]]>)",
                                  "{" + tea + R"(, "recipeInstructions": ["Boil.",],};)",
                                  "{" + tea + ", \"recipeInstructions\": \"\r\nBoil.\t\"}",
                                  "{" + tea + R"(, "recipeInstructions": "Boil\."})"}) {
    const TaskMap task = only_task(page(json));
    REQUIRE(task.steps.size() == 1);
    CHECK(task.steps[0].say == "Boil.");
  }
  // What is no recipe needs not be readable.
  CHECK(only_task(page("{" + tea + R"(, "recipeInstructions": "Boil."})") + page("{broken")).title == "Tea");
  for (const char* const json : {"", "{", "}{", "{\"\\", "[\"\\\"]"})
    CHECK(import_json_ld(page(json), "a.html", "en").tasks.empty());
}

TEST_CASE("json-ld: what can't be used is told with the reason") {
  for (const auto& [text, why] : {std::pair<const char*, const char*>{"{", "can't be read"},
                                  {"{}", "there is no schema.org/Recipe"},
                                  {"<html></html>", "there is no schema.org/Recipe"},
                                  {R"({"@type": "Recipe", "name": "Tea"})", "'Tea' has no steps"},
                                  {R"({"@type": "Recipe", "recipeInstructions": "Boil."})", "has no name"}}) {
    const auto read = import_json_ld(text, "a.json", "en");
    CHECK(read.tasks.empty());
    REQUIRE(read.faults.size() == 1);
    CHECK_MESSAGE(read.faults.front().find(why) != std::string::npos, read.faults.front());
  }
}

TEST_CASE("json-ld: durations are ISO 8601") {
  CHECK(iso_duration("PT1H30M") == std::chrono::minutes(90));
  CHECK(iso_duration("P0DT20M") == std::chrono::minutes(20));
  for (const char* const wrong : {"", "P", "PT", "20 min", "PT0M", "PTxM"}) CHECK_FALSE(iso_duration(wrong));
}
