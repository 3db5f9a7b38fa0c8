// The commands about what is kept, as they are written on a command line.
#include "kept_line.hpp"

#include <CLI/CLI.hpp>

#include "subcommand.hpp"

namespace parley::command {
namespace {

constexpr const char* kLogHelp =
    R"(Reads the store, also while `parley serve` writes it. The latest turns come last.

Examples:
  parley log --unmatched                 what nobody understood, the most frequent first
  parley log --skill timer.parley --json)";

constexpr const char* kSessionsHelp =
    R"(The one with the latest turn first. A session is idle without a turn for `sessions.idle_after`, and closed
after `sessions.close_after` or when somebody closed it.

Examples:
  parley sessions --state open
  parley sessions --server http://localhost:8181 --token TOKEN)";

constexpr const char* kTranscriptHelp =
    R"(Of the sessions of this machine's own user, unless --owner says whose. With --script it is a dialogue script that `parley script` plays.

Exit code: 0 it was shown, 1 nothing was kept of that session, 2 it failed.

Examples:
  parley transcript default
  parley transcript kitchen --script > kitchen.parley)";

constexpr const char* kRecallHelp =
    R"(Looks TEXT up in what was said and told, as `POST /v1/query` does, of this machine's own user. With --proof it
also says how each was found.

Exit code: 0 something was found, 1 nothing was, 2 it failed.

Examples:
  parley recall "where is the spare key"
  parley recall "what did I ask yesterday" --proof)";

constexpr const char* kReplayHelp =
    R"(Says what was said once to today's configuration and skills, and shows the answers of now beside those of then.
FILE holds turns as `parley log --json` or `parley transcript --json` write them; - is stdin. The clock of the replay says
what it said then, skills draw the same random numbers, and of the phrases of a dialog the one that was said then counts.
Skills begin with nothing kept, the store is not touched, and no server is asked. With --turn the turns before it in its
session are said, too, and it alone is compared.

Exit code: 0 everything is answered as it was, 1 something differs, 2 it failed.

Examples:
  parley replay --session kitchen
  parley log --outcome answered --json > good.jsonl; parley replay good.jsonl)";

constexpr const char* kForgetHelp =
    R"(Turns, what skills keep of them, and what is to come, out of the file and what is beside it. What skills keep
for the whole household stays, but for --all. No other parley may use the store meanwhile, but with --server the one that
does is asked; copies made earlier keep what they have.

Examples:
  parley forget --session kitchen
  parley forget --owner anna --session kitchen
  parley forget --all
  parley forget --session kitchen --server http://localhost:8181)";

constexpr const char* kStoreHelp =
    R"(check     reads the whole file; exit code 1 when it is damaged
rebuild   derives the evidence anew from the log; no other parley may use the store meanwhile
compact   gives the space of what was erased back to the disk; no other parley may use the store meanwhile
backup    copies it to a new FILE, also while it is in use
export    writes every row as a line of JSON, to FILE or stdout
import    takes such lines from FILE or stdin, all or none; no other parley may use the store meanwhile

`store.path` of the configuration says which file.

Examples:
  parley store check
  parley store backup /media/stick/parley.db
  parley store export | gzip > parley.jsonl.gz)";

void add_server(CLI::App& command, ServerOptions& options) {
  command.add_option("--server", options.url, "asks the `parley serve` there instead of reading the file")
      ->type_name("URL")
      ->take_last();
  command.add_option("--token", options.token, "the token for that server")->type_name("TOKEN")->take_last();
}

