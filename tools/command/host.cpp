#include "host.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "config/files.hpp"
#include "message/log.hpp"
#include "runtime/timers.hpp"
#include "session/session.hpp"
#include "terminal.hpp"

namespace parley::command {

ConfigSources config_sources(const GlobalOptions& global) {
  ConfigSources sources;
  sources.environment = process_environment();
  sources.settings = global.settings;
  std::optional<std::filesystem::path> asked_for;
  if (!global.config.empty()) asked_for = global.config;
  sources.file = find_config(asked_for, sources.environment, executable_directory());
  return sources;
}

Setup setup_from(CheckedConfig checked, const ConfigSources& sources) {
  AssistantOptions options;
  options.config_file = sources.file;
  options.executable_directory = executable_directory();
  options.layers = std::move(checked.layers);
  return {std::move(checked.config), std::move(options)};
}

Setup load_setup(const GlobalOptions& global) {
  return load_setup(global, config_sources(global));
}

Setup load_setup(const GlobalOptions& global, const ConfigSources& sources) {
  CheckedConfig checked = load_checked_config(sources);
  const LoggingConfig& logging = checked.config.logging;
  if (global.log_level.empty()) set_log_level(logging.level);
  set_log_limit(logging.max_per_second);
  set_log_target(logging.file, logging.format == LogFormat::kJson);
  for (const auto& problem : checked.change_problems) log_warning("skills", to_string(problem));
  return setup_from(std::move(checked), sources);
}

Setup only_languages(Setup setup, const std::vector<std::string>& tags) {
  LanguageConfig& language = setup.config.language;
  const Languages all(language.default_tag, language.enabled);
  std::vector<std::string> spoken;
  for (const auto& one : all.enabled) {
    const auto is_meant = [&](const std::string& tag) {
      return resolve_language(tag, Session("default"), all).tag == one;
    };
    if (std::any_of(tags.begin(), tags.end(), is_meant)) spoken.push_back(one);
  }
  if (!spoken.empty()) language.enabled = std::move(spoken);
  return setup;
}

Host::Host(Setup setup) {
  const Progress progress("starting");
  assistant_ = std::make_unique<Assistant>(std::move(setup.config), std::move(setup.options));
  assistant_->start();
}

Host::~Host() {
  const Progress progress("stopping");
  assistant_.reset();
}

TurnResult Host::say(Conversation& conversation, TurnInput input) {
  const Progress progress("thinking");
  // Shared, because a turn that never ends would still have the callback when this has thrown.
  const auto result = std::make_shared<std::optional<TurnResult>>();
  conversation.say(std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
  if (!assistant_->run_until([&] { return result->has_value(); })) {
    throw std::runtime_error("the turn never ended: nothing is left to do, and it was not handled");
  }
  return std::move(**result);
}

void Host::wait(Duration time) {
  assistant_->run_for(time);
}

void Host::set_clock(std::chrono::system_clock::time_point time) {
  assistant_->jumping_clock()->set_wall(time);
}

std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace parley::command
