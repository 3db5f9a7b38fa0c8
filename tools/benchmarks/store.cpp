#include "store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "bench_skill.hpp"
#include "folder.hpp"
#include "latencies.hpp"
#include "memory.hpp"
#include "prepared.hpp"
#include "store/open.hpp"
#include "store/sqlite.hpp"
#include "store/turn_rows.hpp"
#include "talkers.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using StoreClock = std::chrono::steady_clock;

constexpr int kRounds = 5;

double ms_since(StoreClock::time_point began) {
  return std::chrono::duration<double, std::milli>(StoreClock::now() - began).count();
}

/// @param keep  `store.keep`; empty: nothing is kept in a file
std::unique_ptr<Assistant> keeping(const Folder& folder, const std::string& keep) {
  auto assistant = keep.empty()
                       ? make_assistant()
                       : make_keeping_assistant(
                             {"store.path=" + (folder.path / (keep + ".db")).string(), "store.keep=" + keep});
  assistant->add_skill(kBenchSkill, make_bench_skill(), bench_skill_folder());
  start(*assistant);
  if (!assistant->store_trouble().empty()) throw std::runtime_error(assistant->store_trouble());
  return assistant;
}

/// What one way of keeping turns comes to. The ways take turns: the machine's speed changes.
struct Way {
  explicit Way(std::string keep)
      : name(keep.empty() ? "memory" : keep), is_kept(!keep.empty()), assistant(keeping(folder, keep)) {}

  void measure_once(const Options& options) {
    const Talk talk(name, kBenchIntentUtterance, kBenchSkill);
    one.add(measure(*assistant, talk, 1, options));
    settle(*assistant);
    const double before = memory()["Rss"];
    many.add(measure(*assistant, talk, 16, options));
    grown = memory()["Rss"] - before;
    settle(*assistant);
  }
  std::uint64_t dropped(const std::string& what) const {
    return assistant->counters().of("parley_store_dropped_total{what=\"" + what + "\"}");
  }

  struct Rounds {
    void add(const Series& series) {
      p50.push_back(series.p50_us);
      p99.push_back(series.p99_us);
      per_s.push_back(series.per_s);
      loop.push_back(series.loop_us);
    }
    Series series(const std::string& of, int sessions) const {
      Series all(of, sessions);
      all.p50_us = median_of(p50);
      all.p99_us = median_of(p99);
      all.per_s = median_of(per_s);
      return all;
    }
    /// Round by round: the machine's speed is that of both.
    std::vector<double> loop_beyond(const Rounds& other) const {
      std::vector<double> more;
      for (std::size_t i = 0; i < loop.size(); ++i) more.push_back(loop[i] - other.loop[i]);
      return more;
    }
    std::vector<double> p50, p99, per_s, loop;
  };

  const std::string name;
  const bool is_kept;
  const Folder folder;
  const std::unique_ptr<Assistant> assistant;
  Rounds one, many;
  double grown = 0;  ///< MiB, in the last round.
};

void turns_with_and_without(const Options& options, Report& report) {
  const int rounds = options.is_trial() ? 1 : kRounds;
  Options each = options;
  each.seconds = options.seconds / rounds;
  std::vector<std::unique_ptr<Way>> ways;
  for (const char* const keep : {"", "turns", "traces"}) ways.push_back(std::make_unique<Way>(keep));
  for (int round = 0; round < rounds; ++round) {
    const Waiting waiting(fmt::format("turns that are kept, round {} of {}", round + 1, rounds));
    for (const auto& way : ways) way->measure_once(each);
  }
  const Way& without = *ways.front();
  for (const auto& way : ways) {
    report.add(way->one.series(way->name, 1));
    Series many = way->many.series(way->name, 16);
    if (way->is_kept)
      many.per_s_target =
          Target::at_least(30'000, "the loop; what the disk does not take is dropped and counted");
    report.add(many);
    if (!way->is_kept) continue;
    Figure more(way->name + "_costs", median_of(way->many.loop_beyond(without.many)), "us");
    more.remark = fmt::format("more of the loop for a turn with store.keep: {} ({:.1f} without)", way->name,
                              median_of(without.many.loop));
    more.target = Target::at_most(2, "events handed over; of traces, that they are recorded");
    report.add(more);
    Figure grown(way->name + "_memory", way->grown, "MiB");
    grown.remark = fmt::format("grown in the last round; {} events and {} traces were dropped",
                               way->dropped("event"), way->dropped("trace"));
    report.add(grown);
  }
}

/// Turns as they are kept, of sessions of a hundred each.
void fill(Database& database, int turns) {
  database.run("BEGIN");
  const std::string answers = R"([{"lang":"en-US","text":"It is a quarter past nine in the evening."}])";
  for (int i = 0; i < turns; ++i) {
    database
        .query(
            "INSERT INTO turn (time, utterance_id, owner, session_id, lang, said, answers, outcome, "
            "skill_id, "
            "intent_name, pipeline_id, error, trace) VALUES (?, ?, 'local', ?, 'en-US', 'what time is it', "
            "?, "
            "'answered', 'date_time.parley', 'what_time', 'intent', '', ?)")
        .bind(std::int64_t{i})
        .bind(fmt::format("{:032x}", i))
        .bind(fmt::format("session{}", i % (turns / 100 + 1)))
        .bind(answers)
        .bind(std::string(600, 't'))
        .run();
  }
  database.run("COMMIT");
}

void large_file(const Options& options, Report& report) {
  const Folder folder;
  const auto file = folder.path / "large.db";
  const int turns = options.is_trial() ? 2'000 : 1'000'000;
  {
    const Waiting waiting("a large file");
    fill(*open_store_file(file), turns);
  }
  const auto size = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
  std::vector<double> opened, read;
  for (int i = 0; i < 20; ++i) {
    auto began = StoreClock::now();
    const auto writer = open_store_file(file);
    opened.push_back(ms_since(began));
    const auto reader = open_to_read(file);
    TurnFilter filter;
    filter.session_id = fmt::format("session{}", i * 7 % (turns / 100 + 1));
    filter.limit = 500;
    began = StoreClock::now();
    const auto rows = turns::latest(*reader, filter);
    read.push_back(ms_since(began));
    if (rows.empty()) throw std::runtime_error("a session of the large file has no transcript");
  }
  Figure start_up("open", median_of(opened), "ms");
  start_up.remark = fmt::format("a file of {:.0f} MB", size);
  start_up.target = Target::at_most(30, "header and WAL are looked at, not the file");
  report.add(start_up);
  Figure transcript("transcript", median_of(read), "ms");
  transcript.remark = fmt::format("a session of 100 turns, of {}", turns);
  transcript.target = Target::at_most(10, "an index, and JSON of answers");
  report.add(transcript);
}

}  // namespace

void store_bench(const Options& options, Report& report) {
  turns_with_and_without(options, report);
  large_file(options, report);
}

}  // namespace parley::bench
