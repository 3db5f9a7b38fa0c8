#include "evidence/asking.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <parley/json.hpp>
#include <parley/zone.hpp>
#include <utility>
#include <vector>

#include "evidence/answer.hpp"
#include "evidence/forgetting.hpp"
#include "evidence/ingest.hpp"
#include "evidence/question_vectors.hpp"
#include "evidence/terms.hpp"
#include "message/topics.hpp"
#include "runtime/random_id.hpp"
#include "runtime/rfc3339.hpp"
#include "store/kept_json.hpp"
#include "store/lasting.hpp"
#include "store/turn_rows.hpp"

namespace parley::evidence {
namespace {

constexpr std::size_t kMostTurns = 500;
constexpr int kMostPages = 20;  ///< Read for one list: what others said is passed over.

Json error_json(const char* code, const std::string& message) {
  return {{"error", {{"code", code}, {"message", message}}}};
}

void tell_unavailable(const Told& told, const std::string& failure) {
  told(error_json("unavailable", failure), 503);
}

void take_away(const Source& source, const Message& request, const Caller& caller, const Told& told) {
  std::vector<std::string> ids;
  const auto named = request.data().find("object_ids");
  if (named != request.data().end() && named->is_array()) {
    for (const auto& id : *named) {
      if (id.is_string()) ids.push_back(id.get<std::string>());
    }
  }
  if (ids.empty() || ids.size() > kMostLinks)
    return told(error_json("bad_request", "'object_ids' is a list of 1 to 64 ids of objects"), 400);
  struct Gone {
    std::size_t count = 0;
    ForgottenObjects what;
  };
  const auto gone = std::make_shared<Gone>();
  gone->what.owner = caller.owner;
  source.lasting->store->write(
      [gone, ids = std::move(ids)](Database& database) {
        gone->count = forget_objects(database, gone->what.owner, ids, &gone->what);
      },
      [gone, told, lasting = source.lasting](const std::string& failure) {
        if (!failure.empty()) return tell_unavailable(told, failure);
        if (gone->count == 0) return told({{"objects", 0}, {"event_ids", Json::array()}}, 200);
        lasting->store->scrub([gone, told, lasting](const std::string& trouble) {
          if (!trouble.empty()) return tell_unavailable(told, trouble);
          lasting->rows().forget_objects(gone->what, [gone, told](const std::string& elsewhere) {
            if (!elsewhere.empty()) return tell_unavailable(told, elsewhere);
            told({{"objects", gone->count}, {"event_ids", gone->what.event_ids}}, 200);
          });
        });
      });
}

/// A number of the request, or something else; whatever is no whole number from 0 on counts as missing.
std::int64_t number_at(const Json& data, const char* key, std::int64_t otherwise) {
  const auto found = data.find(key);
  const bool is_number = found != data.end() && found->is_number_unsigned();
  return is_number
             ? static_cast<std::int64_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), INT64_MAX))
             : otherwise;
}

std::int64_t time_at(const Message& request, const char* key, std::int64_t otherwise) {
  return from_rfc3339(request.text(key)).value_or(otherwise);
}

bool may_see(const Caller& caller, const TurnRow& turn) {
  return turn.owner == caller.owner && (!caller.allows_session || caller.allows_session(turn.session_id));
}

/// The latest turns that a caller may see, in the order in which they were said; `filter.limit` at most.
std::vector<TurnRow> visible(Database& database, const Caller& caller, TurnFilter filter) {
  std::vector<TurnRow> seen;  // the latest first
  for (int page = 0; page < kMostPages && seen.size() < filter.limit; ++page) {
    const auto rows = turns::latest(database, filter);
    for (auto row = rows.rbegin(); row != rows.rend() && seen.size() < filter.limit; ++row) {
      if (may_see(caller, *row)) seen.push_back(*row);
    }
    if (rows.size() < filter.limit) break;
    filter.before = rows.front().number;
  }
  return {seen.rbegin(), seen.rend()};
}

void list_turns(const Source& source, const Message& request, const Caller& caller, Told told) {
  TurnFilter filter;
  filter.owner = caller.owner;
  filter.session_id = request.text("session_id");
  filter.since = time_at(request, "since", 0);
  filter.until = time_at(request, "until", INT64_MAX);
  filter.limit = static_cast<std::size_t>(
      std::clamp<std::int64_t>(number_at(request.data(), "limit", 50), 1, kMostTurns));
  const auto rows = std::make_shared<std::vector<TurnRow>>();
  source.lasting->store->read_behind(
      [rows, caller, filter](Database& database) { *rows = visible(database, caller, filter); },
      [rows, told = std::move(told)](const std::string& failure) {
        if (!failure.empty()) return tell_unavailable(told, failure);
        Json list = Json::array();
        for (const auto& row : *rows) {
          list.push_back(to_json(row));
          list.back()["session_id"] = row.session_id;
        }
        told({{"turns", std::move(list)}}, 200);
      });
}

