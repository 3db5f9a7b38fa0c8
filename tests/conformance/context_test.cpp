#include <parley/gates.hpp>

#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

double now_of(StageContext& services) {
  return unix_seconds(services.clock().wall());
}

/// A stage that matches registered samples word for word, where their gates are open; the slot `room`, which
/// no utterance here has, is filled from the context.
class Gated {
 public:
  Gated() {
    stage_ = &test.stage_at_once("gated", [this](const MatchRequest& request) { return match(request); });
  }

  void register_intent(const std::string& name, Json more) {
    more.update({{"skill_id", "lamp.test"}, {"intent_name", name}, {"lang", "en-US"}});
    if (!more.contains("samples")) more["samples"] = {name};
    Context context;
    context.skill_id = "lamp.test";
    test.send(Message("ovos.intent.register.template", std::move(more), std::move(context)));
  }
  SessionPtr say(const std::string& text, const Json& entries) {
    Json session = {{"session_id", "kitchen"}, {"intent_context", entries}};
    return test.say(text, session_of(session)).session;
  }
  bool matches(const std::string& text, const Json& entries) {
    test.heard.clear();
    say(text, entries);
    return test.count("ovos.intent.matched") == 1;
  }

  TestAssistant test;
  std::vector<Json> seen;                ///< The intent_context of every match round.
  std::function<void(Session&)> writes;  ///< What the stage makes of the session of a match.

 private:
  std::optional<Match> match(const MatchRequest& request) {
    seen.push_back(context_of(request.session()));
    for (const auto& intent : stage_->services().registry().intents()) {
      if (!gates_open(*intent, request.session(), now_of(stage_->services()))) continue;
      if (std::get<TemplateIntent>(intent->pattern).samples.front() != request.utterance() &&
          intent->required_slots.empty()) {
        continue;
      }
      return made(*intent, request);
    }
    return std::nullopt;
  }
  Match made(const IntentRegistration& intent, const MatchRequest& request) {
    Match match(intent.skill_id, intent.intent_name, request.lang(), request.utterance());
    const auto room = context_value(request.session(), intent.skill_id, "room", now_of(stage_->services()));
    if (room) match.slots["room"] = *room;
    if (writes) {
      auto session = std::make_shared<Session>(request.session());
      writes(*session);
      match.updated_session = session;
    }
    return match;
  }

 public:
  static Json context_of(const Session& session) {
    return to_json(session).value("intent_context", Json::object());
  }

 private:
  LambdaStage* stage_;
};

Json turns(int left) {
  return {{"value", "x"}, {"turns_remaining", left}};
}

int turns_left(const SessionPtr& session, const std::string& key) {
  const auto entries = Gated::context_of(*session);
  return entries.contains(key) ? entries.at(key).at("turns_remaining").get<int>() : -1;
}

}  // namespace

TEST_CASE("X-1 intent_context: dead entries are gone before any stage is asked") {
  Gated gated;
  gated.test.start();
  const double now = unix_seconds(gated.test.core().clock().wall());
  const SessionPtr after = gated.say("hello", {{"past", {{"value", "x"}, {"expires_at", now - 1}}},
                                               {"just_now", {{"value", "x"}, {"expires_at", now}}},
                                               {"used_up", turns(0)},
                                               {"soon", {{"value", "x"}, {"expires_at", now + 1}}},
                                               {"forever", {{"value", nullptr}}}});
  REQUIRE(gated.seen.size() == 1);
  Names left;
  for (const auto& entry : gated.seen.front().items()) left.push_back(entry.key());
  CHECK(left == Names{"forever", "soon"});
  CHECK(Gated::context_of(*after) == gated.seen.front());
}

TEST_CASE("X-1 turns_remaining: one less after every match round, and gone before the one after the last") {
  Gated gated;
  gated.test.start();
  gated.register_intent("on", Json::object());
  std::string said;
  SUBCASE("matched") {
    said = "on";
  }
  SUBCASE("unmatched") {
    said = "hello";
  }
  const SessionPtr first = gated.say(said, {{"key", turns(2)}, {"lamp.test:key", turns(7)}});
  CHECK(turns_left(first, "key") == 1);
  CHECK(turns_left(first, "lamp.test:key") == 6);
  const SessionPtr second = gated.say(said, Gated::context_of(*first));
  CHECK(turns_left(second, "key") <= 0);
  gated.say(said, Gated::context_of(*second));
  REQUIRE(gated.seen.size() == 3);
  CHECK(gated.seen[0].at("key").at("turns_remaining") == 2);
  CHECK(gated.seen[1].at("key").at("turns_remaining") == 1);
  CHECK_FALSE(gated.seen[2].contains("key"));
}

TEST_CASE("X-1 turns_remaining: a match finds the drop done when it is dispatched") {
  Gated gated;
  gated.test.start();
  gated.register_intent("on", Json::object());
  gated.say("on", {{"key", turns(2)}});
  CHECK(turns_left(gated.test.one("lamp.test:on").context().session, "key") == 1);
}

TEST_CASE("X-1 turns_remaining: what the round wrote is spared") {
  Gated gated;
  gated.test.handler("lamp.test", "on", does([](Turn& turn) {
                       turn.change_session([](Session& session) {
                         ContextEntry entry;
                         entry.turns_remaining = 5;
                         (*session.intent_context)["handler"] = entry;
                       });
                     }));
  gated.writes = [](Session& session) {
    ContextEntry entry;
    entry.turns_remaining = 3;
    (*session.intent_context)["fresh"] = entry;
    (*session.intent_context)["renewed"] = entry;
  };
  gated.test.start();
  gated.register_intent("on", Json::object());
  const SessionPtr after = gated.say("on", {{"old", turns(2)}, {"renewed", turns(1)}});
  CHECK(turns_left(after, "old") == 1);
  CHECK(turns_left(after, "fresh") == 3);
  CHECK(turns_left(after, "renewed") == 3);
  CHECK(turns_left(after, "handler") == 5);
}

