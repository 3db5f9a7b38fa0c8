#include "serve/session_endpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <parley/session.hpp>

#include "app/assistant.hpp"
#include "app/session_keeper.hpp"
#include "net/url.hpp"
#include "orchestrator/orchestrator.hpp"
#include "store/kept_json.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

using api::Call;
using api::Page;
using net::HttpReply;
using net::json_reply;
using net::Right;

constexpr char kNobody[] = "\n";  ///< No token has that name.

/// Whose session is meant: the caller's, or whom somebody who sees everything names; empty: whoever's.
std::string whose_session(const Call& call, const api::Query& query) {
  const std::string named = query.text("owner");
  if (named.empty()) return call.sees();
  return call.sees().empty() || named == call.owner() ? named : kNobody;
}

/// A session that there is, of somebody whose things the caller sees.
KeptSession session_there(Database& database, const std::string& owner, const std::string& id,
                          std::int64_t idle_before) {
  auto found = kept_sessions::find(database, owner, id, idle_before);
  if (!found) throw api::not_found(fmt::format("there is no session '{}'", id.substr(0, 200)));
  return std::move(*found);
}

/// The number that `after` of a page holds; 0: none.
std::int64_t number_after(const Page& page) {
  std::int64_t number = 0;
  const char* const end = page.after.data() + page.after.size();
  const auto read = std::from_chars(page.after.data(), end, number);
  if (!page.after.empty() && (read.ptr != end || number < 0))
    throw api::bad_request("after", "'after' must be what 'next' of the page before says");
  return number;
}

/// The rows of a page, of which one more than it holds was asked for; whether that was there.
template <class Row>
bool cut(std::vector<Row>& rows, const Page& page) {
  if (rows.size() <= page.limit) return false;
  rows.resize(page.limit);
  return true;
}

void list_sessions(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"state", "owner", "limit", "after"});
  const Page page = query.page();
  SessionFilter filter;
  const std::string state = query.choice("state", {"open", "idle", "closed"});
  if (!state.empty())
    filter.state = state == "open"   ? SessionState::kOpen
                   : state == "idle" ? SessionState::kIdle
                                     : SessionState::kClosed;
  filter.owner = whose_session(call, query);
  filter.idle_before = assistant.sessions().idle_before();
  filter.limit = page.limit + 1;
  filter.after = page.after;
  api::answer_by_reading(assistant.store(), std::move(call), [filter, page](Database& database) {
    auto rows = kept_sessions::list(database, filter);
    const bool more = cut(rows, page);
    Json body = {{"sessions", Json::array()}};
    for (const auto& row : rows) body["sessions"].push_back(to_json(row));
    if (more) body["next"] = kept_sessions::cursor_of(rows.back());
    return json_reply(body);
  });
}

void show_session(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"owner"});
  api::answer_by_reading(assistant.store(), call,
                         [owner = whose_session(call, query), id = call.id,
                          before = assistant.sessions().idle_before()](Database& database) {
                           const auto row = session_there(database, owner, id, before);
                           Json body = to_json(row);
                           body["session"] = row.snapshot ? to_json(*row.snapshot) : Json(nullptr);
                           return json_reply(body);
                         });
}

void end_session(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"owner", "forget"});
  const bool forgets = query.flag("forget");
  const auto found = std::make_shared<std::string>();
  // Whose it is has to be known before it is ended.
  auto end = [&assistant, found, forgets, call](HttpReply looked_up) {
    if (looked_up.status != 204) return call.reply(std::move(looked_up));
    assistant.post([&assistant, found, forgets, call] {
      const auto reply = [call](const std::string& failure) {
        call.reply(failure.empty() ? HttpReply(204) : net::error_reply(503, "unavailable", failure));
      };
      if (!forgets)
        return assistant.sessions().close(*found, call.id,
                                          [reply](bool, const std::string& failure) { reply(failure); });
      ForgetWhat what;
      what.owner = *found;
      what.session_id = call.id;
      assistant.sessions().forget(what,
                                  [reply](const Forgotten&, const std::string& failure) { reply(failure); });
    });
  };
  api::answer_by_reading(assistant.store(), Call(call.request, call.id, std::move(end)),
                         [found, owner = whose_session(call, query), id = call.id](Database& database) {
                           *found = session_there(database, owner, id, 0).owner;
                           return HttpReply(204);
                         });
}

