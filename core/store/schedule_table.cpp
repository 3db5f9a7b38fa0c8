#include "store/schedule_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <parley/json.hpp>

#include "message/log.hpp"
#include "store/sqlite.hpp"

namespace parley::schedule_table {
namespace {

std::shared_ptr<const Json> read_json(const std::string& text) {
  auto parsed = parse_json(text);
  if (!parsed) throw std::runtime_error(parsed.error().message);
  return std::make_shared<const Json>(std::move(*parsed));
}

ScheduleRow read_row(const Statement& from) {
  ScheduleRow row;
  row.what.id = from.text(0);
  row.skill_id = from.text(1);
  row.what.name = from.text(2);
  row.what.data = read_json(from.text(3));
  row.what.due = from_milliseconds(from.number(4));
  if (!from.is_null(5)) {
    auto rule = ScheduleRule::from_json(*read_json(from.text(5)));
    if (!rule) throw std::runtime_error(rule.error().message);
    row.what.rule = *rule;
  }
  row.what.time_zone = from.text(6);
  row.what.owner = from.text(7);
  row.what.session_id = from.text(8);
  row.what.lang = from.text(9);
  row.context = read_json(from.text(10));
  return row;
}

}  // namespace

void put(Database& database, const ScheduleRow& row) {
  const Scheduled& what = row.what;
  Statement query = database.query(
      "INSERT OR REPLACE INTO schedule (id, skill_id, name, payload, due, rule, zone, owner, session_id, "
      "lang, "
      "context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  query.bind(what.id).bind(row.skill_id).bind(what.name).bind(what.payload().dump());
  query.bind(to_milliseconds(what.due));
  query.bind_or_null(what.rule ? std::optional<std::string>(what.rule->to_json().dump()) : std::nullopt);
  query.bind(what.time_zone).bind(what.owner).bind(what.session_id).bind(what.lang);
  query.bind(row.context ? row.context->dump() : std::string("{}")).run();
}

void erase(Database& database, const std::string& id) {
  database.query("DELETE FROM schedule WHERE id = ?").bind(id).run();
}

std::vector<ScheduleRow> all(Database& database) {
  std::vector<ScheduleRow> rows;
  Statement found = database.query(
      "SELECT id, skill_id, name, payload, due, rule, zone, owner, session_id, lang, context FROM schedule "
      "ORDER BY due");
  while (found.step()) {
    try {
      rows.push_back(read_row(found));
    } catch (const std::exception& error) {
      log_error("schedule", fmt::format("'{}' of the skill '{}' can't be read and is passed over: {}",
                                        found.text(0), found.text(1), error.what()));
    }
  }
  return rows;
}

}  // namespace parley::schedule_table
