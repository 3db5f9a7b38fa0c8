// What is to come for older skills (ovos-wire 9.2), kept by parley.
#include <chrono>

#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

constexpr const char* kRing = "alarm.ovos:ring";

/// A server with a file, to which an older skill is connected that sets alarms.
class AlarmClock {
 public:
  explicit AlarmClock(const std::filesystem::path& store) {
    server_.config.store.path = store.string();
    server_.config.gateway.compat = net::Compat::kOvos;
    server_.keeps_as = "a test";
    server_.start();
    skill.emplace(server_.client());
    skill->send("mycroft.skills.loaded", {{"id", "alarm.ovos"}, {"name", "alarm"}}, context());
  }
  static Json context() {
    return {{"source", "alarm.ovos"}, {"skill_id", "alarm.ovos"}, {"session", {{"session_id", "kitchen"}}}};
  }
  void say(const std::string& what, const Json& data) {
    skill->send("mycroft.scheduler." + what, data, context());
  }
  /// `[[time, repeat]]`, or `[]`.
  Json status() {
    say("get_event", {{"name", kRing}});
    return skill->receive(std::string("mycroft.event_status.callback.") + kRing).at("data");
  }
  std::optional<CoreClient> skill;

 private:
  Served server_;
};

double unix_time_in(std::chrono::seconds span) {
  return std::chrono::duration<double>((std::chrono::system_clock::now() + span).time_since_epoch()).count();
}

}  // namespace

TEST_CASE("ovos-wire 9.2: an older skill's alarm survives a restart of parley, and rings with its data") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  const double when = unix_time_in(std::chrono::hours(1));
  {
    AlarmClock clock(file);
    CHECK(clock.status() == Json::array());
    clock.say("schedule_event",
              {{"event", kRing}, {"time", when}, {"repeat", nullptr}, {"data", {{"tune", "bells"}}}});
    CHECK(clock.status().at(0).at(0).get<double>() == doctest::Approx(when));
    CHECK(clock.status().at(0).at(1).is_null());
  }
  AlarmClock clock(file);
  CHECK(clock.status().at(0).at(0).get<double>() == doctest::Approx(when));
  clock.say("update_event", {{"event", kRing}, {"data", {{"tune", "drums"}}}});
  CHECK(clock.status().size() == 1);
  clock.say(
      "schedule_event",
      {{"event", kRing}, {"time", unix_time_in(std::chrono::seconds(0))}, {"data", {{"tune", "flute"}}}});
  const Json rung = clock.skill->receive(kRing);
  CHECK(rung.at("data") == Json{{"tune", "flute"}});
  CHECK(rung.at("context").at("session").at("session_id") == "kitchen");
}

TEST_CASE("ovos-wire 9.2: an event that repeats does so from its first time on, until it is removed") {
  const TemporaryFolder folder;
  AlarmClock clock(folder.path() / "parley.db");
  const double when = unix_time_in(std::chrono::hours(2));
  clock.say("schedule_event", {{"event", kRing}, {"time", when}, {"repeat", 86'400}, {"data", {}}});
  const Json status = clock.status();
  CHECK(status.at(0).at(0).get<double>() == doctest::Approx(when));
  CHECK(status.at(0).at(1) == 86'400);
  clock.say("remove_event", {{"event", kRing}});
  CHECK(clock.status() == Json::array());
}
