#include <doctest/doctest.h>

#include <parley/gates.hpp>

using namespace parley;

namespace {

constexpr double kNow = 1'700'000'000;

ContextEntry entry(std::optional<std::string> value, std::optional<int> turns = {},
                   std::optional<double> expires = {}) {
  ContextEntry one;
  one.value = std::move(value);
  one.turns_remaining = turns;
  one.expires_at = expires;
  return one;
}

Session with(std::map<std::string, ContextEntry> entries) {
  Session session;
  session.intent_context = std::move(entries);
  return session;
}

IntentRegistration gated(std::vector<ContextGate> required, std::vector<ContextGate> excluded = {}) {
  IntentRegistration intent;
  intent.skill_id = "tea.parley";
  intent.requires_context = std::move(required);
  intent.excludes_context = std::move(excluded);
  return intent;
}

}  // namespace

TEST_CASE("X-1 an entry lives while turns are left and its time has not come") {
  CHECK(is_live(entry({}), kNow));
  CHECK(is_live(entry("Bob", 1), kNow));
  CHECK_FALSE(is_live(entry("Bob", 0), kNow));
  CHECK_FALSE(is_live(entry("Bob", -1), kNow));
  CHECK(is_live(entry("Bob", {}, kNow + 0.5), kNow));
  CHECK_FALSE(is_live(entry("Bob", {}, kNow), kNow));
  CHECK_FALSE(is_live(entry("Bob", 5, kNow - 1), kNow));
  CHECK_FALSE(is_live(entry("Bob", 0, kNow + 1), kNow));
  ContextEntry removed = entry("Bob");
  removed.removed = true;
  CHECK_FALSE(is_live(removed, kNow));
}

TEST_CASE("X-1 pruning takes the dead entries, private and shared, and leaves the live ones as they are") {
  Session session = with({{"person", entry("Bob", 3)},
                          {"tea.parley:milk", entry({}, 0)},
                          {"tea.parley:sugar", entry({}, 1)},
                          {"room", entry("kitchen", {}, kNow - 1)},
                          {"mood", entry("good")}});
  prune_intent_context(session, kNow);
  CHECK(*session.intent_context == std::map<std::string, ContextEntry>{{"person", entry("Bob", 3)},
                                                                       {"tea.parley:sugar", entry({}, 1)},
                                                                       {"mood", entry("good")}});
}

TEST_CASE("X-1 pruning and ageing leave a session without intent context without one") {
  Session session;
  prune_intent_context(session, kNow);
  age_intent_context(session, Session());
  CHECK_FALSE(session.intent_context.has_value());
}

TEST_CASE("X-1 a round takes one turn off what it found") {
  const Session began =
      with({{"person", entry("Bob", 3)}, {"mood", entry("good")}, {"tea.parley:milk", entry({}, 1)}});
  Session session = began;
  age_intent_context(session, began);
  CHECK(session.intent_context->at("person").turns_remaining == 2);
  CHECK_FALSE(session.intent_context->at("mood").turns_remaining.has_value());
  CHECK(session.intent_context->at("tea.parley:milk").turns_remaining == 0);
}

TEST_CASE("X-1 entries written or written anew in the round are spared") {
  const Session began = with({{"person", entry("Bob", 3)}, {"room", entry("kitchen", 2)}});
  Session session = began;
  (*session.intent_context)["person"] = entry("Ann", 3);
  (*session.intent_context)["room"] = entry("kitchen", 1);
  (*session.intent_context)["tea.parley:milk"] = entry({}, 1);
  age_intent_context(session, began);
  CHECK(session.intent_context->at("person").turns_remaining == 3);
  CHECK(session.intent_context->at("room").turns_remaining == 1);
  CHECK(session.intent_context->at("tea.parley:milk").turns_remaining == 1);

  Session first = with({{"person", entry("Bob", 1)}});
  age_intent_context(first, Session());
  CHECK(first.intent_context->at("person").turns_remaining == 1);
}

TEST_CASE("X-1 an entry with one turn lives for exactly the next round") {
  Session session = with({{"tea.parley:milk", entry({}, 1)}});
  prune_intent_context(session, kNow);
  REQUIRE(session.intent_context->size() == 1);
  age_intent_context(session, Session(session));
  prune_intent_context(session, kNow);
  CHECK(session.intent_context->empty());
}

TEST_CASE("X-2 without gates an intent is open") {
  CHECK(gates_open(gated({}), Session(), kNow));
}

