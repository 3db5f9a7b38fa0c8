// Turns over several instances: every utterance is handled once, whatever becomes of who owns its session.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

#include "cluster/cluster.hpp"
#include "message/topics.hpp"
#include "support/memory_fabric.hpp"

using namespace parley;
using namespace parley::cluster;
using namespace parley::testing;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

namespace {

Message in_session(const char* topic, const std::string& session, const std::string& id,
                   Json data = Json::object(), SenderPtr sender = nullptr) {
  Context context;
  context.session = std::make_shared<const Session>(session);
  context.utterance_id = id;
  context.sender = std::move(sender);
  return Message(topic, std::move(data), std::move(context));
}

/// An instance whose turns run until the test ends them.
struct ServingInstance final : Local {
  ServingInstance(ManyLoops& where, MemoryCloud& cloud, const std::string& name)
      : loops(where),
        timers(where.timers()),
        fabric(cloud),
        cluster(fabric, *timers, counters, *this, name,
                [this](auto work) { fabric.later(std::move(work)); }) {
    cluster.joined(listener, net::Listening());
    cluster.start([this] { is_ready = true; });
  }
  ~ServingInstance() { loops.forget(*timers); }

  void enter(const Message& utterance) override {
    cluster.carried(utterance);
    running.insert_or_assign(utterance.context().utterance_id, utterance);
    entered.push_back(utterance.context().utterance_id);
    publish(utterance.forward(topic::kMatched, Json::object()));
  }
  void received(const net::ClientPtr& client, const Message& message) override {
    heard_from.emplace_back(client->name, message.type());
    publish(message);
  }
  bool speaks(const net::ClientPtr& client, const std::string& skill_id) override {
    return speakers.emplace(skill_id, client->name).first->second == client->name;
  }
  void silence(const net::ClientPtr& client, const std::string& skill_id, const std::string&) override {
    std::erase_if(speakers,
                  [&](const auto& one) { return one.first == skill_id && one.second == client->name; });
  }
  void left(const net::ClientPtr& client) override {
    std::erase_if(speakers, [&](const auto& one) { return one.second == client->name; });
  }
  void tell(const Message& message) override { told.push_back(message); }
  void begun(std::uint64_t) override {}
  bool runs(const std::string& id) const override { return running.contains(id); }
  bool is_busy(const std::function<bool(const std::string&)>& which) const override {
    for (const auto& [id, entry] : running) {
      if (which(entry.session_id())) return true;
    }
    return false;
  }
  void end_turns(const std::function<bool(const std::string&)>& which, const std::string&) override {
    std::vector<std::string> ids;
    for (const auto& [id, entry] : running) {
      if (which(entry.session_id())) ids.push_back(id);
    }
    for (const auto& id : ids) end(id);
  }
  void moved() override {}
  bool are_traces_heard() const override { return false; }
  void want_traces(bool) override {}

  void publish(const Message& message) { cluster.carried(message); }
  /// A client of this instance claims a skill, and registers an intent of it.
  bool claim(const net::ClientPtr& client, const std::string& skill_id) {
    if (!speaks(client, skill_id)) return false;
    Context context;
    context.skill_id = skill_id;
    context.sender = client;
    cluster.takes(
        client,
        Message(topic::kRegisterTemplate,
                {{"skill_id", skill_id}, {"intent_name", client->name}, {"samples", {"roll"}}}, context));
    return true;
  }
  /// A turn that runs here comes to its end.
  void end(const std::string& id) {
    const auto turn = running.extract(id);
    if (!turn.empty()) publish(turn.mapped().reply(topic::kHandled, Json::object()));
  }
  void start_handler(const std::string& id) {
    publish(running.at(id).forward(topic::kHandlerStart, {{"skill_id", "dice"}, {"intent_name", "roll"}}));
  }
  /// A client of this instance says something.
  void say(const std::string& session, const std::string& id) {
    const Message utterance = in_session(topic::kUtterance, session, id, {{"utterances", {"hello"}}});
    if (!cluster.takes_utterance(utterance)) enter(utterance);
  }
  std::size_t count(const char* topic, const std::string& id) const {
    return static_cast<std::size_t>(std::count_if(told.begin(), told.end(), [&](const Message& one) {
      return one.type() == topic && one.context().utterance_id == id;
    }));
  }

