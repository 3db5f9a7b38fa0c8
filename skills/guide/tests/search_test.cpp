#include "search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "task_file.hpp"

using namespace parley::guide;

namespace {

/// The tasks of the tests in one language, ready to be searched.
struct Found {
  explicit Found(const std::string& lang) : how(PARLEY_GUIDE_FOLDER "/data/search", lang) {
    for (const auto& file :
         std::filesystem::directory_iterator(PARLEY_GUIDE_FOLDER "/tests/tasks/" + lang.substr(0, 2)))
      tasks.push_back(*read_task(file.path(), lang).task);
    std::sort(tasks.begin(), tasks.end(), [](const TaskMap& a, const TaskMap& b) { return a.id < b.id; });
    search = std::make_unique<Search>(tasks, how);
  }
  std::vector<std::string> ids(const std::string& said, std::optional<Domain> domain = std::nullopt) const {
    std::vector<std::string> found;
    for (const auto& hit : search->find(said, domain)) found.push_back(tasks[hit.task].id);
    return found;
  }
  SearchWords how;
  std::vector<TaskMap> tasks;
  std::unique_ptr<Search> search;
};

const Found& english() {
  static const Found made("en-US");
  return made;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("search: titles, tags and requirements are found, in whatever form they are said") {
  CHECK(english().ids("carbonara") == Ids{"carbonara"});
  CHECK(english().ids("dripping taps") == Ids{"dripping-tap"});
  CHECK(english().ids("italian") == Ids{"carbonara"});
  CHECK(english().ids("bananas") == Ids{"banana-smoothie"});
}

TEST_CASE("search: synonyms and slips of the keyboard find what is meant") {
  CHECK(english().ids("faucet") == Ids{"dripping-tap"});
  CHECK(english().ids("carbonrra") == Ids{"carbonara"});
  CHECK(english().ids("smoothei") == Ids{"banana-smoothie"});
  CHECK(english().ids("noodles").size() == 2);
}

TEST_CASE("search: what is named is above what is only needed or done") {
  const auto hits = english().search->find("pasta", std::nullopt);
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].named);
  CHECK(english().search->find("bacon", std::nullopt).front().named == false);
}

TEST_CASE("search: quick, vegetarian, without, a time and people are filters, not words") {
  CHECK(english().ids("quick pasta") == Ids{"carbonara"});
  CHECK(english().ids("vegetarian pasta") == Ids{"tomato-pasta"});
  CHECK(english().ids("pasta without bacon") == Ids{"tomato-pasta"});
  CHECK(english().ids("pasta in under half an hour") == Ids{"carbonara"});
  CHECK(english().ids("pasta for two people").size() == 2);
  CHECK(english().how.read("pasta for two people").filters.serves == 2);
  CHECK(english().how.read("pasta for two people").stems.size() == 1);
  CHECK(english().ids("something quick", Domain::kCooking) == Ids{"banana-smoothie", "carbonara"});
}

TEST_CASE("search: nothing is found where nothing fits") {
  for (const std::string said : {"", "?!", "flurb the grommet", "the capital of france", "what time is it",
                                 "turn on the light", "who wrote hamlet", "motorway", "set an alarm"}) {
    CHECK_MESSAGE(english().ids(said).empty(), said);
  }
}

TEST_CASE("search: a domain keeps the others out") {
  CHECK(english().ids("carbonara", Domain::kDiy).empty());
  CHECK(english().ids("shelf", Domain::kDiy) == Ids{"shelf"});
}

TEST_CASE("search: German has its own stems, synonyms and filters") {
  const Found german("de-DE");
  CHECK(german.ids("Nudeln") == Ids{"carbonara"});
  CHECK(german.ids("eine vegane Suppe") == Ids{"tomatensuppe"});
  CHECK(german.ids("was ohne Speck mit Tomaten") == Ids{"tomatensuppe"});
}

TEST_CASE("search: a story is about the task that two of its words name") {
  const auto told = [](const std::string& said) {
    const auto task = english().search->told_of(said, "");
    return task ? english().tasks[*task].id : std::string();
  };
  CHECK(told("the tap in the bathroom keeps dripping, it drives me mad") == "dripping-tap");
  CHECK(told("there was a tap on my shoulder").empty());
  CHECK(told("it was a lovely day").empty());
  CHECK(english().search->told_of("the bathroom tap is dripping", "dripping"));
}
