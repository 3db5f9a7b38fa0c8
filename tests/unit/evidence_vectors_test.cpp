// Vectors of memories: what is taken for one, who is compared with what, and when they go.
#include <cmath>

#include "evidence/forgetting.hpp"
#include "evidence/question_vectors.hpp"
#include "evidence/vector_rows.hpp"
#include "evidence/vectors.hpp"
#include "store/forget.hpp"
#include "store/schema.hpp"
#include "support/evidence_life.hpp"

using namespace parley;
using namespace parley::testing;
using evidence::VectorIndex;

namespace {

std::string packed(const std::vector<double>& numbers) {
  const Json body = {{"data", {{{"index", 0}, {"embedding", numbers}}}}};
  const auto vectors = evidence::vectors_in(body.dump(), 1);
  REQUIRE(vectors.ok());
  return vectors->front();
}

/// A store whose memories have vectors of two numbers, and the index over them.
class Compared : public Life {
 public:
  Compared() : model(evidence::put_vector_model(*database, "m", 2)) { index.begin(model.id, model.size); }

  void add(const std::string& id, const std::string& text, const std::vector<double>& vector,
           const Json& more = Json::object()) {
    REQUIRE(tell(id, text, "episodic", more).at("status") == "accepted");
    const auto list = evidence::wanted_vectors(*database, model.id, 0, 10);
    REQUIRE(list.texts.size() == 1);
    CHECK(list.texts.front().text == text);
    evidence::put_vector(*database, model.id, list.texts.front(), packed(vector));
  }
  evidence::Request request(const Json& more = Json::object()) const {
    Json body = {{"query_text", "what now"},
                 {"agent_id", "local"},
                 {"session_id", "kitchen"},
                 {"top_k", 5},
                 {"query_scope", "private"},
                 {"object_types", {"memory"}},
                 {"response_mode", "structured_evidence"}};
    body.update(more);
    auto read = evidence::read_request(body);
    REQUIRE(read.ok());
    return *read;
  }
  static evidence::Reach reach(const std::string& owner, const std::string& agent = {}) {
    evidence::Reach reach;
    reach.owner = owner;
    reach.agent_id = agent;
    return reach;
  }
  /// How many vectors somebody's question is compared with.
  std::size_t compared(const Json& more, const std::string& owner, const std::string& agent = {}) {
    while (index.load(*database, 2)) {
    }
    index.follow(*database);
    const auto bounds = evidence::bounds_of(*database, request(more), reach(owner, agent));
    return index.nearest(bounds, packed({1, 0}), 10).compared;
  }

  const evidence::VectorModel model;
  VectorIndex index{100};
};

}  // namespace

TEST_CASE("embeddings: only what is a vector of some length for each text is taken") {
  const auto fails_with = [](const std::string& body, std::size_t count = 1) {
    const auto vectors = evidence::vectors_in(body, count);
    return vectors ? std::string("taken") : vectors.error().message;
  };
  CHECK(fails_with(R"({"data": [{"embedding": [0.5, -1]}]})") == "taken");
  CHECK(has_part(fails_with("<html>busy</html>"), "no JSON"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": [NaN]}]})"), "no JSON"));
  CHECK(has_part(fails_with(R"({"error": {"message": "no"}})"), "without 'data'"));
  CHECK(has_part(fails_with("[]"), "without 'data'"));
  CHECK(has_part(fails_with(R"({"data": []})"), "0 vectors for 1 texts"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": []}]})"), "without numbers"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": "AAAA"}]})"), "without numbers"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": [1, null]}]})"), "no number"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": [0, 0]}]})"), "without a length"));
  CHECK(has_part(fails_with(R"({"data": [{"embedding": [1e308, 1e308]}]})"), "without a length"));
  CHECK(
      has_part(fails_with(R"({"data": [{"embedding": [1]}, {"embedding": [1, 2]}]})", 2), "different sizes"));
  CHECK(
      has_part(fails_with(R"({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]})", 2),
               "'index'"));
  CHECK(has_part(fails_with(R"({"data": [{"index": 7, "embedding": [1]}]})"), "'index'"));
  CHECK(has_part(fails_with(R"({"data": [7]})"), "without 'embedding'"));
  const Json many = {{"data", {{{"embedding", std::vector<int>(evidence::kMostNumbers + 1, 1)}}}}};
  CHECK(has_part(fails_with(many.dump()), "are the most"));
}

TEST_CASE("embeddings: a kept vector compares as the numbers did, to a hundredth") {
  const std::vector<double> a{0.3, -0.2, 0.9, 0.05, -0.4}, b{0.1, 0.7, 0.2, -0.6, -0.3};
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    of_a += a[i] * a[i];
    of_b += b[i] * b[i];
  }
  const evidence::Numbers one(packed(a)), other(packed(b));
  const auto sum = evidence::product(one.values.data(), other.values.data(), evidence::padded(5));
  const double cosine =
      static_cast<double>(sum) * static_cast<double>(one.scale) * static_cast<double>(other.scale);
  CHECK(cosine == doctest::Approx(product / std::sqrt(of_a * of_b)).epsilon(0.01));
}

