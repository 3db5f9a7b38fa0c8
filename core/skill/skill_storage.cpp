// What a skill keeps, and what is to come for it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <stdexcept>

#include "message/topics.hpp"
#include "runtime/cell.hpp"
#include "skill/hosted_skill.hpp"
#include "store/due_message.hpp"
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

std::string dumped(const Json& value, std::size_t most, const char* what) {
  std::string text;
  try {
    text = value.dump();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(fmt::format("the {} holds text that is no UTF-8", what));
  }
  if (text.size() > most)
    throw std::invalid_argument(
        fmt::format("the {} is {} bytes of JSON: {} are the most", what, text.size(), most));
  return text;
}

void check_key(const std::string& key) {
  if (key.empty() || key.size() > Storage::kLongestKey) {
    throw std::invalid_argument(
        fmt::format("a key has 1 to {} bytes, not {}", Storage::kLongestKey, key.size()));
  }
  static_cast<void>(dumped(Json(key), Storage::kLongestKey * 6 + 2, "key"));
}

Json parsed(const std::string& text) {
  auto json = parse_json(text);
  if (!json) throw StorageError("a value in the store is damaged: " + json.error().message);
  return std::move(*json);
}

/// What Storage does, for callers whose Storage is gone before the wait is over.
struct Reach {
  Reach(StorageHost* whose, StoragePlace where) : host(whose), place(std::move(where)) {}
  StorageHost* host;
  StoragePlace place;

  static Task<> put(Reach in, std::string key, Json value) {
    check_key(key);
    std::string text = dumped(value, Storage::kLargestValue, "value");
    co_await in.host->storage_write(in.place, std::move(key), std::move(text), std::nullopt);
  }

  static Task<std::optional<Json>> get(Reach in, std::string key) {
    const auto found = co_await in.host->storage_get(in.place, std::move(key));
    if (!found) co_return std::nullopt;
    co_return parsed(found->json);
  }

  static Task<std::map<std::string, Json>> all(Reach in, std::string prefix) {
    const auto found = co_await in.host->storage_all(in.place, std::move(prefix));
    std::map<std::string, Json> values;
    for (const auto& [key, text] : found) values.emplace(key, parsed(text));
    co_return values;
  }

  static Task<bool> erase(Reach in, std::string key) {
    const auto written =
        co_await in.host->storage_write(in.place, std::move(key), std::nullopt, std::nullopt);
    co_return written.done;
  }

  static Task<std::optional<Json>> change(Reach in, std::string key, Storage::Edit edit) {
    check_key(key);
    for (;;) {
      const auto found = co_await in.host->storage_get(in.place, key);
      std::optional<Json> before;
      if (found) before = parsed(found->json);
      std::optional<Json> after = edit(std::move(before));
      if (!after && !found) co_return std::nullopt;
      std::optional<std::string> text;
      if (after) text = dumped(*after, Storage::kLargestValue, "value");
      const std::uint64_t expected = found ? found->version : 0;
      const auto written = co_await in.host->storage_write(in.place, key, std::move(text), expected);
      if (written.done) co_return after;
    }
  }
};

}  // namespace

Task<> Storage::put(std::string key, Json value) {
  return Reach::put(Reach(host_, place_), std::move(key), std::move(value));
}
Task<std::optional<Json>> Storage::get(std::string key) {
  return Reach::get(Reach(host_, place_), std::move(key));
}
Task<std::map<std::string, Json>> Storage::all(std::string prefix) {
  return Reach::all(Reach(host_, place_), std::move(prefix));
}
Task<bool> Storage::erase(std::string key) {
  return Reach::erase(Reach(host_, place_), std::move(key));
}
Task<std::optional<Json>> Storage::change(std::string key, Edit edit) {
  return Reach::change(Reach(host_, place_), std::move(key), std::move(edit));
}

// ---- Schedule

namespace {

Scheduled to_come(std::string name, const Json& payload, const Turn& turn) {
  if (!is_identifier(name))
    throw std::invalid_argument(fmt::format("'{}' can't be the name of an on_due()", name));
  static_cast<void>(dumped(payload, Schedule::kLargestPayload, "payload"));
  Scheduled what;
  what.name = std::move(name);
  what.data = std::make_shared<const Json>(payload);
  what.session_id = turn.session_id();
  what.lang = turn.lang();
  what.owner = turn.owner();
  what.time_zone = turn.time_zone();
  return what;
}

}  // namespace

