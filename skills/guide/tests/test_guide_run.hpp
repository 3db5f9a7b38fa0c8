#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "support/end_to_end.hpp"

namespace parley::guide {

/// The tasks of the tests instead of those that come along: those may change.
inline const Json& settings_of_tests() {
  static const Json settings{{"shipped_tasks", false},
                             {"tasks_directories", {PARLEY_GUIDE_FOLDER "/tests/tasks"}}};
  return settings;
}

/// A folder of skills with the guide and two others in it, in `where`.
inline std::string few_skills(const std::filesystem::path& where) {
  std::filesystem::create_directories(where);
  for (const char* const name : {"guide", "timer", "date_time"})
    std::filesystem::create_directory_symlink(std::filesystem::path(PARLEY_SKILLS) / name, where / name);
  return where.string();
}

/// An assistant with the guide over a file that outlasts it; what skills draw is 0.
class GuideRun {
 public:
  explicit GuideRun(Json settings = settings_of_tests()) : settings_(std::move(settings)) {
    skills_ = few_skills(folder_.path() / "skills");
    begin(std::nullopt);
  }

  TurnResult turn(const std::string& text, const std::string& in = "me", const std::string& lang = "en-US") {
    TurnInput input(text);
    input.lang = lang;
    auto result = std::make_shared<std::optional<TurnResult>>();
    conversation(in).say(std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
    return run_->finish(result);
  }
  std::string say(const std::string& text, const std::string& in = "me", const std::string& lang = "en-US") {
    return turn(text, in, lang).speech_text();
  }
  /// The process ends, and another one begins. What clients keep of their sessions stays.
  void restart(std::chrono::minutes later = std::chrono::minutes(0)) {
    std::map<std::string, SessionPtr> kept;
    for (const auto& [id, one] : conversations_) kept[id] = one->session();
    const auto now = run_->assistant().clock().wall();
    conversations_.clear();
    run_.reset();
    begin(now + later);
    for (const auto& [id, session] : kept)
      conversations_[id] = std::make_unique<parley::Conversation>(run_->assistant(), session);
  }
  void wait(std::chrono::minutes time) { run_->assistant().run_for(time); }
  bool heard(const std::string& part) const {
    const auto all = run_->spoken();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& text) { return testing::contains(text, part); });
  }

 private:
  void begin(std::optional<std::chrono::system_clock::time_point> now) {
    run_ = std::make_unique<testing::EndToEnd>();
    run_->config.skills.directories = {skills_};
    run_->config.language.enabled = {"en-US",
                                     "de-DE"};  // every other takes its time to be learnt at each start
    run_->config.skills.settings["guide.parley"] = settings_;
    run_->config.store.path = (folder_.path() / "parley.db").string();
    run_->options.keeps_as = "a test";
    run_->options.random = [](std::size_t) { return std::size_t{0}; };
    auto& assistant = run_->make();
    if (now) assistant.jumping_clock()->set_wall(*now);
    assistant.start();
  }
  parley::Conversation& conversation(const std::string& id) {
    auto& one = conversations_[id];
    if (!one)
      one = std::make_unique<parley::Conversation>(run_->assistant(), std::make_shared<const Session>(id));
    return *one;
  }

  testing::TemporaryFolder folder_;
  std::string skills_;
  Json settings_;
  std::unique_ptr<testing::EndToEnd> run_;
  std::map<std::string, std::unique_ptr<parley::Conversation>> conversations_;
};

/// Whether an answer is as a line of a file has it, where `any` stands for anything.
inline bool fits(const std::string& answer, const std::string& pattern, const std::string& any = "*") {
  std::size_t at = 0, from = 0;
  while (true) {
    const auto end = pattern.find(any, from);
    const std::string part = pattern.substr(from, end == std::string::npos ? end : end - from);
    const auto found = answer.find(part, at);
    if (found == std::string::npos || (from == 0 && found != 0)) return false;
    at = found + part.size();
    if (end == std::string::npos) return part.empty() || answer.ends_with(part);
    from = end + any.size();
  }
}

}  // namespace parley::guide