  ManyLoops& loops;
  std::unique_ptr<Timers> timers;
  MemoryFabric fabric;
  Counters counters;
  std::map<std::string, Message> running;
  std::vector<std::string> entered;
  std::vector<std::pair<std::string, std::string>> heard_from;
  std::map<std::string, std::string> speakers;
  std::vector<Message> told;
  bool is_ready = false;
  net::ClientPtr listener = std::make_shared<const net::Client>(1, "listener", "127.0.0.1");
  Cluster cluster;
};

struct ServingWorld {
  ServingInstance& add(const std::string& name) {
    return *all.emplace(name, std::make_unique<ServingInstance>(loops, cloud, name)).first->second;
  }
  /// A session that the instance owns.
  std::string session_of(const ServingInstance& one) {
    for (int i = 0;; ++i) {
      std::string session = "s" + std::to_string(i);
      if (one.cluster.leases().owns(partition_of(session)) && used.insert(session).second) return session;
    }
  }
  ManyLoops loops;
  MemoryCloud cloud{loops};
  std::set<std::string> used;
  std::map<std::string, std::unique_ptr<ServingInstance>> all;
};

net::ClientPtr client(std::uint64_t number, const std::string& name) {
  return std::make_shared<const net::Client>(number, name, "127.0.0.1");
}

}  // namespace

TEST_CASE("cluster: an utterance runs where its session is owned, and is heard where it was said") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  CHECK(one.is_ready);
  CHECK(two.is_ready);
  const std::string session = world.session_of(two);
  one.say(session, "turn");
  world.loops.pass(10ms);
  CHECK(two.entered == std::vector<std::string>{"turn"});
  CHECK(one.entered.empty());
  two.end("turn");
  world.loops.pass(10ms);
  for (const ServingInstance* instance : {&one, &two}) {
    CHECK(instance->count(topic::kUtterance, "turn") == 1);
    CHECK(instance->count(topic::kMatched, "turn") == 1);
    CHECK(instance->count(topic::kHandled, "turn") == 1);
  }
}

TEST_CASE("cluster: where nobody listens nothing is sent, but for what was said there") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  ServingInstance& three = world.add("three");
  for (ServingInstance* const instance : {&one, &two, &three}) instance->cluster.left(instance->listener);
  world.loops.pass(3s);
  one.say(world.session_of(two), "turn");
  world.loops.pass(10ms);
  two.end("turn");
  world.loops.pass(10ms);
  CHECK(one.count(topic::kHandled, "turn") == 1);
  CHECK(three.told.empty());
}

TEST_CASE("cluster: an instance is told what its clients hear, by session and topic, and nothing else") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  ServingInstance& three = world.add("three");
  for (ServingInstance* const instance : {&one, &two, &three}) instance->cluster.left(instance->listener);
  world.loops.pass(3s);
  const std::string session = world.session_of(two);
  const auto listen = [](ServingInstance& where, std::uint64_t number, std::vector<std::string> topics,
                         std::vector<std::string> sessions) {
    net::Listening listening;
    listening.topics = std::move(topics);
    listening.sessions = std::move(sessions);
    where.cluster.joined(client(number, fmt::format("client {}", number)), listening);
  };
  const auto turn_heard = [&](const std::string& id) {
    for (ServingInstance* const instance : {&one, &two, &three}) instance->told.clear();
    const auto published = world.cloud.published;
    two.say(session, id);
    two.end(id);
    world.loops.pass(5ms);
    std::vector<std::string> topics;
    for (const auto& message : three.told) topics.push_back(message.type());
    if (topics.empty()) CHECK(world.cloud.published == published);
    CHECK(one.told.empty());
    return topics;
  };
  using Topics = std::vector<std::string>;
  CHECK(turn_heard("nobody hears it") == Topics{});
  listen(three, 10, {}, {"another"});
  listen(three, 11, {"ovos.utterance.speak"}, {session});
  world.loops.pass(100ms);
  CHECK(turn_heard("others are heard") == Topics{});
  listen(three, 12, {topic::kHandled}, {"another", session});
  world.loops.pass(100ms);
  CHECK(turn_heard("its end is heard") == Topics{topic::kHandled});
  listen(three, 13, {"ovos.intent.*"}, {});
  world.loops.pass(100ms);
  CHECK(turn_heard("its match is heard, too") == Topics{topic::kMatched, topic::kHandled});
  three.cluster.left(client(12, "client 12"));
  world.loops.pass(100ms);
  CHECK(turn_heard("its match alone is heard") == Topics{topic::kMatched});
  three.cluster.left(client(13, "client 13"));
  world.loops.pass(100ms);
  CHECK(turn_heard("nobody hears it again") == Topics{});
}

