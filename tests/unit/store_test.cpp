// The file of the store: what is taken, what is refused and how it is said, and that what was committed is
// there.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <boost/asio/thread_pool.hpp>
#include <fstream>
#include <future>
#include <parley/files.hpp>
#include <vector>

#include "store/choose.hpp"
#include "store/open.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"
#include "store/values.hpp"
#include "support/temporary_folder.hpp"

using parley::Database;
using parley::StoragePlace;
using parley::StorageScope;
using parley::Store;
using parley::StoreLock;
using parley::testing::TemporaryFolder;

namespace {

const StoragePlace& in_household() {
  static const StoragePlace place("test.skill", StorageScope::kHousehold, "", "");
  return place;
}

std::unique_ptr<StoreLock> lock_of(const std::filesystem::path& file, const std::string& who = "a test") {
  return std::make_unique<StoreLock>(file, who);
}

/// Waits for what a store calls back with.
class Awaited {
 public:
  Store::Done done() {
    return [this](const std::string& failure) { promise_.set_value(failure); };
  }
  std::string get() { return promise_.get_future().get(); }

 private:
  std::promise<std::string> promise_;
};

std::string put(Store& store, const std::string& key, const std::string& json) {
  Awaited wait;
  store.write(
      [key, json](Database& database) {
        parley::values::write(database, in_household(), key, json, std::nullopt, 1);
      },
      wait.done());
  return wait.get();
}

std::string get(Store& store, const std::string& key) {
  Awaited wait;
  std::string json;
  store.read(
      [&json, key](Database& database) {
        const auto found = parley::values::get(database, in_household(), key);
        json = found ? found->json : "nothing";
      },
      wait.done());
  const std::string failure = wait.get();
  return failure.empty() ? json : failure;
}

std::string refusal_of(const std::filesystem::path& file) {
  try {
    parley::open_store_file(file);
  } catch (const parley::StoreRefused& refused) {
    return refused.what();
  }
  return {};
}

void spoil(const std::filesystem::path& file, std::streamoff at, const std::string& bytes) {
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(at);
  out << bytes;
}

/// A store of one value, closed.
std::filesystem::path made(const TemporaryFolder& folder) {
  const auto file = folder.path() / "data" / "parley.db";
  const auto store = parley::open_direct_store(file, lock_of(file));
  CHECK(put(*store, "milk", "2").empty());
  store->close();
  return file;
}

int mode_of(const std::filesystem::path& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return static_cast<int>(status.st_mode & 0777U);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("store: what was committed is there when it is opened again, for its owner's eyes alone") {
  const TemporaryFolder folder;
  boost::asio::thread_pool readers(2);
  const auto file = folder.path() / "new" / "parley.db";
  {
    const auto store = parley::open_store(file, lock_of(file), readers.get_executor());
    CHECK(put(*store, "milk", "2").empty());
    CHECK(get(*store, "milk") == "2");
    CHECK(mode_of(file) == 0600);
    CHECK(mode_of(file.string() + "-wal") == 0600);
    CHECK(mode_of(file.parent_path()) == 0700);
  }
  const auto again = parley::open_store(file, lock_of(file), readers.get_executor());
  CHECK(get(*again, "milk") == "2");
  CHECK(again->file() == file);
}

TEST_CASE("store: its pragmas, its application and its version") {
  const TemporaryFolder folder;
  const auto database = parley::open_store_file(made(folder));
  CHECK(database->number("PRAGMA application_id") == parley::kApplicationId);
  CHECK(database->number("PRAGMA user_version") == parley::kSchemaVersion);
  CHECK(database->number("PRAGMA secure_delete") == 1);
  CHECK(database->query("PRAGMA journal_mode").step());
  auto mode = database->query("PRAGMA journal_mode");
  REQUIRE(mode.step());
  CHECK(mode.text(0) == "wal");
}

TEST_CASE(
    "store: what nobody waits for is written with what comes meanwhile, and whoever waits has it first") {
  const TemporaryFolder folder;
  boost::asio::thread_pool readers(1);
  const auto file = folder.path() / "parley.db";
  const auto store = parley::open_store(file, lock_of(file), readers.get_executor());
  const auto behind = [&](const std::string& key, Awaited& wait) {
    store->write(
        [key](Database& database) {
          parley::values::write(database, in_household(), key, "1", std::nullopt, 1);
        },
        wait.done(), Store::Lasts::kBehind);
  };
  Awaited alone, at_the_end;
  behind("alone", alone);
  CHECK(alone.get().empty());
  // Each of many is there for whoever reads behind it, however soon.
  for (int i = 0; i < 200; ++i) {
    Awaited written, seen;
    const std::string key = "k" + std::to_string(i);
    behind(key, written);
    bool is_there = false;
    store->read_behind(
        [&](Database& database) {
          is_there = parley::values::get(database, in_household(), key).has_value();
        },
        seen.done());
    CHECK(seen.get().empty());
    CHECK(is_there);
    CHECK(written.get().empty());
  }
  behind("last", at_the_end);
  store->close();
  CHECK(at_the_end.get().empty());
  const auto again = parley::open_store(file, lock_of(file), readers.get_executor());
  CHECK(get(*again, "last") == "1");
}

TEST_CASE("store: a piece of work that throws changes nothing, and those beside it are committed") {
  const TemporaryFolder folder;
  boost::asio::thread_pool readers(1);
  const auto file = folder.path() / "parley.db";
  const auto store = parley::open_store(file, lock_of(file), readers.get_executor());
  std::vector<Awaited> waits(50);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    store->write(
        [i](Database& database) {
          parley::values::write(database, in_household(), "k" + std::to_string(i), "1", std::nullopt, 1);
          if (i % 2 == 1) throw std::runtime_error("odd");
        },
        waits[i].done());
  }
  for (std::size_t i = 0; i < waits.size(); ++i) CHECK(waits[i].get() == (i % 2 == 1 ? "odd" : ""));
  CHECK(get(*store, "k0") == "1");
  CHECK(get(*store, "k1") == "nothing");
  CHECK(get(*store, "k48") == "1");
}

TEST_CASE("store: on a full disk a write fails and says so, and the next goes on when there is room") {
  const TemporaryFolder folder;
  boost::asio::thread_pool readers(1);
  const auto file = folder.path() / "parley.db";
  const auto store = parley::open_store(file, lock_of(file), readers.get_executor());
  CHECK(put(*store, "small", "1").empty());
  Awaited limited;
  store->write([](Database& database) { database.number("PRAGMA max_page_count = 1"); }, limited.done());
  CHECK(limited.get().empty());
  const std::string failure = put(*store, "large", '"' + std::string(200'000, 'x') + '"');
  CHECK_MESSAGE(has(failure, "the disk is full: make room"), failure);
  CHECK(has(failure, file.string()));
  CHECK(get(*store, "large") == "nothing");
  Awaited lost, seen;
  store->write(
      [](Database& database) {
        parley::values::write(database, in_household(), "lost", '"' + std::string(200'000, 'x') + '"',
                              std::nullopt, 1);
      },
      lost.done(), Store::Lasts::kBehind);
  bool is_there = false;
  store->read_behind(
      [&is_there](Database& database) {
        is_there = parley::values::get(database, in_household(), "small").has_value();
      },
      seen.done());
  CHECK(seen.get().empty());
  CHECK(is_there);
  CHECK(has(lost.get(), "the disk is full"));
  Awaited more;
  store->write([](Database& database) { database.number("PRAGMA max_page_count = 100000"); }, more.done());
  more.get();
  CHECK(put(*store, "large", "1").empty());
  CHECK(get(*store, "small") == "1");
}

TEST_CASE("store: versions never come again, and a write over another version than expected is none") {
  const auto store = parley::make_memory_store();
  const auto write = [&](std::optional<std::string> json, std::optional<std::uint64_t> expect) {
    parley::StorageHost::Written written(false);
    Awaited wait;
    store->write(
        [&](Database& database) {
          written = parley::values::write(database, in_household(), "k", json, expect, 1);
        },
        wait.done());
    CHECK(wait.get().empty());
    return written;
  };
  const auto first = write("1", 0);
  CHECK(first.done);
  CHECK_FALSE(write("2", 0).done);
  CHECK(write("2", 0).version == first.version);
  const auto second = write("2", first.version);
  CHECK(second.done);
  CHECK(second.version > first.version);
  CHECK(write(std::nullopt, second.version).done);
  CHECK(write("3", 0).version > second.version);
}

TEST_CASE("store: two processes can't have it at a time, and the second learns who has it") {
  const TemporaryFolder folder;
  const auto file = made(folder);
  const auto lock = lock_of(file, "parley serve, process 7");
  parley::StoreChoice choice;
  choice.in_file = true;
  choice.threads = false;
  choice.path = file;
  choice.who = "parley chat, process 8";
  const auto chosen = parley::choose_store(choice, boost::asio::any_io_executor());
  CHECK(chosen.store->file().empty());
  CHECK_MESSAGE(has(chosen.trouble, "is in use by parley serve, process 7"), chosen.trouble);
  CHECK(has(chosen.trouble, "kept in memory only"));
  CHECK(put(*chosen.store, "milk", "1").empty());
}

TEST_CASE("store: a file of something else is refused with what to do, and stays as it was") {
  const TemporaryFolder folder;
  const auto text = folder.write("letter.txt", std::string(500, 'a'));
  CHECK_MESSAGE(has(refusal_of(text), "it is no database: restore a backup, or move the file away"),
                refusal_of(text));
  CHECK(parley::read_file(text, 1000).value() == std::string(500, 'a'));
  CHECK(has(refusal_of(folder.path()), "it is no file"));
  const auto other = folder.path() / "other.db";
  Database(other, Database::Access::kCreate).run("CREATE TABLE t (x); PRAGMA application_id = 7");
  CHECK(has(refusal_of(other), "it is a database of another program"));
}

TEST_CASE("store: a file of a newer version, a torn one and a torn WAL are refused") {
  const TemporaryFolder folder;
  const auto file = made(folder);
  CHECK(refusal_of(file).empty());
  spoil(file, 60, std::string("\0\0\1\0", 4));
  CHECK_MESSAGE(has(refusal_of(file), "it was written by a newer version of parley (tables of version 256"),
                refusal_of(file));
  CHECK(has(refusal_of(file), "update parley"));
  spoil(file, 60, std::string("\0\0\0\1", 4));
  std::ofstream(file.string() + "-wal") << std::string(100, 'w');
  CHECK(has(refusal_of(file), "-wal' beside it is no log of SQLite's"));
  std::filesystem::remove(file.string() + "-wal");
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size - 1000);
  CHECK_MESSAGE(has(refusal_of(file), "it is cut short: " + std::to_string(size - 1000) + " bytes of"),
                refusal_of(file));
  std::filesystem::resize_file(file, 50);
  CHECK(has(refusal_of(file), "it is no database"));
}

TEST_CASE("store: one that was closed says so to those who come late") {
  const TemporaryFolder folder;
  boost::asio::thread_pool readers(1);
  const auto file = folder.path() / "parley.db";
  const auto store = parley::open_store(file, lock_of(file), readers.get_executor());
  store->close();
  CHECK(put(*store, "a", "1") == "the store is closed: parley is ending");
  CHECK_NOTHROW(lock_of(file));
}
