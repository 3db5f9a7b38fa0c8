#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <parley/clock.hpp>
#include <parley/schedule.hpp>
#include <parley/storage.hpp>
#include <string>
#include <vector>

#include "store/lasting.hpp"

namespace parley {

/// Where skills keep things. The waits are those of Storage and Schedule, and throw what they throw.
class SkillKeeping : public StorageHost {
 public:
  virtual ~SkillKeeping() = default;
  /// Gives the id, once it is committed.
  virtual Task<std::string> schedule_add(ScheduleRow row) = 0;
  virtual Task<bool> schedule_cancel(std::string skill_id, std::string id) = 0;
  virtual Task<std::vector<Scheduled>> schedule_list(std::string skill_id, std::string name) = 0;
};

/// The store of this process. From any thread.
class KeepingHere final : public SkillKeeping {
 public:
  KeepingHere(std::shared_ptr<Lasting> lasting, boost::asio::any_io_executor loop, const Clock& clock)
      : lasting_(std::move(lasting)), loop_(std::move(loop)), clock_(clock) {}

  Task<std::optional<Stored>> storage_get(StoragePlace place, std::string key) override;
  Task<std::map<std::string, std::string>> storage_all(StoragePlace place, std::string prefix) override;
  Task<Written> storage_write(StoragePlace place, std::string key, std::optional<std::string> json,
                              std::optional<std::uint64_t> expect) override;
  Task<std::string> schedule_add(ScheduleRow row) override;
  Task<bool> schedule_cancel(std::string skill_id, std::string id) override;
  Task<std::vector<Scheduled>> schedule_list(std::string skill_id, std::string name) override;

 private:
  const std::shared_ptr<Lasting> lasting_;
  const boost::asio::any_io_executor loop_;
  const Clock& clock_;
};

}  // namespace parley
