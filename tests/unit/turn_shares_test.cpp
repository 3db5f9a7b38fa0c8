// W-5: whose turns may begin, and who waits.
#include "orchestrator/turn_shares.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

using namespace parley;

namespace {

using namespace std::chrono_literals;

/// Goes on when it is told to.
class HandClock final : public Clock {
 public:
  Time now() const noexcept override { return now_; }
  std::chrono::system_clock::time_point wall() const noexcept override { return {}; }
  void advance(std::chrono::milliseconds by) { now_ += by; }

 private:
  Time now_;
};

struct WithClock {
  HandClock clock;
};

/// Shares, and their clock.
struct Shares : WithClock, TurnShares {
  Shares() : TurnShares(clock) {}
  void advance(std::chrono::milliseconds by) { clock.advance(by); }
  Clock::Time now() const { return clock.now(); }
};

SenderPtr talker(std::uint64_t id, const std::string& owner = "local") {
  return std::make_shared<const Sender>(id, "client " + std::to_string(id), owner);
}

Message entry_of(const SenderPtr& sender, const std::string& session, const std::string& id) {
  Context context;
  context.sender = sender;
  context.session = std::make_shared<const Session>(session);
  context.utterance_id = id;
  return Message("ovos.utterance.handle", Json::object(), std::move(context));
}

TurnLimits limits_of(std::size_t in_flight, std::size_t of_client, std::size_t of_session,
                     std::size_t questions) {
  TurnLimits made;
  made.in_flight = in_flight;
  made.of_client = of_client;
  made.of_session = of_session;
  made.questions = questions;
  return made;
}

/// Begins as many as may, at leisure; the rest waits.
std::size_t begin_many(Shares& shares, const SenderPtr& sender, const std::string& session, int count) {
  std::size_t begun = 0;
  for (int i = 0; i < count; ++i) {
    shares.advance(100ms);
    const Message one =
        entry_of(sender, session, session + std::to_string(sender->id) + "." + std::to_string(i));
    if (shares.may_begin(one)) {
      shares.began(one);
      ++begun;
    } else {
      shares.wait(one);
    }
  }
  return begun;
}

}  // namespace

TEST_CASE("W-5 shares: a client that uses up its own waits for itself, and nobody else notices") {
  Shares shares;
  shares.set_limits(limits_of(1000, 10, 100, 100));
  const auto hostile = talker(1);
  const auto polite = talker(2);
  CHECK(begin_many(shares, hostile, "h", 50) == 10);
  CHECK(shares.waiting_of(1) == 40);
  CHECK(shares.may_begin(entry_of(polite, "p", "x")));
}

TEST_CASE("W-5 shares: when all there is is taken, everybody still has four") {
  Shares shares;
  shares.set_limits(limits_of(20, 20, 100, 100));
  CHECK(begin_many(shares, talker(1), "h", 50) == 20);
  CHECK(begin_many(shares, talker(2), "p", 10) == 4);
  CHECK(shares.busy() == 24);
}

TEST_CASE("W-5 shares: one session of a hub leaves the others theirs") {
  Shares shares;
  shares.set_limits(limits_of(1000, 100, 5, 100));
  const auto hub = talker(1);
  CHECK(begin_many(shares, hub, "stuck", 50) == 5);
  CHECK(begin_many(shares, hub, "kitchen", 3) == 3);
}

TEST_CASE("W-5 shares: what a grant says comes before the general bound") {
  Shares shares;
  TurnLimits made = limits_of(1000, 10, 100, 100);
  made.granted = [](const Sender& sender) {
    return sender.owner == "hub" ? std::optional<std::size_t>(30) : std::nullopt;
  };
  shares.set_limits(std::move(made));
  CHECK(begin_many(shares, talker(1, "hub"), "a", 50) == 30);
  CHECK(begin_many(shares, talker(2), "b", 50) == 10);
}

TEST_CASE("W-5 shares: those that wait begin in turn, by client and within a client by session") {
  Shares shares;
  shares.set_limits(limits_of(1, 1, 1, 100));
  const auto many = talker(1);
  const auto few = talker(2);
  const Message first = entry_of(many, "a", "first");
  shares.began(first);
  shares.wait(entry_of(many, "a", "many a1"));
  shares.wait(entry_of(many, "a", "many a2"));
  shares.wait(entry_of(many, "b", "many b1"));
  shares.wait(entry_of(few, "c", "few c1"));
  std::vector<std::string> order;
  Message running = first;
  for (;;) {
    shares.ended(running);
    auto next = shares.next(shares.now());
    if (!next) break;
    order.push_back(next->context().utterance_id);
    shares.began(*next);
    running = *next;
  }
  CHECK(order == std::vector<std::string>{"many a1", "few c1", "many b1", "many a2"});
  CHECK(shares.busy() == 0);
  CHECK(shares.waiting() == 0);
}

