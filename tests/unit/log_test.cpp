#include "message/log.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <parley/files.hpp>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

using namespace parley;

namespace {

std::string logged(const std::string& text) {
  std::string heard;
  const LogListener listener([&](LogLevel, std::string_view, std::string_view line) { heard = line; });
  log_warning("test", text);
  return heard;
}

/// What the log's file has once `write` has written to it.
std::vector<std::string> written_by(const std::function<void()>& write) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "log";
  set_log_target(file.string(), false);
  write();
  set_log_target("/dev/null", false);
  std::vector<std::string> lines;
  std::string text = read_file(file, std::size_t{64} << 20U).value();
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

}  // namespace

TEST_CASE("log: what would forge a line or turn its direction round is escaped, other text stays") {
  CHECK(logged("plain äöü 漢字 🎵") == "plain äöü 漢字 🎵");
  CHECK(logged("a\nb\r\x1b[31m\x7f") == "a\\nb\\x0d\\x1b[31m\\x7f");
  CHECK(logged("x\u202Ey\u2066z\u2069\u200F\u061C\u2028") ==
        "x\\u{202e}y\\u{2066}z\\u{2069}\\u{200f}\\u{61c}\\u{2028}");
  CHECK(logged("c1 \u0085\u009b") == "c1 \\u{85}\\u{9b}");
  CHECK(logged("bad \xff\xc3") == "bad \\xff\\xc3");
}

TEST_CASE("log: a line has a bounded length and is cut between characters") {
  const std::string line = logged(std::string(1'000'000, 'x'));
  CHECK(line.size() < 4200);
  CHECK(line.ends_with("x…"));
  std::string wide;
  for (int i = 0; i < 10'000; ++i) wide += "ä";
  CHECK(logged(wide).ends_with("ä…"));
}

TEST_CASE("log: one part of the program writes so many lines a second; the rest are counted, others go on") {
  constexpr int kLimit = 20;
  constexpr int kSent = 10'000;
  set_log_limit(kLimit);
  const auto lines = written_by([] {
    for (int i = 0; i < kSent; ++i) log_warning("flood", "a complaint");
    log_warning("other", "is heard");
  });
  set_log_limit(kLogLinesPerSecond);
  const auto of_flood = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("[flood] a complaint") != std::string::npos;
  });
  CHECK(of_flood >= kLimit);
  CHECK(of_flood < kSent / 2);  // however many seconds it took
  const auto has = [&lines](std::string_view part) {
    return std::any_of(lines.begin(), lines.end(),
                       [part](const auto& one) { return one.find(part) != one.npos; });
  };
  CHECK(has("[other] is heard"));
  CHECK(has("counted instead of written (logging.max_per_second)"));
}

TEST_CASE("log: programs that plugins start do not inherit its file") {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "log";
  set_log_target(file.string(), false);
  bool found = false;
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    std::error_code none;
    const auto name = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none);
    if (none || name != file) continue;
    found = true;
    CHECK((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found);
  set_log_target("/dev/null", false);
}