/// The first kind in an `Accept` that there is; empty: none.
std::string accepted_kind(const std::string& accept) {
  for (const auto& part : net::split_list(accept)) {
    const std::string kind = part.substr(0, part.find_first_of("; "));
    if (kind == "text/markdown" || kind == "text/plain") return kind;
    if (kind == "application/json" || kind == "application/*" || kind == "*/*") return "application/json";
    if (kind == "text/*") return "text/plain";
  }
  return accept.empty() ? "application/json" : "";
}

HttpReply transcript_reply(const std::string& kind, const std::string& id, const std::vector<TurnRow>& turns,
                           const std::string& next) {
  if (kind == "application/json") {
    Json body = transcript_json(id, turns);
    if (!next.empty()) body["next"] = next;
    return json_reply(body);
  }
  HttpReply reply(200);
  reply.content_type = kind + "; charset=utf-8";
  reply.body = kind == "text/plain" ? transcript_text(turns) : transcript_markdown(id, turns);
  if (!next.empty()) reply.headers.emplace_back("Link", fmt::format("<?after={}>; rel=\"next\"", next));
  return reply;
}

void show_transcript(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"owner", "limit", "after"});
  const std::string kind = accepted_kind(call.request.accept);
  if (kind.empty())
    throw api::Refused(406, "not_acceptable",
                       "a transcript is application/json, text/markdown or text/plain");
  const Page page = query.page();
  api::answer_by_reading(assistant.store(), call,
                         [owner = whose_session(call, query), id = call.id, kind, page,
                          after = number_after(page)](Database& database) {
                           const auto session = session_there(database, owner, id, 0);
                           auto rows = turns::of_session(database, session.owner, id, after, page.limit + 1);
                           const bool more = cut(rows, page);
                           return transcript_reply(kind, id, rows,
                                                   more ? std::to_string(rows.back().number) : "");
                         });
}

void show_turn(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {});
  api::answer_by_reading(assistant.store(), call, [owner = call.sees(), id = call.id](Database& database) {
    const auto turn = turns::find(database, id);
    if (!turn || (!owner.empty() && turn->owner != owner))
      throw api::not_found(fmt::format("there is no turn '{}'", id.substr(0, 200)));
    Json body = to_json(*turn);
    body["session_id"] = turn->session_id;
    auto trace = parse_json(turn->trace);
    body["trace"] = trace ? std::move(*trace) : Json(nullptr);
    return json_reply(body);
  });
}

TurnFilter turn_filter(const Call& call, const api::Query& query, const Page& page) {
  TurnFilter filter;
  filter.owner = whose_session(call, query);
  filter.session_id = query.text("session");
  filter.skill_id = query.text("skill");
  filter.outcome = query.choice("outcome", {"answered", "unmatched", "error", "cancelled", "asked"});
  filter.since = query.time("since").value_or(0);
  filter.until = query.time("until").value_or(INT64_MAX);
  if (const auto after = number_after(page); after != 0) filter.before = after;
  filter.limit = page.limit + 1;
  return filter;
}

void list_turns(Assistant& assistant, Call call) {
  const api::Query query(call.request.target,
                         {"session", "skill", "outcome", "since", "until", "owner", "limit", "after"});
  const Page page = query.page();
  const TurnFilter filter = turn_filter(call, query, page);
  api::answer_by_reading(assistant.store(), std::move(call), [filter, page](Database& database) {
    auto rows = turns::latest(database, filter);
    std::reverse(rows.begin(), rows.end());
    const bool more = cut(rows, page);
    Json body = {{"turns", Json::array()}};
    for (const auto& row : rows) {
      Json turn = to_json(row);
      turn["session_id"] = row.session_id;
      turn["owner"] = row.owner;
      body["turns"].push_back(std::move(turn));
    }
    if (more) body["next"] = std::to_string(rows.back().number);
    return json_reply(body);
  });
}

