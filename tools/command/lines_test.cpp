#include "lines.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/write_file.hpp"

namespace {

using parley::write_file;
using parley::command::kMaxUtterance;
using parley::command::line_problem;
using parley::command::LineReader;

/// What a LineReader makes of a text that comes through a pipe.
std::vector<std::string> lines_of(const std::string& text) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  std::thread writer([&] {
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto written = ::write(ends[1], rest.data(), rest.size());
      if (written <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    ::close(ends[1]);
  });
  LineReader reader(ends[0]);
  std::vector<std::string> out;
  while (const auto line = reader.next()) out.push_back(*line);
  CHECK(reader.number() == out.size());
  writer.join();
  ::close(ends[0]);
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("lines: line ends of either kind go, the last line needs none") {
  CHECK(lines_of("a\nb\r\n\nc") == Lines{"a", "b", "", "c"});
  CHECK(lines_of("a\n") == Lines{"a"});
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n") == Lines{""});
}

TEST_CASE("lines: NUL and any other bytes come through") {
  const std::string odd("a\0b\xFF", 4);
  CHECK(lines_of(odd + "\nc\n") == Lines{odd, "c"});
}

TEST_CASE("lines: an endless line is refused and the next one read") {
  for (const std::size_t size : {kMaxUtterance + 1, kMaxUtterance * 3 + 7, std::size_t{5} << 20U}) {
    const auto lines = lines_of(std::string(size, 'x') + "\nnext\n");
    REQUIRE(lines.size() == 2);
    CHECK(line_problem(lines[0]).has_value());
    CHECK(lines[0].size() < 3 * kMaxUtterance);
    CHECK(lines[1] == "next");
  }
  const auto longest = lines_of(std::string(kMaxUtterance, 'x') + "\n");
  REQUIRE(longest.size() == 1);
  CHECK_FALSE(line_problem(longest[0]).has_value());
}

TEST_CASE("lines: what can't be an utterance says why") {
  CHECK_FALSE(line_problem("wie spät ist es?").has_value());
  CHECK(line_problem(std::string("a\0b", 3)).value_or("") == "byte 2 is NUL; an utterance is text");
  CHECK(line_problem("ab\xFF").value_or("") == "byte 3 is not UTF-8; an utterance is text in UTF-8");
}

TEST_CASE("write_file: the content is replaced, mode and symbolic link stay") {
  const auto folder = std::filesystem::temp_directory_path() / ("parley-write-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto file = folder / "a.parley";
  const auto link = folder / "link.parley";
  std::ofstream(file) << "old";
  using std::filesystem::perms;
  std::filesystem::permissions(file, perms::owner_read | perms::owner_write | perms::group_read);
  std::filesystem::create_symlink(file, link);

  write_file(link, "new");

  std::string text;
  std::ifstream(file) >> text;
  CHECK(text == "new");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::status(file).permissions() ==
        (perms::owner_read | perms::owner_write | perms::group_read));
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 2);
  CHECK_THROWS_AS(write_file(folder / "missing" / "b", "x"), std::runtime_error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("read_all: a file that never ends is refused at the limit, by its name") {
  CHECK_THROWS_WITH_AS(parley::command::read_all("/dev/zero", std::size_t{1} << 20U),
                       "/dev/zero: more than 1 MiB", std::runtime_error);
  CHECK(parley::command::read_all("/dev/null", 1).empty());
  CHECK_THROWS_AS(parley::command::read_all("/nowhere/file", 1), std::runtime_error);
}
