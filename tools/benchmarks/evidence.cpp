#include "evidence.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "evidence/access.hpp"
#include "evidence/answer.hpp"
#include "evidence/ingest.hpp"
#include "evidence/request.hpp"
#include "folder.hpp"
#include "latencies.hpp"
#include "recall.hpp"
#include "runtime/rfc3339.hpp"
#include "store/forget.hpp"
#include "store/open.hpp"
#include "store/sqlite.hpp"
#include "store/turn_rows.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using nlohmann::json;
using BenchClock = std::chrono::steady_clock;

constexpr int kOwners = 100;
constexpr std::size_t kAtOnce = 500;  ///< Events of one request.
constexpr std::size_t kWordsOfOne = 14;
constexpr std::int64_t kStart = 1'700'000'000'000;

/// Words as people use them: few of them often, most of them hardly ever.
class Language {
 public:
  std::string sentence(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (text.empty() ? "" : " ") + word();
    return text;
  }

 private:
  std::string word() {
    constexpr double kWords = 30'000;
    const double share = std::uniform_real_distribution<double>(0, 1)(random_);
    auto number = static_cast<unsigned>(std::pow(kWords, share));  // as by Zipf's law
    constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
    std::string word;
    do {
      word += kConsonants[number % kConsonants.size()];
      number /= static_cast<unsigned>(kConsonants.size());
      word += kVowels[number % kVowels.size()];
      number /= static_cast<unsigned>(kVowels.size());
    } while (number > 0);
    return word + "x";
  }
  std::mt19937 random_{1};
};

std::string owner_name(int number) {
  return fmt::format("owner{}", number);
}

evidence::Caller caller_of(const std::string& owner) {
  evidence::Caller caller;
  caller.owner = owner;
  return caller;
}

json event_of(Language& language, const std::string& owner, int number) {
  json event = {{"event_id", fmt::format("e{}", number)},
                {"event_type", "said"},
                {"time", to_rfc3339(kStart + std::int64_t{number} * 1000)},
                {"agent_id", owner},
                {"session_id", fmt::format("s{}", number / 2000)},
                {"text", language.sentence(kWordsOfOne)}};
  if (number % 10 == 0) event["scope"] = "workspace";
  return event;
}

/// Requests of all owners, one after the other.
class Requests {
 public:
  explicit Requests(int events) : events_(events) {}

  /// The body of the next; empty: there is none.
  std::string next(std::string& owner) {
    if (done_ == events_) return {};
    owner = owner_name(static_cast<int>((done_ / static_cast<int>(kAtOnce)) % kOwners));
    json list = json::array();
    for (std::size_t i = 0; i < kAtOnce && done_ < events_; ++i, ++done_) {
      list.push_back(event_of(language_, owner, done_));
      text_ += static_cast<std::int64_t>(list.back().at("text").get_ref<const std::string&>().size());
    }
    return json{{"events", std::move(list)}}.dump();
  }
  std::int64_t text() const noexcept { return text_; }  ///< Bytes of it so far.

 private:
  const int events_;
  int done_ = 0;
  std::int64_t text_ = 0;
  Language language_;
};

/// Reads bodies on a thread of its own, as a server does, while what was read before is written.
class Reader {
 public:
  std::future<std::vector<evidence::ReadyEvent>> read(std::string body) {
    auto reading = std::make_shared<std::packaged_task<std::vector<evidence::ReadyEvent>()>>(
        [body = std::move(body)] { return evidence::make_ready(*parse_json(body)); });
    boost::asio::post(thread_, [reading] { (*reading)(); });
    return reading->get_future();
  }

 private:
  boost::asio::thread_pool thread_{1};
};