TEST_CASE("cluster: whose grant is for its own sessions hears those of all instances") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  for (ServingInstance* const instance : {&one, &two}) instance->cluster.left(instance->listener);
  world.loops.pass(3s);
  const auto grant = std::make_shared<net::Grant>();
  grant->client = "kitchen";
  grant->sessions = net::Grant::Sessions::kOwn;
  const auto satellite = std::make_shared<const net::Client>(5, "satellite", "127.0.0.1", grant);
  two.cluster.joined(satellite, net::listening_of(net::TopicFilter(), grant, false));
  world.loops.pass(100ms);
  for (const char* const session : {"kitchen", "kitchen.left", "kitchens", "hall.kitchen.", "kitchen-left"}) {
    const std::string id = std::string("in ") + session;
    two.told.clear();
    one.publish(in_session(topic::kSpeak, session, id, {{"utterance", "six"}}));
    world.loops.pass(10ms);
    CAPTURE(session);
    const std::string_view name = session;
    CHECK(two.count(topic::kSpeak, id) == (name == "kitchen" || name == "kitchen.left" ? 1 : 0));
  }
}

TEST_CASE("cluster: a turn whose end no client hears is over where it was said all the same") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  for (ServingInstance* const instance : {&one, &two}) instance->cluster.left(instance->listener);
  const auto mute = client(5, "mute");
  net::Listening listening;
  listening.topics = {topic::kSpeak};
  one.cluster.joined(mute, listening);
  world.loops.pass(3s);
  const Message utterance =
      in_session(topic::kUtterance, world.session_of(two), "turn", {{"utterances", {"hello"}}}, mute);
  CHECK(one.cluster.takes(mute, utterance));
  CHECK(one.cluster.waiting(mute->id) == 1);
  world.loops.pass(10ms);
  two.end("turn");
  world.loops.pass(10ms);
  CHECK(one.cluster.waiting(mute->id) == 0);
}

TEST_CASE("cluster: a turn whose instance dies is ended where it was said, and its handler with it") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const std::string session = world.session_of(two);
  one.say(session, "begun");
  one.say(session, "matching");
  world.loops.pass(10ms);
  two.start_handler("begun");
  world.loops.pass(10ms);
  world.all.erase("two");
  world.loops.pass(5s);
  CHECK(one.count(topic::kHandled, "begun") == 1);
  CHECK(one.count(topic::kHandlerError, "begun") == 1);
  CHECK(one.count(topic::kHandled, "matching") == 1);
  CHECK(one.count(topic::kHandlerError, "matching") == 0);
  one.say(session, "afterwards");
  world.loops.pass(10ms);
  CHECK(one.entered == std::vector<std::string>{"afterwards"});
}

