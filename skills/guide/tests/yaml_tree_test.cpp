#include "yaml_tree.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace parley;
using namespace parley::guide;

namespace {

/// "line:column: why" from 1, as an editor counts.
std::string complaint(std::string_view text) {
  const auto read = read_yaml(text);
  if (read) return "none";
  const YamlFault& fault = read.error();
  return std::to_string(fault.place.line + 1) + ':' + std::to_string(fault.place.column + 1) + ": " +
         fault.message;
}

}  // namespace

TEST_CASE("YAML: texts, lists and maps with where they stand") {
  const auto root =
      read_yaml("title: Pie\nsteps:\n  - say: \"Bake it.\"\n    time: 5 min\n  - {say: Eat}\nnone: ~\n")
          .value();
  CHECK(root["title"].text == "Pie");
  CHECK(root["steps"].items.size() == 2);
  CHECK(root["steps"].at(0)["time"].text == "5 min");
  CHECK(root["steps"].at(1)["say"].place.line == 4);
  CHECK(root["steps"].at(1)["say"].place.column == 10);
  CHECK(root["none"].is_empty());
  CHECK(root["none"].is_there());
  CHECK_FALSE(root["nothing"].is_there());
  CHECK_FALSE(root["title"]["deeper"].is_there());
  CHECK_FALSE(root["steps"].at(7).is_there());
}

TEST_CASE("YAML: a quoted nothing is a text, an empty file is nothing") {
  CHECK(read_yaml("a: \"\"\n").value()["a"].is_text());
  CHECK(read_yaml("a: 'null'\n").value()["a"].is_text());
  CHECK(read_yaml("a:\n").value()["a"].is_empty());
  CHECK_FALSE(read_yaml("").value().is_there());
  CHECK_FALSE(read_yaml("# a remark\n").value().is_there());
}

TEST_CASE("YAML: what is anchored is there again where it is named") {
  const auto root = read_yaml("a: &milk {name: milk}\nb: [*milk, *milk]\n").value();
  CHECK(root["b"].items.size() == 2);
  CHECK(root["b"].at(1)["name"].text == "milk");
  CHECK(complaint("a: *milk\n") == "1:4: nothing above is anchored as '&milk'");
}

TEST_CASE("YAML: what can't be read is told with its place") {
  CHECK(complaint("title: Pie\nsteps: [a\n").starts_with("3:1: "));
  CHECK(complaint("a: b: c\n").starts_with("1:5: "));
  CHECK(complaint("\ttitle: Pie\n").starts_with("1:1: "));
  CHECK(complaint("a: \xff\n") != "none");
}

TEST_CASE("YAML: nothing grows without bound") {
  CHECK(complaint(std::string(100'000, '[')).find("deeper than 32") != std::string::npos);
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [";
    for (int k = 0; k < 10; ++k) bomb += before + (k < 9 ? ", " : "]\n");
  }
  CHECK(complaint(bomb).find("more than 100000 values") != std::string::npos);
}
