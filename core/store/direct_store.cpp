// A store without a thread: what it is asked to do it does before it returns.
#include <mutex>

#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

class DirectStore final : public Store {
 public:
  DirectStore(std::filesystem::path file, std::unique_ptr<StoreLock> lock, std::unique_ptr<Database> database)
      : file_(std::move(file)), lock_(std::move(lock)), database_(std::move(database)) {}

  void write(Work work, Done done, Lasts /*lasts*/) override {
    std::string failure = kClosed;
    {
      const std::lock_guard guard(mutex_);
      if (database_) failure = in_savepoint(*database_, work, file_);
    }
    done(failure);
  }
  void read(Work work, Done done) override {
    std::string failure = kClosed;
    {
      const std::lock_guard guard(mutex_);
      if (database_) failure = failure_in(file_, [&] { work(*database_); });
    }
    done(failure);
  }
  void scrub(Done done) override {
    std::string failure = kClosed;
    {
      const std::lock_guard guard(mutex_);
      if (database_)
        failure = file_.empty() ? std::string() : failure_in(file_, [&] { truncate_wal(*database_); });
    }
    done(failure);
  }
  void close() override {
    const std::lock_guard guard(mutex_);
    database_.reset();
    lock_.reset();
  }
  const std::filesystem::path& file() const noexcept override { return file_; }

 private:
  std::mutex mutex_;
  const std::filesystem::path file_;
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<Database> database_;  ///< Null: closed.
};

}  // namespace

std::shared_ptr<Store> make_memory_store() {
  auto database = std::make_unique<Database>(Database::kMemory, Database::Access::kCreate);
  migrate(*database);
  return std::make_shared<DirectStore>("", nullptr, std::move(database));
}

std::shared_ptr<Store> open_direct_store(const std::filesystem::path& file, std::unique_ptr<StoreLock> lock) {
  auto database = open_store_file(file);
  return std::make_shared<DirectStore>(file, std::move(lock), std::move(database));
}

}  // namespace parley
