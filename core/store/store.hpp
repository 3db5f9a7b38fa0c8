#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace parley {

class Database;
class StoreLock;

/// The database behind everything that lasts. Used from any thread; writes are done in the order in which
/// they came.
class Store : public std::enable_shared_from_this<Store> {
 public:
  using Work = std::function<void(Database&)>;
  /// Called once, from whatever thread: empty: it is done; else why it is not, and what to do.
  using Done = std::function<void(const std::string& failure)>;
  /// What must be true of a write that is called done.
  enum class Lasts {
    kAlways,         ///< It is on the disk, whatever happens.
    kWithTheSystem,  ///< It is lost at most with the whole machine.
    kBehind          ///< Likewise, and it may be begun some 50 ms later, so that what comes meanwhile goes
                     ///< with it: for what nobody waits for.
  };

  virtual ~Store() = default;
  /// Does all of it or nothing, and calls back when it is committed. What `work` throws is its failure.
  virtual void write(Work work, Done done, Lasts lasts = Lasts::kAlways) = 0;
  /// What was to be begun later is begun soon: much of it waits.
  virtual void hurry() {}
  /// Sees everything that was called done before.
  virtual void read(Work work, Done done) = 0;
  /// Sees everything that was asked for before, the log of turns included: what was said a moment ago is in.
  void read_behind(Work work, Done done);
  /// Overwrites what the writes so far deleted, in the file and beside it, and calls back when that is done.
  virtual void scrub(Done done) = 0;
  /// Ends when all writes so far are done; later ones fail.
  virtual void close() = 0;
  /// Empty: it is in memory.
  virtual const std::filesystem::path& file() const noexcept = 0;
};

/// Nothing of it survives the process. Works at once, on the thread of whoever calls.
std::shared_ptr<Store> make_memory_store();

/// The same with a file: for a clock that jumps, which must not run ahead of a thread. @throws StoreRefused
std::shared_ptr<Store> open_direct_store(const std::filesystem::path& file, std::unique_ptr<StoreLock> lock);

/// One thread that writes, and commits what came meanwhile together.
/// @param readers  where reads run
/// @throws StoreRefused
std::shared_ptr<Store> open_store(const std::filesystem::path& file, std::unique_ptr<StoreLock> lock,
                                  boost::asio::any_io_executor readers);

}  // namespace parley