void get_turn(const Source& source, const Message& request, const Caller& caller, Told told) {
  const auto found = std::make_shared<std::optional<TurnRow>>();
  source.lasting->store->read_behind(
      [found, id = request.text("utterance_id")](Database& database) { *found = turns::find(database, id); },
      [found, caller, told = std::move(told)](const std::string& failure) {
        if (!failure.empty()) return tell_unavailable(told, failure);
        if (!*found || !may_see(caller, **found)) return told(Json::object(), 404);
        Json turn = to_json(**found);
        turn["session_id"] = (*found)->session_id;
        auto trace = parse_json((*found)->trace);
        turn["trace"] = trace ? std::move(*trace) : Json(nullptr);
        told({{"turn", std::move(turn)}}, 200);
      });
}

}  // namespace

Result<Reach, Refusal> reach_of_query(const Caller& caller, const Request& request) {
  auto reach =
      reach_of(caller, request.agent_id, request.session_id, request.tenant_id, request.workspace_id);
  if (reach) return *std::move(reach);
  return Refusal("FORBIDDEN_SCOPE", "the grant does not reach that agent, session, tenant or workspace");
}

Wording wording_at(std::chrono::system_clock::time_point now, const std::string& zone, std::string lang) {
  Wording wording;
  wording.lang = std::move(lang);
  const auto there = Zone::named(zone);
  const auto utc = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  const auto local = there ? there->local(now).time_since_epoch() : utc;
  wording.offset = local - utc;
  wording.today = std::chrono::floor<std::chrono::days>(std::chrono::local_seconds(local));
  return wording;
}

void ask(const Source& source, const Result<Request, Refusal>& request, const Caller& caller, Wording wording,
         Told told) {
  const std::string id = "q_" + random_id();
  auto refuse = [id, told](const Refusal& why) { told(failed(id, why), status_of(why)); };
  if (!request) return refuse(request.error());
  const auto reach = reach_of_query(caller, *request);
  if (!reach) return refuse(reach.error());
  if (!source.enabled) return refuse(Refusal("UNAVAILABLE", "evidence.enabled is false"));
  if (!request->lang.empty()) wording.lang = request->lang;
  const bool has_words = !query_terms(request->query_text, wording.lang).empty();
  auto look = [store = source.lasting->store, request = *request, reach = *reach,
               wording = std::move(wording), id, refuse, told](const std::shared_ptr<Meaning>& meaning) {
    const auto body = std::make_shared<Json>();
    store->read_behind(
        [body, request, reach, wording, id, meaning](Database& database) {
          if (meaning) meaning->read();
          *body = answer(database, request, reach, wording, id, meaning.get());
        },
        [body, refuse, told](const std::string& failure) {
          if (!failure.empty()) return refuse(Refusal("UNAVAILABLE", failure));
          told(std::move(*body), 200);
        });
  };
  if (source.questions == nullptr || !has_words) return look(nullptr);
  const std::string text = request->query_text;
  source.questions->ask(text, std::move(look));
}

void add(const Source& source, const Json& body, const Caller& caller, std::int64_t now, Told told) {
  struct Added {
    std::vector<ReadyEvent> events;
    Json result;
    std::vector<ToldEvent> told;
  };
  const auto added = std::make_shared<Added>();
  added->events = make_ready(body);
  source.lasting->store->write(
      [added, caller, now, is_shared = source.lasting->shared != nullptr](Database& database) {
        added->result = ingest(database, caller, added->events, now, is_shared ? &added->told : nullptr);
      },
      [added, told = std::move(told), lasting = source.lasting](const std::string& failure) {
        if (!failure.empty()) return tell_unavailable(told, failure);
        if (!added->told.empty()) lasting->rows().tell(std::move(added->told));
        told(std::move(added->result), 202);
      });
}

bool is_writing(std::string_view request) noexcept {
  return request == topic::kEvidenceIngest || request == topic::kEvidenceForget;
}

void answer(const Source& source, const Message& request, const Caller& caller, Wording wording,
            std::int64_t now, Told told) {
  const std::string& what = request.type();
  if (what == topic::kEvidenceQuery)
    return ask(source, read_request(request.data()), caller, std::move(wording), std::move(told));
  if (what == topic::kTurnList) return list_turns(source, request, caller, std::move(told));
  if (what == topic::kTurnGet) return get_turn(source, request, caller, std::move(told));
  if (!source.enabled) return tell_unavailable(told, "evidence.enabled is false");
  // Both, so that what is forgotten is what was added before.
  if (what == topic::kEvidenceForget)
    return source.lasting->making_ready(
        [source, request, caller, told = std::move(told)] { take_away(source, request, caller, told); });
  if (const Json fault = body_fault(request.data()); !fault.is_null()) return told({{"error", fault}}, 400);
  source.lasting->making_ready([source, request, caller, now, told = std::move(told)] {
    add(source, request.data(), caller, now, told);
  });
}

}  // namespace parley::evidence
