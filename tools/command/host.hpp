#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <parley/task.hpp>
#include <string>
#include <vector>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "app/turn_json.hpp"
#include "options.hpp"

namespace parley::command {

/// Where the configuration comes from, by options and environment.
/// @throws ConfigError when a file that was asked for by name does not exist
ConfigSources config_sources(const GlobalOptions& global);

/// What an assistant is made of.
struct Setup {
  Setup(Config checked, AssistantOptions how) : config(std::move(checked)), options(std::move(how)) {}
  Config config;
  AssistantOptions options;
};

/// @throws ConfigError with every problem of the configuration
Setup load_setup(const GlobalOptions& global);
Setup load_setup(const GlobalOptions& global, const ConfigSources& sources);
/// The same from a configuration that was read already.
Setup setup_from(CheckedConfig checked, const ConfigSources& sources);

/// The same for utterances in these languages alone, as resolve_language() takes them; empty: the configured
/// default. Reading and learning those that nobody speaks is most of a start.
Setup only_languages(Setup setup, const std::vector<std::string>& tags);

/// An assistant that one thread creates and drives itself: each call runs the loop until it is done.
class Host {
 public:
  explicit Host(Setup setup);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Sends one utterance and runs the loop until it is handled or the user is asked something. With the
  /// jumping clock, time jumps.
  TurnResult say(Conversation& conversation, TurnInput input);
  /// Jumping clock only: lets time pass.
  void wait(Duration time);
  /// Jumping clock only.
  void set_clock(std::chrono::system_clock::time_point time);

  Assistant& assistant() noexcept { return *assistant_; }

 private:
  std::unique_ptr<Assistant> assistant_;
};

/// JSON on one line, whatever bytes the strings hold.
std::string dump(const nlohmann::json& json);

}  // namespace parley::command
