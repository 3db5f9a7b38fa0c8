#include "evidence/embedding_server.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "evidence/vectors.hpp"
#include "message/log.hpp"
#include "runtime/http.hpp"

namespace parley::evidence {
namespace {

constexpr std::size_t kBytesOfNumber = 32;
constexpr std::size_t kBytesBeside = std::size_t{16} << 10U;

/// "POST http://…: Timeout was reached" without its address.
std::string without_address(const std::string& failure) {
  const auto end = failure.find(": ");
  return failure.starts_with("POST ") && end != std::string::npos ? failure.substr(end + 2) : failure;
}

}  // namespace

EmbeddingServer::EmbeddingServer(EmbeddingSettings settings, HttpTransport& http)
    : settings_(std::move(settings)), http_(http) {
  try {
    endpoint_.emplace(settings_.url, settings_.model, model_key(settings_.key_variable, settings_.key_file));
  } catch (const std::exception& error) {
    trouble_ = error.what();
    log_warning("evidence", fmt::format("evidence.embeddings: {}; nobody is asked for vectors", trouble_));
  }
}

Task<Result<std::string>> EmbeddingServer::ask(std::string places, std::vector<std::string> texts,
                                               std::chrono::milliseconds timeout) {
  Json body = Json::object();
  body["input"] = texts;
  body["encoding_format"] = "float";
  HttpRequest request = endpoint_->embeddings(std::move(body));
  request.timeout = request.silence = timeout;
  request.most_bytes = texts.size() * kMostNumbers * kBytesOfNumber + kBytesBeside;
  request.redirections = 0;
  HttpStream stream = open_stream(http_, places, std::move(request));
  const Result<HttpResponse> answer = co_await whole_answer(std::move(stream));
  if (!answer) co_return Error(without_address(answer.error().message));
  if (!answer->ok()) co_return Error(fmt::format("HTTP status {}", answer->status));
  co_return answer->body;
}

void EmbeddingServer::note(const std::string& failure) {
  const bool is_first = health_.state() == ModelHealth::State::kUnknown;
  if (!(failure.empty() ? health_.is_up() : health_.is_down(failure))) return;
  const std::string where = shown_url(settings_.url);
  if (!failure.empty()) {
    log_warning("evidence", fmt::format("{} gives no vectors: {}; until it does, questions are answered by "
                                        "words and time",
                                        where, failure));
  } else if (!is_first) {
    log_info("evidence", where + " gives vectors again");
  }
}

}  // namespace parley::evidence
