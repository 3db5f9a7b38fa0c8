#include "table.hpp"

#include <doctest/doctest.h>

#include "terminal.hpp"

using parley::command::in_quotes;
using parley::command::Paint;
using parley::command::shortened;
using parley::command::Table;

TEST_CASE("table: columns are as wide as what they hold, by what a terminal shows") {
  Table table({"NAME", "X"});
  table.add({"日本", "1"});
  table.add({"müßig"});
  CHECK(table.text(Paint(false)) == "NAME   X\n日本   1\nmüßig\n");
}

TEST_CASE("table: cells can't break out of their line") {
  Table table({"NAME"});
  table.add({"a\nb\x1b[31m\xFF"});
  CHECK(table.text(Paint(false)) == "NAME\na b [31m\xEF\xBF\xBD\n");
}

TEST_CASE("terminal: long texts are cut between characters for messages") {
  CHECK(in_quotes("short") == "'short'");
  std::string text;
  for (int i = 0; i < 80; ++i) text += "ä";
  CHECK(shortened(text).size() == 60 * 2 + 3);
}
