// An embedding server that fails and lies: what it costs, and who is told.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>

#include "evidence/embeddings.hpp"
#include "runtime/http.hpp"
#include "store/store.hpp"
#include "support/evidence_life.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// Answers at once, as it is told.
class ScriptedServer final : public HttpTransport {
 public:
  /// An answer; `failure` is the network's.
  struct Reply {
    Reply(int what, std::string with, std::string wrong = {})
        : status(what), body(std::move(with)), failure(std::move(wrong)) {}
    int status;
    std::string body, failure;
  };
  using Script = std::function<Reply(const std::vector<std::string>& texts)>;

  void begin(const std::string&, std::shared_ptr<HttpExchange> exchange) override {
    requests.push_back(exchange->request);
    const Json body = Json::parse(exchange->request.body);
    const auto texts = body.at("input").get<std::vector<std::string>>();
    asked.insert(asked.end(), texts.begin(), texts.end());
    const Reply reply = script(texts);
    if (reply.failure.empty()) exchange->set_head(reply.status, {});
    if (reply.failure.empty()) exchange->add(reply.body);
    exchange->end(reply.failure);
  }
  /// "kettle", "teapot" and the like mean the same to it; vectors have so many numbers.
  static Reply honest(const std::vector<std::string>& texts, std::size_t size = 4) {
    Json data = Json::array();
    for (const auto& text : texts) {
      const bool is_tea = has_part(text, "kettle") || has_part(text, "teapot");
      std::vector<double> numbers(size, 0.1);
      numbers.front() = is_tea ? 1 : -1;
      data.push_back({{"index", data.size()}, {"embedding", numbers}});
    }
    return {200, Json({{"data", data}}).dump()};
  }
  std::size_t times_asked(const std::string& text) const {
    return static_cast<std::size_t>(std::count(asked.begin(), asked.end(), text));
  }

  Script script = [](const auto& texts) { return honest(texts); };
  std::vector<HttpRequest> requests;
  std::vector<std::string> asked;  ///< Texts.
};

/// Memories, a server, and time that jumps.
class Embedded {
 public:
  Embedded() : store(make_memory_store()), timers(clock) {
    settings.url = "http://vectors.test/v1";
    settings.model = "m";
  }
  void start() {
    parts.reset();
    const auto post = [this](std::function<void()> work) { boost::asio::post(loop, std::move(work)); };
    const auto offload = [post](const std::function<void()>& work, std::function<void()> then) {
      work();
      post(std::move(then));
    };
    parts = std::make_unique<evidence::Embeddings>(settings, server, store, timers, counters,
                                                   loop.get_executor(), post, offload);
    parts->memories.start();
    pass(0s);
  }
  /// Lets time pass, with everything that comes up.
  void pass(std::chrono::milliseconds time) {
    const auto until = clock.now() + time;
    for (;;) {
      loop.restart();
      if (loop.poll() > 0) continue;
      const auto next = timers.next();
      if (!next || *next > until) break;
      clock.advance_to(*next);
      timers.fire_due();
    }
    clock.advance_to(until);
  }
  void add(const std::string& id, const std::string& text) {
    const Json event = {{"event_id", id},      {"event_type", "said"}, {"time", "2026-05-01T10:00:00Z"},
                        {"agent_id", "local"}, {"session_id", "s"},    {"text", text}};
    store->write(
        [event](Database& database) {
          evidence::ingest(database, evidence::Caller(), evidence::make_ready({{"events", {event}}}), 2000);
        },
        [](const std::string& failure) { REQUIRE(failure.empty()); });
  }
  /// The answer to a question by its words and its vector.
  Json ask(const std::string& text) {
    Json answer;
    parts->questions.ask(text, [&](const std::shared_ptr<evidence::Meaning>& meaning) {
      const Json body = {{"query_text", text},
                         {"agent_id", "local"},
                         {"session_id", "s"},
                         {"top_k", 1},
                         {"query_scope", "private"},
                         {"object_types", {"memory"}},
                         {"response_mode", "objects_only"}};
      evidence::Reach reach;
      reach.owner = "local";
      store->read(
          [&](Database& database) {
            meaning->read();
            answer = evidence::answer(database, *evidence::read_request(body), reach, evidence::Wording(),
                                      "q", meaning.get());
          },
          [](const std::string& failure) { REQUIRE(failure.empty()); });
    });
    pass(0s);
    REQUIRE(answer.is_object());
    return answer;
  }
  static bool is_dense(const Json& answer) {
    return has_part(answer.at("proof_trace").at("retrieval_paths_used").dump(), "dense");
  }
  std::uint64_t counted(const std::string& of, const std::string& outcome) const {
    return counters.of("parley_embeddings_total{of=\"" + of + "\",outcome=\"" + outcome + "\"}");
  }

