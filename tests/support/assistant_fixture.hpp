#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/skill.hpp>
#include <parley/stage.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "config/config.hpp"
#include "message/log.hpp"
#include "support/temporary_folder.hpp"

namespace parley::testing {

using Names = std::vector<std::string>;

/// What a stage of a test says at once.
using Answer = std::function<std::optional<Match>(const MatchRequest&)>;
/// What a stage of a test says in its own time: a coroutine, which may be a lambda with captures.
using SlowAnswer = std::function<Task<std::optional<Match>>(MatchRequest)>;

/// A stage made of functions.
class LambdaStage final : public Stage {
 public:
  explicit LambdaStage(SlowAnswer answer) : answer_(std::move(answer)) {}
  void start() override {
    if (on_start) on_start(*this);
  }
  Task<std::optional<Match>> match(MatchRequest request) override { return answer_(std::move(request)); }
  QuickAnswer quick_match(const MatchRequest& request) override {
    return quick ? quick(request) : QuickAnswer();
  }
  std::optional<Match> word_for_word(const MatchRequest& request) override {
    return literal ? literal(request) : std::nullopt;
  }
  Task<> handle(Turn turn) override {
    return handler ? handler(std::move(turn)) : Stage::handle(std::move(turn));
  }
  std::vector<IntentPtr> listed_intents() const override {
    return listed ? listed() : std::vector<IntentPtr>();
  }
  StageContext& services() const noexcept { return context(); }

  std::function<void(LambdaStage&)> on_start;
  Handler handler;  ///< Runs what the stage dispatches to itself.
  std::function<QuickAnswer(const MatchRequest&)> quick;
  std::function<std::optional<Match>(const MatchRequest&)> literal;
  std::function<std::vector<IntentPtr>()> listed;

 private:
  SlowAnswer answer_;
};

/// A skill that registers what a function tells it to.
class LambdaSkill final : public Skill {
 public:
  explicit LambdaSkill(std::function<void(LambdaSkill&)> start) : start_(std::move(start)) {}
  void start() override { start_(*this); }
  void stop() override {
    if (when_stopped) when_stopped();
  }

  using Skill::at;
  using Skill::cancel_timer;
  using Skill::clock;
  using Skill::disable_intent;
  using Skill::emit;
  using Skill::enable_intent;
  using Skill::every;
  using Skill::folder;
  using Skill::http;
  using Skill::http_stream;
  using Skill::log;
  using Skill::make_wakeup;
  using Skill::mentions;
  using Skill::on_converse;
  using Skill::on_due;
  using Skill::on_event;
  using Skill::on_fallback;
  using Skill::on_intent;
  using Skill::on_keywords;
  using Skill::on_question;
  using Skill::on_stop;
  using Skill::random;
  using Skill::request;
  using Skill::run_blocking;
  using Skill::says;
  using Skill::schedule;
  using Skill::settings;
  using Skill::skill_id;
  using Skill::sleep;
  using Skill::storage;

  void on_settings_changed() override {
    if (when_set) when_set();
  }

  std::function<void()> when_stopped, when_set;

 private:
  std::function<void(LambdaSkill&)> start_;
};

/// Claims everything for one intent.
inline Answer claims(std::string skill_id, std::string intent_name) {
  return [skill_id = std::move(skill_id), intent_name = std::move(intent_name)](const MatchRequest& request) {
    return std::optional<Match>(Match(skill_id, intent_name, request.lang(), request.utterance()));
  };
}
inline Answer declines() {
  return [](const MatchRequest&) { return std::optional<Match>(); };
}

inline SlowAnswer at_once(Answer answer) {
  return [answer = std::move(answer)](MatchRequest request) -> Task<std::optional<Match>> {
    co_return answer(request);
  };
}

/// A session that is not the default one.
inline SessionPtr kitchen() {
  return std::make_shared<const Session>("kitchen");
}

/// A handler that does one thing and ends.
inline Handler does(std::function<void(Turn&)> what) {
  return [what = std::move(what)](Turn turn) -> Task<> {
    what(turn);
    co_return;
  };
}
/// A handler that speaks `text`.
inline Handler says(const std::string& text) {
  return does([text](Turn& turn) { turn.speak(text); });
}
/// A handler that speaks what was said to it.
inline Handler echoes() {
  return does([](Turn& turn) { turn.speak(turn.text()); });
}

inline SessionPtr session_of(const Json& wire) {
  std::vector<std::string> spoiled;
  return std::make_shared<const Session>(session_from_json(wire, spoiled));
}

inline Message utterance_message(Json data, SessionPtr session = nullptr, std::string utterance_id = {}) {
  Context context;
  context.source = "test.client";
  context.session = std::move(session);
  context.utterance_id = std::move(utterance_id);
  return Message("ovos.utterance.handle", std::move(data), std::move(context));
}
inline Message utterance_message(const char* text, SessionPtr session = nullptr,
                                 std::string utterance_id = {}) {
  return utterance_message(Json{{"utterances", {text}}}, std::move(session), std::move(utterance_id));
}

/// A whole assistant on a clock that jumps, on this thread, with the stages and skills of the test. Change
/// `config`, give it stage()s and skill()s, then start() it; everything on the bus is in `heard`, every
/// warning and error of the log in `warnings`.
class TestAssistant {
 public:
  TestAssistant()
      : log_([this](LogLevel level, std::string_view who, std::string_view text) {
          if (level >= LogLevel::kWarning) warnings.push_back(std::string(who) + ": " + std::string(text));
        }) {
    config.pipeline.clear();
    config.stages.clear();
    config.location.tz = "UTC";
    config.orchestrator.speak_errors = false;  // what speaks is what the test has speak
  }
  ~TestAssistant() {
    if (core_) core_->stop();
  }
  TestAssistant(const TestAssistant&) = delete;
  TestAssistant& operator=(const TestAssistant&) = delete;

