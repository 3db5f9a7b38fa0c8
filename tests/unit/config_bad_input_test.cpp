#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/config.hpp"
#include "support/config_checks.hpp"

using parley::testing::config_problem;
using parley::testing::config_problems;
using parley::testing::sound_config;

TEST_CASE("config: what is no YAML is refused with its place") {
  CHECK(config_problem("language: {default: en-US\nworkers: 2\n").starts_with("parley.yaml:"));
  CHECK(config_problem("workers: 2\n---\nworkers: 3\n") ==
        "parley.yaml:2:1: not valid YAML: a second document; one is expected");
  CHECK(config_problem("? [a]\n: 1\n") == "parley.yaml:1:3: a key must be text");
  CHECK(config_problem("workers: *nobody\n").starts_with("parley.yaml:1:10: not valid YAML: "));
}

TEST_CASE("config: an alias stands for what it names") {
  const auto config = sound_config("skills: {settings: {a.b: &common {x: 1}, c.d: *common}}\n");
  CHECK(config.skills.settings.at("c.d") == nlohmann::json{{"x", 1}});
}

TEST_CASE("config: bytes that are no text are refused with their place") {
  CHECK(config_problem("workers: 2\nä\xff: 1\n") ==
        "parley.yaml:2:2: byte 0xff is not UTF-8; save it as plain UTF-8 text");
  CHECK(config_problem(std::string("a: b\0c\n", 7)) ==
        "parley.yaml:1:5: control character 0x00 is not allowed; save it as plain UTF-8 text");
  CHECK(config_problem("\xFE\xFF").starts_with("parley.yaml:1:1: byte 0xfe"));
}

TEST_CASE("config: deep nesting and multiplied aliases are refused") {
  CHECK(config_problem("skills: " + std::string(500'000, '[')).find("nested deeper than 64 levels") !=
        std::string::npos);
  std::string indented;
  for (std::size_t i = 0; i < 500; ++i) indented += std::string(i, ' ') + "a:\n";
  CHECK(config_problem(indented).find("nested deeper than 64 levels") != std::string::npos);
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int n = 0; n < 9; ++n) bomb += ", " + last;
    bomb += "]\n";
  }
  const auto lines = config_problems(bomb);
  CHECK(std::any_of(lines.begin(), lines.end(), [](const auto& line) {
    return line.find("more than 20000 values") != std::string::npos;
  }));
  CHECK(
      config_problem("skills: {settings: {a.b: &x {y: *x}}}\n").find("an alias within the value it names") !=
      std::string::npos);
}

TEST_CASE("config: a tab in the indentation is said in words, with its place") {
  constexpr std::string_view kTab = "not valid YAML: the line is indented with a tab; indent with spaces";
  CHECK(config_problem("workers: 2\n\tpipeline: []\n") == fmt::format("parley.yaml:2:1: {}", kTab));
  CHECK(config_problem("logging:\n  level: info\n  \tformat: json\n") ==
        fmt::format("parley.yaml:3:3: {}", kTab));
  CHECK(config_problem("logging:\n\tlevel: info\n") == fmt::format("parley.yaml:2:1: {}", kTab));
}

TEST_CASE("config: any cut of a sound file is answered with what is wrong and where") {
  const std::string yaml =
      "language: {default: \"en-US\", enabled: [en-US, 'de']}\nstages:\n  intent: &a {}\n  fallback: *a\n";
  int faulty = 0;
  constexpr std::array kTails = {"",  "\n",  ":", "{", "[", "&",  "*", "\"", "!",
                                 "|", ">\n", "?", "-", "%", "\\", ",", "}"};
  for (std::size_t length = 0; length <= yaml.size(); ++length) {
    // With a quarter of the tails, each time with others: what the parser throws is slow under a sanitizer.
    for (std::size_t i = length % 4; i < kTails.size(); i += 4) {
      const std::string text = yaml.substr(0, length) + kTails.at(i);
      const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
      CAPTURE(text);
      for (const auto& problem : parley::check_config_text(text, "parley.yaml").problems) {
        ++faulty;
        CHECK(problem.file == "parley.yaml");
        CHECK(problem.line >= 1);
        CHECK(problem.line <= lines);
        CHECK_FALSE(problem.message.empty());
      }
    }
  }
  CHECK(faulty > 250);
}
