// What was said and what came of it, as the store has it.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/store_file.hpp"
#include "host.hpp"
#include "kept.hpp"
#include "spoken_pattern.hpp"
#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/turn_rows.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

/// RFC 3339 in UTC, with milliseconds.
std::string time_text(std::int64_t milliseconds) {
  const std::time_t seconds = static_cast<std::time_t>(milliseconds / 1000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), milliseconds % 1000);
}

TurnFilter filter_of(const KeptOptions& options) {
  TurnFilter filter;
  filter.session_id = options.session;
  filter.skill_id = options.skill;
  filter.outcome = options.outcome;
  filter.limit = options.limit;
  return filter;
}

/// Reads from the file, beside a process that writes it.
template <class F>
auto read_kept(const GlobalOptions& global, F&& read) {
  const Setup setup = load_setup(global);
  const auto file = store_file(setup.config.store, setup.options.config_file);
  if (!std::filesystem::exists(file))
    throw StoreRefused(
        fmt::format("there is no store '{}' yet: `parley serve` and `parley chat` make it, and "
                    "'store.path' says where",
                    file.string()));
  const auto database = open_to_read(file);
  try {
    return read(*database);
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
}

Json turn_json(const TurnRow& turn) {
  Json answers = Json::array();
  for (const auto& [text, lang] : turn.answers) answers.push_back({{"text", text}, {"lang", lang}});
  Json json = {{"utterance_id", turn.utterance_id},
               {"time", time_text(turn.time)},
               {"lang", turn.lang},
               {"said", turn.said},
               {"answers", std::move(answers)},
               {"outcome", turn.outcome}};
  if (!turn.skill_id.empty()) json["skill_id"] = turn.skill_id;
  if (!turn.intent_name.empty()) json["intent_name"] = turn.intent_name;
  if (!turn.pipeline_id.empty()) json["pipeline_id"] = turn.pipeline_id;
  if (!turn.error.empty()) json["error"] = turn.error;
  return json;
}

std::string answer_text(const TurnRow& turn) {
  std::string text;
  for (const auto& [answer, lang] : turn.answers) text += (text.empty() ? "" : " ") + answer;
  return text;
}

int show_unmatched(const GlobalOptions& global, const KeptOptions& options) {
  const auto list =
      read_kept(global, [&](Database& database) { return turns::unmatched(database, filter_of(options)); });
  if (options.json) {
    for (const auto& one : list)
      print(dump({{"said", one.said}, {"lang", one.lang}, {"count", one.count}}) + "\n");
    return kGood;
  }
  Table table({"times", "language", "said"});
  for (const auto& one : list) table.add({std::to_string(one.count), one.lang, one_line(one.said)});
  print(list.empty() ? "everything that was said was understood\n"
                     : table.text(Paint(wants_colour(STDOUT_FILENO))));
  return kGood;
}

/// A recorded session as a dialogue script.
std::string script_of(const std::vector<TurnRow>& turns) {
  std::string text = "# recorded\n";
  std::string lang;
  for (const auto& turn : turns) {
    if (!turn.lang.empty() && turn.lang != lang) text += "@ lang " + (lang = turn.lang) + "\n";
    text += "> " + one_line(turn.said) + "\n";
    for (const auto& [answer, tag] : turn.answers)
      text += "< " + script::SpokenPattern::escaped(one_line(answer)) + "\n";
  }
  return text;
}

}  // namespace

int show_log(const GlobalOptions& global, const KeptOptions& options) {
  if (options.unmatched) return show_unmatched(global, options);
  const auto found =
      read_kept(global, [&](Database& database) { return turns::latest(database, filter_of(options)); });
  if (options.json) {
    for (const auto& turn : found) {
      Json json = turn_json(turn);
      json["session_id"] = turn.session_id;
      json["owner"] = turn.owner;
      print(dump(json) + "\n");
    }
    return kGood;
  }
  Table table({"time", "session", "said", "outcome", "skill", "answer"});
  for (const auto& turn : found) {
    table.add({time_text(turn.time), one_line(turn.session_id), one_line(turn.said), turn.outcome,
               turn.skill_id, one_line(answer_text(turn))});
  }
  print(found.empty() ? "nothing was kept\n" : table.text(Paint(wants_colour(STDOUT_FILENO))));
  return kGood;
}

int show_transcript(const GlobalOptions& global, const KeptOptions& options) {
  const auto found =
      read_kept(global, [&](Database& database) { return turns::latest(database, filter_of(options)); });
  if (found.empty()) {
    complain(
        fmt::format("nothing was kept of the session '{}': `parley log` lists what was", options.session));
    return kDiffers;
  }
  if (options.script) return print(script_of(found)), kGood;
  if (options.json) {
    Json turns = Json::array();
    for (const auto& turn : found) turns.push_back(turn_json(turn));
    return print(dump({{"session_id", options.session}, {"turns", std::move(turns)}}) + "\n"), kGood;
  }
  for (const auto& turn : found) {
    print(fmt::format("{}\n  > {}\n", time_text(turn.time), one_line(turn.said)));
    for (const auto& [answer, lang] : turn.answers) print(fmt::format("  < {}\n", one_line(answer)));
    if (turn.answers.empty()) print(fmt::format("  ({})\n", turn.outcome));
  }
  return kGood;
}

}  // namespace parley::command
