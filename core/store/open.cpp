#include "store/open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "store/schema.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeader = 100;
constexpr std::size_t kWalHeader = 32;
/// What to do about a file that is no good.
constexpr const char* kCure =
    "restore a backup, or move the file away and a new one is made ('store.path' names another place)";

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string beginning_of(const fs::path& file, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(most, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::string wal_fault(const fs::path& wal, std::uintmax_t size) {
  if (size < kWalHeader) return fmt::format("'{}' beside it is cut short", wal.string());
  const std::uint32_t magic = big_endian(beginning_of(wal, kWalHeader), 0);
  if ((magic & ~1U) != 0x377f0682) return fmt::format("'{}' beside it is no log of SQLite's", wal.string());
  return {};
}

std::string newer_fault(std::int64_t version) {
  if (version <= kSchemaVersion) return {};
  return fmt::format("it was written by a newer version of parley (tables of version {}, this one knows {})",
                     version, kSchemaVersion);
}

constexpr const char* kForeign = "it is a database of another program";

std::string header_fault(const std::string& header, std::uintmax_t size, bool has_wal) {
  if (header.size() < kHeader || std::string_view(header).substr(0, kMagic.size()) != kMagic)
    return "it is no database";
  const auto low = static_cast<unsigned char>(header[17]);
  const auto high = static_cast<unsigned char>(header[16]);
  const std::uintmax_t written = high * 256U + low;
  const std::uintmax_t page = written == 1 ? 65'536 : written;
  const std::uintmax_t pages = big_endian(header, 28);
  // Tables that were made may only be in the WAL so far.
  const std::int64_t application = big_endian(header, 68);
  if (application != kApplicationId && (application != 0 || (!has_wal && pages > 1))) return kForeign;
  if (const std::string newer = newer_fault(big_endian(header, 60)); !newer.empty()) return newer;
  // While a WAL waits to be copied in, the file itself may be behind.
  if (!has_wal && big_endian(header, 24) == big_endian(header, 92) && size < pages * page)
    return fmt::format("it is cut short: {} bytes of {}", size, pages * page);
  return {};
}

/// The same, with what is in the WAL.
std::string content_fault(Database& database) {
  if (database.number("PRAGMA application_id") != kApplicationId &&
      database.number("SELECT count(*) FROM sqlite_master") > 0)
    return kForeign;
  return newer_fault(database.number("PRAGMA user_version"));
}

std::unique_ptr<Database> opened(const fs::path& file, Database::Access access) {
  try {
    return std::make_unique<Database>(file, access);
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
}

void refuse(const fs::path& file, const std::string& fault) {
  if (fault.empty()) return;
  const bool newer = fault.find("newer version") != std::string::npos;
  throw StoreRefused(fmt::format("the store '{}' is not used: {}: {}", file.string(), fault,
                                 newer ? "update parley, or name another file with 'store.path'" : kCure));
}

std::string reason(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace

std::filesystem::path default_store_file() {
  const auto folder = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return fs::path(value == nullptr ? "" : value);
  };
  if (const auto data = folder("XDG_DATA_HOME"); data.is_absolute()) return data / "parley" / "parley.db";
  if (const auto home = folder("HOME"); home.is_absolute())
    return home / ".local" / "share" / "parley" / "parley.db";
  return {};
}

StoreLock::StoreLock(const fs::path& file, const std::string& who) {
  const fs::path lock = file.string() + ".lock";
  std::error_code failed;
  if (file.has_parent_path() && fs::create_directories(file.parent_path(), failed))
    fs::permissions(file.parent_path(), fs::perms::owner_all, failed);
  descriptor_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    throw StoreRefused(
        fmt::format("the store '{}' is not used: '{}' can't be written ({}): make its folder writable, "
                    "or name another file with 'store.path'",
                    file.string(), lock.string(), reason(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 200> text{};
    const auto size = ::pread(descriptor_, text.data(), text.size(), 0);
    std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    ::close(std::exchange(descriptor_, -1));
    if (holder.empty()) holder = "another process";
    throw StoreInUse(fmt::format("the store '{}' is in use by {}", file.string(), holder), holder);
  }
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, who.data(), who.size(), 0) != static_cast<ssize_t>(who.size())) {
    const std::string why = reason(errno);
    ::close(std::exchange(descriptor_, -1));
    throw StoreRefused(
        fmt::format("the store '{}' is not used: '{}' can't be written ({}): make room on the disk",
                    file.string(), lock.string(), why));
  }
}

StoreLock::~StoreLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string fault_of(const fs::path& file) {
  std::error_code failed;
  const auto status = fs::status(file, failed);
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() != fs::file_type::regular) return "it is no file";
  const auto size = fs::file_size(file, failed);
  if (!failed && size == 0) return {};  // as SQLite leaves one that nothing was written to
  const fs::path wal = file.string() + "-wal";
  const auto wal_size = fs::file_size(wal, failed);
  const bool has_wal = !failed && wal_size > 0;
  if (has_wal) {
    if (const std::string fault = wal_fault(wal, wal_size); !fault.empty()) return fault;
  }
  if (::access(file.c_str(), R_OK) != 0) return fmt::format("it can't be read ({})", reason(errno));
  return header_fault(beginning_of(file, kHeader), size, has_wal);
}

std::unique_ptr<Database> open_store_file(const fs::path& file) {
  refuse(file, fault_of(file));
  std::error_code failed;
  if (file.has_parent_path() && fs::create_directories(file.parent_path(), failed))
    fs::permissions(file.parent_path(), fs::perms::owner_all, failed);
  auto database = opened(file, Database::Access::kCreate);
  try {
    if (sqlite3_db_readonly(database->handle(), "main") == 1)
      throw DatabaseError(SQLITE_READONLY, "attempt to write a readonly database");
    sqlite3_busy_timeout(database->handle(), 5000);
    refuse(file, content_fault(*database));
    database->run("PRAGMA secure_delete = ON");
    database->run("PRAGMA journal_mode = WAL");
    database->run("PRAGMA journal_size_limit = 67108864");
    database->run("PRAGMA wal_autocheckpoint = 4000");  // pages: 16 MiB
    database->run("PRAGMA cache_size = -16384");        // KiB, at most
    migrate(*database);
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
  return database;
}

std::unique_ptr<Database> open_to_read(const fs::path& file) {
  refuse(file, fault_of(file));
  auto database = opened(file, Database::Access::kReadOnly);
  sqlite3_busy_timeout(database->handle(), 5000);
  try {
    database->run("PRAGMA cache_size = -8192");  // KiB, at most
    refuse(file, content_fault(*database));
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
  return database;
}

std::string explain_error(const DatabaseError& error, const fs::path& file) {
  const auto about = [&](const char* what) {
    return fmt::format("the store '{}' {} ({})", file.string(), what, error.what());
  };
  switch (error.code()) {
    case SQLITE_FULL:
      return about("can't be written: the disk is full: make room");
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return about(
          "can't be written: make the file and its folder writable, or name another with 'store.path'");
    case SQLITE_CANTOPEN:
      return about(
          "can't be opened: make its folder readable and writable, or name another file with 'store.path'");
    case SQLITE_IOERR:
      return about("can't be read or written: look after the disk");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return about("is damaged: restore a backup, or move the file away and a new one is made");
    case SQLITE_BUSY:
      return about("is held by another program: end that, or name another file with 'store.path'");
    default:
      return about("failed");
  }
}

}  // namespace parley
