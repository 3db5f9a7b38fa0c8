#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/skill.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "message/log.hpp"
#include "runtime/timers.hpp"
#include "support/assistant_fixture.hpp"
#include "support/installed_config.hpp"
#include "support/temporary_folder.hpp"

namespace parley::testing {

/// Collects the log, from any thread, and keeps it off the terminal.
class LogLines {
 public:
  LogLines() { set_log_level(LogLevel::kOff); }
  ~LogLines() { set_log_level(LogLevel::kWarning); }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  /// Each as "[who] text".
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  /// Those that are no word about the machine, which may be slow.
  std::vector<std::string> complaints() const {
    auto lines = all();
    std::erase_if(lines, [](const auto& line) { return line.starts_with("[watchdog]"); });
    return lines;
  }
  std::size_t count(std::string_view part) const {
    const auto lines = all();
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [&](const auto& line) { return line.find(part) != line.npos; }));
  }
  bool has(std::string_view part) const { return count(part) > 0; }

 private:
  void add(std::string_view who, std::string_view text) {
    const std::lock_guard lock(mutex_);
    lines_.push_back("[" + std::string(who) + "] " + std::string(text));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  LogListener listener_{[this](LogLevel, std::string_view who, std::string_view text) { add(who, text); }};
};

/// A whole assistant with the real stages, and the skills a test gives it.
class EndToEnd {
 public:
  enum class Time { kJumping, kReal };

  explicit EndToEnd(Time time = Time::kJumping) {
    options.jumping_clock = time == Time::kJumping;
    config.plugins.directories = {PARLEY_STAGES, PARLEY_TEST_PLUGINS "/stages"};
    config.location.tz = "UTC";
    config.orchestrator.speak_errors = false;      // what speaks is what the test has speak
    config.language.enabled = {"en-US", "de-DE"};  // every further one costs time at each start
  }

  /// Takes skills from a folder where they were built, and no others from there.
  void take_skills(const std::filesystem::path& from, const std::vector<std::string>& names) {
    const auto where = folder.path() / "skills";
    std::filesystem::create_directories(where);
    for (const std::string& name : names)
      std::filesystem::create_directory_symlink(from / name, where / name);
    config.skills.directories = {where.string()};
  }
  /// Takes the test plugin of that name from where it was built.
  void plugin_skill(const std::string& name) {
    take_skills(std::filesystem::path(PARLEY_TEST_PLUGINS) / "skills", {name});
  }
  /// Asks the test stage of that name before all others.
  void plugin_stage(const std::string& name) {
    config.stages[name].plugin = name;
    config.pipeline.insert(config.pipeline.begin(), name);
  }
  /// Writes `locale/<file>` of a skill that is written in the test.
  void locale(const std::string& skill_id, const std::string& file, std::string_view text) const {
    folder.write(skill_folder(skill_id) / "locale" / file, text);
  }
  LambdaSkill& skill(const std::string& skill_id, std::function<void(LambdaSkill&)> start,
                     OptionTable settings = {}) {
    auto made = std::make_unique<LambdaSkill>(std::move(start));
    auto& skill = *made;
    std::filesystem::create_directories(folder.path() / skill_folder(skill_id));
    given_.push_back({skill_id, std::move(made), settings});
    return skill;
  }
  std::filesystem::path skill_folder(const std::string& skill_id) const { return "given/" + skill_id; }

  Assistant& start() {
    make();
    assistant_->start();
    return *assistant_;
  }
  /// Everything short of starting it.
  Assistant& make() {
    assistant_ = std::make_unique<Assistant>(config, options);
    for (auto& [id, skill, settings] : given_)
      assistant_->add_skill(id, std::move(skill), folder.path() / skill_folder(id), settings);
    given_.clear();
    everything_ =
        assistant_->bus().subscribe("*", [this](const Message& message) { heard.push_back(message); });
    return *assistant_;
  }
  void destroy() {
    everything_.reset();
    assistant_.reset();
  }
  ~EndToEnd() { destroy(); }
  EndToEnd(const EndToEnd&) = delete;
  EndToEnd& operator=(const EndToEnd&) = delete;

  Assistant& assistant() { return *assistant_; }

  /// A turn under way; empty until it was handled.
  using Pending = std::shared_ptr<std::optional<TurnResult>>;
  Pending begin(const std::string& text, SessionPtr session = nullptr, const std::string& lang = "") {
    TurnInput input(text);
    input.session = std::move(session);
    input.lang = lang;
    auto result = std::make_shared<std::optional<TurnResult>>();
    converse(*assistant_, std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
    return result;
  }
  Pending begin(Conversation& conversation, const std::string& text) {
    auto result = std::make_shared<std::optional<TurnResult>>();
    conversation.say(TurnInput(text), [result](TurnResult turn) { *result = std::move(turn); });
    return result;
  }
  TurnResult say(Conversation& conversation, const std::string& text) {
    return finish(begin(conversation, text));
  }
  TurnResult finish(const Pending& turn) {
    REQUIRE(until([&] { return turn->has_value(); }));
    return **turn;
  }
  TurnResult say(const std::string& text, SessionPtr session = nullptr, const std::string& lang = "") {
    return finish(begin(text, std::move(session), lang));
  }

  /// Runs until the condition holds; false when it does not come to hold (real time: within a minute).
  bool until(const std::function<bool()>& condition) {
    if (options.jumping_clock) return assistant_->run_until(condition);
    bool late = false;
    auto& timers = assistant_->bus().timers();
    const Timer bound = timers.at(timers.clock().now() + std::chrono::minutes(1), [&] { late = true; });
    assistant_->run_until([&] { return late || condition(); });
    return condition();
  }
  bool unload(const std::string& skill_id) {
    std::optional<bool> gone;
    assistant_->unload_skill(skill_id, [&](bool is_gone) { gone = is_gone; });
    REQUIRE(until([&] { return gone.has_value(); }));
    return *gone;
  }

  std::size_t count(std::string_view topic) const {
    return static_cast<std::size_t>(std::count_if(
        heard.begin(), heard.end(), [&](const auto& message) { return message.type() == topic; }));
  }
  std::vector<std::string> spoken() const {
    std::vector<std::string> texts;
    for (const auto& message : heard) {
      if (message.type() == "ovos.utterance.speak") texts.push_back(message.text("utterance"));
    }
    return texts;
  }
  /// All problems of loading, each as it is printed.
  std::string problems() const {
    std::string text;
    for (const auto& problem : assistant_->problems()) text += to_string(problem) + "\n";
    return text;
  }

  TemporaryFolder folder;
  LogLines log;
  Config config = installed_config();
  AssistantOptions options;
  std::vector<Message> heard;  ///< Every message of the bus.

 private:
  struct Given {
    std::string id;
    std::unique_ptr<Skill> skill;
    OptionTable settings;
  };
  std::vector<Given> given_;
  std::unique_ptr<Assistant> assistant_;
  Subscription everything_;
};

/// Whether a text contains another; failing, doctest prints both.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline SessionPtr session(const std::string& id) {
  return std::make_shared<const Session>(id);
}

/// The test plugin `echo` is as alive as it was.
inline void check_echo(EndToEnd& run) {
  const TurnResult said = run.say("repeat after me all is well", std::make_shared<const Session>("echo"));
  CHECK(said.status == TurnStatus::kAnswered);
  CHECK(said.speech_text() == "You said all is well");
  CHECK(said.skill_id == "echo.test");
}

}  // namespace parley::testing
