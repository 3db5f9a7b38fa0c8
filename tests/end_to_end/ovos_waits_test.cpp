// Skills of OVOS that are only there cost nobody anything: a turn waits for those alone who could change it.
// The time skills have to answer is set to what no test waits for, so whoever waits in vain never ends.
#include "support/ovos_double.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

constexpr int kPlainSkills = 50;

/// A server where a question that is not answered holds its turn for a minute.
class Patient : public OvosServer {
 public:
  Patient() {
    set("stop", "ping_timeout", "1min");
    for (const char* stage : {"converse", "fallback"}) set(stage, "round_timeout", "1min");
    set("converse", "ping_timeout", "1min");
    set("fallback", "query_timeout", "1min");
    for (const char* option : {"poll_window", "collection_window", "collection_ceiling"})
      set("common_query", option, "1min");
    for (auto& [name, stage] : config.stages) stage.match_timeout = std::chrono::minutes(30);
    start();
  }
};

Texts plain_skills() {
  Texts names;
  for (int i = 0; i < kPlainSkills; ++i) names.push_back("plain-" + std::to_string(i) + ".example");
  return names;
}

/// The topics of a turn as somebody at the bus hears it, by current names.
std::vector<std::string> topics_of_turn(Served& server, const std::string& text, const std::string& session) {
  CoreClient watcher = server.client();
  conversation(server.port(), session, {text});
  watcher.receive("ovos.utterance.handled");
  watcher.catch_up();
  Texts topics;
  for (const auto& topic : topics_of(watcher.passed)) {
    if (topic.starts_with("ovos.utterance") || topic.ends_with("ping") || topic.ends_with("pong") ||
        topic.find(':') != topic.npos)
      topics.push_back(topic);
  }
  return topics;
}

}  // namespace

TEST_CASE("W-6 waits (ovos-wire 5.2, 6.2, 7.1, 8.1): fifty skills that are only there hold up no turn") {
  Patient server;
  OlderSkills skills(server, plain_skills());
  const auto spoken = [&](const Texts& said) {
    return conversation(server.port(), "kitchen", said).spoken();
  };
  SUBCASE("that an intent takes, also when its skill was active before") {
    CHECK(spoken({"do thing number 7", "do thing number 7", "term 9"}) ==
          Texts{"Did 7.", "Did 7.", "Did 9."});
  }
  SUBCASE("that nobody takes") {
    CHECK(spoken({"flurb the grommet"}).empty());
  }
  SUBCASE("that is a question") {
    CHECK(spoken({"what is the capital of france"}).empty());
  }
  SUBCASE("that stops what was active") {
    CHECK(spoken({"do thing number 7", "stop"}) == Texts{"Did 7."});
  }
}

TEST_CASE("W-6 waits (ovos-wire 6.2, 7.2): with those who answer there, a turn ends with their answers") {
  Patient server;
  OlderSkills plain(server, plain_skills());
  OlderSkills answering(server, {"atlas.example", "luck.example", "shrug.example", "parrot.example"});
  CHECK(conversation(server.port(), "kitchen",
                     {"what is the capital of france", "what luck", "flurb", "start the parrot", "hello",
                      "fly away", "do thing number 3"})
            .spoken() == Texts{"Paris, says the atlas.", "Luck it is.", "I don't understand.",
                               "I am a parrot.", "hello", "fly away", "Did 3."});
}

TEST_CASE("W-6 waits: an intent's turn puts as much on the bus with fifty skills as with one") {
  const auto topics = [](const Texts& skills) {
    Patient server;
    OlderSkills there(server, skills);
    const auto first = topics_of_turn(server, "do thing number 7", "kitchen");
    CHECK(first.size() >= 3);
    return first;
  };
  CHECK(topics(plain_skills()) == topics({"plain-7.example"}));
}
