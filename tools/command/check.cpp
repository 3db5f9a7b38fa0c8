#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/collisions.hpp"
#include "cautions.hpp"
#include "host.hpp"
#include "inventory.hpp"
#include "logging.hpp"
#include "serve/serving.hpp"
#include "settings/reader.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

struct Finding {
  Finding(bool is_error, std::string what) : error(is_error), text(std::move(what)) {}
  bool error;
  std::string text;
};
using Findings = std::vector<Finding>;

void add(Findings& findings, bool error, std::string text) {
  const auto same = [&](const Finding& finding) { return finding.text == text; };
  if (std::none_of(findings.begin(), findings.end(), same)) findings.emplace_back(error, std::move(text));
}

/// Whether a line of the log says what a finding says already.
bool tells_of(const std::string& line, const std::string& finding) {
  const auto message = finding.substr(finding.find(": ") == std::string::npos ? 0 : finding.find(": ") + 2);
  return line.find(message) != std::string::npos;
}

/// Whether it says that other languages lack a file, which is an override of what does not exist anyway.
bool is_of_doubtful_override(const std::string& message, const Findings& findings) {
  const auto end = message.find(" is missing here");
  if (end == std::string::npos) return false;
  const auto before = message.rfind(": ", end);
  const auto begin = before == std::string::npos ? 0 : before + 2;
  const std::string doubt = fmt::format("has no '{}' in any language", message.substr(begin, end - begin));
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& one) { return one.text.find(doubt) != std::string::npos; });
}

using Places = std::map<std::string, std::string, std::less<>>;

/// What is wrong with a part, and where that was asked for.
std::string told(const LoadProblem& problem, const Places& places) {
  constexpr std::string_view kStage = "stage ";
  const std::string& about = problem.place;
  const std::string key =
      about.starts_with(kStage) ? config::join("stages", about.substr(kStage.size())) : about;
  std::string text = fmt::format("{}: {}", about, problem.message);
  const auto place = places.find(key);
  if (place == places.end()) return text;
  if (problem.message.starts_with('\'' + about + '\'')) text = problem.message;
  return fmt::format("{}: {}", place->second, text);
}

/// Whether the configuration is told already that it names no such entry.
bool is_told_of_entry(const std::string& entry, const Findings& findings) {
  const std::string named = fmt::format("'pipeline' names '{}'", entry);
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& one) { return one.text.find(named) != std::string::npos; });
}

/// Loads everything and lists what is refused or works only in part. What is logged on the way and not
/// listed otherwise counts as well.
void check_parts(Setup setup, const Places& places, Findings& findings) {
  setup.config.plugins.strict = false;  // would stop at the first
  setup.options.jumping_clock = true;   // nothing is to happen meanwhile
  std::mutex mutex;
  Findings logged;
  const LogWatch watch("warning", [&](bool error, std::string_view who, std::string_view text) {
    const std::lock_guard lock(mutex);
    add(logged, error, fmt::format("{}: {}", who, text));
  });
  try {
    const auto config_file = setup.options.config_file;
    Host host(std::move(setup));
    warn_of_collisions(host.assistant(), config_file);
    for (const auto& problem : host.assistant().problems()) {
      if (is_of_doubtful_override(problem.message, findings)) continue;
      add(findings, problem.fatal, told(problem, places));
    }
    for (const auto& entry : pipeline_of(host.assistant())) {
      const std::string problem = entry["problem"], name = entry["entry"];
      if (!problem.empty() && problem != "blacklisted" && !is_told_of_entry(name, findings))
        add(findings, false, fmt::format("pipeline: '{}' is skipped: {}", name, problem));
    }
  } catch (const std::exception& error) {
    add(findings, true, error.what());
  }
  const std::lock_guard lock(mutex);
  for (const auto& line : logged) {
    const bool is_told = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return tells_of(line.text, finding.text);
    });
    if (!is_told && !is_of_doubtful_override(line.text, findings)) findings.push_back(line);
  }
}

/// With the place of the key that it is about: `gateway.certificate: …` is where that was written.
std::string placed(const std::string& text, const CheckedConfig& checked) {
  std::string_view about = text;
  constexpr std::string_view kPart = "gateway: ";  // a part of the program, not a key
  if (about.starts_with(kPart)) about.remove_prefix(kPart.size());
  const auto place = checked.places.find(about.substr(0, about.find(": ")));
  if (place == checked.places.end()) return text;
  return fmt::format("{}: {}", place->second, about);
}

/// What was changed of skills while a server ran; nothing of it is wrong.
std::string changes_in_words(const Layers& layers) {
  std::string out;
  const std::string place = layers.changes_file.string();
  for (const auto& [id, changed] : layers.changes.settings) {
    for (const auto& [key, value] : changed.items()) {
      const std::string path = config::join(config::join("skills.settings", id), key);
      const Origin* const by = layers.fixed_by(id, key);
      out += fmt::format("{}: {} = {}{}\n", place, path, config::is_secret(key) ? "(hidden)" : dump(value),
                         by == nullptr ? "" : ", over which " + by->place + " wins");
    }
  }
  for (const auto& [id, is_enabled] : layers.changes.enabled) {
    out += fmt::format(
        "{}: the skill '{}' is {}{}\n", place, id, is_enabled ? "enabled" : "disabled",
        layers.disabled_origin.is_fixed() ? ", over which " + layers.disabled_origin.place + " wins" : "");
  }
  return out;
}

std::string report(const Findings& findings, const std::optional<std::filesystem::path>& file,
                   const Paint& paint) {
  std::string out;
  for (const auto& finding : findings) {
    out += fmt::format("{} {}\n", finding.error ? paint.red("error:  ") : paint.yellow("warning:"),
                       one_line(finding.text));
  }
  const auto count = findings.size();
  if (count == 0) {
    const std::string used = file ? file->string() : "no file is used, all is as it comes";
    return fmt::format("configuration: {}\n{}\n", used, paint.green("Everything is in order."));
  }
  return out + fmt::format("{} problem{}\n", count, count == 1 ? "" : "s");
}

}  // namespace

int check(const GlobalOptions& global) {
  if (global.log_level.empty()) silence_log();  // what it would say is listed
  ConfigSources sources = config_sources(global);
  sources.doubts = true;
  sources.changes = true;
  Findings findings;
  auto checked = check_config(sources);
  for (const auto& problem : checked.problems) add(findings, true, to_string(problem));
  const auto base = sources.file.value_or(std::filesystem::path()).parent_path();
  for (const auto& problem : gateway_problems(checked.config.gateway, base))
    add(findings, true, placed(to_string(problem), checked));
  for (const auto& caution : cautions(checked.config, sources.file.value_or(std::filesystem::path())))
    add(findings, false, placed(caution, checked));
  for (const auto& doubt : checked.doubts) add(findings, false, to_string(doubt));
  for (const auto& problem : checked.change_problems) add(findings, false, to_string(problem));
  print(changes_in_words(checked.layers));
  // What could be read of a faulty configuration is enough to look at the rest as well.
  const Places places = checked.places;
  check_parts(setup_from(std::move(checked), sources), places, findings);
  print(report(findings, sources.file, Paint(wants_colour(STDOUT_FILENO))));
  if (findings.empty()) return kGood;
  const bool any_error =
      std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.error; });
  return any_error ? kFailed : kDiffers;
}

}  // namespace parley::command
