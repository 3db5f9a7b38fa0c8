#include <parley/testing.hpp>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "config/config.hpp"
#include "config/files.hpp"
#include "language/core_folder.hpp"
#include "message/log.hpp"
#include "runtime/http.hpp"
#include "runtime/timers.hpp"

namespace parley::testing {
namespace {

/// `bin` of the installation that this library is part of: the test program is somewhere else.
std::filesystem::path programs() {
  return core_folder().parent_path().parent_path().parent_path() / "bin";
}

ConfigSources sources_of(std::vector<std::string> settings) {
  ConfigSources sources;
  sources.environment = process_environment();
  sources.executable_directory = programs();
  std::map<std::string, std::string> named;  // what the user of this machine likes is no part of a test
  if (const auto config = sources.environment.find("PARLEY_CONFIG"); config != sources.environment.end())
    named.insert(*config);
  sources.file = find_config(std::nullopt, named, sources.executable_directory);
  sources.environment.clear();
  sources.settings = std::move(settings);
  return sources;
}

}  // namespace

Outcome::Outcome() = default;

std::string Outcome::text() const {
  std::string all;
  for (const auto& spoken : speech) all += (all.empty() ? "" : " ") + spoken;
  return all;
}

struct Fixture::Parts {
  explicit Parts(std::vector<std::string> settings)
      : log([this](LogLevel level, std::string_view who, std::string_view text) {
          if (level >= LogLevel::kWarning) warnings.push_back(std::string(who) + ": " + std::string(text));
        }) {
    const ConfigSources sources = sources_of(std::move(settings));
    CheckedConfig checked = load_checked_config(sources);
    if (checked.config.location.tz.empty()) checked.config.location.tz = "UTC";  // wherever it runs
    AssistantOptions options;
    options.config_file = sources.file;
    options.executable_directory = sources.executable_directory;
    options.layers = std::move(checked.layers);
    options.jumping_clock = true;
    options.http = answers;
    options.random = [this](std::size_t count) {
      if (drawn.empty()) return std::size_t{0};
      const std::size_t number = drawn.front();
      drawn.pop_front();
      return number % count;
    };
    core = std::make_unique<Assistant>(std::move(checked.config), std::move(options));
    tap = core->bus().subscribe("*", [this](const Message& message) {
      passed.push_back(message);
      if (message.type() == "ovos.utterance.speak") spoken.push_back(message.text("utterance"));
    });
  }
  ~Parts() {
    if (started) core->stop();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// @throws std::runtime_error with everything that was refused
  void start() {
    if (!std::exchange(started, true)) {
      core->start();
      core->run_until_idle();
      for (const auto& problem : core->problems())
        if (problem.fatal) refused += "\n  " + to_string(problem);
    }
    if (!refused.empty()) throw std::runtime_error("the assistant did not start as a whole:" + refused);
  }

  Conversation& conversation() {
    auto& found = conversations[session];
    if (!found) found = std::make_unique<Conversation>(*core, std::make_shared<const Session>(session));
    return *found;
  }

  std::vector<std::string> warnings;
  std::vector<Message> passed;
  std::vector<std::string> spoken;  ///< Since what was said or waited for last.
  std::deque<std::size_t> drawn;
  std::shared_ptr<GivenAnswers> answers = std::make_shared<GivenAnswers>();
  std::string session = "test", lang;
  bool started = false;
  std::string refused;  ///< What was, at the start.
  LogListener log;
  std::unique_ptr<Assistant> core;
  Subscription tap;
  std::map<std::string, std::unique_ptr<Conversation>> conversations;
};

Fixture::Fixture(std::vector<std::string> settings) : parts_(std::make_unique<Parts>(std::move(settings))) {}
Fixture::~Fixture() = default;

void Fixture::add(const std::string& skill_id, std::unique_ptr<Skill> skill,
                  const std::filesystem::path& folder, OptionTable settings) {
  if (parts_->started) throw std::logic_error("a skill is added before anything is said");
  parts_->core->add_skill(skill_id, std::move(skill), folder, settings);
}

void Fixture::set_clock(std::chrono::system_clock::time_point now) {
  parts_->core->jumping_clock()->set_wall(now);
}

void Fixture::answer(const std::string& method, const std::string& url, int status, std::string body) {
  parts_->answers->give(method, url, status, std::move(body));
}

void Fixture::draw(const std::vector<std::size_t>& numbers) {
  parts_->drawn.insert(parts_->drawn.end(), numbers.begin(), numbers.end());
}

void Fixture::in_session(const std::string& name) {
  parts_->session = name;
}

void Fixture::in_language(std::string tag) {
  parts_->lang = std::move(tag);
}

Outcome Fixture::say(const std::string& text) {
  parts_->start();
  TurnInput input(text);
  input.lang = parts_->lang;
  // Shared, because a turn that never ends would still have the callback when this has thrown.
  const auto result = std::make_shared<std::optional<TurnResult>>();
  parts_->conversation().say(std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
  if (!parts_->core->run_until([&] { return result->has_value(); }))
    throw std::runtime_error("the turn never ended: nothing is left to do, and it was not handled");
  parts_->spoken.clear();
  const TurnResult& turn = **result;
  Outcome heard;
  for (const auto& spoken : turn.speech) heard.speech.push_back(spoken.utterance);
  heard.stage = turn.pipeline_id;
  heard.skill_id = turn.skill_id;
  heard.intent = turn.intent_name;
  heard.understood = turn.status == TurnStatus::kAnswered;
  heard.asks = parts_->conversation().asks();
  const bool failed = turn.status == TurnStatus::kError || turn.status == TurnStatus::kCancelled;
  if (failed) heard.error = turn.error.empty() ? std::string(to_string(turn.status)) : turn.error;
  return heard;
}

Outcome Fixture::wait(std::chrono::milliseconds time) {
  parts_->start();
  parts_->core->run_for(time);
  Outcome heard;
  heard.speech = std::exchange(parts_->spoken, {});
  return heard;
}

Outcome Fixture::publish(Message message) {
  parts_->start();
  parts_->core->bus().publish(std::move(message));
  return wait(std::chrono::milliseconds(0));
}

std::vector<Message> Fixture::messages(const std::string& topic) {
  std::vector<Message> found;
  for (const auto& message : parts_->passed)
    if (message.type() == topic) found.push_back(message);
  return found;
}

const std::vector<std::string>& Fixture::warnings() const noexcept {
  return parts_->warnings;
}

}  // namespace parley::testing