void list_unmatched(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"since", "until", "owner", "limit"});
  const Page page = query.page();
  TurnFilter filter = turn_filter(call, query, page);
  filter.limit = page.limit;
  api::answer_by_reading(assistant.store(), std::move(call), [filter](Database& database) {
    Json list = Json::array();
    for (const auto& one : turns::unmatched(database, filter))
      list.push_back({{"said", one.said}, {"lang", one.lang}, {"count", one.count}});
    return json_reply({{"unmatched", std::move(list)}});
  });
}

void show_log(Assistant& assistant, Call call) {
  const api::Query query(call.request.target, {"session", "skill", "kind", "outcome", "since", "until",
                                               "owner", "limit", "after"});
  const Page page = query.page();
  EventFilter filter;
  filter.owner = whose_session(call, query);
  filter.session_id = query.text("session");
  filter.skill_id = query.text("skill");
  filter.kind = query.text("kind");
  filter.outcome = query.choice("outcome", {"answered", "unmatched", "error", "cancelled", "asked"});
  filter.since = query.time("since").value_or(0);
  filter.until = query.time("until").value_or(INT64_MAX);
  filter.after = number_after(page);
  filter.limit = page.limit + 1;
  api::answer_by_reading(assistant.store(), std::move(call), [filter, page](Database& database) {
    auto rows = events::list(database, filter);
    const bool more = cut(rows, page);
    Json body = {{"events", Json::array()}};
    for (const auto& row : rows) body["events"].push_back(to_json(row));
    if (more) body["next"] = std::to_string(rows.back().lsn);
    return json_reply(body);
  });
}

ForgetWhat what_to_forget(const Call& call) {
  const Json body = api::body_of(call.request, {"session_id", "owner", "since", "until", "all"});
  ForgetWhat what;
  what.everything = api::flag_in(body, "all");
  what.session_id = api::text_in(body, "session_id");
  what.owner = api::text_in(body, "owner");
  what.since = api::time_in(body, "since").value_or(0);
  what.until = api::time_in(body, "until").value_or(INT64_MAX);
  const bool is_part =
      !what.session_id.empty() || !what.owner.empty() || what.since != 0 || what.until != INT64_MAX;
  if (what.everything == is_part)
    throw api::bad_request(
        "", "say what is to be forgotten: 'session_id', 'owner', 'since' and 'until', or 'all' alone");
  if (what.since > what.until) throw api::bad_request("until", "'until' must not be before 'since'");
  if (call.has(Right::kAdmin)) return what;
  if (what.everything || (!what.owner.empty() && what.owner != call.owner()))
    throw api::Refused(403, "right_refused",
                       fmt::format("the grant of '{}' has no right to admin: it may have forgotten what is "
                                   "its own",
                                   call.owner()));
  what.owner = call.owner();
  return what;
}

void forget_some(Assistant& assistant, Call call) {
  ForgetWhat what = what_to_forget(call);
  assistant.sessions().forget(std::move(what), [call](const Forgotten& gone, const std::string& failure) {
    call.reply(failure.empty() ? json_reply(forgotten_json(gone, failure))
                               : net::error_reply(503, "unavailable", failure));
  });
}

}  // namespace

api::Endpoints session_endpoints(Assistant& assistant) {
  const auto with = [&assistant](void (*run)(Assistant&, Call)) {
    return [&assistant, run](Call call) { run(assistant, std::move(call)); };
  };
  api::Endpoints all;
  all.emplace_back("GET", "/v1/sessions", Right::kRead, with(list_sessions));
  all.emplace_back("GET", "/v1/sessions/{id}", Right::kRead, with(show_session));
  all.emplace_back("DELETE", "/v1/sessions/{id}", Right::kWrite, with(end_session));
  all.emplace_back("GET", "/v1/sessions/{id}/transcript", Right::kRead, with(show_transcript));
  all.emplace_back("GET", "/v1/turns", Right::kRead, with(list_turns));
  all.emplace_back("GET", "/v1/unmatched", Right::kRead, with(list_unmatched));
  all.emplace_back("GET", "/v1/turns/{id}", Right::kRead, with(show_turn));
  all.emplace_back("GET", "/v1/log", Right::kRead, with(show_log));
  all.emplace_back("POST", "/v1/forget", Right::kWrite, with(forget_some));
  return all;
}

}  // namespace parley
