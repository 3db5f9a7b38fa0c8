#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "evidence/embedding_server.hpp"
#include "evidence/vector_index.hpp"
#include "evidence/vector_rows.hpp"
#include "runtime/counters.hpp"
#include "runtime/scope.hpp"
#include "runtime/timers.hpp"

namespace parley {
class Store;
}

namespace parley::evidence {

/// Has vectors of memories made, some at a time, one request after the other, and none while a question waits
/// for its own. What fails is tried again, later and later; a text that the server takes from nobody, while
/// it takes others, gets none. On the loop's thread.
class MemoryVectors {
 public:
  /// Runs something on the loop, from any thread.
  using Post = std::function<void(std::function<void()>)>;
  /// Computes something elsewhere, then goes on on the loop.
  using Offload = std::function<void(std::function<void()> work, std::function<void()> then)>;

  /// All it is given must outlive it.
  /// @param is_held  whether a question is under way
  MemoryVectors(EmbeddingServer& server, std::shared_ptr<VectorIndex> index, std::shared_ptr<Store> store,
                Timers& timers, Counters& counters, boost::asio::any_io_executor loop, Post post,
                Offload offload, std::function<bool()> is_held);

  /// Reads the vectors that there are, and has the others made from here on.
  void start();

 private:
  /// Reads on a worker, and goes on on the loop; a failure counts as one of the server.
  void read(std::function<void(Database&)> work, std::function<void()> then);
  void write(std::function<void(Database&)> work, std::function<void()> then);
  std::function<void(const std::string& failure)> going_on(std::function<void()> then);

  void load();
  void look();
  void take(WantedList list, std::int64_t followed);
  void send();
  Task<> deliver(std::vector<std::string> texts);
  /// @param vectors  one for each text that was sent
  void keep(std::vector<std::string> vectors);
  /// Whether a vector of that size is another model's; says so as a failure until it was so often enough.
  bool is_of_other_size(std::size_t size);
  void done(const std::vector<Wanted>& sent);
  void fail(const std::string& why);
  void refuse();
  void wait(std::chrono::milliseconds time);

  EmbeddingServer& server_;
  const std::shared_ptr<VectorIndex> index_;
  const std::shared_ptr<Store> store_;
  Timers& timers_;
  const boost::asio::any_io_executor loop_;
  const Post post_;
  const Offload offload_;
  const std::function<bool()> is_held_;
  const Counter made_, failed_, refused_;

  VectorModel model_;
  std::int64_t looked_ = 0, cleared_ = 0;
  std::deque<Wanted> queue_;            ///< What is to be sent; the first of it are under way.
  std::size_t sending_ = 0;             ///< So many of it.
  std::size_t at_once_;                 ///< One after a failure, to find out which text it was.
  std::set<std::int64_t> doubtful_;     ///< Rows in the queue whose text was refused once, when sent alone.
  bool others_came_ = false;            ///< Since the last of those was refused first.
  std::size_t other_size_ = 0;          ///< Numbers of the last vectors that had not as many as those before.
  int other_times_ = 0;                 ///< In a row.
  std::chrono::milliseconds patience_;  ///< Until the next try.
  Timer timer_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Scope scope_;
};

}  // namespace parley::evidence
