#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "library.hpp"
#include "support/temporary_folder.hpp"
#include "task_cache.hpp"
#include "task_file.hpp"
#include "task_lint.hpp"

using namespace parley::guide;

namespace {

TaskFile task_of(const std::string& yaml) {
  const parley::testing::TemporaryFolder folder;
  return read_task(folder.write("a-task.yaml", yaml), "en-US");
}

/// A task of two steps with `more` behind it.
std::string plain(const std::string& steps, const std::string& more = "") {
  return "title: Tea\ndomain: diy\ncategory: paper\nsummary: Hot.\ntime: 10 min\n"
         "requirements: [{name: cup, tool: true}]\nsteps:\n" +
         steps + more;
}

bool has_fault(const std::vector<std::string>& faults, const std::string& part) {
  return std::any_of(faults.begin(), faults.end(),
                     [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

std::vector<std::string> faults_of(const std::string& yaml) {
  return task_of(yaml).faults;
}

}  // namespace

TEST_CASE("tasks: a file in the documented form is read whole") {
  const auto read = read_task(PARLEY_GUIDE_FOLDER "/tests/tasks/en/carbonara.yaml", "en-US");
  for (const auto& fault : read.faults) FAIL_CHECK(fault);
  REQUIRE(read.task);
  const TaskMap& task = *read.task;
  CHECK(task.id == "carbonara");
  CHECK(task.time == std::chrono::minutes(25));
  CHECK(task.serves == 2);
  REQUIRE(task.requirements.size() == 6);
  CHECK(task.requirements[1].substitutes.front().note == "Blend it until smooth first.");
  CHECK(task.requirements[5].tool);
  CHECK(task.steps[1].timer);
  CHECK(task.order.size() == task.steps.size());
  CHECK(task.tips.size() == 1);
}

TEST_CASE("tasks: all faults of a file are told at once, each with its line and column") {
  const auto faults = faults_of(
      "title: Tea\ndomain: chess\ntime: soon\nserves: none\nrequirements:\n  - {name: cup}\n  - {name: cup}\n"
      "colour: red\nsteps:\n  - say: Go.\n    timer: true\n    picture: here\n");
  CHECK(has_fault(faults, "a-task.yaml:1:1: 'category' is missing"));
  CHECK(has_fault(faults, "a-task.yaml:2:9: 'domain' is 'chess'; expected cooking or diy"));
  CHECK(has_fault(faults, "a-task.yaml:3:7: 'time' is 'soon'; expected a time such as"));
  CHECK(has_fault(faults, "a-task.yaml:4:9: 'serves' must be a number of people"));
  CHECK(has_fault(faults, "a-task.yaml:7:12: 'cup' is required twice"));
  CHECK(has_fault(faults, "a-task.yaml:8:1: a task has no 'colour'; it may have title"));
  CHECK(has_fault(faults, "a-task.yaml:11:12: a step with 'timer: true' must have a 'time'"));
  CHECK(has_fault(faults, "a-task.yaml:12:14: 'picture' must begin with"));
}

TEST_CASE("tasks: what is no YAML, no map or no file is told, too") {
  CHECK(has_fault(faults_of("title: [\n"), "a-task.yaml:2:"));
  CHECK(has_fault(faults_of("just text"), "a task must be a map"));
  CHECK(has_fault(read_task("/nowhere/a.yaml", "en").faults, "/nowhere/a.yaml: "));
  CHECK(has_fault(faults_of(plain("  []\n")), "'steps' must be a list of 1 to"));
}

TEST_CASE("tasks: names that nobody has are faults") {
  CHECK(has_fault(faults_of(plain("  - {say: Go., needs: [spoon]}\n")), "'needs' names 'spoon'"));
  CHECK(has_fault(faults_of(plain("  - say: Take {spoon}.\n")), "{spoon} is not the name of a requirement"));
  CHECK(has_fault(faults_of(plain("  - {say: Go., after: tea}\n")), "'after' names 'tea'"));
  CHECK(has_fault(faults_of(plain("  - {say: Go., when: rich}\n")), "'when' names 'rich'"));
  CHECK(has_fault(faults_of(plain("  - say: Go.\n", "conditions: {rich: {ask: 'Rich?'}}\n")),
                  "no step needs the condition 'rich'"));
}

TEST_CASE("tasks: steps that wait for each other are told by their names") {
  const auto faults = faults_of(plain(
      "  - {id: a, say: A., after: c}\n  - {id: b, say: B., after: a}\n  - {id: c, say: C., after: b}\n"));
  REQUIRE(faults.size() == 1);
  CHECK(has_fault(faults, "a-task.yaml:8:5: the steps wait for each other: a, c, b"));
}

TEST_CASE("tasks: a step that no answers lead to is a fault") {
  const auto faults =
      faults_of(plain("  - {id: a, say: A., when: {all: [x, {not: x}]}}\n  - {id: b, say: B., when: x}\n"
                      "  - {id: c, say: C., after: {any: [a]}}\n",
                      "conditions: {x: {ask: 'X?'}}\n"));
  CHECK(faults.size() == 2);
  CHECK(has_fault(faults, ":8:5: no answers lead to this step"));
  CHECK(has_fault(faults, ":10:5: no answers lead to this step"));
}

TEST_CASE("tasks: answers decide which steps are on the way, and 'any' follows whichever is") {
  const auto read = read_task(PARLEY_GUIDE_FOLDER "/tests/tasks/en/carbonara.yaml", "en-US");
  REQUIRE(read.task);
  const TaskMap& task = *read.task;
  CHECK(task.on_the_way(3, {{"has_blender", true}}));
  CHECK_FALSE(task.on_the_way(4, {{"has_blender", true}}));
  CHECK_FALSE(task.on_the_way(3, {}));
  CHECK(task.on_the_way(4, {}));
  CHECK(task.on_the_way(5, {}));
  CHECK(task.open_conditions(3, {}) == std::vector<std::string>{"has_blender"});
  CHECK(task.open_conditions(3, {{"has_blender", false}}).empty());
}

TEST_CASE("tasks: steps are put in the order of what comes before what, else of the file") {
  const auto read = task_of(
      plain("  - {id: eat, say: Eat., after: {wait: [cook, lay]}}\n  - {id: cook, say: Cook., after: shop}\n"
            "  - {id: shop, say: Shop., after: {wait: []}}\n  - {id: lay, say: Lay.}\n"));
  for (const auto& fault : read.faults) FAIL_CHECK(fault);
  REQUIRE(read.task);
  CHECK(read.task->order == std::vector<std::size_t>{2, 1, 3, 0});
}

TEST_CASE("tasks: times are numbers with units") {
  using std::chrono::seconds;
  CHECK(task_time("1 h 30 min") == seconds(5400));
  CHECK(task_time("90s") == seconds(90));
  CHECK(task_time("2 d") == seconds(172'800));
  for (const char* const wrong : {"", "5", "min", "5 apples", "0 min", "-5 min", "999999 d", "1.5 h"})
    CHECK_FALSE(task_time(wrong));
}

TEST_CASE(
    "tasks: the lint tells requirements that no step needs, steps that are too long and times that don't add "
    "up") {
  std::string very_long = "Stir";
  for (int i = 0; i < 60; ++i) very_long += " and stir";
  const auto read = task_of(plain("  - {say: " + very_long + "., time: 20 min}\n"));
  REQUIRE(read.task);
  std::vector<std::string> faults;
  for (const Remark& one : lint(*read.task)) faults.push_back(one.what);
  CHECK(faults.size() == 3);
  CHECK(has_fault(faults, "no step needs 'cup'"));
  CHECK(has_fault(faults, "step 1 has 121 words"));
  CHECK(has_fault(faults, "its steps take 20 min, but it says 10 min"));
}

TEST_CASE("tasks: the lint tells tasks that copy each other's steps") {
  const std::string steps =
      "  - say: Take the cup and fill it with very hot water from the kettle at once.\n";
  TaskMap first = *task_of(plain(steps)).task;
  TaskMap second = first;
  second.id = "other";
  CHECK(has_fault(lint_copies({first, second}), "a-task and other share"));
  second.steps.front().say =
      "Wash the plates and dry them with a clean towel before you put them away again.";
  CHECK(lint_copies({first, second}).empty());
}

TEST_CASE("tasks: those that come along, and those of the tests, are free of faults") {
  for (const std::string root : {PARLEY_GUIDE_FOLDER "/tasks", PARLEY_GUIDE_FOLDER "/tests/tasks"}) {
    std::error_code none;
    for (const auto& folder : std::filesystem::directory_iterator(root, none)) {
      std::vector<TaskMap> tasks;
      for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        const auto read = read_task(file.path(), folder.path().filename().string());
        for (const auto& fault : read.faults) FAIL_CHECK(fault);
        if (!read.task) continue;
        for (const Remark& one : lint(*read.task)) FAIL_CHECK(file.path().string(), ": ", one.what);
        tasks.push_back(*read.task);
      }
      for (const auto& fault : lint_copies(tasks)) FAIL_CHECK(fault);
    }
  }
}

TEST_CASE("tasks: each that comes along is in a category there is, and themes name tasks there are") {
  const Library library(PARLEY_GUIDE_FOLDER "/data", {PARLEY_GUIDE_FOLDER "/tasks"});
  for (const auto& fault : library.faults()) FAIL_CHECK(fault);
  for (const char* const lang : {"en", "de", "fr", "es", "pt"}) {
    const Shelf* const shelf = library.shelf(lang);
    REQUIRE(shelf != nullptr);
    for (const TaskMap& task : shelf->tasks())
      CHECK_MESSAGE(shelf->elicitation().has_category(task.domain, task.category), task.id);
    for (const Theme& theme : shelf->elicitation().themes)
      CHECK_MESSAGE(std::any_of(theme.tasks.begin(), theme.tasks.end(),
                                [&](const std::string& id) { return shelf->task(id) != nullptr; }),
                    theme.title);
  }
}

namespace {

std::string task_with(int number, const std::string& say) {
  return "title: Task " + std::to_string(number) +
         "\ndomain: diy\ncategory: wood\nsummary: One.\ntime: 5 min\n" +
         "requirements: [{name: cup, substitutes: [{name: mug}]}]\nconditions: {ready: {ask: 'Ready?', "
         "default: true}}\n" +
         "steps:\n  - {id: a, say: " + say +
         ", needs: [cup], when: {not: {any: [ready]}}, time: 1 min}\n  - {say: " +
         "End., after: {wait: [a]}}\n";
}

}  // namespace

TEST_CASE("tasks: many are kept as they were read, and read anew when their files change") {
  const parley::testing::TemporaryFolder folder;
  const auto cache = folder.path() / "cache" / "guide";
  const auto count = static_cast<int>(TaskCache::kLeast);
  for (int number = 0; number < count; ++number)
    folder.write("tasks/en/task-" + std::to_string(number) + ".yaml", task_with(number, "Wait."));
  const auto load = [&] {
    return std::make_unique<Library>(PARLEY_GUIDE_FOLDER "/data",
                                     std::vector<std::filesystem::path>{folder.path() / "tasks"}, cache);
  };
  const auto first = load();
  for (const auto& fault : first->faults()) FAIL_CHECK(fault);
  REQUIRE(std::filesystem::exists(cache));
  const auto again = load();
  REQUIRE(again->shelf("en")->tasks().size() == TaskCache::kLeast);
  for (std::size_t at = 0; at < TaskCache::kLeast; ++at)
    CHECK(pack(again->shelf("en")->tasks()[at]) == pack(first->shelf("en")->tasks()[at]));
  // One changes, one gets a fault, one goes.
  folder.write("tasks/en/task-1.yaml", task_with(1, "Wait a while."));
  folder.write("tasks/en/task-2.yaml", "title: Nothing else\n");
  std::filesystem::remove(folder.path() / "tasks/en/task-3.yaml");
  folder.write("tasks/en/task-new.yaml", task_with(4, "Begin."));
  const auto changed = load();
  CHECK(changed->shelf("en")->task("task-1")->steps.front().say == "Wait a while.");
  CHECK(changed->shelf("en")->task("task-2") == nullptr);
  CHECK_FALSE(changed->faults().empty());
  CHECK(changed->shelf("en")->task("task-3") == nullptr);
  CHECK(changed->shelf("en")->task("task-new") != nullptr);
  // What is no cache counts for nothing.
  folder.write("cache/guide", "nonsense that is long enough to have a head");
  CHECK(load()->shelf("en")->tasks().size() == TaskCache::kLeast - 1);
}

TEST_CASE("tasks: bytes that are no task are none") {
  const auto read = read_task(PARLEY_GUIDE_FOLDER "/tests/tasks/en/carbonara.yaml", "en");
  REQUIRE(read.task);
  const std::string bytes = pack(*read.task);
  const auto whole = unpack(bytes);
  REQUIRE(whole);
  CHECK(pack(*whole) == bytes);
  CHECK(whole->steps[3].when.name == "has_blender");
  CHECK(whole->steps[5].after.ids == std::vector<std::string>{"blend", "whisk"});
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK_FALSE(unpack(bytes.substr(0, length)));
  CHECK_FALSE(unpack(bytes + "x"));
}
