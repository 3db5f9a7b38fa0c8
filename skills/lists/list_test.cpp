#include "list.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace parley::lists {

using Items = std::vector<std::string>;

TEST_CASE("list: a thing is on it once, however it is written, and only so many are") {
  List list("packing");
  CHECK(list.add("Milk", 2, "en-US") == List::Added::kYes);
  CHECK(list.add("milk!", 2, "en-US") == List::Added::kThere);
  CHECK(list.add("eggs", 2, "en-US") == List::Added::kYes);
  CHECK(list.add("bread", 2, "en-US") == List::Added::kFull);
  CHECK_EQ(list.items(), Items{"Milk", "eggs"});
}

TEST_CASE("list: a thing is meant by its words, and the one that says just that goes first") {
  List list("");
  for (const char* const item : {"two loaves of bread", "white bread", "rye"}) list.add(item, 10, "en-US");
  CHECK_EQ(list.meant_by("bread", "en-US"), Items{"two loaves of bread", "white bread"});
  CHECK_EQ(list.meant_by("white bread", "en-US"), Items{"white bread"});
  CHECK_EQ(list.meant_by("dark rye", "en-US"), Items{"rye"});
  CHECK_EQ(list.meant_by("breads", "en-US"), Items{"two loaves of bread", "white bread"});
  CHECK_EQ(list.meant_by("milk", "en-US"), Items{});
  CHECK(list.remove("rye"));
  CHECK_FALSE(list.remove("rye"));
}

TEST_CASE("list: what is kept comes back, and what is none is empty") {
  List list("packing");
  list.add("tent", 10, "en-US");
  const List again = List::from_json(list.to_json());
  CHECK_EQ(again.name(), "packing");
  CHECK_EQ(again.items(), Items{"tent"});
  CHECK(List::from_json(Json("no list")).items().empty());
  const Json spoiled = {{"name", 5}, {"items", {1, "tent"}}};
  CHECK_EQ(List::from_json(spoiled).items(), Items{"tent"});
}

}  // namespace parley::lists
