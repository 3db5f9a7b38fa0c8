#include <boost/asio/post.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "message/log.hpp"
#include "runtime/guard.hpp"
#include "runtime/thread_name.hpp"
#include "runtime/workers.hpp"
#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

/// For so long what nobody waits for is gathered: a commit writes some hundred pages, for one turn or for
/// fifty.
constexpr std::chrono::milliseconds kGathered(50);
/// For so long even when much waits: waking this thread for every event costs whoever hands it over.
constexpr std::chrono::milliseconds kSoon(5);

/// Connections for reading. From any thread.
class ReadPool {
 public:
  explicit ReadPool(std::filesystem::path file) : file_(std::move(file)) {}

  std::string read(const Store::Work& work) {
    std::unique_ptr<Database> database;
    std::string failure = failure_in(file_, [&] {
      database = take();
      work(*database);
    });
    if (database && failure.empty()) give_back(std::move(database));
    return failure;
  }

 private:
  std::unique_ptr<Database> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto database = std::move(idle_.back());
        idle_.pop_back();
        return database;
      }
    }
    return open_to_read(file_);
  }
  void give_back(std::unique_ptr<Database> database) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMostIdle) idle_.push_back(std::move(database));
  }

  static constexpr std::size_t kMostIdle = 4;
  const std::filesystem::path file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Database>> idle_;
};

class FileStore final : public Store {
 public:
  FileStore(std::filesystem::path file, std::unique_ptr<StoreLock> lock, boost::asio::any_io_executor readers)
      : file_(std::move(file)),
        lock_(std::move(lock)),
        database_(open_store_file(file_)),
        readers_(std::move(readers)),
        pool_(std::make_shared<ReadPool>(file_)),
        writer_([this] {
          name_thread("store");
          give_way();
          run();
        }) {}
  ~FileStore() override { FileStore::close(); }
  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;

  void write(Work work, Done done, Lasts lasts) override {
    take(Job(std::move(work), std::move(done), lasts));
  }
  void hurry() override {
    const std::lock_guard guard(mutex_);
    if (!std::exchange(is_much_, true)) wake_.notify_one();
  }
  void scrub(Done done) override { take(Job(nullptr, std::move(done), Lasts::kAlways)); }

  void read(Work work, Done done) override {
    boost::asio::post(
        readers_, [pool = pool_, work = std::move(work), done = std::move(done)] { done(pool->read(work)); });
  }

  void close() override {
    {
      const std::lock_guard guard(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    if (writer_.joinable()) writer_.join();
    database_.reset();
    lock_.reset();
  }

  const std::filesystem::path& file() const noexcept override { return file_; }

 private:
  struct Job {
    Job(Work what, Done then, Lasts how_long)
        : work(std::move(what)), done(std::move(then)), lasts(how_long) {}
    Work work;  ///< Null: the WAL is to go.
    Done done;
    Lasts lasts;
    std::string failure;
  };

  void take(Job job) {
    {
      const std::lock_guard guard(mutex_);
      if (!closing_) {
        const bool is_first = jobs_.empty();
        const bool hurries = job.lasts != Lasts::kBehind && !std::exchange(is_hurried_, true);
        jobs_.push_back(std::move(job));
        if (is_first || hurries) wake_.notify_one();
        return;
      }
    }
    job.done(kClosed);
  }

  void run() {
    std::unique_lock guard(mutex_);
    while (true) {
      wake_.wait(guard, [this] { return closing_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      const auto may_begin = [this] { return closing_ || is_hurried_; };
      if (!wake_.wait_for(guard, kSoon, may_begin))
        wake_.wait_for(guard, kGathered - kSoon, [&] { return is_much_ || may_begin(); });
      is_hurried_ = is_much_ = false;
      std::deque<Job> group = std::exchange(jobs_, {});
      guard.unlock();
      commit(group);
      guard.lock();
    }
  }

  void commit(std::deque<Job>& group) {
    bool lasts = false;
    for (const auto& job : group) lasts = lasts || job.lasts == Lasts::kAlways;
    const std::string failure = failure_in(file_, [&] {
      database_->run(lasts ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
      database_->run("BEGIN IMMEDIATE");
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (!group[i].work) continue;
        group[i].failure = in_savepoint(*database_, group[i].work, file_);
        if (database_->in_transaction()) continue;
        // An error so bad that SQLite took everything back: whoever came before loses theirs as well.
        for (std::size_t before = 0; before < i; ++before) group[before].failure = group[i].failure;
        database_->run("BEGIN IMMEDIATE");
      }
      database_->run("COMMIT");
    });
    if (!failure.empty()) failure_of([&] { database_->run("ROLLBACK"); });
    for (auto& job : group) {
      if (!job.work) job.failure = failure_in(file_, [&] { truncate_wal(*database_); });
    }
    for (auto& job : group) {
      const std::string& outcome = job.failure.empty() ? failure : job.failure;
      if (const auto thrown = failure_of([&] { job.done(outcome); })) log_error("store", *thrown);
    }
  }

  const std::filesystem::path file_;
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<Database> database_;  ///< The writer's.
  const boost::asio::any_io_executor readers_;
  const std::shared_ptr<ReadPool> pool_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool is_hurried_ = false;  ///< Somebody waits for one of the jobs.
  bool is_much_ = false;
  bool closing_ = false;
  std::thread writer_;  // last: it uses the rest
};

}  // namespace

void Store::read_behind(Work work, Done done) {
  write([](Database&) {},
        [self = shared_from_this(), work = std::move(work),
         done = std::move(done)](const std::string& /*failure*/) mutable {
          // What could not be written, as on a full disk, keeps nobody from what was.
          self->read(std::move(work), std::move(done));
        },
        Lasts::kWithTheSystem);
}

std::shared_ptr<Store> open_store(const std::filesystem::path& file, std::unique_ptr<StoreLock> lock,
                                  boost::asio::any_io_executor readers) {
  return std::make_shared<FileStore>(file, std::move(lock), std::move(readers));
}

}  // namespace parley
