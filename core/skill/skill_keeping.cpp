#include "skill/skill_keeping.hpp"

#include <boost/asio/post.hpp>
#include <functional>
#include <stdexcept>
#include <utility>

#include "runtime/cell.hpp"
#include "store/schedule_table.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley {
namespace {

/// What a piece of work in the store came to; the first failure that is not the store's is the caller's.
template <class T>
struct Kept {
  std::optional<T> value;
  std::string misuse;   ///< What the skill did wrong.
  std::string failure;  ///< Why it is not kept.
};

template <class T>
T taken(Kept<T> kept) {
  if (!kept.misuse.empty()) throw std::invalid_argument(kept.misuse);
  if (!kept.failure.empty()) throw StorageError(kept.failure);
  return std::move(*kept.value);
}

/// Has work done in the store and gives what it gives.
template <class T>
Task<T> in_store(std::shared_ptr<Store> store, std::function<T(Database&)> work, bool writes) {
  const auto cell = std::make_shared<Cell<std::shared_ptr<Kept<T>>>>();
  const auto kept = std::make_shared<Kept<T>>();
  auto run = [kept, work = std::move(work)](Database& database) {
    kept->value.reset();
    kept->misuse.clear();
    try {
      kept->value.emplace(work(database));
    } catch (const std::invalid_argument& error) {
      kept->misuse = error.what();
      throw;
    }
  };
  auto done = [kept, cell](const std::string& failure) {
    if (kept->misuse.empty()) kept->failure = failure;
    cell->set(kept);
  };
  if (writes) {
    store->write(std::move(run), std::move(done));
  } else {
    store->read(std::move(run), std::move(done));
  }
  const auto came = co_await Cell<std::shared_ptr<Kept<T>>>::wait(cell);
  co_return taken(std::move(*came));
}

}  // namespace

Task<std::optional<StorageHost::Stored>> KeepingHere::storage_get(StoragePlace place, std::string key) {
  std::function<std::optional<Stored>(Database&)> work = [place, key](Database& database) {
    return values::get(database, place, key);
  };
  return in_store(lasting_->store, std::move(work), false);
}

Task<std::map<std::string, std::string>> KeepingHere::storage_all(StoragePlace place, std::string prefix) {
  std::function<std::map<std::string, std::string>(Database&)> work = [place, prefix](Database& database) {
    return values::all(database, place, prefix);
  };
  return in_store(lasting_->store, std::move(work), false);
}

Task<StorageHost::Written> KeepingHere::storage_write(StoragePlace place, std::string key,
                                                      std::optional<std::string> json,
                                                      std::optional<std::uint64_t> expect) {
  const std::int64_t now = to_milliseconds(clock_.wall());
  std::function<Written(Database&)> work = [place, key, json, expect, now](Database& database) {
    return values::write(database, place, key, json, expect, now);
  };
  return in_store(lasting_->store, std::move(work), true);
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
