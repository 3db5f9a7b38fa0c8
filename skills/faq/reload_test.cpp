// The skill as a whole, with questions of the test's own.
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// An assistant with this one skill, which reads its questions from `folder`.
class FaqRun : public EndToEnd {
 public:
  FaqRun() {
    const auto where = folder.path() / "skills";
    std::filesystem::create_directories(where);
    std::filesystem::create_directory_symlink(std::filesystem::path(PARLEY_SKILLS) / "faq", where / "faq");
    config.skills.directories = {where.string()};
    config.skills.settings["faq.parley"] = {{"folder", (folder.path() / "mine").string()}};
    write("questions: [{ask: why is it so, answer: because}]\n");
  }
  void write(const std::string& text) const { folder.write("mine/en-US.yaml", text); }
};

}  // namespace

TEST_CASE("faq: a change of the file is heard within the time configured, without a restart") {
  FaqRun run;
  run.config.skills.settings["faq.parley"]["check_every"] = "5s";
  run.start();
  CHECK(run.say("why is it so").speech_text() == "because");
  run.write("questions: [{ask: why is it so, answer: it always was}]\n");
  run.assistant().run_for(4s);
  CHECK(run.say("why is it so").speech_text() == "because");
  run.assistant().run_for(1s);
  CHECK(run.say("why is it so").speech_text() == "it always was");
}

TEST_CASE("faq: other settings take effect while it runs, the folder and the threshold") {
  FaqRun run;
  run.folder.write("yours/en-US.yaml", "questions: [{ask: how is it so, answer: like this}]\n");
  run.start();
  CHECK(run.say("why is it so").speech_text() == "because");
  run.config.skills.settings["faq.parley"]["folder"] = (run.folder.path() / "yours").string();
  run.assistant().reconfigure(run.config);
  CHECK(run.say("why is it so").status == TurnStatus::kUnmatched);
  CHECK(run.say("how is it so").speech_text() == "like this");
  run.config.skills.settings["faq.parley"]["threshold"] = 2;
  run.assistant().reconfigure(run.config);
  CHECK(run.log.has("skills.settings.faq.parley: "));
  CHECK(run.log.has("the earlier values stay"));
  CHECK(run.say("how is it so").speech_text() == "like this");
}

TEST_CASE("faq: what is wrong with the file is in the log once, and the old questions stay") {
  FaqRun run;
  run.start();
  run.write("questions: [{ask: why\n");
  for (int look = 0; look < 3; ++look) {
    run.assistant().run_for(2s);
    CHECK(run.say("why is it so").speech_text() == "because");
  }
  CHECK(run.log.count("en-US.yaml:2:1:") == 1);
  CHECK(run.log.count("what it held before stays") == 1);
}

TEST_CASE("faq: a folder that is not there is named, and the skill declines until it is") {
  FaqRun run;
  std::filesystem::remove_all(run.folder.path() / "mine");
  run.start();
  CHECK(run.say("why is it so").status == TurnStatus::kUnmatched);
  CHECK(run.log.count("No such file or directory") == 1);
  run.write("questions: [{ask: why is it so, answer: because}]\n");
  run.assistant().run_for(2s);
  CHECK(run.say("why is it so").speech_text() == "because");
}

TEST_CASE(
    "F-4 faq: registers with 20, and answers neither below its threshold nor in a language it has no file "
    "for") {
  FaqRun run;
  run.config.language.enabled = {"en-US", "de-DE"};
  run.config.skills.settings["faq.parley"]["threshold"] = 1.0;
  run.start();
  const auto joined = std::find_if(run.heard.begin(), run.heard.end(), [](const Message& message) {
    return message.type() == "ovos.fallback.register";
  });
  REQUIRE(joined != run.heard.end());
  CHECK(joined->data() == Json{{"skill_id", "faq.parley"}, {"priority", 20}});
  CHECK(run.say("why is it so").speech_text() == "because");
  CHECK(run.say("why is it not so").status == TurnStatus::kUnmatched);
  CHECK(run.say("why is it so", nullptr, "de-DE").status == TurnStatus::kUnmatched);
}
