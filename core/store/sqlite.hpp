#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace parley {

/// What SQLite says went wrong.
class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  /// The primary result code, `SQLITE_FULL` for example.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// A statement that is being run. Parameters are bound in the order in which they are given; columns are
/// counted from 0. Resets the statement when it goes.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  Statement(Statement&& other) noexcept : statement_(other.statement_), bound_(other.bound_) {
    other.statement_ = nullptr;
  }
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind_bytes(std::string_view bytes);
  Statement& bind_or_null(const std::optional<std::string>& text);
  Statement& bind_null();

  /// Whether there is a (further) row. @throws DatabaseError
  bool step();
  /// For a statement without rows.
  void run() {
    while (step()) {
    }
  }

  std::string text(int column) const;
  /// Until the next step.
  std::string_view bytes(int column) const;
  std::int64_t number(int column) const;
  bool is_null(int column) const;
  bool is_number(int column) const;

 private:
  void check(int code);
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

/// A connection to a database. On one thread at a time. Keeps the statements it has prepared.
class Database {
 public:
  enum class Access { kReadOnly, kReadWrite, kCreate };
  static constexpr const char* kMemory = ":memory:";

  /// @param file  or kMemory. With kCreate, one that is not there is made with mode 0600
  /// @throws DatabaseError
  Database(const std::filesystem::path& file, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements without parameters. @throws DatabaseError
  void run(const char* sql);
  /// Kept prepared.
  Statement query(std::string_view sql);
  std::int64_t number(const char* sql);
  /// Rows that the last statement changed.
  int changed() const;
  std::int64_t last_row() const;
  bool in_transaction() const;
  sqlite3* handle() const noexcept { return handle_; }

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  sqlite3* handle_ = nullptr;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalizer>, std::less<>> prepared_;
};

}  // namespace parley
