#include "store/admin.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>

#include "store/evidence_tables.hpp"
#include "store/open.hpp"
#include "store/savepoint.hpp"

namespace parley {
namespace {

constexpr std::array<const char*, 9> kTables{"counter", "value",  "schedule", "session",       "turn",
                                             "event",   "object", "edge",     "object_version"};
constexpr std::size_t kLongestLine = std::size_t{4} << 20U;

std::unique_ptr<Database> reader_of(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw StoreRefused(fmt::format(
        "there is no store '{}': 'store.path' of the configuration says where it is", file.string()));
  return open_to_read(file);
}

/// Runs something, and throws what went wrong as what it means for the file.
template <class F>
void try_with(const std::filesystem::path& file, F&& run) {
  const std::string failure = failure_in(file, std::forward<F>(run));
  if (!failure.empty()) throw StoreRefused(failure);
}

using Columns = std::vector<std::string>;

Columns columns_of(Database& database, const char* table) {
  Columns names;
  Statement found = database.query("SELECT name FROM pragma_table_info(?) ORDER BY cid");
  found.bind(std::string_view(table));
  while (found.step()) names.push_back(found.text(0));
  return names;
}

Json column_value(const Statement& from, int column) {
  if (from.is_null(column)) return nullptr;
  if (from.is_number(column)) return from.number(column);
  return from.text(column);
}

/// The next line; false at the end. Of one that is too long no more than that is read.
bool next_line(std::istream& from, std::string& line) {
  line.clear();
  std::streambuf& in = *from.rdbuf();
  int next = in.sbumpc();
  if (next == std::streambuf::traits_type::eof()) return false;
  for (; next != '\n' && next != std::streambuf::traits_type::eof(); next = in.sbumpc()) {
    line += static_cast<char>(next);
    if (line.size() > kLongestLine) break;
  }
  return true;
}

/// Statements whose text is made here, for as long as they are needed.
class Inserts {
 public:
  explicit Inserts(Database& database) : database_(database) {
    for (const char* const table : kTables) {
      const Columns columns = columns_of(database, table);
      std::string sql = fmt::format("INSERT OR REPLACE INTO {} VALUES (", table);
      for (std::size_t i = 0; i < columns.size(); ++i) sql += i == 0 ? "?" : ", ?";
      tables_.emplace(table, Table{columns, sql + ")"});
    }
  }

  /// What is wrong with the line; empty: it is in.
  std::string put(const Json& line) {
    const auto name = line.is_object() ? line.find("table") : line.end();
    if (!line.is_object() || name == line.end() || !name->is_string() || !line.contains("row"))
      return R"(it is no {"table": …, "row": {…}})";
    const auto table = tables_.find(name->get<std::string>());
    if (table == tables_.end()) return fmt::format("there is no table '{}'", name->get<std::string>());
    const Json& row = line.at("row");
    if (!row.is_object()) return "its 'row' is no object";
    for (const auto& [column, value] : row.items()) {
      const auto& known = table->second.columns;
      if (std::find(known.begin(), known.end(), column) == known.end())
        return fmt::format("'{}' has no column '{}'", table->first, column);
    }
    Statement insert = database_.query(table->second.sql);
    for (const auto& column : table->second.columns) {
      const auto value = row.find(column);
      if (value == row.end() || value->is_null()) {
        insert.bind_null();
      } else if (value->is_number_integer()) {
        insert.bind(value->get<std::int64_t>());
      } else if (value->is_string()) {
        insert.bind(value->get<std::string>());
      } else {
        return fmt::format("'{}' is neither text nor a whole number", column);
      }
    }
    insert.run();
    return {};
  }

 private:
  struct Table {
    Columns columns;
    std::string sql;
  };
  Database& database_;
  std::map<std::string, Table, std::less<>> tables_;
};

}  // namespace

std::vector<std::string> check_store(const std::filesystem::path& file) {
  const auto database = reader_of(file);
  std::vector<std::string> faults;
  try_with(file, [&] {
    Statement found = database->query("PRAGMA integrity_check");
    while (found.step()) {
      if (found.text(0) != "ok") faults.push_back(found.text(0));
    }
  });
  return faults;
}

std::pair<std::uintmax_t, std::uintmax_t> compact_store(const std::filesystem::path& file) {
  reader_of(file);
  const StoreLock lock(file, "parley store compact");
  const auto database = open_store_file(file);
  const std::uintmax_t before = std::filesystem::file_size(file);
  try_with(file, [&] {
    database->run("VACUUM");
    database->run("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  return {before, std::filesystem::file_size(file)};
}

void back_up_store(const std::filesystem::path& file, const std::filesystem::path& to) {
  const auto from = reader_of(file);
  if (std::filesystem::exists(to))
    throw StoreRefused(fmt::format("'{}' is there already: name a new file for the backup", to.string()));
  try_with(to, [&] {
    Database copy(to, Database::Access::kCreate);
    sqlite3_backup* const backup = sqlite3_backup_init(copy.handle(), "main", from->handle(), "main");
    if (backup == nullptr) throw DatabaseError(sqlite3_errcode(copy.handle()), sqlite3_errmsg(copy.handle()));
    sqlite3_backup_step(backup, -1);
    const int code = sqlite3_backup_finish(backup);
    if (code != SQLITE_OK) throw DatabaseError(code & 0xff, sqlite3_errstr(code));
    copy.run("PRAGMA journal_mode = DELETE");  // one file, nothing beside it
  });
}

std::size_t export_store(const std::filesystem::path& file,
                         const std::function<void(std::string_view)>& write) {
  const auto database = reader_of(file);
  std::size_t count = 0;
  try_with(file, [&] {
    database->run("BEGIN");  // all of one moment
    for (const char* const table : kTables) {
      const Columns columns = columns_of(*database, table);
      Statement found = database->query(fmt::format("SELECT * FROM {}", table));
      for (; found.step(); ++count) {
        Json row = Json::object();
        for (std::size_t i = 0; i < columns.size(); ++i)
          row[columns[i]] = column_value(found, static_cast<int>(i));
        const Json line = {{"table", table}, {"row", std::move(row)}};
        write(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      }
    }
  });
  return count;
}

std::size_t import_store(const std::filesystem::path& file, std::istream& lines) {
  const StoreLock lock(file, "parley store import");
  const auto database = open_store_file(file);
  std::size_t count = 0;
  try_with(file, [&] {
    Inserts inserts(*database);
    database->run(
        "PRAGMA recursive_triggers = ON");  // what a line replaces leaves its edges and versions, too
    database->run("BEGIN IMMEDIATE");
    database->run("UPDATE indexed SET last = 0");
    std::string text;
    while (next_line(lines, text)) {
      ++count;
      std::string fault = text.size() > kLongestLine ? "it is longer than 4 MiB" : "";
      if (fault.empty()) {
        const auto parsed = parse_json(text);
        fault = parsed ? inserts.put(*parsed) : parsed.error().message;
      }
      if (!fault.empty())
        throw StoreRefused(fmt::format("line {}: {}: nothing of it was taken", count, fault));
    }
    database->run(kIndexAgain);
    database->run("UPDATE counter SET last = 0 WHERE name = 'embedded'");
    database->run("COMMIT");
  });
  return count;
}

}  // namespace parley