TEST_CASE("W-5 shares: whoever leaves many questions open loses the first of its own") {
  Shares shares;
  shares.set_limits(limits_of(1000, 100, 100, 3));
  const auto asker = talker(1);
  for (int i = 0; i < 3; ++i) {
    const Message one = entry_of(asker, "s" + std::to_string(i), std::to_string(i));
    shares.began(one);
    CHECK_FALSE(shares.waits_for_user(one, true));
  }
  CHECK(shares.busy() == 0);
  const Message fourth = entry_of(asker, "s3", "3");
  shares.began(fourth);
  CHECK(shares.waits_for_user(fourth, true) == "0");
  const Message fifth = entry_of(asker, "s4", "4");
  shares.began(fifth);
  CHECK(shares.waits_for_user(fifth, true) == "1");  // each time another one, though the first has yet to end
  const Message others = entry_of(talker(2), "p", "p");
  shares.began(others);
  CHECK_FALSE(shares.waits_for_user(others, true));
  CHECK_FALSE(shares.waits_for_user(others, false));
  shares.ended(others);
  CHECK(shares.busy() == 2);
  for (const char* id : {"0", "1"}) shares.ended(entry_of(asker, std::string("s") + id, id));
  CHECK(shares.busy() == 0);
}

TEST_CASE("W-5 shares: what clients leave behind that come and go is bounded by their owner") {
  Shares shares;
  shares.set_limits(limits_of(1000, 5, 100, 100));
  std::vector<std::string> surplus;
  for (std::uint64_t id = 1; id <= 4; ++id) {
    CHECK(begin_many(shares, talker(id), "s", 4) == 4);
    const auto left = shares.departed(id);
    CHECK(left.waiting.empty());
    surplus = left.surplus;
    for (const auto& turn : surplus) shares.ended(entry_of(talker(id), "s", turn));
  }
  CHECK(surplus.size() == 4);
  CHECK(shares.busy() == 0);
  CHECK(begin_many(shares, talker(9, "other"), "s", 5) == 5);
}

TEST_CASE("W-5 shares: what waits of a client that has gone is handed back, and nobody waits behind it") {
  Shares shares;
  shares.set_limits(limits_of(2, 2, 2, 100));
  CHECK(begin_many(shares, talker(1), "s", 6) == 2);
  const auto left = shares.departed(1);
  CHECK(left.waiting.size() == 4);
  CHECK(shares.waiting() == 0);
  CHECK_FALSE(shares.next(shares.now()));
}

TEST_CASE("W-5 shares: of what comes at once few begin at a time, and the next when those have ended") {
  Shares shares;
  const auto hostile = talker(1);
  std::vector<Message> begun;
  for (int i = 0; i < 50; ++i) {
    const Message one = entry_of(hostile, "s" + std::to_string(i), std::to_string(i));
    if (shares.may_begin(one)) {
      shares.began(one);
      begun.push_back(one);
    } else {
      shares.wait(one);
    }
  }
  CHECK(begun.size() == 16);
  CHECK_FALSE(shares.next(shares.now()));
  shares.ended(begun[2]);
  const auto next = shares.next(shares.now());
  REQUIRE(next);
  CHECK(next->context().utterance_id == "16");
  shares.began(*next);
  CHECK_FALSE(shares.next(shares.now()));
  CHECK_FALSE(shares.waits_for_user(begun[0], true));
  CHECK(shares.next(shares.now()));
}

TEST_CASE("W-5 shares: while others talk, one turn of a client begins at a time") {
  Shares shares;
  const auto hostile = talker(1);
  const auto polite = talker(2);
  for (const char* id : {"a", "b", "c"}) shares.began(entry_of(hostile, id, id));
  const Message heard = entry_of(polite, "p", "p");
  CHECK(shares.may_begin(heard));
  shares.began(heard);
  shares.ended(heard);
  CHECK(shares.may_begin(heard));
  for (const char* id : {"a", "b"}) shares.ended(entry_of(hostile, id, id));
  CHECK_FALSE(shares.may_begin(entry_of(hostile, "d", "d")));
  shares.ended(entry_of(hostile, "c", "c"));
  CHECK(shares.may_begin(entry_of(hostile, "d", "d")));
  shares.began(entry_of(hostile, "d", "d"));
  CHECK_FALSE(shares.may_begin(entry_of(hostile, "e", "e")));
  shares.advance(2s);
  shares.began(entry_of(hostile, "e", "e"));
  CHECK(shares.may_begin(entry_of(hostile, "f", "f")));  // nobody else has said anything for a while
}

