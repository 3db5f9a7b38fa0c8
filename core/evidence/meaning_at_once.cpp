#include "evidence/meaning_at_once.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "evidence/embeddings.hpp"
#include "evidence/question_vectors.hpp"
#include "evidence/vector_rows.hpp"
#include "runtime/http_client.hpp"
#include "runtime/timers.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

std::shared_ptr<VectorIndex> index_of(Database& database, const std::string& name) {
  auto index = std::make_shared<VectorIndex>(Embeddings::kMost);
  const VectorModel model = find_vector_model(database, name);
  index->begin(model.id, model.size);
  constexpr std::size_t kAtOnce = 10'000;  // rows
  while (index->load(database, kAtOnce)) {
  }
  return index;
}

}  // namespace

std::shared_ptr<Meaning> meaning_at_once(Database& database, const EmbeddingSettings& settings,
                                         const std::string& text) {
  if (settings.url.empty()) return nullptr;
  boost::asio::io_context loop;
  const auto alive = boost::asio::make_work_guard(loop);
  const SteadyClock clock;
  Counters counters;
  HttpClient http;
  EmbeddingServer server(settings, http);
  QuestionVectors questions(
      server, index_of(database, server.name()), clock, counters, loop.get_executor(),
      [&loop](std::function<void()> work) { boost::asio::post(loop, std::move(work)); });
  std::shared_ptr<Meaning> meaning;
  questions.ask(text, [&meaning](std::shared_ptr<Meaning> made) { meaning = std::move(made); });
  while (!meaning) loop.run_one();
  meaning->read();
  loop.poll();  // says in the log what was wrong with the answer
  meaning->told = nullptr;
  return meaning;
}

}  // namespace parley::evidence
