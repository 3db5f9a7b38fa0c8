#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/collisions.hpp"
#include "cautions.hpp"
#include "host.hpp"
#include "inventory.hpp"
#include "logging.hpp"
#include "serve/serving.hpp"
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

/// Loads everything and lists what is refused or works only in part. What is logged on the way and not
/// listed otherwise counts as well.
void check_parts(Setup setup, Findings& findings) {
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
      add(findings, problem.fatal, fmt::format("{}: {}", problem.place, problem.message));
    }
    for (const auto& entry : pipeline_of(host.assistant())) {
      const std::string problem = entry["problem"];
      if (!problem.empty() && problem != "blacklisted") {
        add(findings, false,
            fmt::format("pipeline: '{}' is skipped: {}", entry["entry"].get<std::string>(), problem));
      }
    }
  } catch (const std::exception& error) {
    add(findings, true, error.what());
  }
  const std::lock_guard lock(mutex);
  for (const auto& line : logged) {
    const auto told = [&](const Finding& finding) { return tells_of(line.text, finding.text); };
    if (std::none_of(findings.begin(), findings.end(), told)) findings.push_back(line);
  }
}

std::string report(const Findings& findings, const Paint& paint) {
  std::string out;
  for (const auto& finding : findings) {
    out += fmt::format("{} {}\n", finding.error ? paint.red("error:  ") : paint.yellow("warning:"),
                       one_line(finding.text));
  }
  const auto count = findings.size();
  if (count == 0) return paint.green("Everything is in order.") + "\n";
  return out + fmt::format("{} problem{}\n", count, count == 1 ? "" : "s");
}

}  // namespace

int check(const GlobalOptions& global) {
  const ConfigSources sources = config_sources(global);
  Findings findings;
  auto checked = check_config(sources);
  for (const auto& problem : checked.problems) add(findings, true, to_string(problem));
  const auto base = sources.file.value_or(std::filesystem::path()).parent_path();
  for (const auto& problem : gateway_problems(checked.config.gateway, base))
    add(findings, true, to_string(problem));
  for (auto& caution : cautions(checked.config, sources.file.value_or(std::filesystem::path())))
    add(findings, false, std::move(caution));
  // What could be read of a faulty configuration is enough to look at the rest as well.
  check_parts(setup_from(std::move(checked.config), sources), findings);
  print(report(findings, Paint(wants_colour(STDOUT_FILENO))));
  if (findings.empty()) return kGood;
  const bool any_error =
      std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.error; });
  return any_error ? kFailed : kDiffers;
}

}  // namespace parley::command