TEST_CASE("cluster: an owner that slept past its lease says nothing more that anybody hears") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  ServingInstance& three = world.add("three");
  world.loops.pass(3s);
  const std::string session = world.session_of(two);
  one.say(session, "turn");
  world.loops.pass(10ms);
  REQUIRE(two.runs("turn"));
  two.fabric.sleep();
  world.loops.forget(*two.timers);
  world.loops.pass(6s);
  two.publish(in_session(topic::kSpeak, session, "turn", {{"utterance", "too late"}}));
  two.end("turn");
  two.fabric.wake();
  world.loops.pass(1s);
  for (const ServingInstance* instance : {&one, &three}) {
    CHECK(instance->count(topic::kHandled, "turn") == 1);
    CHECK(instance->count(topic::kSpeak, "turn") == 0);
  }
}

TEST_CASE("cluster: a second without the server ends no turn") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  one.say(world.session_of(two), "turn");
  world.loops.pass(10ms);
  one.fabric.set_up(false);
  two.fabric.set_up(false);
  two.end("turn");
  one.say(world.session_of(two), "during");
  world.loops.pass(1s);
  CHECK(one.count(topic::kHandled, "turn") == 0);
  one.fabric.set_up(true);
  two.fabric.set_up(true);
  world.loops.pass(1s);
  CHECK(one.count(topic::kHandled, "turn") == 1);
  two.end("during");
  world.loops.pass(1s);
  CHECK(one.count(topic::kHandled, "during") == 1);
}

TEST_CASE("cluster: whoever leaves lets its turns finish, and what is said meanwhile runs elsewhere") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const std::string session = world.session_of(two);
  one.say(session, "running");
  world.loops.pass(10ms);
  two.cluster.leave();
  world.loops.pass(500ms);
  one.say(session, "meanwhile");
  world.loops.pass(500ms);
  CHECK_FALSE(two.cluster.has_left());
  CHECK(one.count(topic::kHandled, "running") == 0);
  two.end("running");
  world.loops.pass(500ms);
  CHECK(two.cluster.has_left());
  CHECK(one.count(topic::kHandled, "running") == 1);
  CHECK(one.entered == std::vector<std::string>{"meanwhile"});
  CHECK(one.count(topic::kUtterance, "meanwhile") == 1);
}

TEST_CASE("cluster: without an owner for ten seconds an utterance is handled all the same") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  world.loops.pass(3s);
  one.fabric.set_up(false);
  world.loops.pass(5s);
  one.say("anything", "turn");
  world.loops.pass(11s);
  CHECK(one.count(topic::kHandled, "turn") == 1);
  CHECK(one.entered.empty());
}

TEST_CASE("cluster: two turns of one id at two instances both end") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const std::string session = world.session_of(two);
  two.say(session, "same");
  one.say(session, "same");
  world.loops.pass(10ms);
  REQUIRE(two.entered.size() == 2);
  CHECK(two.entered[0] == "same");
  CHECK(two.entered[1] != "same");
  const std::string other = two.entered[1];
  two.end("same");
  two.end(other);
  world.loops.pass(10ms);
  CHECK(one.count(topic::kHandled, other) == 1);
}

TEST_CASE("cluster: a remote skill speaks for its skill at every instance, also at those that come later") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const auto skill = client(7, "client 127.0.0.1:7");
  one.cluster.joined(skill, net::Listening());
  Context context;
  context.skill_id = "dice";
  context.sender = skill;
  const Message registration(topic::kRegisterTemplate,
                             {{"skill_id", "dice"}, {"intent_name", "roll"}, {"samples", {"roll"}}}, context);
  CHECK_FALSE(one.cluster.takes(skill, registration));
  world.loops.pass(10ms);
  CHECK(two.speakers.at("dice") == skill->name);
  CHECK(two.heard_from ==
        std::vector<std::pair<std::string, std::string>>{{skill->name, topic::kRegisterTemplate}});
  ServingInstance& three = world.add("three");
  world.loops.pass(3s);
  CHECK(three.speakers.at("dice") == skill->name);
  CHECK(three.heard_from.size() == 1);
  one.cluster.left(skill);
  world.loops.pass(10ms);
  CHECK(two.speakers.empty());
  CHECK(three.speakers.empty());
}

