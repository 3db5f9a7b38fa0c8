// What a configuration may say that is probably not meant.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "support/temporary_folder.hpp"

using parley::testing::TemporaryFolder;

namespace {

using Lines = std::vector<std::string>;

/// The doubts about a file of that content, where one skill is installed: echo.test, which speaks English.
Lines doubts(const TemporaryFolder& folder, const std::string& yaml) {
  folder.write("parley.yaml", yaml);
  parley::ConfigSources sources;
  sources.file = folder.path() / "parley.yaml";
  sources.settings = {"skills.shipped=false", "skills.directories=[" PARLEY_TEST_PLUGINS "/skills/echo]"};
  sources.doubts = true;
  const auto checked = parley::check_config(sources);
  CHECK(checked.problems.empty());
  Lines lines;
  const std::string where = folder.path().string() + "/";
  for (const auto& doubt : checked.doubts) {
    const std::string line = to_string(doubt);
    lines.push_back(line.starts_with(where) ? line.substr(where.size()) : line);
  }
  return lines;
}

}  // namespace

TEST_CASE("doubts: a file that says what it means raises none") {
  const TemporaryFolder folder;
  folder.write("overrides/echo.test/locale/en-US/say.intent", "say {text}\n");
  folder.write("overrides/echo.test/locale/en-US/notes.txt", "mine\n");
  folder.write("overrides/intent/locale/en-US/synonyms.voc", "(a|b)\n");
  folder.write("overrides/core/locale/en-US/yes.voc", "(yes|aye)\n");
  CHECK(doubts(folder,
               "blacklisted_pipelines: [intent_low, fallback]\nskills: {disabled: [echo.test]}\n"
               "language: {enabled: [en-US, de-DE]}\n") ==
        Lines{"parley.yaml:1:1: 'language.default' is en-US, and no skill that is installed speaks it",
              "parley.yaml:3:29: 'language.enabled' lists de-DE, and no skill that is installed speaks it"});
  CHECK(doubts(folder, "blacklisted_skills: [echo.test]\nblacklisted_intents: ['echo.test:echo']\n").empty());
}

TEST_CASE("doubts: a pipeline that asks nobody") {
  const TemporaryFolder folder;
  CHECK(doubts(folder, "workers: 2\npipeline: []\n") ==
        Lines{"parley.yaml:2:11: 'pipeline' is empty: nobody is asked, and every utterance is unmatched"});
}

TEST_CASE("doubts: names that nobody has, each where it is written, with the one that may be meant") {
  const TemporaryFolder folder;
  CHECK(
      doubts(folder,
             "blacklisted_pipelines: [intent_hihg]\nblacklisted_skills: [eco.test]\n"
             "blacklisted_intents: ['far.test:go']\nskills:\n  disabled: [ecko.test]\n"
             "  options: { gone.test: { threads: own } }\n  settings: { echo.tset: { x: 1 } }\n") ==
      Lines{"parley.yaml:1:25: 'blacklisted_pipelines' names 'intent_hihg', which is neither a stage nor an "
            "entry; did you mean 'intent_high'?",
            "parley.yaml:2:22: 'blacklisted_skills' names 'eco.test': no skill of that name is installed, "
            "though "
            "one may connect; did you mean 'echo.test'?",
            "parley.yaml:3:23: 'blacklisted_intents' names 'far.test': no skill of that name is installed, "
            "though "
            "one may connect",
            "parley.yaml:5:14: 'skills.disabled' names 'ecko.test', and no skill of that name is installed; "
            "did "
            "you mean 'echo.test'?",
            "parley.yaml:6:14: 'skills.options' names 'gone.test', and no skill of that name is installed",
            "parley.yaml:7:15: 'skills.settings' names 'echo.tset', and no skill of that name is installed; "
            "did "
            "you mean 'echo.test'?"});
}

TEST_CASE("doubts: a default language that no skill speaks") {
  const TemporaryFolder folder;
  CHECK(doubts(folder, "language:\n  default: fr-FR\n  enabled: [fr-FR]\n") ==
        Lines{"parley.yaml:2:12: 'language.default' is fr-FR, and no skill that is installed speaks it"});
  CHECK(doubts(folder, "language: {default: en-GB, enabled: [en-GB]}\n").empty());  // its language is enough
}

TEST_CASE("doubts: an enabled language that no skill speaks") {
  const TemporaryFolder folder;
  CHECK(doubts(folder, "language:\n  default: en-US\n  enabled: [en-US, fr-FR, en-AU]\n") ==
        Lines{"parley.yaml:3:20: 'language.enabled' lists fr-FR, and no skill that is installed speaks it"});
}

TEST_CASE("doubts: overrides of nobody, and of what does not exist") {
  const TemporaryFolder folder;
  folder.write("overrides/eco.test/locale/en-US/echo.intent", "say {text}\n");
  folder.write("overrides/echo.test/locale/en-US/sya.intent", "say {text}\n");
  CHECK(doubts(folder, "workers: 2\n") == Lines{"overrides/echo.test/locale/en-US/sya.intent: overrides "
                                                "nothing: 'echo.test' has no 'sya.intent' in "
                                                "any language; did you mean 'say.intent'?",
                                                "overrides/eco.test: overrides nobody: 'eco.test' is neither "
                                                "a skill that is installed nor a stage; "
                                                "did you mean 'echo.test'?"});
}

TEST_CASE("doubts: an override of a dialog with a slot that nobody fills") {
  const TemporaryFolder folder;
  folder.write("overrides/echo.test/locale/en-US/said.dialog",
               "You said {words}.\n# {not_me}\nIt was {wrods}.\n");
  CHECK(doubts(folder, "workers: 2\n") ==
        Lines{"overrides/echo.test/locale/en-US/said.dialog:3:8: the slot {wrods} is never filled: what is "
              "overridden has {words}; did you mean 'words'?"});
}

TEST_CASE("doubts: a key without its certificate") {
  const TemporaryFolder folder;
  CHECK(doubts(folder, "gateway: {private_key: key.pem}\n") ==
        Lines{"parley.yaml:1:24: 'gateway.private_key' is of no use without 'gateway.certificate': there is "
              "no TLS"});
}

TEST_CASE("doubts: embeddings without a server, and a key that can't be read") {
  const TemporaryFolder folder;
  CHECK(doubts(folder, "evidence: {embeddings: {model: m}}\n") ==
        Lines{"parley.yaml:1:24: 'evidence.embeddings' has no 'url': no server is asked for vectors"});
  CHECK(
      doubts(folder, "evidence: {embeddings: {url: 'http://localhost/v1', key_file: key}}\n") ==
      Lines{"parley.yaml:1:24: 'evidence.embeddings': 'key_file' is 'key'; it must be the whole path, from / "
            "on"});
}

TEST_CASE("doubts: nothing is looked for unless it is asked for, and places are those of values") {
  const TemporaryFolder folder;
  folder.write("parley.yaml", "pipeline: []\n");
  parley::ConfigSources sources;
  sources.file = folder.path() / "parley.yaml";
  CHECK(parley::check_config(sources).doubts.empty());
  CHECK(parley::check_config(sources).places.empty());
  sources.doubts = true;
  CHECK(parley::check_config(sources).places.at("pipeline") == sources.file->string() + ":1:11");
}
