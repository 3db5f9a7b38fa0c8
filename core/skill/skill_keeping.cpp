#include "skill/skill_keeping.hpp"

#include <boost/asio/post.hpp>
#include <functional>
#include <stdexcept>
#include <utility>

#include "runtime/cell.hpp"
#include "store/schedule_table.hpp"

namespace parley {
namespace {

/// What reading a row came to.
template <class T>
struct Read {
  T value;
  std::string failure;
};

template <class T>
T taken(std::shared_ptr<Read<T>> read) {
  if (!read->failure.empty()) throw StorageError(read->failure);
  return std::move(read->value);
}

struct ChangeCame {
  StorageHost::Written written{false};
  Rows::Refused refused = Rows::Refused::kNo;
  std::string why;
};

}  // namespace

Task<std::optional<StorageHost::Stored>> KeepingHere::storage_get(StoragePlace place, std::string key) {
  using Came = std::shared_ptr<Read<std::optional<Stored>>>;
  const auto cell = std::make_shared<Cell<Came>>();
  lasting_->rows().get(std::move(place), std::move(key),
                       [cell](std::optional<Stored> value, const std::string& failure) {
                         auto came = std::make_shared<Read<std::optional<Stored>>>();
                         came->value = std::move(value);
                         came->failure = failure;
                         cell->set(std::move(came));
                       });
  auto came = co_await Cell<Came>::wait(cell);
  co_return taken(std::move(came));
}

Task<std::map<std::string, std::string>> KeepingHere::storage_all(StoragePlace place, std::string prefix) {
  using Values = std::map<std::string, std::string>;
  using Came = std::shared_ptr<Read<Values>>;
  const auto cell = std::make_shared<Cell<Came>>();
  lasting_->rows().all(std::move(place), std::move(prefix),
                       [cell](Values values, const std::string& failure) {
                         auto came = std::make_shared<Read<Values>>();
                         came->value = std::move(values);
                         came->failure = failure;
                         cell->set(std::move(came));
                       });
  auto came = co_await Cell<Came>::wait(cell);
  co_return taken(std::move(came));
}

Task<StorageHost::Written> KeepingHere::storage_write(StoragePlace place, std::string key,
                                                      std::optional<std::string> json,
                                                      std::optional<std::uint64_t> expect) {
  using Came = std::shared_ptr<ChangeCame>;
  const auto cell = std::make_shared<Cell<Came>>();
  ValueChange change(std::move(place), std::move(key));
  change.json = std::move(json);
  change.expect = expect;
  change.now = to_milliseconds(clock_.wall());
  lasting_->rows().change(std::move(change),
                          [cell](Written written, Rows::Refused refused, const std::string& why) {
                            auto came = std::make_shared<ChangeCame>();
                            came->written = written;
                            came->refused = refused;
                            came->why = why;
                            cell->set(std::move(came));
                          });
  const auto came = co_await Cell<Came>::wait(cell);
  if (came->refused == Rows::Refused::kFull) throw std::invalid_argument(came->why);
  if (came->refused == Rows::Refused::kFailed) throw StorageError(came->why);
  co_return came->written;
}

Task<std::string> KeepingHere::schedule_add(ScheduleRow row) {
  using Added = std::pair<std::string, std::string>;
  const auto cell = std::make_shared<Cell<Added>>();
  boost::asio::post(loop_, [lasting = lasting_, row = std::move(row), cell] {
    lasting->scheduler.add(row, [cell](std::string id, std::string failure) {
      cell->set(Added(std::move(id), std::move(failure)));
    });
  });
  Added added = co_await Cell<Added>::wait(cell);
  if (!added.second.empty()) throw StorageError(added.second);
  co_return std::move(added.first);
}

Task<bool> KeepingHere::schedule_cancel(std::string skill_id, std::string id) {
  using Ended = std::pair<bool, std::string>;
  const auto cell = std::make_shared<Cell<Ended>>();
  boost::asio::post(loop_, [lasting = lasting_, whose = std::move(skill_id), id = std::move(id), cell] {
    lasting->scheduler.cancel(whose, id, [cell](bool was_there, std::string failure) {
      cell->set(Ended(was_there, std::move(failure)));
    });
  });
  const Ended ended = co_await Cell<Ended>::wait(cell);
  if (!ended.second.empty()) throw StorageError(ended.second);
  co_return ended.first;
}

Task<std::vector<Scheduled>> KeepingHere::schedule_list(std::string skill_id, std::string name) {
  const auto cell = std::make_shared<Cell<std::vector<Scheduled>>>();
  boost::asio::post(loop_, [lasting = lasting_, whose = std::move(skill_id), name = std::move(name), cell] {
    lasting->scheduler.when_loaded(
        [lasting = lasting.get(), whose, name, cell] { cell->set(lasting->scheduler.list(whose, name)); });
  });
  co_return co_await Cell<std::vector<Scheduled>>::wait(cell);
}

}  // namespace parley
