#include "evidence/embeddings.hpp"

#include <utility>

namespace parley::evidence {

Embeddings::Embeddings(EmbeddingSettings settings, HttpTransport& http, std::shared_ptr<Store> store,
                       Timers& timers, Counters& counters, const boost::asio::any_io_executor& loop,
                       const MemoryVectors::Post& post, MemoryVectors::Offload offload)
    : server(std::move(settings), http),
      questions(server, index, timers.clock(), counters, loop, post),
      memories(server, index, std::move(store), timers, counters, loop, post, std::move(offload),
               [this] { return questions.asked() > 0; }) {}

}  // namespace parley::evidence
