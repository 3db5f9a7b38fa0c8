#include "guide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>

#include "library.hpp"
#include "repeat.hpp"
#include "support/temporary_folder.hpp"

namespace parley::bench {
namespace {

constexpr std::array kHow{"creamy", "crispy", "smoky",  "spicy",   "sweet",   "sour",   "green",
                          "golden", "cold",   "winter", "summer",  "village", "sunday", "simple",
                          "royal",  "old",    "new",    "roasted", "steamed", "baked"};
constexpr std::array kThings{
    "lentils", "beans",    "carrots",  "mushrooms", "dumplings", "peppers", "radishes", "spinach",
    "pumpkin", "potatoes", "tomatoes", "onions",    "garlic",    "ginger",  "cabbage",  "chickpeas",
    "barley",  "rice",     "noodles",  "almonds",   "apples",    "pears",   "plums",    "cherries",
    "walnuts", "honey",    "yoghurt",  "cheese",    "butter",    "cream",   "chicken",  "beef",
    "salmon",  "trout",    "prawns",   "tofu",      "eggs",      "bread",   "parsley",  "basil"};
constexpr std::array kKinds{"soup", "stew",    "salad",    "pie",     "curry", "casserole", "pancakes",
                            "cake", "gratin",  "roll",     "pot",     "bowl",  "sauce",     "spread",
                            "tart", "skewers", "fritters", "pudding", "bake",  "pan"};
constexpr std::array kSteps{"Wash and chop the {} and put it into a large bowl with a pinch of salt.",
                            "Heat two spoons of oil in a wide pan and fry the {} until it smells good.",
                            "Pour in half a litre of water, add the {} and let everything simmer gently.",
                            "Stir now and then, taste it, and season with pepper and the {}.",
                            "Take it off the heat, cover it and let it rest before you add the {}.",
                            "Serve it in warm bowls with the {} on top."};
constexpr std::array kSlips{"letnils", "mushroms", "tomatos", "carots", "spinich"};
constexpr std::array kFilters{"quick ", "vegetarian ", "", "", ""};

class Texts {
 public:
  template <std::size_t N>
  std::string of(const std::array<const char*, N>& all) {
    return all[std::uniform_int_distribution<std::size_t>(0, N - 1)(chance_)];
  }
  std::string task() {
    std::array<std::string, 6> things;
    for (std::size_t at = 0; at < things.size(); ++at) do
        things[at] = of(kThings);
      while (std::find(things.begin(), things.begin() + static_cast<std::ptrdiff_t>(at), things[at]) !=
             things.begin() + static_cast<std::ptrdiff_t>(at));
    std::string text = fmt::format(
        "title: {} {} {} with {}\ndomain: cooking\ncategory: vegetables\ntags: [{}, {}]\n"
        "summary: A {} dish of {} and {} for every day.\nserves: 4\ntime: 45 min\nrequirements:\n",
        of(kHow), things[0], of(kKinds), things[1], of(kThings),
        things[0].size() % 2 == 0 ? "quick" : "vegetarian", of(kHow), things[2], things[3]);
    for (const std::string& thing : things)
      text +=
          fmt::format("  - name: {}\n    amount: 200 g\n    substitutes: [{{name: more water}}]\n", thing);
    text += "steps:\n";
    for (std::size_t at = 0; at < kSteps.size(); ++at)
      text += fmt::format("  - say: {}\n    time: 5 min\n    needs: [{}]\n",
                          fmt::format(fmt::runtime(kSteps[at]), things[at]), things[at]);
    return text + "source: a benchmark\n";
  }
  std::string wish() {
    switch (std::uniform_int_distribution<int>(0, 4)(chance_)) {
      case 0:
        return of(kThings);
      case 1:
        return of(kHow) + " " + of(kThings) + " " + of(kKinds);
      case 2:
        return of(kFilters) + of(kKinds) + " with " + of(kThings) + " and " + of(kThings);
      case 3:
        return of(kKinds) + " without " + of(kThings) + " in under an hour";
      default:
        return of(kSlips) + " " + of(kKinds);
    }
  }

 private:
  std::mt19937 chance_{7};  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same tasks each time
};

double load_ms(const std::filesystem::path& folder, std::unique_ptr<guide::Library>& library) {
  const auto began = std::chrono::steady_clock::now();
  library = std::make_unique<guide::Library>(
      PARLEY_GUIDE_DATA, std::vector<std::filesystem::path>{folder / "tasks"}, folder / "cache");
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

void guide_bench(const Options& options, Report& report) {
  const testing::TemporaryFolder folder;
  Texts texts;
  const int count = options.intents * 10;
  for (int number = 0; number < count; ++number)
    folder.write(fmt::format("tasks/en/task-{}.yaml", number), texts.task());
  std::unique_ptr<guide::Library> library;
  Figure first("guide_load", load_ms(folder.path(), library), "ms");
  if (!library->faults().empty() || library->shelf("en") == nullptr ||
      library->shelf("en")->tasks().size() != static_cast<std::size_t>(count))
    throw std::runtime_error("the tasks of the benchmark have faults");
  first.remark = fmt::format("{} tasks, each a file", count);
  first.target = Target::at_most(1000, "reading YAML, and the stems of all words");
  report.add(first);
  Figure again("guide_load_again", load_ms(folder.path(), library), "ms");
  again.remark = "from the cache that the first load left";
  again.target = Target::at_most(1000, "the stems of all words");
  report.add(again);
  const guide::Shelf* const shelf = library->shelf("en");

  std::vector<std::string> wishes;
  for (int number = 0; number < 500; ++number) wishes.push_back(texts.wish());
  std::size_t at = 0, found = 0;
  Series search = repeat("guide_search", options, [&] {
    found += shelf->search().find(wishes[at++ % wishes.size()], guide::Domain::kCooking).size();
  });
  search.p99_target = Target::at_most(2000, "tasks that have a frequent word, and slips of the keyboard");
  report.add(search);
  if (found == 0) throw std::runtime_error("nothing was found");
}

}  // namespace parley::bench
