#pragma once

#include <chrono>
#include <optional>
#include <parley/http.hpp>
#include <parley/language_model.hpp>
#include <parley/result.hpp>
#include <string>
#include <vector>

#include "evidence/embedding_settings.hpp"

namespace parley {
class HttpTransport;
}

namespace parley::evidence {

/// The endpoint that gives vectors of texts. On the loop's thread.
class EmbeddingServer {
 public:
  EmbeddingServer(EmbeddingSettings settings, HttpTransport& http);

  const EmbeddingSettings& settings() const noexcept { return settings_; }
  /// What its vectors are kept under.
  const std::string& name() const noexcept {
    return settings_.model.empty() ? settings_.url : settings_.model;
  }
  /// Why it can't be asked at all; empty: it can.
  const std::string& trouble() const noexcept { return trouble_; }

  /// The body of its answer, or what went wrong, without the address: callers are told.
  /// @param places  whose places at the transport it takes
  Task<Result<std::string>> ask(std::string places, std::vector<std::string> texts,
                                std::chrono::milliseconds timeout);
  /// Takes whether it gave what it was asked for; says in the log when that changes.
  /// @param failure  empty: it did
  void note(const std::string& failure);

 private:
  const EmbeddingSettings settings_;
  HttpTransport& http_;
  std::optional<ModelEndpoint> endpoint_;
  std::string trouble_;
  ModelHealth health_;
};

}  // namespace parley::evidence
