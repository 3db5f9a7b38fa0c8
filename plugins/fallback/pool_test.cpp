#include "pool.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace parley;
using namespace parley::fallback;

namespace {

Message from(const std::string& skill, std::string topic, Json data, const std::string& session = "default") {
  Context context;
  context.skill_id = skill;
  context.session = std::make_shared<const Session>(session);
  return Message(std::move(topic), std::move(data), std::move(context));
}
Message joining(const std::string& skill, Json priority, const std::string& session = "default") {
  return from(skill, "ovos.fallback.register", {{"skill_id", skill}, {"priority", std::move(priority)}},
              session);
}
Message quitting(const std::string& skill, const std::string& session = "default") {
  return from(skill, "ovos.fallback.deregister", {{"skill_id", skill}}, session);
}

std::vector<Member> everyone(const Pool& pool, const std::string& session = "default") {
  return pool.effective(Session(session), Range(), Policy(), nullptr);
}

}  // namespace

TEST_CASE("F-1 pool: a registration that does not count says why and changes nothing") {
  Pool pool;
  CHECK_FALSE(pool.add(joining("a.test", 5)));
  CHECK(pool.add(joining("a.test", "6")) ==
        "the fallback priority of skill 'a.test' must be a whole number: ignored");
  CHECK(pool.add(from("b.test", "ovos.fallback.register", {{"skill_id", "a.test"}, {"priority", 1}})) ==
        "'ovos.fallback.register' names skill 'a.test' but comes from 'b.test': ignored");
  CHECK(pool.add(joining("no id", 1)) == "'no id' is no skill_id: ignored");
  CHECK(everyone(pool) == std::vector<Member>{Member("a.test", 5)});
}

TEST_CASE("F-1 pool: priorities beyond all measure are taken as very large and very small ones") {
  Pool pool;
  pool.add(joining("most.test", std::numeric_limits<std::uint64_t>::max()));
  pool.add(joining("least.test", std::numeric_limits<std::int64_t>::min()));
  const auto members = everyone(pool);
  REQUIRE(members.size() == 2);
  CHECK(members[0] == Member("least.test", -1'000'000'000));
  CHECK(members[1] == Member("most.test", 1'000'000'000));
}

TEST_CASE("F-2 pool: a deregistration says why it does not count; an unknown skill is no fault") {
  Pool pool;
  pool.add(joining("a.test", 5));
  CHECK(pool.remove(from("b.test", "ovos.fallback.deregister", {{"skill_id", "a.test"}})) ==
        "'ovos.fallback.deregister' names skill 'a.test' but comes from 'b.test': ignored");
  CHECK_FALSE(pool.remove(quitting("stranger.test")));
  CHECK_FALSE(pool.remove(quitting("a.test", "kitchen")));
  CHECK(pool.holds("kitchen", "a.test"));
  CHECK_FALSE(pool.remove(quitting("a.test")));
  CHECK_FALSE(pool.holds("kitchen", "a.test"));
}

TEST_CASE("F-1 pool: who is in a session's pool is in no other's") {
  Pool pool;
  pool.add(joining("a.test", 5, "kitchen"));
  CHECK(pool.holds("kitchen", "a.test"));
  CHECK_FALSE(pool.holds("cellar", "a.test"));
  CHECK(everyone(pool, "cellar").empty());
  pool.forget("kitchen", "a.test");
  CHECK(everyone(pool, "kitchen").empty());
}

TEST_CASE("FALLBACK-1 §5 pool: of several reasons to leave a skill out, the first step's is told") {
  Pool pool;
  pool.add(joining("a.test", 90));
  Policy policy;
  policy.mode = Mode::kWhitelist;
  Session session("kitchen");
  session.blacklisted_skills = {"a.test"};
  std::vector<Excluded> excluded;
  CHECK(pool.effective(session, Range(0, 49), policy, &excluded).empty());
  CHECK(pool.effective(session, Range(), policy, &excluded).empty());
  session.blacklisted_skills.reset();
  CHECK(pool.effective(session, Range(), policy, &excluded).empty());
  REQUIRE(excluded.size() == 3);
  CHECK(excluded[0].why == "its priority 90 is outside of this entry's range");
  CHECK(excluded[1].why == "blacklisted for this session");
  CHECK(excluded[2].why == "not allowed by fallback_mode");
}

TEST_CASE("F-1 pool: many skills and long lists are each gone through once") {
  Pool pool;
  Session session("kitchen");
  session.blacklisted_skills.emplace();
  session.fallback_handlers.emplace();
  for (int i = 0; i < 10'000; ++i) pool.add(joining("s" + std::to_string(i) + ".test", i));
  for (int i = 0; i < 60'000; ++i) {
    session.blacklisted_skills->push_back("s" + std::to_string(i + 5'000) + ".test");
    session.fallback_handlers->push_back("s" + std::to_string(60'000 - i) + ".test");
  }
  const auto before = TextSet::visited();
  const auto members = pool.effective(session, Range(), Policy(), nullptr);
  CHECK(TextSet::visited() - before <= 70'000);
  REQUIRE(members.size() == 5'000);
  CHECK(members.front() == Member("s4999.test", 4'999));
  CHECK(pool.has_any(session, Range(), Policy()));
  CHECK_FALSE(pool.has_any(session, Range(5'000, 9'999), Policy()));
  CHECK_FALSE(pool.has_any(session, Range(-9, -1), Policy()));
}

TEST_CASE("F-1 range: both ends are inside") {
  const Range range(-3, 7);
  CHECK(range.holds(-3));
  CHECK(range.holds(7));
  CHECK_FALSE(range.holds(-4));
  CHECK_FALSE(range.holds(8));
  CHECK(Range().holds(-1'000'000'000));
  CHECK(Range().holds(1'000'000'000));
}
