// In which order an instance tells the others what is in its log.
#include <doctest/doctest.h>

#include "cluster/shared_log.hpp"
#include "store/store.hpp"

using namespace parley;
using namespace parley::cluster;

namespace {

/// A log of all that confirms what it is told when the test says so.
class SlowLog final : public LogStream {
 public:
  std::size_t max_payload() const override { return 1'000'000; }
  void keep_for(std::chrono::milliseconds) override {}
  void ask(std::function<void(const std::optional<LogState>&)>) override {}
  void append(const std::string& subject, std::string, Done done) override {
    told.push_back(LogName::read(subject).value());
    waiting_.push_back(std::move(done));
  }
  void remove(std::uint64_t, Done) override {}
  std::unique_ptr<Reading> read(const std::string&, std::uint64_t, bool, Read) override { return nullptr; }

  void confirm() {
    const Done done = std::move(waiting_.front());
    waiting_.pop_front();
    done(Written(Written::How::kDone, ++count_));
  }

  std::vector<LogName> told;

 private:
  std::deque<Done> waiting_;
  std::uint64_t count_ = 0;
};

LoggedTurn turn_of(const std::string& owner) {
  LoggedTurn turn;
  turn.owner = owner;
  turn.session_id = "kitchen";
  turn.utterance_id = "turn";
  turn.json = "{}";
  return turn;
}

std::vector<ToldEvent> events_of(const std::string& owner, int count) {
  std::vector<ToldEvent> events(static_cast<std::size_t>(count));
  for (auto& event : events) {
    event.owner = owner;
    event.session_id = "imported";
    event.event_id = "event" + std::to_string(--count);
    event.json = "{}";
  }
  return events;
}

/// An instance that tells of its log.
struct Teller {
  Teller() {
    log.keep(std::chrono::hours(1), {});
    log.start();
  }
  std::uint64_t dropped() const { return counters.of("parley_cluster_log_total{what=\"dropped\"}"); }

  const JumpingClock clock;
  Timers timers{clock};
  Counters counters;
  SlowLog stream;
  SharedLog log{stream,
                timers,
                counters,
                make_memory_store(),
                [](auto work) { work(); },
                [](const ForgottenObjects&, std::uint64_t) {}};
};

}  // namespace

TEST_CASE("cluster: a turn is told before the events of a program that sends many") {
  Teller one;
  one.log.tell(events_of("importer", 1'000));
  const std::size_t flying = one.stream.told.size();
  REQUIRE(flying < 100);
  one.log.tell(std::vector{turn_of("ann")});
  one.stream.confirm();
  one.stream.confirm();
  REQUIRE(one.stream.told.size() == flying + 2);
  CHECK_FALSE(one.stream.told[flying].is_event());
  CHECK(one.stream.told[flying + 1].is_event());
}

TEST_CASE("cluster: what a program sends too much of is counted, and another's events still find room") {
  Teller one;
  one.log.tell(events_of("importer", 30'000));
  const auto dropped = one.dropped();
  CHECK(dropped > 10'000);
  one.log.tell(events_of("ann", 10));
  CHECK(one.dropped() == dropped);
}
