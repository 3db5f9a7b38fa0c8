#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "author.hpp"
#include "complete.hpp"
#include "config/config.hpp"
#include "host.hpp"
#include "intents.hpp"
#include "kept_line.hpp"
#include "logging.hpp"
#include "settings/values.hpp"
#include "subcommand.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

constexpr const char* kExamples = R"(Examples:
  parley                                 talk to it (the same as: parley chat)
  parley say what time is it in tokyo    one question, the answer on stdout
  echo "what day is it" | parley say     one utterance a line from stdin
  parley say --explain what time is it   also how the answer came about
  parley script hello.parley             play a dialogue and compare
  parley serve                           for clients, satellites and remote skills, on port 8181
  parley check                           is everything in order?
  parley new skill coffee                a folder to begin a skill with

`parley COMMAND --help` says more about one command.)";

constexpr const char* kChatHelp =
    R"(Type what you would say and press Enter. Lines that start with / are for parley itself:
  /help lists them, /explain tells how the last answer came about, /quit (or Ctrl-D) ends.

Example:
  parley chat --lang de-DE)";

constexpr const char* kSayHelp =
    R"(Without TEXT, or with `-`, every line of stdin is one utterance of the same session.
What is spoken goes to stdout, one line each; everything else to stderr. With --explain the trace of
the turn follows its answer on stdout.

Exit code: 0 answered, 1 nobody knew what to do with it, 2 it failed. Of several lines, the worst.

Examples:
  parley say what time is it
  parley say --json "what day is it" | jq -r .speech_text
  printf 'set a timer\nfive minutes\n' | parley say
  parley say -- -5 degrees is how much in fahrenheit)";

constexpr const char* kScriptHelp = R"(A script says what is said and what is expected:
  # a comment; a blank line starts a new session
  > what is the capital of france
  < Paris is the capital of France.
  @ stage common_query
  > set a timer
  < {For how long|How long}*

`*` is any text, `{a|b}` one of several. Time jumps, so waiting takes no time. Without FILE, or with
`-`, the script is read from stdin.

Exit code: 0 all as expected, 1 something differs, 2 a script can't be read or played.

