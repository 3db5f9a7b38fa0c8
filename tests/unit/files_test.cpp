#include <doctest/doctest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <parley/files.hpp>
#include <parley/json.hpp>

#include "support/temporary_folder.hpp"

using namespace parley;
using parley::testing::TemporaryFolder;

TEST_CASE("read_file: gives a regular file whole, up to the limit") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.txt", "12345");
  CHECK(read_file(file, 5).value() == "12345");
  CHECK(read_file(file, 4).error().message == "has more than 4 bytes");
  CHECK(read_file(folder.write("empty", ""), 0).value().empty());
  CHECK(read_file("/proc/self/status", 1 << 20).value().starts_with("Name:"));  // says that it is empty
}

TEST_CASE("read_file: what isn't a regular file is refused at once, and what is wrong is said") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_file(pipe, 10).error().message == "is a pipe, not a regular file");
  CHECK(read_file("/dev/zero", 10).error().message == "is a device, not a regular file");
  CHECK(read_file(folder.path(), 10).error().message == "is a directory, not a regular file");
  CHECK(read_file(folder.path() / "none", 10).error().message == "can't be read: No such file or directory");
  const std::string nul = (folder.path() / "pipe").string() + std::string(1, '\0') + ".yaml";
  CHECK(read_file(nul, 10).error().message == "has a NUL in its name");
  CHECK_FALSE(check_regular_file(pipe));
  CHECK(check_regular_file(folder.write("b", "x")));
}

TEST_CASE("parse_json: nesting is bounded, and the reason quotes nothing of the text") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(parse_json(nested(kMaxNesting)));
  CHECK(parse_json(nested(kMaxNesting + 1)).error().message == "nested deeper than 200 levels");
  CHECK(parse_json(std::string(1'000'000, '[')).error().message == "nested deeper than 200 levels");
  CHECK(parse_json("\"" + std::string(1'000, '[') + "\\\"" + std::string(1'000, '[') + "\""));
  const auto refused = parse_json("{\"a\": x" + std::string(100'000, 'x') + "}");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("not JSON: "));
  CHECK(refused.error().message.size() < 300);
  CHECK(refused.error().message.find("xx") == std::string::npos);
  CHECK_FALSE(parse_json("1e999"));
}

TEST_CASE("W-5 parse_json: the number of values is bounded, and what is in a text is none") {
  const auto list = [](std::size_t values) {
    std::string text = "[0";
    for (std::size_t i = 1; i < values; ++i) text += ",0";
    return text + "]";
  };
  CHECK(parse_json(list(kMaxJsonValues - 2)));
  CHECK(parse_json(list(kMaxJsonValues + 1)).error().message == "more than 131072 values");
  CHECK(parse_json("\"" + std::string(1'000'000, ',') + "\""));
}
