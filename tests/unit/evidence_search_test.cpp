// What a query finds, what it must not, and how it says how it came to that (the customer's §7 to §10).
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "evidence/access.hpp"
#include "evidence/answer.hpp"
#include "evidence/cold.hpp"
#include "evidence/forgetting.hpp"
#include "evidence/ingest.hpp"
#include "evidence/objects.hpp"
#include "evidence/terms.hpp"
#include "store/open.hpp"
#include "store/schema.hpp"

using parley::Database;
namespace evidence = parley::evidence;
using evidence::Json;

namespace {

evidence::Caller caller_of(const std::string& owner) {
  evidence::Caller caller;
  caller.owner = owner;
  caller.is_free = false;
  caller.skills = {"tea.test"};
  return caller;
}

/// Evidence of several owners, and questions to it.
class Archive {
 public:
  Archive() : database(Database::kMemory, Database::Access::kCreate) { parley::migrate(database); }

  void add(const std::string& owner, const std::string& id, const std::string& text,
           const Json& more = Json::object()) {
    Json event = {{"event_id", id},    {"event_type", "said"}, {"time", "2026-05-01T10:00:00Z"},
                  {"agent_id", owner}, {"session_id", "s"},    {"text", text}};
    event.update(more);
    const Json result =
        evidence::ingest(database, caller_of(owner), evidence::make_ready({{"events", {event}}}), 1000);
    REQUIRE_MESSAGE(result.at("accepted") == 1, result.dump());
  }
  Json ask(const evidence::Caller& caller, const std::string& text, const Json& more = Json::object()) {
    Json body = {{"query_text", text}, {"agent_id", caller.owner}, {"session_id", "s"},
                 {"top_k", 10},        {"query_scope", "private"}, {"response_mode", "structured_evidence"}};
    body.update(more);
    const auto request = evidence::read_request(body);
    REQUIRE_MESSAGE(request.ok(), body.dump());
    const auto reach = evidence::reach_of(caller, request->agent_id, request->session_id, request->tenant_id,
                                          request->workspace_id);
    if (!reach) return evidence::failed("q", evidence::Refusal("FORBIDDEN_SCOPE", ""));
    evidence::Wording wording;
    wording.today = std::chrono::local_days(std::chrono::days(20'575));  // 2026-05-02
    return evidence::answer(database, *request, *reach, wording, "q");
  }
  Database database;
};

std::vector<std::string> ids_in(const Json& answer) {
  std::vector<std::string> ids;
  for (const auto& object : answer.at("objects")) ids.push_back(object.at("object_id"));
  return ids;
}

bool finds(const Json& answer, const std::string& id) {
  const auto ids = ids_in(answer);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool is_step(const Json& answer, const std::string& part) {
  const auto& steps = answer.at("proof_trace").at("assembly_steps");
  return std::any_of(steps.begin(), steps.end(), [&](const Json& step) {
    return step.get<std::string>().find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("query §9: an answer has every part, and each object its fields, provenance and version") {
  Archive archive;
  archive.add("ana", "e1", "the kettle is broken");
  archive.add("ana", "e2", "the weather is nice");
  const Json answer = archive.ask(caller_of("ana"), "what about the kettle?", {{"object_types", {"memory"}}});
  CHECK(answer.at("query_id") == "q");
  CHECK(answer.at("status") == "success");
  const Json& first = answer.at("objects").at(0);
  CHECK(first.at("object_id") == "mem_e1");
  CHECK(first.at("object_type") == "memory");
  CHECK(first.at("memory_type") == "episodic");
  CHECK(first.at("summary") == "the kettle is broken");
  CHECK(first.at("score") == 1.0);
  CHECK(first.at("scope") == "private");
  CHECK(first.at("version") == 1);
  CHECK(first.at("source_refs") == Json{"e1"});
  CHECK(first.at("time") == "2026-05-01T10:00:00.000Z");
  CHECK(first.at("agent_id") == "ana");
  CHECK(first.at("session_id") == "s");
  CHECK(answer.at("provenance").size() == answer.at("objects").size());
  CHECK(answer.at("provenance").at(0).at("source_event_ids") == Json{"e1"});
  CHECK(
      answer.at("versions").at(0) ==
      Json{{"object_id", "mem_e1"}, {"object_type", "memory"}, {"version", 1}, {"mutation_event_id", "e1"}});
  CHECK(answer.at("applied_filters").at("scope") == "private");
  CHECK(answer.at("applied_filters").at("object_types") == Json{"memory"});
  for (const char* const part : {"main", "memory_pipeline", "query", "collaboration"})
    CHECK_MESSAGE(answer.at("chain_traces").at(part).is_array(), part);
  CHECK_FALSE(answer.contains("evidence_cache"));
}

TEST_CASE("query §12 response: no hit is a success with every category there and empty") {
  Archive archive;
  const Json answer = archive.ask(caller_of("ana"), "kettle");
  CHECK(answer.at("status") == "success");
  for (const char* const part : {"objects", "nodes", "edges", "provenance", "versions"})
    CHECK_MESSAGE(answer.at(part) == Json::array(), part);
  CHECK(answer.at("applied_filters").is_object());
  CHECK(answer.at("proof_trace").at("seed_object_ids") == Json::array());
}

TEST_CASE("query §10: objects_only has objects, and the other categories empty") {
  Archive archive;
  archive.add("ana", "e1", "the kettle is broken");
  const Json answer = archive.ask(caller_of("ana"), "kettle", {{"response_mode", "objects_only"}});
  CHECK(finds(answer, "mem_e1"));
  for (const char* const part : {"nodes", "edges", "provenance", "versions"})
    CHECK_MESSAGE(answer.at(part) == Json::array(), part);
}

TEST_CASE("query §5.7: top_k bounds what retrieval finds, before edges add to it") {
  Archive archive;
  for (int i = 0; i < 8; ++i)
    archive.add("ana", "e" + std::to_string(i), "kettle number " + std::to_string(i));
  const Json answer = archive.ask(caller_of("ana"), "kettle", {{"top_k", 3}, {"object_types", {"memory"}}});
  CHECK(answer.at("proof_trace").at("seed_object_ids").size() == 3);
  CHECK(answer.at("objects").size() == 6);  // with the event of each
  double before = 1;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& object = answer.at("objects").at(i);
    CHECK(object.value("expanded", false) == (i >= 3));
    CHECK(object.at("score") <= before);
    before = object.at("score");
  }
}

TEST_CASE("query §5.8: the time window bounds what is found, and is named") {
  Archive archive;
  archive.add("ana", "e1", "kettle one", {{"time", "2026-03-01T10:00:00Z"}});
  archive.add("ana", "e2", "kettle two", {{"time", "2026-04-01T10:00:00Z"}});
  const Json window = {{"from", "2026-03-15T00:00:00Z"}, {"to", "2026-04-15T00:00:00Z"}};
  const Json answer = archive.ask(caller_of("ana"), "kettle", {{"time_window", window}});
  CHECK(finds(answer, "mem_e2"));
  CHECK_FALSE(finds(answer, "mem_e1"));
  CHECK(answer.at("applied_filters").at("time_window").at("from") == "2026-03-15T00:00:00.000Z");
  CHECK(answer.at("proof_trace").at("retrieval_paths_used") == Json{"sparse", "time", "filter"});
}

TEST_CASE("query: a day that the question names brings what was that day") {
  Archive archive;
  archive.add("ana", "e1", "we had soup", {{"time", "2026-05-01T18:00:00Z"}});
  archive.add("ana", "e2", "we had fish", {{"time", "2026-04-20T18:00:00Z"}});
  const Json answer =
      archive.ask(caller_of("ana"), "what happened yesterday", {{"object_types", {"memory"}}});
  CHECK(ids_in(answer).at(0) == "mem_e1");
  CHECK(is_step(answer, "as the day 2026-05-01"));
  CHECK(answer.at("applied_filters").at("time_said").at("from") == "2026-05-01T00:00:00.000Z");
}

TEST_CASE("query §5.9 and §5.10: types of objects and of memories filter, alone and together") {
  Archive archive;
  archive.add("ana", "e1", "kettle one");
  archive.add("ana", "e2", "kettle two", {{"memory_type", "semantic"}});
  const auto seeds = [&](const Json& more) {
    return archive.ask(caller_of("ana"), "kettle", more).at("proof_trace").at("seed_object_ids");
  };
  CHECK(seeds({{"object_types", {"event"}}}).size() == 2);
  CHECK(seeds({{"object_types", {"memory"}}, {"memory_types", {"semantic"}}}) == Json{"mem_e2"});
  CHECK(seeds({{"memory_types", {"semantic"}}}).size() == 3);
  CHECK(seeds({{"object_types", {"artifact"}}}).empty());
  const Json unused =
      archive.ask(caller_of("ana"), "kettle", {{"object_types", {"event"}}, {"memory_types", {"social"}}});
  CHECK(unused.at("applied_filters").contains("memory_types_unused"));
  CHECK(unused.at("proof_trace").at("seed_object_ids").size() == 2);
}

TEST_CASE("query §5.11: edge types and max_hops bound the expansion; every end of an edge is in the answer") {
  Archive archive;
  archive.add("ana", "e0", "the fuse blew");
  archive.add("ana", "e1", "no power", {{"causes", {"e0"}}});
  archive.add("ana", "e2", "the kettle is cold", {{"causes", {"e1"}}});
  const auto with = [&](const Json& relations) {
    return archive.ask(caller_of("ana"), "kettle",
                       {{"top_k", 1}, {"object_types", {"event"}}, {"relation_constraints", relations}});
  };
  CHECK(ids_in(with({"caused_by"})) == std::vector<std::string>{"e2", "e1"});
  const Json two = with({"caused_by", "max_hops:2"});
  CHECK(ids_in(two) == std::vector<std::string>{"e2", "e1", "e0"});
  CHECK(two.at("proof_trace").at("expanded_edge_types") == Json{"caused_by"});
  CHECK(two.at("nodes").at(2) == Json{{"object_id", "e0"}, {"object_type", "event"}, {"depth", 2}});
  CHECK(ids_in(with({"uses_tool"})) == std::vector<std::string>{"e2"});
  const Json all = with(Json::array());
  const auto ids = ids_in(all);
  for (const auto& edge : all.at("edges")) {
    CHECK(finds(all, edge.at("src_object_id")));
    CHECK(finds(all, edge.at("dst_object_id")));
  }
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
}

TEST_CASE("query: what superseded another comes before it, and both say so") {
  Archive archive;
  archive.add("ana", "e1", "the spare key is under the pot", {{"memory_type", "semantic"}});
  archive.add("ana", "e2", "the spare key is in the drawer", {{"memory_type", "semantic"}});
  const Json answer = archive.ask(caller_of("ana"), "where is the spare key",
                                  {{"memory_types", {"semantic"}}, {"object_types", {"memory"}}});
  CHECK(ids_in(answer).at(0) == "mem_e2");
  CHECK(answer.at("objects").at(1).at("superseded_by") == "mem_e2");
}

TEST_CASE("query: what an answer was limited by is said; unknown fields are named") {
  Archive archive;
  const Json answer =
      archive.ask(caller_of("ana"), "x", {{"include_cold", true}, {"mood", 1}, {"top_k", 999}});
  CHECK(answer.at("applied_filters").at("include_cold") == true);
  CHECK(is_step(answer, "the cold index was searched, too"));
  CHECK(answer.at("applied_filters").at("ignored") == Json{"mood"});
  CHECK(answer.at("applied_filters").at("top_k") == 200);
  CHECK(answer.at("applied_filters").at("top_k_asked") == 999);
}

namespace {

constexpr std::int64_t kApril = 1'775'001'600'000;  ///< Of 2026, in milliseconds.

/// Two kettles, of which one is cold.
struct ColdArchive : Archive {
  ColdArchive() {
    add("ana", "old", "the kettle was red", {{"time", "2024-05-01T10:00:00Z"}, {"session_id", "then"}});
    add("ana", "new", "the kettle is blue");
    moved = evidence::cool(database, kApril, 100);
  }
  std::size_t moved = 0;
};

}  // namespace

TEST_CASE("query include_cold: what is old is found with it alone, by its words and by its time") {
  ColdArchive archive;
  CHECK(archive.moved > 0);
  CHECK(evidence::cool(archive.database, kApril, 100) == 0);
  const auto ana = caller_of("ana");
  const Json memories = {{"object_types", {"memory"}}};
  const Json warm = archive.ask(ana, "the kettle", memories);
  CHECK(finds(warm, "mem_new"));
  CHECK_FALSE(finds(warm, "mem_old"));
  const Json window = {{"object_types", {"memory"}},
                       {"time_window", {{"from", "2024-01-01T00:00:00Z"}, {"to", "2024-12-31T00:00:00Z"}}}};
  CHECK(ids_in(archive.ask(ana, "what happened", window)).empty());
  for (Json more : {memories, window}) {
    more["include_cold"] = true;
    CHECK(finds(archive.ask(ana, "the kettle", more), "mem_old"));
  }
  // Nobody else's, cold or not.
  CHECK(ids_in(archive.ask(caller_of("ben"), "kettle", {{"include_cold", true}})).empty());
}

TEST_CASE("query include_cold: what changes is warm again, what is forgotten is in neither index") {
  ColdArchive archive;
  const auto ana = caller_of("ana");
  auto object = *evidence::find_object(archive.database, "ana", "mem_old");
  object.summary = "the kettle was crimson";
  object.version = 2;
  evidence::ObjectWriter(archive.database).put(object, "again");
  CHECK(finds(archive.ask(ana, "crimson"), "mem_old"));
  CHECK(archive.database.number("SELECT cold FROM object WHERE id = 'mem_old'") == 0);
  evidence::cool(archive.database, kApril, 100);
  CHECK_FALSE(finds(archive.ask(ana, "crimson"), "mem_old"));
  evidence::forget_objects(archive.database, "ana", {"mem_old", "mem_new"});
  for (const char* const index : {"object_text", "object_cold"}) {
    CAPTURE(index);
    const std::string match =
        std::string("SELECT count(*) FROM ") + index + " WHERE " + index + " MATCH 'kettle OR crimson'";
    CHECK(archive.database.number(match.c_str()) == 0);
  }
}

TEST_CASE("query scopes: private, session, workspace and shared each reach what is theirs") {
  Archive archive;
  archive.add("ana", "p", "kettle private");
  archive.add("ana", "o", "kettle elsewhere", {{"session_id", "other"}});
  archive.add("ben", "w", "kettle of the house", {{"scope", "workspace"}});
  archive.add("ben", "h", "kettle that is shared", {{"scope", "shared"}});
  archive.add("ben", "b", "kettle of ben");
  const auto found = [&](const char* scope) {
    const auto ids = ids_in(archive.ask(
        caller_of("ana"), "kettle",
        {{"query_scope", scope}, {"object_types", {"memory"}}, {"relation_constraints", {"updates"}}}));
    return std::set<std::string>(ids.begin(), ids.end());
  };
  using Set = std::set<std::string>;
  CHECK(found("private") == Set{"mem_p", "mem_o"});
  CHECK(found("session") == Set{"mem_p"});
  CHECK(found("workspace") == Set{"mem_p", "mem_o", "mem_w", "mem_h"});
  CHECK(found("shared") == Set{"mem_h"});
}

TEST_CASE("query scopes: what is said can't put itself into another's part of the index") {
  Archive archive;
  archive.add("ben", "b", "the kettle of ben", {{"scope", "workspace"}});
  archive.add("ana", "a", "tea");
  const auto domains = archive.database.number("SELECT max(id) FROM domain");
  std::string words = "kettle";
  for (std::int64_t id = 1; id <= domains; ++id) {
    for (const char* const gap : {" ", "\t", "\n", "\"", "_", "\xc2\xa0", "."})
      words += gap + std::to_string(id) + "_kettle" + gap + std::to_string(id) + "__ymemory";
  }
  archive.add("eve", "e", words);
  for (const char* const scope : {"private", "workspace", "shared"}) {
    const Json answer = archive.ask(caller_of("ana"), "kettle", {{"query_scope", scope}});
    CHECK_FALSE(finds(answer, "mem_e"));
  }
  CHECK(finds(archive.ask(caller_of("eve"), "kettle"), "mem_e"));
}

TEST_CASE("query: what was said next to a hit, and in a session that is about it, comes before the rest") {
  Archive archive;
  const auto say = [&](const std::string& id, const std::string& text, const std::string& session,
                       int minute) {
    archive.add("ana", id, text,
                {{"session_id", session}, {"time", "2026-05-01T10:0" + std::to_string(minute) + ":00Z"}});
  };
  say("m1", "which paint for the fence", "morning", 1);
  say("m2", "green", "morning", 2);
  say("m3", "two tins", "morning", 3);
  say("m4", "good night", "morning", 4);
  say("e1", "a fence is a fence", "evening", 1);
  say("e2", "paint costs money", "evening", 2);
  say("e3", "paint", "night", 1);
  const Json answer = archive.ask(caller_of("ana"), "paint for the fence",
                                  {{"object_types", {"memory"}}, {"response_mode", "objects_only"}});
  const auto ids = ids_in(answer);
  REQUIRE(ids.size() >= 6);
  CHECK(ids.at(0) == "mem_m1");
  CHECK(finds(answer, "mem_m2"));  // none of the words is in either
  CHECK(finds(answer, "mem_m3"));
  CHECK_FALSE(finds(answer, "mem_m4"));
  const auto place = [&](const char* id) { return std::find(ids.begin(), ids.end(), id) - ids.begin(); };
  CHECK(place("mem_e2") < place("mem_e3"));
  CHECK(is_step(answer, "was counted in, and brought 2 more"));
}

TEST_CASE("query: nobody gets at another's evidence, whatever field is tried") {
  Archive archive;
  archive.add("ben", "secret", "the kettle password is zebrafinch");
  archive.add("ana", "mine", "the kettle is mine");
  const auto ana = caller_of("ana");
  for (const char* const scope : {"private", "session", "workspace", "shared"}) {
    for (const Json& more :
         {Json{{"agent_id", "ana"}}, Json{{"session_id", "s"}}, Json{{"session_id", "ben\ns"}},
          Json{{"query_text", "zebrafinch\" OR scopes : \"obene"}},
          Json{{"query_text", "zebrafinch*) OR (scopes : oben"}}, Json{{"agent_id", "tea.test"}},
          Json{{"agent_id", "ana.x"}}, Json{{"object_types", {"event", "memory", "state", "artifact"}}},
          Json{{"relation_constraints", {"max_hops:2"}}}, Json{{"include_cold", true}}, Json{{"debug", true}},
          Json{{"tenant_id", "default"}}, Json{{"workspace_id", "household"}}}) {
      Json query = {{"query_scope", scope}, {"query_text", "kettle password zebrafinch"}};
      query.update(more);
      const std::string text = archive.ask(ana, query.at("query_text"), query).at("objects").dump();
      CHECK_MESSAGE(text.find("password") == std::string::npos, text);
    }
    for (const Json& more : {Json{{"agent_id", "ben"}}, Json{{"agent_id", "nobody"}},
                             Json{{"tenant_id", "ben"}}, Json{{"workspace_id", "ben"}}}) {
      Json query = {{"query_scope", scope}};
      query.update(more);
      CHECK_MESSAGE(archive.ask(ana, "kettle", query).value("error_code", "") == "FORBIDDEN_SCOPE",
                    more.dump());
    }
  }
  auto bounded = ana;
  bounded.allows_session = [](const std::string& session) { return session == "ana"; };
  CHECK(archive.ask(bounded, "kettle").value("error_code", "") == "FORBIDDEN_SCOPE");
  CHECK(evidence::object_answer(archive.database, "ana", "mem_secret").is_null());
}

TEST_CASE("query: an administrator names another owner; without tokens agents are apart from each other") {
  Archive archive;
  archive.add("ben", "secret", "the kettle password");
  auto admin = caller_of("ana");
  admin.is_admin = true;
  CHECK(finds(archive.ask(admin, "kettle", {{"agent_id", "ben"}}), "mem_secret"));
  evidence::Caller anybody;
  const auto add = [&](const char* agent, const char* id) {
    const Json event = {{"event_id", id},    {"event_type", "said"}, {"time", "2026-05-01T10:00:00Z"},
                        {"agent_id", agent}, {"session_id", "s"},    {"text", "a kettle"}};
    evidence::ingest(archive.database, anybody, evidence::make_ready({{"events", {event}}}), 1000);
  };
  add("agent_a", "a1");
  add("agent_b", "b1");
  const Json answer = archive.ask(anybody, "kettle", {{"agent_id", "agent_a"}});
  CHECK(finds(answer, "mem_a1"));
  CHECK_FALSE(finds(answer, "mem_b1"));
  CHECK(finds(archive.ask(anybody, "kettle", {{"agent_id", "local"}}), "mem_b1"));
}

TEST_CASE("query: stems of a language meet, and words that say nothing are left out") {
  Archive archive;
  archive.add("ana", "e1", "she painted the fences");
  archive.add("ana", "e2", "die Schlüssel liegen im Auto", {{"lang", "de-DE"}});
  CHECK(finds(archive.ask(caller_of("ana"), "who paints a fence?"), "mem_e1"));
  CHECK(finds(archive.ask(caller_of("ana"), "Schlüssels"), "mem_e2"));
  CHECK(evidence::query_terms("what is the kettle", "en").size() == 1);
  CHECK(evidence::query_terms("who is it", "en").size() == 3);
}

TEST_CASE("query: any text is looked for as it is") {
  Archive archive;
  archive.add("ana", "e1", "price 3.50 c++ o'clock 猫が好き");
  for (const char* const text :
       {"\"", "*", "3.50", "NEAR(a b)", "a OR", "terms:x", "-", "c++", "猫", "\xff\xfe", "'; DROP"})
    CHECK_MESSAGE(archive.ask(caller_of("ana"), text).at("status") == "success", text);
  CHECK(finds(archive.ask(caller_of("ana"), "3.50"), "mem_e1"));
  CHECK(finds(archive.ask(caller_of("ana"), "猫"), "mem_e1"));
}

TEST_CASE("evidence stats: counts by type, and how far the log is indexed") {
  Archive archive;
  archive.add("ana", "e1", "kettle");
  const Json stats = evidence::stats(archive.database);
  CHECK(stats.at("objects") == Json{{"event", 1}, {"memory", 1}, {"state", 0}, {"artifact", 0}});
  CHECK(stats.at("edges") == 1);
  CHECK(stats.at("lsn") == Json{{"written", 1}, {"indexed", 1}});
}

TEST_CASE(
    "query §7: what is old is found by a rare word, or by all words, behind thousands that have a frequent "
    "one") {
  Archive archive;
  archive.add("ana", "rare", "the kettle was in the attic");
  archive.add("ana", "both", "the lamp and the ladder were in the cellar");
  archive.add("bob", "foreign", "the kettle of bob was in the attic");
  for (int request = 0; request < 5; ++request) {
    Json events = Json::array();
    for (int i = 0; i < 900; ++i)
      events.push_back({{"event_id", std::to_string(request) + "-" + std::to_string(i)},
                        {"event_type", "said"},
                        {"time", "2026-05-01T11:00:00Z"},
                        {"agent_id", "ana"},
                        {"session_id", "s"},
                        {"text", i % 2 == 0 ? "the lamp was in the attic" : "the ladder was in the attic"}});
    const Json result = evidence::ingest(archive.database, caller_of("ana"),
                                         evidence::make_ready({{"events", events}}), 2000);
    REQUIRE(result.at("accepted") == 900);
  }
  const Json memories = {{"object_types", {"memory"}}, {"response_mode", "objects_only"}};
  const Json rare = archive.ask(caller_of("ana"), "which kettle is in the attic", memories);
  CHECK(ids_in(rare).front() == "mem_rare");
  CHECK_FALSE(finds(rare, "mem_foreign"));
  CHECK(ids_in(rare).size() == 10);
  // Of neither word are the latest 4,000 as old as this; it alone has both.
  CHECK(ids_in(archive.ask(caller_of("ana"), "lamp ladder attic cellar", memories)).front() == "mem_both");
  CHECK(ids_in(archive.ask(caller_of("ana"), "lamp and ladder")).front().ends_with("both"));
}