TEST_CASE("cluster: a skill that is spoken for at another instance is spoken for") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const auto first = client(7, "first"), second = client(8, "second");
  one.cluster.joined(first, net::Listening());
  two.cluster.joined(second, net::Listening());
  REQUIRE(one.claim(first, "dice"));
  world.loops.pass(10ms);
  CHECK_FALSE(two.claim(second, "dice"));
  one.left(first);
  one.cluster.left(first);
  world.loops.pass(10ms);
  CHECK(two.claim(second, "dice"));
  world.loops.pass(10ms);
  CHECK(one.speakers.at("dice") == "second");
}

TEST_CASE("cluster: of two that claim a skill at once the earlier one holds it everywhere") {
  for (const bool second_is_cut_off : {false, true}) {
    CAPTURE(second_is_cut_off);
    ServingWorld world;
    ServingInstance& one = world.add("one");
    ServingInstance& two = world.add("two");
    ServingInstance& three = world.add("three");
    world.loops.pass(3s);
    const auto first = client(7, "first"), second = client(8, "second");
    one.cluster.joined(first, net::Listening());
    two.cluster.joined(second, net::Listening());
    world.loops.pass(10ms);
    if (second_is_cut_off) two.fabric.set_up(false);
    REQUIRE(one.claim(first, "dice"));
    world.loops.clock.advance_to(world.loops.clock.now() + 1ms);
    REQUIRE(two.claim(second, "dice"));
    world.loops.pass(50ms);
    two.fabric.set_up(true);
    world.loops.pass(1s);
    for (const ServingInstance* const instance : {&one, &two, &three})
      CHECK(instance->speakers.at("dice") == "first");
    CHECK_FALSE(two.claim(second, "dice"));
    ServingInstance& four = world.add("four");
    world.loops.pass(3s);
    CHECK(four.speakers.at("dice") == "first");
    for (const auto& [who, topic] : four.heard_from) CHECK(who == "first");
    one.left(first);
    one.cluster.left(first);
    world.loops.pass(10ms);
    for (const ServingInstance* const instance : {&one, &two, &three, &four})
      CHECK_FALSE(instance->speakers.contains("dice"));
  }
}

TEST_CASE("cluster: of two that claim a skill in the same moment one holds it, and all agree which") {
  for (int i = 0; i < 10; ++i) {
    ServingWorld world;
    ServingInstance& one = world.add("one");
    ServingInstance& two = world.add("two");
    ServingInstance& three = world.add("three");
    world.loops.pass(3s);
    const auto first = client(7, "first"), second = client(8, "second");
    one.cluster.joined(first, net::Listening());
    two.cluster.joined(second, net::Listening());
    REQUIRE(one.claim(first, "dice"));
    REQUIRE(two.claim(second, "dice"));
    world.loops.pass(100ms);
    CHECK(one.speakers.at("dice") == two.speakers.at("dice"));
    CHECK(one.speakers.at("dice") == three.speakers.at("dice"));
  }
}

TEST_CASE("cluster: what a skill says in a turn is dealt with where the turn runs") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  const auto skill = client(7, "client 127.0.0.1:7");
  one.cluster.joined(skill, net::Listening());
  const std::string session = world.session_of(two);
  two.say(session, "turn");
  world.loops.pass(10ms);
  Message speech = in_session(topic::kSpeak, session, "turn", {{"utterance", "six"}}, skill);
  CHECK(one.cluster.takes(skill, speech));
  world.loops.pass(10ms);
  CHECK(two.count(topic::kSpeak, "turn") == 1);
  REQUIRE(one.count(topic::kSpeak, "turn") == 1);
  CHECK(one.told.back().context().sender == skill);
  const Message in_own = in_session(topic::kSpeak, world.session_of(one), "", {{"utterance", "here"}}, skill);
  CHECK_FALSE(one.cluster.takes(skill, in_own));
}

