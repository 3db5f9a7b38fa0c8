#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <parley/clock.hpp>
#include <string>

#include "evidence/embedding_server.hpp"
#include "evidence/vector_index.hpp"
#include "runtime/counters.hpp"
#include "runtime/scope.hpp"

namespace parley::evidence {

/// What a question means, as a vector, and what it can be compared with; or why there is none.
class Meaning {
 public:
  using Told = std::function<void(const std::string& failure)>;
  explicit Meaning(std::shared_ptr<VectorIndex> vectors) : index(std::move(vectors)) {}

  /// Takes the answer of the server apart; on a thread that may take its time.
  void read();

  const std::shared_ptr<VectorIndex> index;
  std::string vector;   ///< As VectorIndex has it; empty: there is none.
  std::string failure;  ///< Why the server gave none.
  std::string reason;   ///< Why none was needed.

  std::string body;  ///< Of the answer, until it is read.
  Told told;         ///< Called by read() with what is wrong with the body.
};

/// Has the vectors of questions made, each within a bound; a server that failed is left alone for a while.
/// On the loop's thread.
class QuestionVectors {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Then = std::function<void(std::shared_ptr<Meaning>)>;

  /// All it is given must outlive it.
  /// @param post  runs something on the loop, from any thread
  QuestionVectors(EmbeddingServer& server, std::shared_ptr<VectorIndex> index, const Clock& clock,
                  Counters& counters, boost::asio::any_io_executor loop, Post post);

  /// Calls back once, on the loop, within EmbeddingSettings::timeout; not at all once it is gone.
  void ask(const std::string& text, Then then);
  std::size_t asked() const noexcept { return asked_; }

 private:
  Task<> fetch(std::string text, Then then);
  std::string reason_to_fail() const;
  void end(const std::string& failure);

  EmbeddingServer& server_;
  const std::shared_ptr<VectorIndex> index_;
  const Clock& clock_;
  const boost::asio::any_io_executor loop_;
  const Post post_;
  const Counter made_, failed_, skipped_;
  std::size_t asked_ = 0;  ///< Under way.
  Clock::Time left_alone_until_{};
  std::string last_failure_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Scope scope_;
};

}  // namespace parley::evidence
