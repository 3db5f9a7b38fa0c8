#pragma once

#include <chrono>
#include <string>

namespace parley::evidence {

/// Where vectors of texts come from: `evidence.embeddings`.
struct EmbeddingSettings {
  EmbeddingSettings();
  std::string url;    ///< Base of an OpenAI-compatible endpoint; empty: there are no vectors.
  std::string model;  ///< Its name there; empty: the server chooses.
  std::string key_variable, key_file;
  std::chrono::milliseconds timeout{};      ///< Of the vector of a question.
  std::chrono::milliseconds retry_after{};  ///< So long questions leave a server alone that failed.
  bool operator==(const EmbeddingSettings&) const = default;
};

}  // namespace parley::evidence