TEST_CASE("cluster: skills of an instance that dies are gone everywhere") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  world.add("two");
  world.loops.pass(3s);
  const auto skill = client(7, "client 127.0.0.1:7");
  world.all.at("two")->cluster.joined(skill, net::Listening());
  Context context;
  context.skill_id = "dice";
  world.all.at("two")->cluster.takes(skill,
                                     Message(topic::kRegisterFallback, {{"skill_id", "dice"}}, context));
  world.loops.pass(10ms);
  REQUIRE(one.speakers.contains("dice"));
  world.all.erase("two");
  world.loops.pass(5s);
  CHECK(one.speakers.empty());
}

TEST_CASE("cluster: what is no frame costs nobody anything") {
  ServingWorld world;
  ServingInstance& one = world.add("one");
  ServingInstance& two = world.add("two");
  world.loops.pass(3s);
  for (const char* text :
       {"", "x", "{", "[]", "{}", R"({"k": 1})", R"({"k": "turn"})", R"({"k": "told", "e": -1})",
        R"({"k": "said", "c": 99})", R"({"k": "turn", "client": {"n": "x"}, "c": 3})",
        "{\"k\": \"told\"}\nnonsense", "{\"k\": \"turn\"}\n{\"type\": \"speak\"}", R"({"k": "no", "id": 4})",
        R"({"k": "left", "c": "x"})", R"({"k": "speaks", "c": 1, "skill": []})",
        R"({"k": "silent", "skill": "dice"})",
        R"({"k": "hears", "c": 1, "topics": "x", "sessions": [3, "."]})",
        R"({"k": "hears", "topics": [" ", "*"]})"}) {
    Links rogue(two.fabric, *two.timers, "rogue", [&](auto work) { two.fabric.later(std::move(work)); },
                {[](const auto&, auto) {}, [](const auto&) {}});
    rogue.start();
    rogue.send(one.cluster.members().self(), text);
    world.loops.pass(1s);
  }
  one.say(world.session_of(two), "turn");
  world.loops.pass(10ms);
  CHECK(two.entered == std::vector<std::string>{"turn"});
}

TEST_CASE("cluster: whatever happens, every utterance of an instance that lives is handled exactly once") {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    ServingWorld world;
    world.cloud.loses = [&random] { return random() % 20 == 0; };
    world.add("a");
    world.add("b");
    world.add("c");
    world.loops.pass(5s);
    std::map<std::string, std::vector<std::string>> said;  // by instance
    int count = 0;
    for (int step = 0; step < 80; ++step) {
      auto at = world.all.begin();
      std::advance(at, random() % world.all.size());
      ServingInstance& one = *at->second;
      switch (random() % 12) {
        case 0:
          one.fabric.set_up(false);
          break;
        case 1:
          for (auto& [name, instance] : world.all) instance->fabric.set_up(true);
          break;
        case 2:
          if (world.all.size() > 2 && random() % 3 == 0) {
            said.erase(at->first);
            world.all.erase(at);
          }
          break;
        case 3:
          if (world.all.size() < 4) world.add(fmt::format("x{}", step));
          break;
        case 4:
          if (world.all.size() > 2 && random() % 4 == 0) one.cluster.leave();
          break;
        case 5:
        case 6:
        case 7:
        case 8: {
          const std::string id = fmt::format("t{}", ++count);
          said[at->first].push_back(id);
          one.say(fmt::format("s{}", random() % 50), id);
          break;
        }
        default:
          if (!one.running.empty()) one.end(one.running.begin()->first);
          break;
      }
      world.loops.pass(std::chrono::milliseconds(random() % 800));
    }
    for (auto& [name, instance] : world.all) instance->fabric.set_up(true);
    world.loops.pass(15s);
    for (int round = 0; round < 3; ++round) {
      for (auto& [name, instance] : world.all) {
        while (!instance->running.empty()) instance->end(instance->running.begin()->first);
      }
      world.loops.pass(15s);
    }
    for (const auto& one : said) {
      for (const auto& id : one.second) {
        CAPTURE(one.first);
        CAPTURE(id);
        CHECK(world.all.at(one.first)->count(topic::kHandled, id) == 1);
      }
    }
  }
}
