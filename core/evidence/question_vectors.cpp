#include "evidence/question_vectors.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "evidence/vectors.hpp"
#include "runtime/http.hpp"

namespace parley::evidence {

void Meaning::read() {
  if (body.empty()) return;
  auto vectors = vectors_in(body, 1);
  body.clear();
  if (!vectors) {
    failure = vectors.error().message;
  } else if (const std::size_t size = size_of_vector(vectors->front()); size != index->size()) {
    failure = fmt::format("a vector of {} numbers, where those of memories have {}", size, index->size());
  } else {
    vector = std::move(vectors->front());
  }
  if (told) told(failure);
}

QuestionVectors::QuestionVectors(EmbeddingServer& server, std::shared_ptr<VectorIndex> index,
                                 const Clock& clock, Counters& counters, boost::asio::any_io_executor loop,
                                 Post post)
    : server_(server),
      index_(std::move(index)),
      clock_(clock),
      loop_(std::move(loop)),
      post_(std::move(post)),
      made_(counters.counter("parley_embeddings_total", {{"of", "question"}, {"outcome", "made"}})),
      failed_(counters.counter("parley_embeddings_total", {{"of", "question"}, {"outcome", "failed"}})),
      skipped_(counters.counter("parley_embeddings_total", {{"of", "question"}, {"outcome", "skipped"}})) {}

std::string QuestionVectors::reason_to_fail() const {
  if (!server_.trouble().empty()) return "it can't be asked";
  if (!index_->is_loaded()) return "the vectors of memories are still being read";
  if (clock_.now() < left_alone_until_) return "it failed lately: " + last_failure_;
  if (asked_ >= kHttpPlaces) return fmt::format("it is being asked {} questions already", asked_);
  return {};
}

void QuestionVectors::ask(const std::string& text, Then then) {
  auto meaning = std::make_shared<Meaning>(index_);
  meaning->failure = reason_to_fail();
  if (meaning->failure.empty() && index_->count() == 0) meaning->reason = "no memory has a vector yet";
  if (!meaning->failure.empty() || !meaning->reason.empty()) {
    skipped_.add();
    return then(std::move(meaning));
  }
  ++asked_;
  scope_.spawn(loop_, fetch(to_embed(text), std::move(then)));
}

Task<> QuestionVectors::fetch(std::string text, Then then) {
  std::vector<std::string> texts(1, std::move(text));
  std::string places = "evidence";
  Result<std::string> answer =
      co_await server_.ask(std::move(places), std::move(texts), server_.settings().timeout);
  --asked_;
  auto meaning = std::make_shared<Meaning>(index_);
  if (answer && !answer->empty()) {
    meaning->body = *std::move(answer);
    meaning->told = [this, post = post_, alive = std::weak_ptr(alive_)](const std::string& failure) {
      post([this, alive, failure] {
        if (!alive.expired()) end(failure);
      });
    };
  } else {
    meaning->failure = answer ? "an empty answer" : answer.error().message;
    end(meaning->failure);
  }
  then(std::move(meaning));
}

void QuestionVectors::end(const std::string& failure) {
  server_.note(failure);
  (failure.empty() ? made_ : failed_).add();
  if (failure.empty()) return;
  last_failure_ = failure;
  left_alone_until_ = clock_.now() + server_.settings().retry_after;
}

}  // namespace parley::evidence