void add_kept(CLI::App& app, KeptOptions& options) {
  auto* const sessions = add_command(app, "sessions", "lists the sessions", kSessionsHelp);
  sessions->add_option("--state", options.state, "only those in this state")
      ->type_name("WORD")
      ->take_last()
      ->check(CLI::IsMember({"open", "idle", "closed"}));
  auto* const log = add_command(app, "log", "what was said, and what came of it", kLogHelp);
  log->add_option("--session", options.session, "only turns of this session")->type_name("ID")->take_last();
  log->add_option("--skill", options.skill, "only turns that this skill handled")
      ->type_name("ID")
      ->take_last();
  log->add_option("--outcome", options.outcome, "only turns with this outcome")
      ->type_name("WORD")
      ->take_last()
      ->check(CLI::IsMember({"answered", "unmatched", "error", "cancelled", "asked"}));
  log->add_flag("--unmatched", options.unmatched, "what nobody understood, with how often it was said");
  auto* const transcript = add_command(app, "transcript", "one session, from its beginning", kTranscriptHelp);
  transcript->add_option("SESSION", options.session, "the session")->type_name("")->required();
  transcript->add_flag("--script", options.script, "prints it as a dialogue script");
  for (auto* const command : {sessions, log, transcript}) {
    add_server(*command, options.server);
    command->add_option("--owner", options.owner, "only of this owner: the name of a token, or local")
        ->type_name("NAME")
        ->take_last();
    command->add_flag("-j,--json", options.json, "prints JSON");
    command->add_option("--limit", options.limit, "how many, the latest ones; 50 by default")
        ->type_name("N")
        ->take_last()
        ->check(CLI::Range(1, 1'000'000));
  }
}

void add_forget(CLI::App& app, ForgetOptions& options) {
  auto* const command = add_command(app, "forget", "deletes what was kept about somebody", kForgetHelp);
  auto* const all = command->add_flag("--all", options.all, "everything of everybody");
  command->add_option("--session", options.session, "of this session")
      ->type_name("ID")
      ->take_last()
      ->excludes(all);
  command->add_option("--owner", options.owner, "only of this owner: the name of a token, or local")
      ->type_name("NAME")
      ->take_last()
      ->excludes(all);
  add_server(*command, options.server);
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  auto* const command =
      add_command(app, "replay", "how earlier utterances would be answered now", kReplayHelp);
  command->add_option("FILE", options.file, "turns as JSON Lines")->type_name("");
  command->add_option("--session", options.session, "of this session")->type_name("ID")->take_last();
  command->add_option("--turn", options.turn, "the turn of this utterance_id")->type_name("ID")->take_last();
  command->add_option("--owner", options.owner, "of this owner: the name of a token; local by default")
      ->type_name("NAME")
      ->take_last();
  command->add_option("--limit", options.limit, "how many turns, the latest ones; 50 by default")
      ->type_name("N")
      ->take_last()
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("-j,--json", options.json, "prints a line of JSON for each turn");
}

void add_recall(CLI::App& app, RecallOptions& options) {
  auto* const command =
      add_command(app, "recall", "what is known about something, and from where", kRecallHelp);
  command->add_option("TEXT", options.text, "what is looked for")->type_name("")->required();
  command->add_option("--session", options.session, "of this session; of all if not said")
      ->type_name("ID")
      ->take_last();
  command->add_option("--agent", options.agent, "of this skill, or this owner; local if not said")
      ->type_name("ID")
      ->take_last();
  command->add_option("--limit", options.top_k, "so many objects; 5 if not said")
      ->type_name("N")
      ->take_last()
      ->check(CLI::Range(1, 200));
  command->add_flag("-j,--json", options.json, "prints the answer to the query as JSON");
  command->add_flag("--proof", options.proof, "says how each was found");
}

void add_store(CLI::App& app, StoreOptions& options) {
  auto* const command = add_command(app, "store", "maintains the file of the store", kStoreHelp);
  command->add_option("WHAT", options.does, "check, compact, rebuild, backup, export or import")
      ->type_name("")
      ->required()
      ->check(CLI::IsMember({"check", "compact", "rebuild", "backup", "export", "import"}));
  command->add_option("FILE", options.file, "the file for backup, export and import")->type_name("");
}

}  // namespace

void add_kept_commands(CLI::App& app, KeptRequest& request) {
  add_kept(app, request.kept);
  add_store(app, request.store);
  add_forget(app, request.forget);
  add_recall(app, request.recall);
  add_replay(app, request.replay);
}

std::optional<int> run_kept_command(const std::string& name, const GlobalOptions& global,
                                    const KeptRequest& request) {
  if (name == "sessions") return show_sessions(global, request.kept);
  if (name == "log") return show_log(global, request.kept);
  if (name == "transcript") return show_transcript(global, request.kept);
  if (name == "replay") return replay(global, request.replay);
  if (name == "recall") return recall(global, request.recall);
  if (name == "store") return store(global, request.store);
  if (name == "forget") return forget_kept(global, request.forget);
  return std::nullopt;
}

}  // namespace parley::command
