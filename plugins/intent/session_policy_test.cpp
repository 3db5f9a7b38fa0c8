#include "session_policy.hpp"

#include <doctest/doctest.h>

#include <set>

#include "match/test_support.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

using Kind = Veto::Kind;

namespace {

/// A registry of which only the switches matter.
class Switches final : public Registry {
 public:
  std::vector<IntentPtr> intents() const override { return {}; }
  std::vector<EntityPtr> entities() const override { return {}; }
  Subscription on_change(std::function<void(const RegistryChange&)>) override { return {}; }
  bool is_enabled(const IntentRegistration& intent, const std::string& session_id) const override {
    return disabled.count(session_id + ' ' + intent.intent_name) == 0;
  }

  std::set<std::string> disabled;
};

struct PolicyFixture {
  Switches registry;
  Session session{"kitchen"};
  IntentRegistration intent = template_intent("music", "play", {"play"});

  Kind veto() const { return SessionPolicy(registry, session, 1000).veto(intent).kind; }

  void set_context(const std::string& key, std::optional<std::string> value, double expires_at = 2000) {
    if (!session.intent_context) session.intent_context.emplace();
    ContextEntry entry;
    entry.value = std::move(value);
    entry.expires_at = expires_at;
    (*session.intent_context)[key] = entry;
  }
};

}  // namespace

TEST_CASE_FIXTURE(PolicyFixture, "R-3 policy: a session sees its own registrations and the default ones") {
  const SessionPolicy policy(registry, session, 1000);
  CHECK(policy.sees("default"));
  CHECK(policy.sees("kitchen"));
  CHECK_FALSE(policy.sees("cellar"));
}

TEST_CASE_FIXTURE(PolicyFixture, "U-3 policy: what the session blacklists is vetoed") {
  CHECK(veto() == Kind::kNone);
  session.blacklisted_intents = Session::Strings{"music:stop", "radio:play"};
  CHECK(veto() == Kind::kNone);
  session.blacklisted_intents = Session::Strings{"music:play"};
  CHECK(veto() == Kind::kIntentBlacklisted);
  session.blacklisted_skills = Session::Strings{"music"};
  CHECK(veto() == Kind::kSkillBlacklisted);
}

TEST_CASE_FIXTURE(PolicyFixture, "R-3 policy: what is disabled in another session is not vetoed") {
  registry.disabled = {"cellar play"};
  CHECK(veto() == Kind::kNone);
  registry.disabled = {"kitchen play"};
  CHECK(veto() == Kind::kDisabled);
}

TEST_CASE_FIXTURE(PolicyFixture, "X-2 policy: gates open and close an intent") {
  intent.requires_context.emplace_back("album", false);
  intent.excludes_context.emplace_back("night", true);
  CHECK(veto() == Kind::kGateClosed);
  set_context("music:album", std::nullopt);
  CHECK(veto() == Kind::kNone);
  set_context("night", "yes");
  CHECK(veto() == Kind::kGateClosed);
  const Veto closed = SessionPolicy(registry, session, 1000).veto(intent);
  CHECK(to_text(closed) == "closed by the intent context: needs 'album', excludes 'night'");
  set_context("night", "yes", 999);
  CHECK(veto() == Kind::kNone);
}

TEST_CASE_FIXTURE(PolicyFixture,
                  "X-2 policy: a live entry with a value fills a slot, the skill's own first") {
  const auto value = [this] { return SessionPolicy(registry, session, 1000).context_value(intent, "song"); };
  CHECK_FALSE(value().has_value());
  set_context("song", "shared");
  CHECK(value() == "shared");
  set_context("music:song", "private");
  CHECK(value() == "private");
  set_context("music:song", "private", 1000);
  CHECK(value() == "shared");
}
