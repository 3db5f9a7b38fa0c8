#include "store/sqlite.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace parley {
namespace {

/// Nobody asks SQLite how much memory it has; to count it, every allocation takes one lock of all threads.
void count_no_memory() {
  [[maybe_unused]] static const int outcome = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

DatabaseError database_error(sqlite3* handle, int code) {
  const char* const text = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  return {code & 0xff, text};
}

/// SQLite makes files by the umask; what people said is for their eyes alone.
void make_private(const std::filesystem::path& file) {
  const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (made >= 0) ::close(made);
}

}  // namespace

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) throw database_error(sqlite3_db_handle(statement_), code);
}

Statement& Statement::bind(std::string_view text) {
  check(sqlite3_bind_text64(statement_, ++bound_, text.data() == nullptr ? "" : text.data(), text.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(statement_, ++bound_, number));
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_, ++bound_, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                            SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_or_null(const std::optional<std::string>& text) {
  return text ? bind(std::string_view(*text)) : bind_null();
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw database_error(sqlite3_db_handle(statement_), code);
}

std::string Statement::text(int column) const {
  const auto* const bytes = sqlite3_column_text(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(bytes), size);
}

std::string_view Statement::bytes(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

bool Statement::is_number(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void Database::Finalizer::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

Database::Database(const std::filesystem::path& file, Access access) {
  count_no_memory();
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (access == Access::kCreate) {
    flags |= SQLITE_OPEN_CREATE;
    if (file != kMemory) make_private(file);
  }
  const int code = sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr);
  if (code == SQLITE_OK) return;
  const DatabaseError error = database_error(handle_, code);
  sqlite3_close_v2(handle_);
  throw error;
}

Database::~Database() {
  prepared_.clear();
  sqlite3_close_v2(handle_);
}

void Database::run(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw database_error(handle_, code);
}

Statement Database::query(std::string_view sql) {
  const auto known = prepared_.find(sql);
  if (known != prepared_.end()) return Statement(known->second.get());
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  if (code != SQLITE_OK) throw database_error(handle_, code);
  prepared_.emplace(sql, std::unique_ptr<sqlite3_stmt, Finalizer>(made));
  return Statement(made);
}

std::int64_t Database::number(const char* sql) {
  Statement found = query(sql);
  return found.step() ? found.number(0) : 0;
}

int Database::changed() const {
  return sqlite3_changes(handle_);
}

std::int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

}  // namespace parley
