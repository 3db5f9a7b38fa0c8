// What `parley store` does.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "store/admin.hpp"
#include "store/forget.hpp"
#include "store/open.hpp"
#include "store/store.hpp"
#include "store/turn_rows.hpp"
#include "store/values.hpp"
#include "support/store_bytes.hpp"
#include "support/temporary_folder.hpp"

using parley::Database;
using parley::StoragePlace;
using parley::StorageScope;
using parley::testing::is_in_files;
using parley::testing::TemporaryFolder;

namespace {

StoragePlace household() {
  return {"test.skill", StorageScope::kHousehold, "", ""};
}

void keep(Database& database, const std::string& key, const std::string& json) {
  parley::values::write(database, household(), key, json, std::nullopt, 1);
}

/// A store of so many values.
std::filesystem::path filled(const TemporaryFolder& folder, int count,
                             const std::string& name = "parley.db") {
  const auto file = folder.path() / name;
  const auto database = parley::open_store_file(file);
  for (int i = 0; i < count; ++i)
    keep(*database, "key" + std::to_string(i), '"' + std::string(2000, 'x') + '"');
  return file;
}

std::size_t values_in(const std::filesystem::path& file) {
  const auto database = parley::open_to_read(file);
  return parley::values::all(*database, household(), "").size();
}

template <class F>
std::string refused_by(F&& run) {
  try {
    run();
  } catch (const parley::StoreRefused& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE(
    "store check: a good file has no faults, a spoiled page is one, and one that is not there is said") {
  const TemporaryFolder folder;
  const auto file = filled(folder, 50);
  CHECK(parley::check_store(file).empty());
  {
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file));
    out.seekp(size - 4096 * 3);
    out << std::string(4096 * 2, '\x7f');
  }
  std::vector<std::string> faults;
  const std::string refused = refused_by([&] { faults = parley::check_store(file); });
  CHECK((!faults.empty() || says(refused, "is damaged")));
  CHECK(says(refused_by([&] { parley::check_store(folder.path() / "none.db"); }), "there is no store"));
}

TEST_CASE("store compact: gives the space of what was erased back, unless another process has the store") {
  const TemporaryFolder folder;
  const auto file = filled(folder, 500);
  {
    const auto database = parley::open_store_file(file);
    for (int i = 1; i < 500; ++i)
      parley::values::write(*database, household(), "key" + std::to_string(i), std::nullopt, std::nullopt, 1);
  }
  const auto [before, after] = parley::compact_store(file);
  CHECK(before > 500 * 2000);
  CHECK(after < before / 4);
  CHECK(values_in(file) == 1);
  const parley::StoreLock lock(file, "parley serve, process 7");
  CHECK(says(refused_by([&] { parley::compact_store(file); }), "is in use by parley serve, process 7"));
}

TEST_CASE("store backup: copies a store that is in use, as of one moment, and replaces nothing") {
  const TemporaryFolder folder;
  const auto file = filled(folder, 20);
  const auto writer = parley::open_store_file(file);
  keep(*writer, "late", "1");  // only in the WAL so far
  const auto copy = folder.path() / "copy.db";
  parley::back_up_store(file, copy);
  CHECK(values_in(copy) == 21);
  struct stat status {};
  REQUIRE(::stat(copy.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  CHECK(says(refused_by([&] { parley::back_up_store(file, copy); }), "is there already"));
}

TEST_CASE("store export and import: every row there and back, all or none") {
  const TemporaryFolder folder;
  const auto file = filled(folder, 20);
  std::string lines;
  const auto count =
      parley::export_store(file, [&](std::string_view line) { lines += std::string(line) + "\n"; });
  CHECK(count == 24);  // with the four counters
  const auto other = folder.path() / "other.db";
  std::istringstream in(lines);
  CHECK(parley::import_store(other, in) == 24);
  CHECK(values_in(other) == 20);
  std::string again;
  parley::export_store(other, [&](std::string_view line) { again += std::string(line) + "\n"; });
  CHECK(again == lines);
  const auto third = folder.path() / "third.db";
  for (const auto& [bad, why] : std::vector<std::pair<std::string, std::string>>{
           {"{", "line 25: "},
           {"{\"table\": \"sqlite_master\", \"row\": {}}", "there is no table 'sqlite_master'"},
           {"{\"table\": \"value\", \"row\": {\"nothing\": 1}}", "'value' has no column 'nothing'"},
           {"{\"table\": \"value\", \"row\": {\"key\": [1]}}", "'key' is neither text nor a whole number"},
           {"[]", "line 25: it is no"}}) {
    std::istringstream spoiled(lines + bad + "\n");
    const std::string refused = refused_by([&] { parley::import_store(third, spoiled); });
    CHECK_MESSAGE(says(refused, why), refused);
    CHECK(values_in(third) == 0);
  }
}

namespace {

void say(Database& database, parley::TurnRows& rows, const std::string& session, const std::string& text,
         std::int64_t time) {
  parley::Context context;
  context.utterance_id = session + text;
  context.session = std::make_shared<const parley::Session>(session);
  const auto happened = [&](parley::EventKind kind, const char* topic, parley::Json data) {
    rows.add(database, parley::Happened(kind, parley::Message(topic, std::move(data), context), time));
  };
  happened(parley::EventKind::kUtterance, "ovos.utterance.handle", {{"utterances", {text}}});
  happened(parley::EventKind::kHandled, "ovos.utterance.handled", parley::Json::object());
}

}  // namespace

TEST_CASE("forgetting: no word of a session is left in the file nor beside it, and others stay") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  {
    const auto database = parley::open_store_file(file);
    parley::TurnRows rows;
    for (int i = 0; i < 50; ++i) {
      say(*database, rows, "kitchen", "where is my zebrafinch number " + std::to_string(i), 1000 + i);
      say(*database, rows, "hall", "the armadillo of the hall " + std::to_string(i), 1000 + i);
    }
    const StoragePlace of_kitchen("test.skill", StorageScope::kSession, "local", "kitchen");
    parley::values::write(*database, of_kitchen, "note", "\"zebrafinch food\"", std::nullopt, 1);
    keep(*database, "note", "\"pangolin\"");
    CHECK(is_in_files(file, "zebrafinch"));
  }
  CHECK(is_in_files(file, "zebrafinch"));
  parley::ForgetWhat what;
  what.session_id = "kitchen";
  const auto gone = parley::forget(file, what);
  CHECK(gone.turns == 50);
  CHECK(gone.events == 100);
  CHECK(gone.values == 1);
  CHECK_FALSE(is_in_files(file, "zebrafinch"));
  CHECK(is_in_files(file, "armadillo"));
  what.session_id = "hall";
  what.since = 1010;
  what.until = 1020;
  CHECK(parley::forget(file, what).turns == 10);
  CHECK_FALSE(is_in_files(file, "armadillo of the hall 15"));
  CHECK(is_in_files(file, "armadillo of the hall 25"));
  CHECK(is_in_files(file, "pangolin"));
  parley::ForgetWhat all;
  all.everything = true;
  CHECK(parley::forget(file, all).turns == 40);
  for (const char* const word : {"armadillo", "pangolin", "zebrafinch"}) CHECK_FALSE(is_in_files(file, word));
  CHECK(parley::check_store(file).empty());
}

TEST_CASE("forgetting: a store that is in use is not touched, and that is said") {
  const TemporaryFolder folder;
  const auto file = filled(folder, 2);
  const parley::StoreLock lock(file, "parley serve, process 7");
  parley::ForgetWhat all;
  all.everything = true;
  CHECK(says(refused_by([&] { parley::forget(file, all); }), "is in use by parley serve, process 7"));
  CHECK(values_in(file) == 2);
}