TEST_CASE("embeddings: a text is cut between letters") {
  const std::string text = std::string(evidence::kLongestToEmbed - 1, 'a') + "ö";
  CHECK(evidence::to_embed(text) == std::string(evidence::kLongestToEmbed - 1, 'a'));
  CHECK(evidence::to_embed("Grüße") == "Grüße");
}

TEST_CASE("embeddings: a vector out of reach is never compared") {
  Compared life;
  life.add("e1", "mine", {1, 0});
  life.add("e2", "mine elsewhere", {1, 0}, {{"session_id", "attic"}});
  life.add("e3", "of my agent", {1, 0}, {{"agent_id", "bot"}});
  life.add("e4", "for the household", {1, 0}, {{"scope", "workspace"}});
  life.add("e5", "for everybody", {1, 0}, {{"scope", "shared"}});
  life.add("e6", "of another place", {1, 0}, {{"workspace_id", "office"}});
  CHECK(life.compared({{"query_scope", "private"}}, "local") == 6);
  CHECK(life.compared({{"query_scope", "private"}}, "local", "bot") == 1);
  CHECK(life.compared({{"query_scope", "session"}, {"session_id", "attic"}}, "local") == 1);
  CHECK(life.compared({{"query_scope", "workspace"}}, "local") == 5);
  for (const char* const scope : {"private", "session"})
    CHECK(life.compared({{"query_scope", scope}}, "eve") == 0);
  CHECK(life.compared({{"query_scope", "workspace"}}, "eve") == 2);
  CHECK(life.compared({{"query_scope", "shared"}}, "eve") == 1);
  CHECK(life.compared({{"object_types", {"event"}}}, "local") == 0);
  CHECK(life.compared({{"memory_types", {"semantic"}}}, "local") == 0);
  CHECK(life.compared({{"time_window", {{"to", "2026-04-01T00:00:00Z"}}}}, "local") == 0);
  life.database->run("UPDATE object SET cold = 1 WHERE id = 'mem_e1'");
  CHECK(life.compared(Json::object(), "local") == 5);
  CHECK(life.compared({{"include_cold", true}}, "local") == 6);
}

TEST_CASE("embeddings: what is no longer open to others is no longer compared") {
  Compared life;
  life.add("e1", "for the household", {1, 0}, {{"scope", "workspace"}});
  CHECK(life.compared({{"query_scope", "workspace"}}, "eve") == 1);
  auto object = life.object("mem_e1");
  object.scope = "private";
  evidence::ObjectWriter(*life.database).put(object, "e1");
  CHECK(life.compared({{"query_scope", "workspace"}}, "eve") == 0);
  CHECK(life.compared({{"query_scope", "private"}}, "local") == 1);
}

TEST_CASE("embeddings: a vector goes with its memory, and of one that says something else it is made anew") {
  Compared life;
  life.add("e1", "the first", {1, 0});
  life.add("e2", "the second", {0, 1});
  CHECK(life.compared(Json::object(), "local") == 2);
  evidence::forget_objects(*life.database, "local", {"mem_e1"});
  CHECK(life.compared(Json::object(), "local") == 1);
  CHECK(life.index.count() == 1);
  CHECK(life.database->number("SELECT count(*) FROM vector") == 1);
  auto object = life.object("mem_e2");
  object.summary = "the second, otherwise";
  evidence::ObjectWriter(*life.database).put(object, "e2");
  CHECK(life.compared(Json::object(), "local") == 0);
  CHECK(life.database->number("SELECT sum(length(bytes)) FROM vector") == 0);
  const auto behind = life.database->number("SELECT max(row) FROM object");
  auto wanted = evidence::wanted_vectors(*life.database, life.model.id, behind, 10);
  REQUIRE(wanted.texts.size() == 1);
  CHECK(wanted.texts.front().text == "the second, otherwise");
  // It said something else again while the vector was made.
  object.summary = "the second, once more";
  evidence::ObjectWriter(*life.database).put(object, "e2");
  evidence::put_vector(*life.database, life.model.id, wanted.texts.front(), packed({1, 0}));
  CHECK(life.compared(Json::object(), "local") == 0);
  wanted = evidence::wanted_vectors(*life.database, life.model.id, behind, 10);
  REQUIRE(wanted.texts.size() == 1);
  CHECK(wanted.texts.front().text == "the second, once more");
  ForgetWhat what;
  what.owner = "local";
  erase_kept(*life.database, what);
  CHECK(life.database->number("SELECT count(*) FROM vector") == 0);
  CHECK(life.compared(Json::object(), "local") == 0);
}

