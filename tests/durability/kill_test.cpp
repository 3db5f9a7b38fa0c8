// The process is killed at random moments while it writes: the file opens, and nothing is missing that was
// acknowledged. PARLEY_KILL_SECONDS in the environment: for how long, 60 if not set.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "store/admin.hpp"
#include "store/open.hpp"
#include "store/schedule_table.hpp"
#include "store/store.hpp"
#include "store/values.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using parley::testing::TemporaryFolder;

namespace {

/// What the process that is killed tells of.
enum class Told : std::uint32_t {
  kValue,    ///< A value is committed.
  kPlanned,  ///< Something to come is committed.
  kErasing,  ///< It begins to take that away…
  kErased    ///< …and that is committed.
};
struct Note {
  Told what;
  std::uint32_t number;
};

StoragePlace place_of_round(int round) {
  return {"kill.test", StorageScope::kSession, "local", std::to_string(round)};
}

ScheduleRow planned(int round, std::uint32_t number) {
  ScheduleRow row;
  row.skill_id = "kill.test";
  row.what.id = fmt::format("{}-{}", round, number);
  row.what.name = "ring";
  row.what.time_zone = "UTC";
  return row;
}

/// Writes without an end, and says on the pipe what was acknowledged.
class Victim {
 public:
  Victim(const std::filesystem::path& file, int pipe, int round)
      : pipe_(pipe),
        round_(round),
        store_(open_store(file, std::make_unique<StoreLock>(file, "a victim"), pool_.get_executor())) {}

  [[noreturn]] void run() {
    for (std::uint32_t i = 0;; ++i) {
      while (under_way_ > 32) std::this_thread::yield();
      if (i % 4 == 1) {
        plan(i);
      } else if (i % 4 == 3 && i > 200) {
        take_away(i - 202);  // planned a while ago
      } else {
        keep(i);
      }
      // What nobody waits for is written between.
      store_->write([](Database& database) { database.number("SELECT count(*) FROM schedule"); },
                    [](const std::string&) {},
                    i % 2 == 0 ? Store::Lasts::kWithTheSystem : Store::Lasts::kBehind);
    }
  }

 private:
  void tell(Told what, std::uint32_t number) const {
    const Note note{what, number};
    if (::write(pipe_, &note, sizeof note) != sizeof note) ::_exit(3);
  }
  Store::Done then(Told what, std::uint32_t number) {
    ++under_way_;
    return [this, what, number](const std::string& failure) {
      if (!failure.empty()) ::_exit(4);
      tell(what, number);
      --under_way_;
    };
  }
  void keep(std::uint32_t i) {
    store_->write(
        [i, place = place_of_round(round_)](Database& database) {
          values::write(database, place, std::to_string(i % 5000), std::to_string(i), std::nullopt, 1);
        },
        then(Told::kValue, i));
  }
  void plan(std::uint32_t i) {
    store_->write([row = planned(round_, i)](Database& database) { schedule_table::put(database, row); },
                  then(Told::kPlanned, i));
  }
  void take_away(std::uint32_t i) {
    tell(Told::kErasing, i);
    store_->write(
        [id = planned(round_, i).what.id](Database& database) { schedule_table::erase(database, id); },
        then(Told::kErased, i));
  }

  const int pipe_;
  const int round_;
  boost::asio::thread_pool pool_{1};
  std::atomic<int> under_way_{0};
  std::shared_ptr<Store> store_;
};

std::vector<Note> notes_of(int pipe) {
  std::vector<Note> notes;
  Note note{};
  while (::read(pipe, &note, sizeof note) == sizeof note) notes.push_back(note);
  return notes;
}

/// Lets it write for so long, and kills it. Gives what it acknowledged.
std::vector<Note> kill_after(const std::filesystem::path& file, int round, std::chrono::microseconds time) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    try {
      Victim(file, ends[1], round).run();
    } catch (const std::exception& error) {
      ::fprintf(stderr, "%s\n", error.what());
      ::_exit(2);
    }
  }
  ::close(ends[1]);
  std::vector<Note> notes;
  std::thread reader([&] { notes = notes_of(ends[0]); });
  std::this_thread::sleep_for(time);  // the moment is what is random here, and nothing waits for anything
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  reader.join();
  ::close(ends[0]);
  CHECK(WIFSIGNALED(status));
  return notes;
}

/// What is missing although it was acknowledged, and what is there although it was taken away.
std::vector<std::string> lies(const std::filesystem::path& file, int round, const std::vector<Note>& notes) {
  std::map<std::string, std::uint32_t> values;
  std::set<std::uint32_t> planned_ones, erasing, erased;
  for (const auto& note : notes) {
    if (note.what == Told::kValue) values[std::to_string(note.number % 5000)] = note.number;
    if (note.what == Told::kPlanned) planned_ones.insert(note.number);
    if (note.what == Told::kErasing) erasing.insert(note.number);
    if (note.what == Told::kErased) erased.insert(note.number);
  }
  const auto database = open_store_file(file);
  std::set<std::string> there;
  for (const auto& row : schedule_table::all(*database)) there.insert(row.what.id);
  std::vector<std::string> found;
  for (const auto& [key, number] : values) {
    const auto kept = values::get(*database, place_of_round(round), key);
    // A later write may be there that was not acknowledged any more.
    if (!kept || std::stoul(kept->json) < number) found.push_back("value " + std::to_string(number));
  }
  for (const auto number : planned_ones) {
    if (!erasing.contains(number) && !there.contains(planned(round, number).what.id))
      found.push_back("planned " + std::to_string(number));
  }
  for (const auto number : erased) {
    if (there.contains(planned(round, number).what.id)) found.push_back("erased " + std::to_string(number));
  }
  database->run("DELETE FROM schedule");
  database->run("DELETE FROM value");
  return found;
}

}  // namespace

TEST_CASE("store: killed at any moment, the file opens and nothing that was acknowledged is missing") {
  const char* const given = std::getenv("PARLEY_KILL_SECONDS");  // NOLINT(concurrency-mt-unsafe)
  const std::chrono::seconds span(given == nullptr ? 60 : std::atoi(given));
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> microseconds(0, 120'000);
  std::size_t acknowledged = 0;
  int round = 0;
  const auto until = std::chrono::steady_clock::now() + span;
  while (round < 3 || std::chrono::steady_clock::now() < until) {
    const auto notes = kill_after(file, ++round, std::chrono::microseconds(microseconds(random)));
    acknowledged += notes.size();
    if (!std::filesystem::exists(file)) continue;  // killed before it began
    CHECK(fault_of(file).empty());
    const auto wrong = lies(file, round, notes);
    CHECK_MESSAGE(wrong.empty(), fmt::format("round {}: {} of {}: {}", round, wrong.size(), notes.size(),
                                             wrong.empty() ? "" : wrong.front()));
  }
  CHECK(check_store(file).empty());
  CHECK(acknowledged > 0);
  MESSAGE(fmt::format("killed {} times, {} acknowledged", round, acknowledged));
}
