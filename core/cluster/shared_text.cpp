#include "cluster/shared_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <stdexcept>
#include <utility>

#include "child/frames.hpp"
#include "cluster/frames.hpp"
#include "net/grant.hpp"
#include "runtime/random_id.hpp"

namespace parley::cluster {
namespace {

using Kind = RowName::Kind;

Json head_of(const SharedRow& row) {
  const RowName& name = row.name;
  Json head = {{"k", std::string(1, static_cast<char>(name.kind))}, {"at", row.time}};
  switch (name.kind) {
    case Kind::kValue:
      head["skill"] = name.skill_id;
      head["scope"] = static_cast<int>(name.scope);
      head["owner"] = name.owner;
      head["session"] = name.session_id;
      head["key"] = name.key;
      break;
    case Kind::kScheduled:
      head["skill"] = row.scheduled.skill_id;
      head["row"] = child::json_of(row.scheduled);
      break;
    case Kind::kSession:
      head["owner"] = name.owner;
      head["session"] = name.session_id;
      head["opened"] = row.session.opened;
      head["last_turn"] = row.session.last_turn;
      if (row.session.snapshot) head["snapshot"] = to_json(*row.session.snapshot);
      break;
    case Kind::kTold:
      head["owner"] = name.owner;
      head["session"] = name.session_id;
      head["key"] = name.key;
      head["happened"] = name.happened;
      break;
    case Kind::kForgotten:
      head["log"] = row.log;
      if (!row.objects.ids.empty()) {
        head["owner"] = row.objects.owner;
        head["objects"] = row.objects.ids;
        head["events"] = row.objects.event_ids;
        head["turns"] = row.objects.turns;
        break;
      }
      head["everything"] = row.forget.everything;
      head["owner"] = row.forget.owner;
      head["session"] = row.forget.session_id;
      head["since"] = row.forget.since;
      head["until"] = row.forget.until;
      break;
  }
  return head;
}

/// @throws nlohmann::json::exception, std::invalid_argument when it is none
SharedRow row_of(const Json& head, std::string_view body) {
  SharedRow row;
  RowName& name = row.name;
  const auto kind = head.at("k").get<std::string>();
  row.time = head.at("at").get<std::int64_t>();
  const auto take_name = [&] {
    name.owner = head.at("owner").get<std::string>();
    name.session_id = head.at("session").get<std::string>();
  };
  if (kind == "v") {
    take_name();
    name.skill_id = head.at("skill").get<std::string>();
    name.scope = static_cast<StorageScope>(head.at("scope").get<int>());
    name.key = head.at("key").get<std::string>();
    row.json = body;
  } else if (kind == "s") {
    name.kind = Kind::kScheduled;
    row.scheduled = child::row_from(head.at("row"), head.at("skill").get<std::string>());
    name.key = row.scheduled.what.id;
    name.owner = row.scheduled.what.owner;
    name.session_id = row.scheduled.what.session_id;
  } else if (kind == "n") {
    name.kind = Kind::kSession;
    take_name();
    row.session.owner = name.owner;
    row.session.id = name.session_id;
    row.session.opened = head.at("opened").get<std::int64_t>();
    row.session.last_turn = head.at("last_turn").get<std::int64_t>();
    const auto snapshot = head.find("snapshot");
    if (snapshot == head.end()) {
      row.session.state = SessionState::kClosed;
    } else {
      std::vector<std::string> spoiled;
      auto session = session_from_json(*snapshot, spoiled);
      session.session_id = row.session.id;
      row.session.snapshot = std::make_shared<const Session>(std::move(session));
    }
  } else if (kind == "t") {
    name.kind = Kind::kTold;
    take_name();
    name.key = head.at("key").get<std::string>();
    name.told = row.time;
    name.happened = head.at("happened").get<std::int64_t>();
    row.json = body;
  } else if (kind == "f" && head.contains("objects")) {
    name.kind = Kind::kForgotten;
    row.objects.owner = head.at("owner").get<std::string>();
    row.objects.ids = head.at("objects").get<std::vector<std::string>>();
    row.objects.event_ids = head.at("events").get<std::vector<std::string>>();
    row.objects.turns = head.value("turns", std::vector<std::string>());
    row.log = head.value("log", std::uint64_t{0});
  } else if (kind == "f") {
    name.kind = Kind::kForgotten;
    row.forget.everything = head.at("everything").get<bool>();
    row.forget.owner = head.at("owner").get<std::string>();
    row.forget.session_id = head.at("session").get<std::string>();
    row.forget.since = head.at("since").get<std::int64_t>();
    row.forget.until = head.at("until").get<std::int64_t>();
    row.log = head.value("log", std::uint64_t{0});
  } else {
    throw std::invalid_argument("no kind of row: " + kind);
  }
  return row;
}

}  // namespace

SharedRow SharedRow::of(const ToldEvent& event) {
  SharedRow row;
  row.name = RowName::of_told(event.owner, event.event_id);
  row.name.session_id = event.session_id;
  row.name.told = row.time = event.time;
  row.name.happened = event.happened;
  row.json = event.json;
  return row;
}

ToldEvent SharedRow::told() const {
  ToldEvent event;
  event.owner = name.owner;
  event.session_id = name.session_id;
  event.event_id = name.key;
  event.json = json;
  event.time = time;
  event.happened = name.happened;
  return event;
}

RowName RowName::of_value(const StoragePlace& place, std::string key) {
  RowName name;
  name.skill_id = place.skill_id;
  name.scope = place.scope;
  name.owner = place.owner;
  name.session_id = place.session_id;
  name.key = std::move(key);
  return name;
}

RowName RowName::of_scheduled(std::string id) {
  RowName name;
  name.kind = Kind::kScheduled;
  name.key = std::move(id);
  return name;
}

RowName RowName::of_session(std::string owner, std::string id) {
  RowName name;
  name.kind = Kind::kSession;
  name.owner = std::move(owner);
  name.session_id = std::move(id);
  return name;
}

RowName RowName::of_told(std::string owner, std::string event_id) {
  RowName name;
  name.kind = Kind::kTold;
  name.owner = std::move(owner);
  name.key = std::move(event_id);
  return name;
}

RowName RowName::of_forgotten() {
  RowName name;
  name.kind = Kind::kForgotten;
  name.key = random_id();
  return name;
}

std::string RowName::key_of_all() const {
  const std::string kind_text(1, static_cast<char>(kind));
  if (kind == Kind::kForgotten) return kind_text + '.' + key;
  if (kind == Kind::kScheduled) return kind_text + '.' + net::sha256(key);
  if (kind == Kind::kTold)
    return kind_text + '.' + net::sha256(fmt::format("{}:{}{}", owner.size(), owner, key));
  return kind_text + '.' +
         net::sha256(fmt::format("{}:{}{}:{}{}:{}{}{}", skill_id.size(), skill_id, owner.size(), owner,
                                 session_id.size(), session_id, static_cast<int>(scope), key));
}

std::string SharedRow::text() const {
  return frame(head_of(*this)) + '\n' + json;
}

std::optional<SharedRow> SharedRow::read(std::string_view text) {
  const auto read = Frame::read(text);
  if (!read) return std::nullopt;
  try {
    return row_of(read->head, read->message);
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace parley::cluster