TEST_CASE("embeddings: another model, or another size of its vectors, wants all of them anew") {
  Compared life;
  life.add("e1", "the first", {1, 0});
  const auto end = life.database->number("SELECT max(row) FROM object");
  CHECK(evidence::wanted_vectors(*life.database, life.model.id, end, 10).texts.empty());
  const auto other = evidence::put_vector_model(*life.database, "other", 3);
  CHECK(evidence::wanted_vectors(*life.database, other.id, end, 10).texts.size() == 1);
  const auto again = evidence::put_vector_model(*life.database, "m", 2);
  CHECK(evidence::wanted_vectors(*life.database, again.id, end, 10).texts.size() == 1);
  CHECK(evidence::find_vector_model(*life.database, "m").id == again.id);
}

TEST_CASE(
    "embeddings: of more vectors than may be held the latest are, and dropped ones give back their room") {
  Compared life;
  VectorIndex small(2);
  small.begin(life.model.id, life.model.size);
  for (const char* const id : {"e1", "e2", "e3"}) life.add(id, id, {1, 0});
  CHECK_FALSE(small.load(*life.database, 10));
  CHECK(small.count() == 2);
  const auto bounds = evidence::bounds_of(*life.database, life.request(), Compared::reach("local"));
  const auto near = small.nearest(bounds, packed({1, 0}), 10);
  CHECK(near.compared == 2);
  const auto oldest = life.database->number("SELECT min(row) FROM vector");
  for (const auto& [cosine, row] : near.rows) CHECK(row != oldest);
  for (int i = 0; i < 3'000; ++i) {  // more than are dropped before room is given back
    life.database->run("UPDATE vector SET model = model");
    small.follow(*life.database);
  }
  CHECK(small.count() == 2);
  CHECK(small.nearest(bounds, packed({1, 0}), 10).compared == 2);
}

TEST_CASE("query: what says the same in other words is found by its vector, and the proof says so") {
  Compared life;
  life.add("e1", "the pot for tea leaks", {1, 0.1});
  life.add("e2", "rain tomorrow", {0, 1});
  life.compared(Json::object(), "local");
  evidence::Meaning meaning(std::shared_ptr<VectorIndex>(&life.index, [](VectorIndex*) {}));
  meaning.vector = packed({1, 0});
  const auto request = life.request({{"query_text", "kettle"}, {"top_k", 1}, {"debug", true}});
  Json answer =
      evidence::answer(*life.database, request, Compared::reach("local"), evidence::Wording(), "q", &meaning);
  CHECK(answer.at("status") == "success");
  CHECK(answer.at("objects").at(0).at("object_id") == "mem_e1");
  CHECK(answer.at("proof_trace").at("retrieval_paths_used") == Json{"sparse", "dense", "filter"});
  const std::string all = answer.at("proof_trace").dump();
  CHECK(has_part(all, "cosine with 2 vectors in reach) produced 2 candidates"));
  CHECK(has_part(all, "meaning (rank 1)"));
  CHECK(answer.at("debug").at("embeddings").at("vectors") == 2);
  meaning.vector.clear();
  meaning.failure = "HTTP status 500";
  answer =
      evidence::answer(*life.database, request, Compared::reach("local"), evidence::Wording(), "q", &meaning);
  CHECK(answer.at("status") == "partial");
  CHECK(has_part(answer.at("message"), "HTTP status 500"));
  CHECK(answer.at("debug").at("embeddings").at("failure") == "HTTP status 500");
  CHECK_FALSE(has_part(answer.at("proof_trace").at("retrieval_paths_used").dump(), "dense"));
}

TEST_CASE("store: a file of version 6 keeps its memories, which want vectors then") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  {
    Database old(file, Database::Access::kCreate);
    for (std::int64_t version = 1; version <= 6; ++version) old.run(schema_step(version));
    old.run(R"(
INSERT INTO object (owner, id, type, memory_type, summary, scope, tenant_id, workspace_id, agent_id, session_id,
  lang, time, logged, kept, version, lsn, sources, topic, value, superseded_by, importance, scopes, terms, own_domain)
  VALUES ('local', 'mem_1', 'memory', 'semantic', 'the key is under the pot', 'private', 'default', 'household',
  'local', 's', 'en', 1, 1, 1, 1, 1, '["e"]', '', '', '', 0, '_', 'key pot', 1);
PRAGMA application_id = 1885434476;
PRAGMA user_version = 6;
)");
  }
  const auto database = open_store_file(file);
  CHECK(database->number("PRAGMA user_version") == kSchemaVersion);
  const auto wanted = evidence::wanted_vectors(*database, 0, evidence::looked_up_to(*database), 10);
  REQUIRE(wanted.texts.size() == 1);
  CHECK(wanted.texts.front().text == "the key is under the pot");
  CHECK(wanted.is_end);
}