TEST_CASE("W-5 company: a client is alone until a second after another was heard") {
  HandClock clock;
  Company company;
  CHECK(company.is_alone(clock.now()));
  company.heard(1, clock.now());
  company.heard(1, clock.now());
  company.heard(0, clock.now());  // nobody's
  CHECK(company.is_alone(clock.now()));
  company.heard(2, clock.now());
  CHECK_FALSE(company.is_alone(clock.now()));
  clock.advance(1s);
  CHECK_FALSE(company.is_alone(clock.now()));
  clock.advance(1ms);
  CHECK(company.is_alone(clock.now()));
  CHECK(Company::rest_after(3ms) == 6ms);
}

TEST_CASE("W-5 effort: a burst takes a third of the time; who goes on takes a tenth, until it was calm") {
  HandClock clock;
  Effort effort;
  const auto works_for = [&](Clock::Time::duration time) {
    Clock::Time::duration worked{};
    for (const auto until = clock.now() + time; clock.now() < until; worked += 1ms)
      clock.advance(std::chrono::duration_cast<std::chrono::milliseconds>(
          1ms + effort.rest_after(1ms, clock.now() + 1ms)));
    return worked;
  };
  const auto burst = works_for(300ms);
  CHECK(burst >= 95ms);
  CHECK(burst <= 105ms);
  works_for(2s);
  const auto later = works_for(10s);
  CHECK(later >= 950ms);
  CHECK(later <= 1050ms);
  clock.advance(3s);
  CHECK(works_for(300ms) == burst);
}

TEST_CASE("W-5 shares: while others talk, whoever has more to say rests for twice what its last turn took") {
  Shares shares;
  const auto hostile = talker(1);
  const auto polite = talker(2);
  shares.began(entry_of(polite, "p", "p"));
  shares.ended(entry_of(polite, "p", "p"));
  shares.began(entry_of(hostile, "a", "a"));
  shares.wait(entry_of(hostile, "b", "b"));
  shares.advance(2ms);
  shares.ended(entry_of(hostile, "a", "a"));
  CHECK_FALSE(shares.next(shares.now()));
  REQUIRE(shares.next_time(shares.now()));
  CHECK(*shares.next_time(shares.now()) == shares.now() + 4ms);
  CHECK(shares.may_begin(entry_of(polite, "q", "q")));
  shares.advance(4ms);
  CHECK(shares.next(shares.now()));
  // Alone again, it waits for nothing.
  shares.advance(2s);
  shares.began(entry_of(hostile, "c", "c"));
  shares.wait(entry_of(hostile, "d", "d"));
  shares.advance(2ms);
  shares.ended(entry_of(hostile, "c", "c"));
  CHECK(shares.next(shares.now()));
}

TEST_CASE("W-5 shares: whoever's time comes while it is asked for it is not forgotten") {
  Shares shares;
  const auto hub = talker(1);
  for (int i = 0; i < 16; ++i) shares.began(entry_of(hub, std::to_string(i), std::to_string(i)));
  shares.wait(entry_of(hub, "e", "e"));
  const Clock::Time asked = shares.now();
  CHECK_FALSE(shares.next(asked));
  shares.advance(1s);  // the thread had to wait for a processor
  const auto when = shares.next_time(asked);
  REQUIRE(when);
  CHECK(*when <= shares.now());
}

TEST_CASE("W-5 shares: turns that take longer hold up no other of their client for more than a moment") {
  Shares shares;
  const auto hub = talker(1);
  for (int i = 0; i < 16; ++i) shares.began(entry_of(hub, std::to_string(i), std::to_string(i)));
  shares.wait(entry_of(hub, "e", "e"));
  CHECK_FALSE(shares.next(shares.now()));
  const auto when = shares.next_time(shares.now());
  REQUIRE(when);
  CHECK(*when - shares.now() <= 20ms);
  shares.advance(20ms);
  CHECK_FALSE(shares.next_time(shares.now()));
  CHECK(shares.next(shares.now()));
}

TEST_CASE(
    "W-5 shares: what must not wait has a few places beyond those that begin, and then waits a moment") {
  Shares shares;
  const auto hub = talker(1);
  std::size_t begun = 0;
  for (; begun < 100; ++begun) {
    const Message stop = entry_of(hub, std::to_string(begun), std::to_string(begun));
    if (!shares.may_begin_urgently(stop)) break;
    shares.began(stop);
  }
  CHECK(begun == 24);
  shares.advance(20ms);
  CHECK(shares.may_begin_urgently(entry_of(hub, "x", "x")));
}