Examples:
  parley script tests/*.parley
  parley script --explain tests/timer.parley    with the trace of every turn that differs
  parley script --update tests/timer.parley     write the actual answers into the script)";

constexpr const char* kServeHelp =
    R"(Listens at the address in `gateway` of the configuration, 127.0.0.1:8181 by default: WebSocket clients and
remote skills on /core, one turn per call on POST /run, /health and /metrics for operators. Reports on stdout
when it is ready. SIGTERM or Ctrl-C lets running turns finish, then ends; a second one ends at once. SIGHUP
reads configuration and tokens again.

With --supervise the server runs in a child process. After a crash the child is started again, without the
plugin whose code crashed. A fifth crash within ten minutes ends both processes.

Exit code: 0 it was asked to end, 2 it could not start, or crashed too often.

Examples:
  parley serve --set gateway.port=9000
  parley serve --supervise
  curl -s localhost:8181/run -d '{"id": "me", "text": "what time is it"}')";

constexpr const char* kIntentsHelp =
    R"(--collisions draws sentences from every template and keyword intent and lists those that an intent of
another skill takes as well, with both places. The intent that names more of the words wins. If neither
does, only the order of their names decides: that is a tie, and usually a mistake.

--test plays cases through the pipeline, without any effect. One case per line:
  # a comment
  @ lang en-US
  timer.parley:set {duration=ten minutes} | set a timer for ten minutes
  timer.parley:list | which timers are running
  - | flurb the grommet
`-` means no intent; without braces the slots do not matter.

Exit code: 0 all is well, 1 ties or cases that differ, 2 it failed.)";

constexpr const char* kCheckHelp =
    R"(Loads everything as for a start, and lists all that is wrong: configuration, stages, skills, locale
files, each with its place and what to do. With --isolation it tries on this machine which limits of a
skill with 'placement: process' hold.

Exit code: 0 nothing is wrong, 1 warnings only, 2 errors.)";

/// All that can be asked for on the command line.
struct Request {
  Request() = default;
  GlobalOptions global;
  ChatOptions chat;
  SayOptions say;
  ScriptOptions script;
  ListOptions list;
  ServeOptions serve;
  IntentOptions intents;
  KeptRequest kept;
  AuthorRequest author;
  bool help_config = false;
  bool default_config = false;
  bool isolation = false;
};

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("-c,--config", options.config,
                 "the configuration file; else $PARLEY_CONFIG, ~/.config/parley/parley.yaml or the one that "
                 "came along")
      ->type_name("FILE")
      ->take_last();
  app.add_option("--set", options.settings,
                 "overrides one value of the configuration, as in language.default=de-DE; may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option(
         "--log-level", options.log_level,
         "what is logged to stderr: debug (what each stage said), info (each turn), warning, error or off")
      ->type_name("LEVEL")
      ->take_last()
      ->check(CLI::IsMember(log_level_names()));
  app.set_version_flag("--version", "parley " PARLEY_VERSION, "prints the version");
}

void add_chat(CLI::App& app, ChatOptions& options) {
  auto* const command = add_command(app, "chat", "talk to it in the terminal (the default)", kChatHelp);
  command->add_option("-l,--lang", options.lang, "the language you speak, as in de-DE")
      ->type_name("TAG")
      ->take_last();
  command->add_option("--session", options.session, "the session to talk in")->type_name("ID")->take_last();
  command->add_flag("--explain", options.explain, "tells after every turn how the answer came about");
  command->add_option("--beside", options.beside)->group("");  // of `parley dev`
}

void add_say(CLI::App& app, SayOptions& options) {
  auto* const command = add_command(app, "say", "say one thing and get the answer on stdout", kSayHelp);
  command->add_option("TEXT", options.words, "what to say")->type_name("");
  command->add_flag("-j,--json", options.json, "prints the whole result as one JSON object per line");
  command->add_option("-l,--lang", options.lang, "the language it is said in, as in de-DE")
      ->type_name("TAG")
      ->take_last();
  command->add_option("--session", options.session, "the session it is said in")
      ->type_name("ID")
      ->take_last();
  command->add_flag("--explain", options.explain, "tells how the answer came about");
}

void add_script(CLI::App& app, ScriptOptions& options) {
  auto* const command =
      add_command(app, "script", "play dialogue scripts and compare with what they expect", kScriptHelp);
  command->add_option("FILE", options.files, "the scripts")->type_name("");
  command->add_flag("-u,--update", options.update,
                    "replaces expectations that were not met with the actual answers");
  command->add_flag("--explain", options.explain, "shows how every turn that differs came about");
}

void add_list(CLI::App& app, const std::string& name, const std::string& does, ListOptions& options) {
  add_command(app, name, does)->add_flag("-j,--json", options.json, "prints JSON");
}

void add_intents(CLI::App& app, IntentOptions& options) {
  auto* const command = add_command(app, "intents", "which intents the skills have", kIntentsHelp);
  command->add_flag("-j,--json", options.json, "prints JSON");
  auto* const collisions =
      command->add_flag("--collisions", options.collisions, "lists sentences that two skills claim");
  command->add_option("--test", options.test, "plays utterances and checks which intents they match")
      ->type_name("FILE")
      ->take_last()
      ->excludes(collisions);
}

void add_commands(CLI::App& app, Request& request) {
  add_chat(app, request.chat);
  add_say(app, request.say);
  add_script(app, request.script);
  add_command(app, "serve", "the backend: WebSocket and HTTP, until it is told to end", kServeHelp)
      ->add_flag("--supervise", request.serve.supervise,
                 "restarts it after a crash, without the plugin that caused the crash");
  auto* const check = add_command(
      app, "check", "everything that is wrong with configuration, plugins, skills and locale files",
      kCheckHelp);
  auto* const help = check->add_flag("--help-config", request.help_config,
                                     "prints every key of the configuration with its default");
  check
      ->add_flag("--default-config", request.default_config,
                 "prints a configuration file with every key, its default and what it means")
      ->excludes(help);
  check->add_flag("--isolation", request.isolation,
                  "tries which limits of a skill with 'placement: process' hold on this machine");
  add_list(app, "skills", "which skills are loaded", request.list);
  add_intents(app, request.intents);
  add_list(app, "pipeline", "which entries of the pipeline are asked, in order", request.list);
  add_kept_commands(app, request.kept);
  add_author_commands(app, request.author);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  const auto add = [&](const CLI::App& of) {
    for (const auto* option : of.get_options()) {
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
  };
  add(app);
  for (const auto* command : app.get_subcommands()) add(*command);
  return names;
}

/// What to say of an argument nobody expected.
std::string unexpected(const CLI::App& app) {
  const auto extras = app.remaining(true);
  const std::string word = extras.empty() ? std::string() : extras.front();
  const bool is_option = word.starts_with("-") && word.size() > 1;
  const auto near = nearest(word, is_option ? option_names(app) : command_names(app));
  const std::string hint = near ? fmt::format("; did you mean '{}'?", *near) : std::string();
  if (is_option) return fmt::format("unknown option {}{}", command::in_quotes(word), hint);
  if (!app.get_subcommands().empty()) return fmt::format("unexpected {}{}", command::in_quotes(word), hint);
  const std::string say =
      near ? std::string() : fmt::format("; to say it to parley: parley say {}", shortened(word));
  return fmt::format("unknown command {}{}{}", command::in_quotes(word), hint, say);
}

int run(const CLI::App& app, const Request& request) {
  const auto chosen = app.get_subcommands();
  const std::string name = chosen.empty() ? "chat" : chosen.front()->get_name();
  set_log_level_by_name(request.global.log_level.empty() ? "warning" : request.global.log_level);
  if (name == "say") return say(request.global, request.say);
  if (name == "script") return script(request.global, request.script);
  if (name == "serve") return serve(request.global, request.serve);
  if (name == "skills") return list_skills(request.global, request.list);
  if (name == "intents") return intents(request.global, request.intents);
  if (name == "pipeline") return list_pipeline(request.global, request.list);
  if (const auto code = run_kept_command(name, request.global, request.kept)) return *code;
  if (const auto code = run_author_command(name, request.author)) return *code;
  if (name != "check") return chat(request.global, request.chat);
  if (request.help_config) return print(config_help(config_sources(request.global))), kGood;
  if (request.default_config) return print(default_config(config_sources(request.global))), kGood;
  if (request.isolation) return check_isolation();
  return check(request.global);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  Request request;
  CLI::App app("parley is a voice assistant: text in, the right skill's answer out.", "parley");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(28);
  add_global_options(app, request.global);
  add_commands(app, request);
  if (argc > 1 && std::string_view(argv[1]) == "host-skill") return host_skill();
  if (argc > 1 &&
      std::string_view(argv[1]) == "complete") {  // for shells: no word of it is taken as an option
    const std::vector<std::string> words(argv + std::min(argc, 3), argv + argc);  // after `complete --`
    return print(fmt::format("{}", fmt::join(completions(app, words), ""))), kGood;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    const int code = app.exit(wanted, text, text);
    print(text.str());
    return code;
  } catch (const CLI::ExtrasError&) {
    complain(unexpected(app) + "\nTry `parley --help`.");
    return kFailed;
  } catch (const CLI::ParseError& error) {
    complain(fmt::format("{}\nTry `parley --help`.", error.what()));
    return kFailed;
  }
  return run(app, request);
}

}  // namespace parley::command
