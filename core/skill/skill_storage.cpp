// What a skill keeps, and what is to come for it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <stdexcept>

#include "runtime/cell.hpp"
#include "skill/hosted_skill.hpp"
#include "store/due_message.hpp"

namespace parley {
namespace {

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
  co_return co_await services_.keeping->storage_get(std::move(place), std::move(key));
}

Task<std::map<std::string, std::string>> HostedSkill::storage_all(StoragePlace place, std::string prefix) {
  co_await unless_cancelled();
  co_return co_await services_.keeping->storage_all(std::move(place), std::move(prefix));
}

Task<StorageHost::Written> HostedSkill::storage_write(StoragePlace place, std::string key,
                                                      std::optional<std::string> json,
                                                      std::optional<std::uint64_t> expect) {
  co_await unless_cancelled();
  co_return co_await services_.keeping->storage_write(std::move(place), std::move(key), std::move(json),
                                                      expect);
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
  co_return co_await services_.keeping->schedule_add(std::move(row));
}

Task<bool> HostedSkill::schedule_cancel(std::string id) {
  co_await unless_cancelled();
  co_return co_await services_.keeping->schedule_cancel(skill_id(), std::move(id));
}

Task<std::vector<Scheduled>> HostedSkill::schedule_list(std::string name) {
  co_await unless_cancelled();
  co_return co_await services_.keeping->schedule_list(skill_id(), std::move(name));
}

}  // namespace parley
