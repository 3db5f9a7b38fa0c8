#pragma once

#include <memory>

#include "evidence/memory_vectors.hpp"
#include "evidence/question_vectors.hpp"

namespace parley::evidence {

/// All about vectors: of memories, of questions, and where they are compared. On the loop's thread.
struct Embeddings {
  /// All it is given must outlive it.
  Embeddings(EmbeddingSettings settings, HttpTransport& http, std::shared_ptr<Store> store, Timers& timers,
             Counters& counters, const boost::asio::any_io_executor& loop, const MemoryVectors::Post& post,
             MemoryVectors::Offload offload);

  static constexpr std::size_t kMost = 1'000'000;  ///< Vectors that are held; the latest.
  EmbeddingServer server;
  const std::shared_ptr<VectorIndex> index = std::make_shared<VectorIndex>(kMost);
  QuestionVectors questions;
  MemoryVectors memories;
};

}  // namespace parley::evidence