Task<std::string> Schedule::at(std::chrono::system_clock::time_point when, std::string name, Json payload,
                               Turn turn) {
  Scheduled what = to_come(std::move(name), payload, turn);
  what.due = when;
  return host_->schedule_add(std::move(what), turn.message().with_session(turn.session()));
}

Task<std::string> Schedule::repeat(ScheduleRule rule, std::string name, Json payload, Turn turn) {
  Scheduled what = to_come(std::move(name), payload, turn);
  what.rule = rule;
  return host_->schedule_add(std::move(what), turn.message().with_session(turn.session()));
}

Task<bool> Schedule::cancel(std::string id) {
  return host_->schedule_cancel(std::move(id));
}

Task<std::vector<Scheduled>> Schedule::list(std::string name) {
  return host_->schedule_list(std::move(name));
}

// ---- their host

Task<std::optional<StorageHost::Stored>> HostedSkill::storage_get(StoragePlace place, std::string key) {
  co_await unless_cancelled();
  std::function<std::optional<Stored>(Database&)> work = [place, key](Database& database) {
    return values::get(database, place, key);
  };
  co_return co_await in_store(services_.lasting->store, std::move(work), false);
}

Task<std::map<std::string, std::string>> HostedSkill::storage_all(StoragePlace place, std::string prefix) {
  co_await unless_cancelled();
  std::function<std::map<std::string, std::string>(Database&)> work = [place, prefix](Database& database) {
    return values::all(database, place, prefix);
  };
  co_return co_await in_store(services_.lasting->store, std::move(work), false);
}

Task<StorageHost::Written> HostedSkill::storage_write(StoragePlace place, std::string key,
                                                      std::optional<std::string> json,
                                                      std::optional<std::uint64_t> expect) {
  co_await unless_cancelled();
  const std::int64_t now = to_milliseconds(clock().wall());
  std::function<Written(Database&)> work = [place, key, json, expect, now](Database& database) {
    return values::write(database, place, key, json, expect, now);
  };
  co_return co_await in_store(services_.lasting->store, std::move(work), true);
}

Task<std::string> HostedSkill::schedule_add(Scheduled what, Message by) {
  co_await unless_cancelled();
  if (!handlers_.has_due(what.name)) {
    throw std::invalid_argument(fmt::format("the skill has no on_due(\"{}\", …)", what.name));
  }
  ScheduleRow row;
  row.what = std::move(what);
  row.skill_id = skill_id();
  row.context = std::make_shared<const Json>(kept_context(by));
  using Added = std::pair<std::string, std::string>;
  const auto cell = std::make_shared<Cell<Added>>();
  environment_->post([lasting = services_.lasting, row = std::move(row), cell] {
    lasting->scheduler.add(row, [cell](std::string id, std::string failure) {
      cell->set(Added(std::move(id), std::move(failure)));
    });
  });
  Added added = co_await Cell<Added>::wait(cell);
  if (!added.second.empty()) throw StorageError(added.second);
  co_return std::move(added.first);
}

Task<bool> HostedSkill::schedule_cancel(std::string id) {
  co_await unless_cancelled();
  using Ended = std::pair<bool, std::string>;
  const auto cell = std::make_shared<Cell<Ended>>();
  environment_->post([lasting = services_.lasting, whose = skill_id(), id = std::move(id), cell] {
    lasting->scheduler.cancel(whose, id, [cell](bool was_there, std::string failure) {
      cell->set(Ended(was_there, std::move(failure)));
    });
  });
  const Ended ended = co_await Cell<Ended>::wait(cell);
  if (!ended.second.empty()) throw StorageError(ended.second);
  co_return ended.first;
}

Task<std::vector<Scheduled>> HostedSkill::schedule_list(std::string name) {
  co_await unless_cancelled();
  const auto cell = std::make_shared<Cell<std::vector<Scheduled>>>();
  environment_->post([lasting = services_.lasting, whose = skill_id(), name = std::move(name), cell] {
    lasting->scheduler.when_loaded(
        [lasting = lasting.get(), whose, name, cell] { cell->set(lasting->scheduler.list(whose, name)); });
  });
  co_return co_await Cell<std::vector<Scheduled>>::wait(cell);
}

}  // namespace parley