  boost::asio::io_context loop;
  JumpingClock clock;
  std::shared_ptr<Store> store;
  Timers timers;
  Counters counters;
  ScriptedServer server;
  evidence::EmbeddingSettings settings;
  std::unique_ptr<evidence::Embeddings> parts;
};

}  // namespace

TEST_CASE("embeddings: memories get vectors in the background, those that come later as well") {
  Embedded life;
  for (int i = 0; i < 40; ++i) life.add("e" + std::to_string(i), "note " + std::to_string(i));
  life.start();
  CHECK(life.counted("memory", "made") == 40);
  for (const auto& request : life.server.requests) {
    const Json body = Json::parse(request.body);
    CHECK(request.url == "http://vectors.test/v1/embeddings");
    CHECK(body.at("model") == "m");
    CHECK(body.at("input").size() <= 16);
  }
  life.add("late", "the teapot leaks");
  life.pass(2s);
  CHECK(life.counted("memory", "made") == 41);
  const Json answer = life.ask("kettle");
  CHECK(answer.at("status") == "success");
  CHECK(Embedded::is_dense(answer));
  CHECK(answer.at("objects").at(0).at("object_id") == "mem_late");
  // Nothing is asked for twice, by the next process neither.
  const auto asked = life.server.asked.size();
  life.start();
  life.pass(10s);
  CHECK(life.server.asked.size() == asked);
  CHECK(Embedded::is_dense(life.ask("kettle")));
}

TEST_CASE("embeddings: a server that fails or lies costs a question its dense path, and no more") {
  using Reply = ScriptedServer::Reply;
  const auto with = [](const std::string& numbers) {
    return Reply(200, R"({"data": [{"embedding": [)" + numbers + "]}]}");
  };
  const std::vector<std::pair<Reply, std::string>> lies{
      {Reply(0, "", "Timeout was reached"), "Timeout was reached"},
      {Reply(500, "oh"), "HTTP status 500"},
      {Reply(429, "{}"), "HTTP status 429"},
      {Reply(302, ""), "HTTP status 302"},
      {Reply(200, "<html>"), "no JSON"},
      {Reply(200, ""), "empty answer"},
      {with("1, 2"), "a vector of 2 numbers, where those of memories have 4"},
      {with("1, NaN, 3, 4"), "no JSON"},
      {with("0, 0, 0, 0"), "without a length"},
      {Reply(200, R"({"data": []})"), "0 vectors for 1 texts"},
      {Reply(200, std::string(1U << 20U, ' ')), "is longer than"},
  };
  for (const auto& one : lies) {
    const std::string& said = one.second;
    CAPTURE(said);
    Embedded life;
    life.add("e1", "the teapot leaks");
    life.start();
    life.server.script = [reply = one.first](const auto&) { return reply; };
    Json answer = life.ask("teapot");
    CHECK(answer.at("status") == "partial");
    CHECK(has_part(answer.at("message"), said));
    CHECK(has_part(answer.at("proof_trace").at("assembly_steps").dump(), "dense retrieval was left out"));
    CHECK_FALSE(Embedded::is_dense(answer));
    CHECK(answer.at("objects").at(0).at("object_id") == "mem_e1");  // by its words
    CHECK(life.counted("question", "failed") == 1);
    // It is left alone for a while, whoever asks.
    const auto asked = life.server.requests.size();
    answer = life.ask("teapot");
    CHECK(answer.at("status") == "partial");
    CHECK(has_part(answer.at("message"), "it failed lately"));
    CHECK(life.server.requests.size() == asked);
    CHECK(life.counted("question", "skipped") == 1);
    life.server.script = [](const auto& texts) { return ScriptedServer::honest(texts); };
    life.pass(31s);
    CHECK(Embedded::is_dense(life.ask("teapot")));
  }
}

