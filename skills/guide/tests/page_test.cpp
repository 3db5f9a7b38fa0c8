// What docs/guide.md shows is played, with the tasks that come along.
#include <parley/files.hpp>

#include "test_guide_run.hpp"

using namespace parley::guide;

namespace {

using Lines = std::vector<std::string>;

/// The blocks of code of a page that are dialogues.
std::vector<Lines> dialogues(const std::string& page) {
  std::vector<Lines> found;
  std::istringstream lines(page);
  bool in_block = false;
  Lines block;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("```")) {
      if (in_block) block.push_back(line);
      continue;
    }
    if (in_block && !block.empty() && block.front().starts_with("> ")) found.push_back(block);
    in_block = !in_block;
    block.clear();
  }
  return found;
}

}  // namespace

TEST_CASE("guide: every dialogue that its page shows goes as it shows") {
  const auto page = parley::read_file(PARLEY_GUIDE_PAGE, std::size_t{1} << 20U);
  REQUIRE(page);
  const auto all = dialogues(*page);
  REQUIRE(all.size() >= 3);
  GuideRun run(parley::Json::object());
  int number = 0;
  for (const Lines& one : all) {
    const std::string session = "dialogue " + std::to_string(++number);
    // The page says the language of a dialogue with its first words.
    const bool german = one.front().find("ich ") != std::string::npos;
    std::string said, answer;
    for (const std::string& line : one) {
      if (line.starts_with("> ")) {
        said = line.substr(2);
        answer = run.say(said, session, german ? "de-DE" : "en-US");
      } else {
        REQUIRE_MESSAGE(line.starts_with("< "), line);
        CHECK_MESSAGE(fits(answer, line.substr(2), "…"), said, "\nis answered: ", answer);
      }
    }
  }
}