/// Writes events of all owners until there are so many objects; each event is one, and has a memory.
void fill(Database& database, int objects, Report& report) {
  const int events = std::max(1, objects / 2);
  Requests requests(events);
  Reader reader;
  double seconds = 0;
  std::string owner, next_owner;
  auto ready = reader.read(requests.next(next_owner)).get();
  while (!ready.empty()) {
    owner = next_owner;
    std::string body = requests.next(next_owner);
    const bool is_last = body.empty();
    const auto began = BenchClock::now();
    auto reading = is_last ? std::future<std::vector<evidence::ReadyEvent>>() : reader.read(std::move(body));
    database.run("BEGIN");
    evidence::ingest(database, caller_of(owner), ready, kStart);
    database.run("COMMIT");
    ready = is_last ? std::vector<evidence::ReadyEvent>() : reading.get();
    seconds += std::chrono::duration<double>(BenchClock::now() - began).count();
  }
  Figure speed("ingest", events / seconds, "events/s");
  speed.remark = fmt::format("{} events of {} owners, {} at once, read beside", events, kOwners, kAtOnce);
  speed.target = Target::at_least(20'000, "the rows of events, objects and edges, and their indexes");
  report.add(speed);
  const auto index = database.number("SELECT ifnull(sum(length(block)), 0) FROM object_text_data");
  const auto terms = database.number("SELECT ifnull(sum(length(summary)), 0) FROM object");
  Figure size("index", static_cast<double>(index) / static_cast<double>(terms), "of the text");
  size.remark =
      fmt::format("{:.1f} MB for {:.1f} MB in objects ({:.1f} MB came in)", static_cast<double>(index) / 1e6,
                  static_cast<double>(terms) / 1e6, static_cast<double>(requests.text()) / 1e6);
  size.target = Target::at_most(2, "tokens for scopes and words of each object");
  report.add(size);
}

void ask(Database& database, const char* scope, const std::string& name, const Options& options,
         Report& report) {
  Language language;
  std::mt19937 random(2);
  Latencies latencies;
  double seconds = 0;
  while (seconds < options.seconds || latencies.count() < 20) {
    const std::string owner = owner_name(static_cast<int>(random() % kOwners));
    const json body = {{"query_text", language.sentence(4)},
                       {"agent_id", owner},
                       {"session_id", "s1"},
                       {"query_scope", scope},
                       {"top_k", 10},
                       {"response_mode", "structured_evidence"}};
    const auto began = BenchClock::now();
    const auto request = evidence::read_request(body);
    const auto reach = evidence::reach_of(caller_of(owner), owner, "s1", "", "");
    if (!request || !reach) throw std::runtime_error("the query is refused");
    evidence::answer(database, *request, *reach, evidence::Wording(), "q");
    const auto took = BenchClock::now() - began;
    latencies.add(took);
    seconds += std::chrono::duration<double>(took).count();
  }
  Series series(name, 1);
  series.p50_us = latencies.percentile_us(0.5);
  series.p99_us = latencies.percentile_us(0.99);
  series.per_s = static_cast<double>(latencies.count()) / seconds;
  series.p50_target =
      Target::at_most(5'000, "reading the rows that share a word with the question, and those beside them");
  series.p99_target = Target::at_most(25'000, "questions of words that most objects have");
  report.add(series);
}

/// What goes on beside questions: events come, the oldest go by age, and one owner after the other is
/// forgotten.
void write_and_forget(Database& database, const std::atomic<bool>& ends) {
  Language language;
  constexpr int kBegin = 100'000'000;  // behind the events that are there
  for (int round = 0; !ends; ++round) {
    const std::string owner = owner_name(round % kOwners);
    json list = json::array();
    for (int i = 0; i < static_cast<int>(kAtOnce); ++i)
      list.push_back(event_of(language, owner, kBegin + round * static_cast<int>(kAtOnce) + i));
    database.run("BEGIN IMMEDIATE");
    evidence::ingest(database, caller_of(owner), evidence::make_ready({{"events", std::move(list)}}),
                     kStart + 1);
    TurnRows::forget_before(database, kStart + 1);
    if (round % 20 == 19) {
      ForgetWhat what;
      what.owner = owner;
      erase_kept(database, what);
    }
    database.run("COMMIT");
  }
}

/// The same questions while all that goes on.
void ask_while_forgetting(Database& writer, const std::filesystem::path& file, const Options& options,
                          Report& report) {
  const auto reader = open_to_read(file);
  std::atomic<bool> ends = false;
  auto writing = std::async(std::launch::async, [&] { write_and_forget(writer, ends); });
  try {
    ask(*reader, "private", "query_private_forgetting", options, report);
  } catch (...) {
    ends = true;
    throw;
  }
  ends = true;
  writing.get();
}

}  // namespace

void evidence_bench(const Options& options, Report& report) {
  for (const auto& file : options.data) recall_bench(file, report);
  const Folder folder;
  const auto file = folder.path / "evidence.db";
  const auto database = open_store_file(file);
  {
    const Waiting waiting("evidence to query");
    fill(*database, options.objects, report);
  }
  for (const char* const scope : {"private", "workspace"})
    ask(*database, scope, fmt::format("query_{}", scope), options, report);
  ask_while_forgetting(*database, file, options, report);
}

}  // namespace parley::bench
