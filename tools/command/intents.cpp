#include "intents.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/collisions.hpp"
#include "host.hpp"
#include "intent_cases.hpp"
#include "lines.hpp"
#include "orchestrator/orchestrator.hpp"
#include "table.hpp"

namespace parley::command {
namespace {

constexpr std::size_t kLargestTest = std::size_t{64} << 20U;

std::string claim_line(const nlohmann::json& claim) {
  std::string place = claim.at("place");
  if (place.empty()) place = fmt::format("registered as {}", claim.at("method").get<std::string>());
  const std::string session = claim.at("session_id");
  if (!is_default_session(session)) place += fmt::format(" in session {}", session);
  const std::string sample = claim.at("sample");
  return fmt::format("    {}:{}  {}{}\n", claim.at("skill_id").get<std::string>(),
                     claim.at("intent_name").get<std::string>(), one_line(place),
                     sample.empty() ? sample : "  " + shortened(sample));
}

std::string collisions_text(const nlohmann::json& found, const Paint& paint) {
  std::string out;
  std::size_t ties = 0;
  const auto& all = found.at("collisions");
  for (const auto& one : all) {
    const bool tie = one.at("tie");
    ties += tie ? 1 : 0;
    const std::string how =
        tie ? paint.yellow("both as well; the first by its name") : "the first, by what it names";
    out +=
        fmt::format("{}  {}  {}\n", paint.bold('"' + one_line(one.at("sentence").get<std::string>()) + '"'),
                    one.at("lang").get<std::string>(), how);
    for (const auto& claim : one.at("claims")) out += claim_line(claim);
  }
  if (all.empty()) out = "No two skills claim the same sentence.\n";
  if (!all.empty()) out += counted(all.size(), "pair") + counted(ties, "tie");
  if (!found.at("complete").get<bool>()) out += "There may be more: not everything was compared.\n";
  return out;
}

Setup quiet_setup(const GlobalOptions& global) {
  Setup setup = load_setup(global);
  setup.options.jumping_clock = true;  // nothing is to happen meanwhile
  return setup;
}

int list_collisions(const GlobalOptions& global, const IntentOptions& options) {
  Setup setup = quiet_setup(global);
  const auto config_file = setup.options.config_file;
  Host host(std::move(setup));
  const auto found = collisions_of(host.assistant(), config_file);
  print(options.json ? found.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                     : collisions_text(found, Paint(wants_colour(STDOUT_FILENO))));
  const auto& all = found.at("collisions");
  const bool any_tie = std::any_of(all.begin(), all.end(), [](const auto& one) { return one.at("tie"); });
  return any_tie ? kDiffers : kGood;
}

/// The first entry of the pipeline that takes it. Who would have to be asked takes nothing here.
IntentOutcome outcome_of(const nlohmann::json& report) {
  IntentOutcome outcome;
  for (const auto& stage : report.at("stages")) {
    if (stage.at("verdict") != "matches") continue;
    const auto& match = stage.at("match");
    outcome.intent = fmt::format("{}:{}", match.at("skill_id").get<std::string>(),
                                 match.at("intent_name").get<std::string>());
    outcome.slots = match.at("slots").get<std::map<std::string, std::string>>();
    break;
  }
  return outcome;
}

IntentOutcome play(Assistant& assistant, const IntentCase& one) {
  TurnInput input(one.utterance);
  input.lang = one.lang;
  input.session = std::make_shared<const Session>("intents-test");
  const auto report = std::make_shared<std::optional<Result<Json>>>();
  assistant.orchestrator().dry_run(Conversation::entry_of(std::move(input)),
                                   [report](Result<Json> told) { report->emplace(std::move(told)); });
  if (!assistant.run_until([&] { return report->has_value(); }))
    throw std::runtime_error("an utterance was never settled: nothing is left to do");
  if (!**report) throw std::runtime_error((*report)->error().message);
  return outcome_of((*report)->value());
}

int test_cases(const GlobalOptions& global, const IntentOptions& options) {
  const IntentCases read = read_intent_cases(options.test, read_all(options.test, kLargestTest));
  for (const auto& problem : read.problems) complain(problem);
  if (!read.problems.empty()) return kFailed;
  if (read.cases.empty()) {
    complain(fmt::format("{}: there is no case in it", options.test));
    return kFailed;
  }
  Host host(quiet_setup(global));
  const Paint paint(wants_colour(STDOUT_FILENO));
  IntentTally tally;
  for (const IntentCase& one : read.cases) {
    const std::string differs = tally.add(one, play(host.assistant(), one));
    if (!differs.empty())
      print(fmt::format("{}:{}: {}\n{}", options.test, one.line, one_line(one.utterance), differs));
  }
  print(tally.report(paint));
  return tally.all_good() ? kGood : kDiffers;
}

}  // namespace

int intents(const GlobalOptions& global, const IntentOptions& options) {
  if (!options.test.empty()) return test_cases(global, options);
  if (options.collisions) return list_collisions(global, options);
  return list_intents(global, options);
}

}  // namespace parley::command
