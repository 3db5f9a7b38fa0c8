// What was said and what came of it, as the store has it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host.hpp"
#include "kept.hpp"
#include "read_kept.hpp"
#include "runtime/rfc3339.hpp"
#include "spoken_pattern.hpp"
#include "store/kept_json.hpp"
#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/schedule_table.hpp"
#include "store/session_rows.hpp"
#include "store/turn_rows.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

TurnFilter filter_of(const KeptOptions& options) {
  TurnFilter filter;
  filter.session_id = options.session;
  filter.skill_id = options.skill;
  filter.outcome = options.outcome;
  filter.owner = options.owner;
  filter.limit = options.limit;
  return filter;
}

/// The turns that are asked for, of a server or of the file, in the order in which they were said.
std::vector<TurnRow> turns_of(const GlobalOptions& global, const KeptOptions& options) {
  if (options.server.url.empty())
    return read_kept(load_setup(global),
                     [&](Database& database) { return turns::latest(database, filter_of(options)); });
  ServerLink server(options.server);
  std::vector<TurnRow> found;
  std::string after;
  do {
    const std::size_t most = std::min(options.limit - found.size(), std::size_t{500});
    const Json page = server.get("/v1/turns", {{"session", options.session},
                                               {"skill", options.skill},
                                               {"outcome", options.outcome},
                                               {"owner", options.owner},
                                               {"limit", std::to_string(most)},
                                               {"after", after}});
    for (const auto& turn : page.value("turns", Json::array())) found.push_back(turn_from(turn));
    after = page.value("next", "");
  } while (!after.empty() && found.size() < options.limit);
  return {found.rbegin(), found.rend()};
}

Json unmatched_of(const GlobalOptions& global, const KeptOptions& options) {
  if (!options.server.url.empty()) {
    const std::size_t most = std::min(options.limit, std::size_t{500});
    return ServerLink(options.server)
        .get("/v1/unmatched", {{"owner", options.owner}, {"limit", std::to_string(most)}})
        .value("unmatched", Json::array());
  }
  Json list = Json::array();
  read_kept(load_setup(global), [&](Database& database) {
    for (const auto& one : turns::unmatched(database, filter_of(options)))
      list.push_back({{"said", one.said}, {"lang", one.lang}, {"count", one.count}});
    return 0;
  });
  return list;
}

/// As to_json() makes them of KeptSession.
Json sessions_of(const GlobalOptions& global, const KeptOptions& options) {
  Json list = Json::array();
  if (!options.server.url.empty()) {
    ServerLink server(options.server);
    std::string after;
    do {
      const std::size_t most = std::min(options.limit - list.size(), std::size_t{500});
      const Json page = server.get("/v1/sessions", {{"state", options.state},
                                                    {"owner", options.owner},
                                                    {"limit", std::to_string(most)},
                                                    {"after", after}});
      for (const auto& session : page.value("sessions", Json::array())) list.push_back(session);
      after = page.value("next", "");
    } while (!after.empty() && list.size() < options.limit);
    return list;
  }
  SessionFilter filter;
  filter.owner = options.owner;
  filter.limit = options.limit;
  for (const auto state : {SessionState::kOpen, SessionState::kIdle, SessionState::kClosed}) {
    if (options.state == to_string(state)) filter.state = state;
  }
  const Setup setup = load_setup(global);
  const auto idle_after = setup.config.sessions.idle_after;
  filter.idle_before = to_milliseconds(std::chrono::system_clock::now()) - idle_after.count();
  read_kept(setup, [&](Database& database) {
    for (const auto& session : kept_sessions::list(database, filter))
      list.push_back(parley::to_json(session));
    return 0;
  });
  return list;
}

std::string answer_text(const TurnRow& turn) {
  std::string text;
  for (const auto& [answer, lang] : turn.answers) text += (text.empty() ? "" : " ") + answer;
  return text;
}

int show_unmatched(const GlobalOptions& global, const KeptOptions& options) {
  const Json list = unmatched_of(global, options);
  if (options.json) {
    for (const auto& one : list) print(dump(one) + "\n");
    return kGood;
  }
  Table table({"times", "language", "said"});
  for (const auto& one : list)
    table.add(
        {std::to_string(one.value("count", 0)), one.value("lang", ""), one_line(one.value("said", ""))});
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
  const auto found = turns_of(global, options);
  if (options.json) {
    for (const auto& turn : found) {
      Json json = parley::to_json(turn);
      json["session_id"] = turn.session_id;
      json["owner"] = turn.owner;
      print(dump(json) + "\n");
    }
    return kGood;
  }
  Table table({"time", "session", "said", "outcome", "skill", "answer"});
  for (const auto& turn : found) {
    table.add({to_rfc3339(turn.time), one_line(turn.session_id), one_line(turn.said), turn.outcome,
               turn.skill_id, one_line(answer_text(turn))});
  }
  print(found.empty() ? "nothing was kept\n" : table.text(Paint(wants_colour(STDOUT_FILENO))));
  return kGood;
}

int show_transcript(const GlobalOptions& global, const KeptOptions& options) {
  const auto found = turns_of(global, options);
  if (found.empty()) {
    complain(
        fmt::format("nothing was kept of the session '{}': `parley log` lists what was", options.session));
    return kDiffers;
  }
  if (options.script) return print(script_of(found)), kGood;
  if (options.json) return print(dump(transcript_json(options.session, found)) + "\n"), kGood;
  print(transcript_text(found));
  return kGood;
}

int show_sessions(const GlobalOptions& global, const KeptOptions& options) {
  const Json list = sessions_of(global, options);
  if (options.json) {
    for (const auto& one : list) print(dump(one) + "\n");
    return kGood;
  }
  Table table({"latest turn", "session", "owner", "state", "turns", "language"});
  for (const auto& one : list)
    table.add({one.value("last_turn", ""), one_line(one.value("id", "")), one_line(one.value("owner", "")),
               one.value("state", ""), std::to_string(one.value("turns", 0)), one.value("lang", "")});
  print(list.empty() ? "there was no session\n" : table.text(Paint(wants_colour(STDOUT_FILENO))));
  return kGood;
}

}  // namespace parley::command
