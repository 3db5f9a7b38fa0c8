#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "child/channel.hpp"
#include "child/outlet.hpp"
#include "runtime/http.hpp"
#include "skill/skill_keeping.hpp"

namespace parley::child {

/// What the skill of a child keeps, in the store at the other end of the channel. On the child's loop.
class DistantKeeping final : public SkillKeeping {
 public:
  explicit DistantKeeping(Outlet& outlet) : outlet_(outlet) {}

  Task<std::optional<Stored>> storage_get(StoragePlace place, std::string key) override;
  Task<std::map<std::string, std::string>> storage_all(StoragePlace place, std::string prefix) override;
  Task<Written> storage_write(StoragePlace place, std::string key, std::optional<std::string> json,
                              std::optional<std::uint64_t> expect) override;
  Task<std::string> schedule_add(ScheduleRow row) override;
  Task<bool> schedule_cancel(std::string skill_id, std::string id) override;
  Task<std::vector<Scheduled>> schedule_list(std::string skill_id, std::string name) override;

  /// An answer to what was asked.
  void kept(const Frame& answer);

 private:
  using Answer = std::shared_ptr<const Frame>;
  /// @throws std::invalid_argument, StorageError as the answer says, Cancelled
  static Task<Answer> ask(DistantKeeping* self, Json head, std::string body);

  Outlet& outlet_;
  std::map<std::uint64_t, std::weak_ptr<Cell<Answer>>> asked_;
  std::uint64_t count_ = 0;
};

/// Requests to servers, which parley makes for its child: with its limits, and answers given beforehand. From
/// any thread.
class DistantHttp final : public HttpTransport {
 public:
  DistantHttp(boost::asio::io_context& loop, Outlet& outlet) : loop_(loop), outlet_(outlet) {}
  void begin(const std::string& owner, std::shared_ptr<HttpExchange> exchange) override;

  /// A piece of an answer, or its end.
  void came(const Frame& piece);

 private:
  boost::asio::io_context& loop_;
  Outlet& outlet_;
  std::map<std::uint64_t, std::shared_ptr<HttpExchange>> exchanges_;
  std::uint64_t count_ = 0;
};

}  // namespace parley::child
