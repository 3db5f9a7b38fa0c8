#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/timers.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {

/// An assistant in which whatever is said is the name of an intent of one skill, after its slots: "thing=eggs
/// add".
class Spoken {
 public:
  /// @param store  a file; empty: in memory
  explicit Spoken(std::unique_ptr<Skill> skill, const Names& intents, const std::filesystem::path& store = {},
                  std::optional<std::chrono::system_clock::time_point> now = std::nullopt,
                  StoreKeep keep = StoreKeep::kTraces) {
    for (const auto& name : intents) folder_.write("skill/locale/en-US/" + name + ".intent", name + "\n");
    for (const char* const dialog : {"added", "so_many {count}", "remember {thing}", "sorry"}) {
      const std::string text(dialog);
      folder_.write("skill/locale/en-US/" + text.substr(0, text.find(' ')) + ".dialog", text + "\n");
    }
    Config config;
    config.pipeline = {"test"};
    config.location.tz = "Europe/Berlin";
    AssistantOptions options;
    options.jumping_clock = true;
    options.load_plugins = false;
    config.store.path = store.string();
    config.store.keep = keep;
    if (!store.empty()) options.keeps_as = "a test";
    core_ = std::make_unique<Assistant>(config, options);
    if (now) core_->jumping_clock()->set_wall(*now);
    core_->add_stage("test", std::make_unique<LambdaStage>(at_once([](const MatchRequest& request) {
                       const std::string said = request.utterance();
                       const auto space = said.rfind(' ');
                       Match match("keeper.test", space == said.npos ? said : said.substr(space + 1),
                                   request.lang(), said);
                       if (const auto is = said.find('='); is != said.npos)
                         match.slots[said.substr(0, is)] = said.substr(is + 1, space - is - 1);
                       return std::optional(std::move(match));
                     })));
    core_->add_skill("keeper.test", std::move(skill), folder_.path() / "skill");
    tap_ = core_->bus().subscribe("*", [this](const Message& message) {
      heard.push_back(message);
      if (message.type() == "ovos.utterance.speak") spoken.push_back(message.text("utterance"));
    });
    core_->start();
    core_->run_until_idle();
  }
  std::string say(const std::string& text, SessionPtr session = nullptr, SenderPtr sender = nullptr) {
    TurnInput input(text);
    input.session = std::move(session);
    input.sender = std::move(sender);
    std::optional<TurnResult> result;
    converse(*core_, std::move(input), [&](TurnResult done) { result.emplace(std::move(done)); });
    core_->run_until_idle();
    REQUIRE(result.has_value());
    return result->status == TurnStatus::kError ? "failed: " + result->error : result->speech_text();
  }
  Assistant& core() { return *core_; }
  std::size_t count(std::string_view topic) const {
    return static_cast<std::size_t>(
        std::count_if(heard.begin(), heard.end(), [&](const auto& one) { return one.type() == topic; }));
  }

  Names spoken;
  std::vector<Message> heard;

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Assistant> core_;
  Subscription tap_;
};

/// A skill with one intent `go`, and nothing else.
inline std::unique_ptr<Skill> goes(std::function<Task<>(LambdaSkill&, Turn)> go,
                                   std::function<void(LambdaSkill&)> more = nullptr) {
  return std::make_unique<LambdaSkill>([go = std::move(go), more = std::move(more)](LambdaSkill& self) {
    self.on_intent("go", [&self, go](Turn turn) { return go(self, std::move(turn)); });
    if (more) more(self);
  });
}

inline SessionPtr called(const std::string& id) {
  return std::make_shared<const Session>(id);
}

}  // namespace parley::testing