  // ---- before start()

  /// Adds a stage and its id to the end of the configured pipeline.
  LambdaStage& stage(const std::string& pipeline_id, SlowAnswer answer) {
    auto made = std::make_unique<LambdaStage>(std::move(answer));
    auto& stage = *made;
    stages_.emplace_back(pipeline_id, std::move(made));
    config.pipeline.push_back(pipeline_id);
    return stage;
  }
  LambdaStage& stage_at_once(const std::string& pipeline_id, Answer answer) {
    return stage(pipeline_id, at_once(std::move(answer)));
  }
  /// Gives a skill a handler, with a locale file of that name that no stage of the test reads.
  void handler(const std::string& skill_id, const std::string& intent_name, Handler run) {
    locale(skill_id, "en-US/" + intent_name + ".intent", "words of " + intent_name + "\n");
    skill(skill_id,
          [intent_name, run = std::move(run)](LambdaSkill& self) { self.on_intent(intent_name, run); });
  }
  /// Adds to what a skill does at its start.
  void skill(const std::string& skill_id, std::function<void(LambdaSkill&)> start) {
    skills_[skill_id].push_back(std::move(start));
  }
  /// Writes a file below `locale/` of the skill's folder, e.g. "de-DE/hello.dialog".
  void locale(const std::string& skill_id, const std::string& file, std::string_view text) const {
    folder_.write(skill_id + "/locale/" + file, text);
  }

  void start() {
    AssistantOptions options;
    options.jumping_clock = true;
    options.load_plugins = false;
    core_ = std::make_unique<Assistant>(config, options);
    tap_ = core_->bus().subscribe("*", [this](const Message& message) { heard.push_back(message); });
    for (auto& [id, stage] : stages_) core_->add_stage(id, std::move(stage));
    for (auto& [id, parts] : skills_) {
      auto start_all = [parts = parts](LambdaSkill& self) {
        for (const auto& part : parts) part(self);
      };
      core_->add_skill(id, std::make_unique<LambdaSkill>(std::move(start_all)), folder_.path() / id);
    }
    core_->start();
    for (const auto& problem : core_->problems()) {
      if (problem.fatal) FAIL_CHECK(to_string(problem));
    }
    core_->run_until_idle();
    heard.clear();
    warnings.clear();
  }

  // ---- after start()

  Assistant& core() { return *core_; }
  Bus& bus() { return core_->bus(); }

  /// Sends and runs whatever is ready, without letting time pass.
  void send(Message message) {
    core_->bus().publish(std::move(message));
    run_for(Duration::zero());
  }
  /// Sends an utterance and runs to its end, whatever time that takes.
  TurnResult say(const std::string& text, SessionPtr session = nullptr) {
    TurnInput input(text);
    input.session = std::move(session);
    std::optional<TurnResult> result;
    converse(*core_, std::move(input), [&result](TurnResult done) { result.emplace(std::move(done)); });
    core_->run_until_idle();
    REQUIRE(result.has_value());
    return std::move(*result);
  }
  void run() { core_->run_until_idle(); }
  void run_for(Duration time) { core_->run_for(time); }

  std::vector<std::string> topics() const {
    std::vector<std::string> names;
    for (const auto& message : heard) names.push_back(message.type());
    return names;
  }
  std::vector<Message> all(std::string_view topic) const {
    std::vector<Message> found;
    std::copy_if(heard.begin(), heard.end(), std::back_inserter(found),
                 [topic](const Message& message) { return message.type() == topic; });
    return found;
  }
  std::size_t count(std::string_view topic) const { return all(topic).size(); }
  /// The only message of that topic; the test ends when there are more, or none.
  Message one(std::string_view topic) const {
    CAPTURE(topic);
    const auto found = all(topic);
    REQUIRE(found.size() == 1);
    return found.front();
  }
  bool warned(std::string_view part) const {
    return std::any_of(warnings.begin(), warnings.end(),
                       [part](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  Config config;
  std::vector<Message> heard;
  std::vector<std::string> warnings;  ///< "who: text"

 private:
  TemporaryFolder folder_;
  LogListener log_;
  std::vector<std::pair<std::string, std::unique_ptr<Stage>>> stages_;
  std::map<std::string, std::vector<std::function<void(LambdaSkill&)>>> skills_;
  Subscription tap_;
  std::unique_ptr<Assistant> core_;  // last: goes first, while what it calls is still there
};

}  // namespace parley::testing