TEST_CASE("embeddings: a server that is down is asked for vectors of memories again, later and later") {
  Embedded life;
  life.add("e1", "the teapot leaks");
  life.server.script = [](const auto&) { return ScriptedServer::Reply(0, "", "Connection refused"); };
  life.start();
  life.pass(10min);
  CHECK(life.server.requests.size() > 5);
  CHECK(life.server.requests.size() < 15);
  CHECK(life.counted("memory", "failed") == life.server.requests.size());
  CHECK(life.counted("memory", "refused") == 0);
  CHECK(life.ask("teapot").at("status") == "success");  // there is nothing to compare it with
  life.server.script = [](const auto& texts) { return ScriptedServer::honest(texts); };
  life.pass(6min);
  CHECK(life.counted("memory", "made") == 1);
}

TEST_CASE("embeddings: a text that the server takes from nobody gets no vector, and holds up no other") {
  Embedded life;
  life.add("e0", "poison");
  for (int i = 1; i < 30; ++i) life.add("e" + std::to_string(i), "note " + std::to_string(i));
  life.server.script = [](const std::vector<std::string>& texts) {
    const bool is_bad = std::find(texts.begin(), texts.end(), "poison") != texts.end();
    return is_bad ? ScriptedServer::Reply(500, "too long") : ScriptedServer::honest(texts);
  };
  life.start();
  life.pass(1min);
  CHECK(life.counted("memory", "made") == 29);
  CHECK(life.counted("memory", "refused") == 1);
  CHECK(life.server.times_asked("poison") <= 4);
  const auto asked = life.server.asked.size();
  life.start();
  life.pass(1min);
  CHECK(life.server.asked.size() == asked);
}

TEST_CASE(
    "embeddings: another model makes all vectors anew; another size counts as one when it is there to stay") {
  Embedded life;
  life.add("e1", "the teapot leaks");
  life.start();
  CHECK(life.counted("memory", "made") == 1);
  life.settings.model = "other";
  life.start();
  life.pass(1s);
  CHECK(life.counted("memory", "made") == 2);
  life.server.script = [](const auto& texts) { return ScriptedServer::honest(texts, 7); };
  life.add("e2", "another note");
  life.pass(500ms);
  CHECK(life.counted("memory", "made") == 2);
  life.pass(1min);
  CHECK(life.counted("memory", "made") == 4);
  CHECK(life.parts->index->size() == 7);
  CHECK(Embedded::is_dense(life.ask("kettle")));
}

TEST_CASE("embeddings: a key goes along; one that can't be read leaves the server unasked") {
  Embedded life;
  const TemporaryFolder folder;
  life.settings.key_file = folder.write("key", "secret\n").string();
  life.add("e1", "the teapot leaks");
  life.start();
  REQUIRE(life.server.requests.size() == 1);
  const auto& headers = life.server.requests.front().headers;
  CHECK(std::find(headers.begin(), headers.end(),
                  std::pair<std::string, std::string>("Authorization", "Bearer secret")) != headers.end());
  life.settings.key_file = (folder.path() / "none").string();
  life.start();
  CHECK(life.ask("teapot").at("status") == "partial");
  CHECK(life.server.requests.size() == 1);
}
