#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "benchmarks.hpp"
#include "flooder.hpp"
#include "free_sentences.hpp"
#include "message/log.hpp"
#include "start_up.hpp"
#include "terminal.hpp"

namespace parley::bench {
namespace {

constexpr int kFailed = 2;

constexpr const char* kFooter =
    R"(Every line names what was done, how many sessions had a turn in flight, and how long a turn took from the
utterance to ovos.utterance.handled (common-query: to the answer); beside it what it should be, and
figure/target. Figures of a busy machine say little.

Exit code: 0 measured, targets met or not; 2 something could not be measured.

Examples:
  tools/bench lifecycle
  tools/bench lifecycle --sessions 1,4,64 --seconds 10
  tools/bench intents --data set.json another.json
  tools/bench free sentences.txt
  tools/bench evidence --objects 1000000
  tools/bench evidence --data conversations.json
  tools/bench all --json > figures.json
  tools/bench all --against figures.json)";

struct Request {
  Request() = default;
  Options options;
  bool json = false;
  bool start_only = false;
  Flood flood;  ///< Of what kind, when that is all that is to be done.
  std::string against;
};

void add_options(CLI::App& app, Request& request) {
  app.add_option("--seconds", request.options.seconds, "how long each thing is measured")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 3600.0));
  app.add_option("--warmup", request.options.warmup, "seconds of warm-up before each measurement")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 3600.0));
  app.add_option("--sessions", request.options.sessions, "sessions in flight, as in 1,16; each is measured")
      ->capture_default_str()
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->check(CLI::Range(1, 1000));
  app.add_option("--starts", request.options.starts, "how many processes are started to measure start-up")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--data", request.options.data,
                 "for intents: files {name, intents: [{skill_id, intent_name, lang, samples}], entities: "
                 "[{name, samples}],\n"
                 "tests: [{utterance, intent or null, slots}]} to be measured on;\n"
                 "for evidence: {conversations: [{id, sessions: [{time, turns: [{id, speaker, text}]}],\n"
                 "questions: [{question, category, evidence: [turn id]}]}]}")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app.add_option("--intents", request.options.intents,
                 "for intents: how many are registered, with ten templates each")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  app.add_option("--objects", request.options.objects, "for evidence: how many objects there are")
      ->capture_default_str()
      ->check(CLI::Range(100, 10'000'000));
  app.add_flag("-j,--json", request.json, "prints one JSON object instead");
  app.add_option("--against", request.against,
                 "a file that --json printed earlier: also prints every figure as a multiple of it")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app.add_flag("--start-only", request.start_only)->group("");
  app.add_option("--flood-only", request.flood.kind)->group("");
  app.add_option("--flood-port", request.flood.port)->group("");
  app.add_option("--flood-token", request.flood.token)->group("");
}

void add_commands(CLI::App& app, Request& request) {
  for (const auto& benchmark : benchmarks()) {
    auto* const command = app.add_subcommand(std::string(benchmark.name), std::string(benchmark.does));
    command->fallthrough();
    if (benchmark.name != "free") continue;
    command->footer(kFreeFormat);
    command
        ->add_option("FILE", request.options.sentences, "sentences; without: those in tools/benchmarks/free")
        ->check(CLI::ExistingFile);
  }
  app.add_subcommand("all", "every one of them")->fallthrough();
}

int run(const CLI::App& app, const Request& request) {
  set_log_level(LogLevel::kWarning);
  if (request.start_only) {
    start_only();
    return 0;
  }
  if (!request.flood.kind.empty()) {
    Flood flood = request.flood;
    flood.seconds = request.options.seconds;
    flood_only(flood);
    return 0;
  }
  if (app.get_subcommands().empty()) {
    command::print(app.help());
    return 0;
  }
  const std::string wanted = app.get_subcommands().front()->get_name();
  Report report(request.json, request.against.empty() ? Earlier() : Earlier(request.against));
  for (const auto& benchmark : benchmarks()) {
    if (wanted != "all" && wanted != benchmark.name) continue;
    report.begin(benchmark.name, benchmark.does);
    benchmark.run(request.options, report);
  }
  report.end();
  return 0;
}

int run_command_line(int argc, char** argv) {
  Request request;
  CLI::App app("Measures parley.", "tools/bench");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  add_options(app, request);
  add_commands(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    command::complain(fmt::format("{}\nTry `tools/bench --help`.", error.what()));
    return kFailed;
  }
  return run(app, request);
}

}  // namespace
}  // namespace parley::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return parley::bench::run_command_line(argc, argv);
  } catch (const std::exception& error) {
    parley::command::complain(error.what());
  } catch (...) {
    parley::command::complain("something was thrown that is no std::exception");
  }
  return parley::bench::kFailed;
}