TEST_CASE("X-2 the turns left of what an intent requires tell which of two was set later") {
  Session session;
  session.intent_context.emplace();
  auto& entries = *session.intent_context;
  entries["tea.parley:brewing"].turns_remaining = 4;
  entries["tea.parley:asked"].turns_remaining = 2;
  entries["tea.parley:always"];
  CHECK(turns_left(gated({ContextGate("brewing", false), ContextGate("asked", false)}), session, kNow) == 4);
  CHECK(turns_left(gated({ContextGate("asked", false)}), session, kNow) == 2);
  CHECK(turns_left(gated({ContextGate("always", false)}), session, kNow) == 0);
  CHECK(turns_left(gated({ContextGate("nothing", false)}), session, kNow) == 0);
  CHECK(turns_left(gated({}), session, kNow) == 0);
}

TEST_CASE("X-2 every required key must be live") {
  const auto intent = gated({ContextGate("milk", false), ContextGate("person", true)});
  CHECK_FALSE(gates_open(intent, Session(), kNow));
  CHECK_FALSE(gates_open(intent, with({{"tea.parley:milk", entry({})}}), kNow));
  CHECK(gates_open(intent, with({{"tea.parley:milk", entry({})}, {"person", entry("Bob")}}), kNow));
  CHECK_FALSE(gates_open(intent, with({{"tea.parley:milk", entry({}, 0)}, {"person", entry("Bob")}}), kNow));
  CHECK_FALSE(
      gates_open(intent, with({{"tea.parley:milk", entry({}, {}, kNow)}, {"person", entry("Bob")}}), kNow));
}

TEST_CASE("X-2 a private gate sees only its own skill's entry, a shared one only the bare key") {
  const auto private_gate = gated({ContextGate("milk", false)});
  CHECK(gates_open(private_gate, with({{"tea.parley:milk", entry({})}}), kNow));
  CHECK_FALSE(gates_open(private_gate, with({{"milk", entry({})}}), kNow));
  CHECK_FALSE(gates_open(private_gate, with({{"coffee.parley:milk", entry({})}}), kNow));
  const auto shared_gate = gated({ContextGate("milk", true)});
  CHECK(gates_open(shared_gate, with({{"milk", entry({})}}), kNow));
  CHECK_FALSE(gates_open(shared_gate, with({{"tea.parley:milk", entry({})}}), kNow));
}

TEST_CASE("X-2 one live excluded key shuts the intent, a dead one does not") {
  const auto intent = gated({}, {ContextGate("greeted", false), ContextGate("night", true)});
  CHECK(gates_open(intent, Session(), kNow));
  CHECK_FALSE(gates_open(intent, with({{"tea.parley:greeted", entry({})}}), kNow));
  CHECK_FALSE(gates_open(intent, with({{"night", entry("yes")}}), kNow));
  CHECK(gates_open(intent, with({{"night", entry("yes", 0)}}), kNow));
  CHECK(gates_open(intent, with({{"greeted", entry({})}, {"tea.parley:night", entry({})}}), kNow));
}

TEST_CASE("X-2 a live entry with a value fills a slot, the private one first") {
  const Session both = with({{"tea.parley:person", entry("Ann")}, {"person", entry("Bob")}});
  CHECK(context_value(both, "tea.parley", "person", kNow) == "Ann");
  CHECK(context_value(both, "coffee.parley", "person", kNow) == "Bob");
  CHECK_FALSE(context_value(both, "tea.parley", "place", kNow).has_value());
  CHECK_FALSE(context_value(Session(), "tea.parley", "person", kNow).has_value());
}

TEST_CASE("X-2 a flag, an empty value or a dead entry fills nothing and hides nothing") {
  CHECK_FALSE(context_value(with({{"person", entry({})}}), "tea.parley", "person", kNow).has_value());
  CHECK_FALSE(context_value(with({{"person", entry("")}}), "tea.parley", "person", kNow).has_value());
  CHECK_FALSE(context_value(with({{"person", entry("Bob", 0)}}), "tea.parley", "person", kNow).has_value());
  const Session flag = with({{"tea.parley:person", entry({})}, {"person", entry("Bob")}});
  CHECK(context_value(flag, "tea.parley", "person", kNow) == "Bob");
  const Session dead = with({{"tea.parley:person", entry("Ann", {}, kNow - 1)}, {"person", entry("Bob")}});
  CHECK(context_value(dead, "tea.parley", "person", kNow) == "Bob");
}