TEST_CASE("X-1 intent_context: the default session's lives in the core and ages there") {
  Gated gated;
  gated.test.start();
  gated.test.say("hello", session_of({{"session_id", "default"}, {"intent_context", {{"key", turns(2)}}}}));
  gated.test.say("hello");
  gated.test.say("hello");
  REQUIRE(gated.seen.size() == 3);
  CHECK(gated.seen[1].at("key").at("turns_remaining") == 1);
  CHECK_FALSE(gated.seen[2].contains("key"));
}

TEST_CASE("X-1 intent_context: a private key and a shared one of the same name are two") {
  Gated gated;
  gated.test.start();
  gated.register_intent("mine", {{"requires_context", {{{"key", "lit"}, {"scope", "private"}}}}});
  gated.register_intent("ours", {{"requires_context", {{{"key", "lit"}, {"scope", "shared"}}}}});
  const Json entry = {{"value", "x"}};
  CHECK(gated.matches("mine", {{"lamp.test:lit", entry}}));
  CHECK_FALSE(gated.matches("mine", {{"lit", entry}}));
  CHECK_FALSE(gated.matches("mine", {{"other.test:lit", entry}}));
  CHECK(gated.matches("ours", {{"lit", entry}}));
  CHECK_FALSE(gated.matches("ours", {{"lamp.test:lit", entry}}));
}

TEST_CASE("X-2 requires_context: all of them must be live; a bare string means private") {
  Gated gated;
  gated.test.start();
  gated.register_intent("dim", {{"requires_context", {"lit", {{"key", "night"}, {"scope", "shared"}}}}});
  const double now = unix_seconds(gated.test.core().clock().wall());
  const Json entry = {{"value", "x"}};
  CHECK(gated.matches("dim", {{"lamp.test:lit", entry}, {"night", {{"value", nullptr}}}}));
  CHECK_FALSE(gated.matches("dim", {{"lamp.test:lit", entry}}));
  CHECK_FALSE(gated.matches("dim", {{"lit", entry}, {"night", entry}}));
  CHECK_FALSE(gated.matches("dim", Json::object()));
  CHECK_FALSE(
      gated.matches("dim", {{"lamp.test:lit", {{"value", "x"}, {"expires_at", now - 1}}}, {"night", entry}}));
  CHECK_FALSE(gated.matches("dim", {{"lamp.test:lit", turns(0)}, {"night", entry}}));
  CHECK(gated.matches("dim", {{"lamp.test:lit", turns(1)}, {"night", entry}}));
}

TEST_CASE("X-2 excludes_context: none of them may be live") {
  Gated gated;
  gated.test.start();
  gated.register_intent("on", {{"excludes_context", {"lit", {{"key", "locked"}, {"scope", "shared"}}}}});
  const Json entry = {{"value", "x"}};
  CHECK(gated.matches("on", Json::object()));
  CHECK_FALSE(gated.matches("on", {{"lamp.test:lit", entry}}));
  CHECK_FALSE(gated.matches("on", {{"locked", {{"value", nullptr}}}}));
  CHECK(gated.matches("on", {{"lit", entry}}));
  CHECK(gated.matches("on", {{"lamp.test:lit", turns(0)}}));
}

TEST_CASE("X-2 gates: a conversation opens them and lets them close again") {
  Gated gated;
  gated.test.handler("lamp.test", "on", does([](Turn& turn) {
                       turn.change_session([](Session& session) {
                         if (!session.intent_context) session.intent_context.emplace();
                         ContextEntry entry;
                         entry.turns_remaining = 1;
                         (*session.intent_context)["lamp.test:lit"] = entry;
                       });
                     }));
  gated.test.start();
  gated.register_intent("on", Json::object());
  gated.register_intent("brighter", {{"requires_context", {"lit"}}});
  const auto matched = [&](const std::string& text) { return !gated.test.say(text).pipeline_id.empty(); };
  CHECK_FALSE(matched("brighter"));
  CHECK(matched("on"));
  CHECK(matched("brighter"));
  CHECK_FALSE(matched("brighter"));
}

TEST_CASE("X-2 slots: a live entry with a value fills a required slot that the utterance leaves open") {
  Gated gated;
  gated.test.start();
  gated.register_intent("light", {{"samples", {"light the {room}"}}, {"required_slots", {"room"}}});
  const double now = unix_seconds(gated.test.core().clock().wall());
  const auto room = [&](const Json& entries) -> Json {
    if (!gated.matches("light it", entries)) return nullptr;
    return gated.test.one("lamp.test:light").data().at("slots").at("room");
  };
  CHECK(room({{"room", {{"value", "hall"}}}}) == "hall");
  CHECK(room({{"lamp.test:room", {{"value", "attic"}}}, {"room", {{"value", "hall"}}}}) == "attic");
  CHECK(room(Json::object()) == nullptr);
  CHECK(room({{"room", {{"value", nullptr}}}}) == nullptr);
  CHECK(room({{"room", {{"value", ""}}}}) == nullptr);
  CHECK(room({{"room", {{"value", "hall"}, {"expires_at", now}}}}) == nullptr);
  CHECK(room({{"other.test:room", {{"value", "hall"}}}}) == nullptr);
}

}  // namespace parley::testing
