#pragma once

#include <doctest/doctest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/assistant.hpp"
#include "serve/serving.hpp"
#include "settings/problem.hpp"
#include "support/assistant_fixture.hpp"
#include "support/end_to_end.hpp"
#include "support/gateway_client.hpp"
#include "support/installed_config.hpp"

namespace parley::testing {

/// An assistant that is served on a free port of the loopback, on threads of its own. Its one stage gives
/// "go X …" to the intent `go` of the skill X, fails at "fail", and declines everything else. Change
/// `config`, add skills, then start() it.
class Served {
 public:
  Served() {
    config.pipeline = {"go"};
    config.stages.clear();
    config.location.tz = "UTC";
    config.gateway.port = 0;
  }
  ~Served() { stop(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// Gives a skill of this process a handler for `go`.
  void skill(const std::string& skill_id, Handler run) {
    folder_.write(skill_id + "/locale/en-US/go.intent", "go\n");
    skills_.emplace_back(skill_id, std::make_unique<LambdaSkill>([run = std::move(run)](LambdaSkill& self) {
                           self.on_intent("go", run);
                         }));
  }

  /// Writes `locale/<file>` of a skill.
  void locale(const std::string& skill_id, const std::string& file, std::string_view text) const {
    folder_.write(skill_id + "/locale/" + file, text);
  }

  /// Loads the stages that come along beside its own, `go`.
  void real_stages(std::vector<std::string> pipeline) {
    config.stages = installed_config().stages;
    config.plugins.directories = {PARLEY_STAGES};
    config.pipeline = std::move(pipeline);
    load_stages_ = true;
  }

  /// Clients need a token from here on.
  /// @param clients  the map `clients` of the file, in YAML
  void tokens(const std::string& clients) {
    config.gateway.tokens = folder_.write("tokens.yaml", "clients:\n" + clients).string();
  }
  void start() {
    std::promise<void> ready;
    auto started = ready.get_future();
    thread_ = std::thread([this, &ready] { run(ready); });
    started.get();
  }
  /// As SIGTERM does it.
  void stop() {
    if (!thread_.joinable()) return;
    assistant_->post([this] { serving_->drain([this] { assistant_->stop_running(); }); });
    thread_.join();
  }

  unsigned short port() const { return port_; }
  Assistant& assistant() { return *assistant_; }
  Counters& counters() { return assistant_->counters(); }
  CoreClient client(const std::string& query = {}) const { return CoreClient(port_, "/core" + query); }

  /// Runs something on the loop and waits for what it gives.
  template <class Work>
  auto ask(Work work) {
    auto task = std::make_shared<std::packaged_task<decltype(work(std::declval<Assistant&>()))(Assistant&)>>(
        std::move(work));
    auto answer = task->get_future();
    assistant_->post([task, this] { (*task)(*assistant_); });
    return answer.get();
  }

  /// As SIGHUP does it, with `config` as it is now.
  /// @returns the keys that need a restart
  std::vector<std::string> reload() {
    std::optional<ConfigError> refused;  // one exception in two threads' hands looks like a race
    auto restart = ask([this, &refused](Assistant&) -> std::vector<std::string> {
      try {
        return serving_->reload(config);
      } catch (const ConfigError& error) {
        refused.emplace(error);
        return {};
      }
    });
    if (refused) throw ConfigError(*refused);
    return restart;
  }

  Config config;
  std::string keeps_as;  ///< AssistantOptions::keeps_as; empty: what lasts is in memory.
  LogLines log;

 private:
  static std::optional<Match> match(const MatchRequest& request) {
    const std::string& said = request.utterance();
    if (said == "fail") throw std::runtime_error("told to");
    if (!said.starts_with("go ")) return std::nullopt;
    return Match(said.substr(3, said.find(' ', 3) - 3), "go", request.lang(), said);
  }

  void run(std::promise<void>& ready) {
    try {
      AssistantOptions options;
      options.load_plugins = load_stages_;
      options.keeps_as = keeps_as;
      Assistant assistant(config, options);
      assistant.add_stage("go", std::make_unique<LambdaStage>(at_once(match)));
      for (auto& [id, skill] : skills_) assistant.add_skill(id, std::move(skill), folder_.path() / id);
      Serving serving(assistant);
      serving.open();
      assistant.start();
      serving.set_ready();
      assistant_ = &assistant;
      serving_ = &serving;
      port_ = serving.port();
      ready.set_value();
      assistant.run();
      serving.close();
      assistant.stop();
    } catch (...) {
      if (assistant_ == nullptr) ready.set_exception(std::current_exception());
    }
  }

  TemporaryFolder folder_;
  bool load_stages_ = false;
  std::vector<std::pair<std::string, std::unique_ptr<Skill>>> skills_;
  Assistant* assistant_ = nullptr;
  Serving* serving_ = nullptr;
  unsigned short port_ = 0;
  std::thread thread_;
};

inline const Json kEmpty = Json::object();

/// The topics of messages, in order.
inline Names topics_of(const std::vector<Json>& messages) {
  Names topics;
  for (const auto& message : messages) topics.push_back(message.at("type"));
  return topics;
}

/// `context` with that session.
inline Json in_session(const std::string& id) {
  return {{"session", {{"session_id", id}}}};
}
inline Json utterance(const std::string& text) {
  return {{"utterances", {text}}};
}

}  // namespace parley::testing
