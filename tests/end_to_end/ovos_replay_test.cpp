// What ten public skills of OVOS say, played over a real WebSocket: everything they wait for has to come, in
// order. ovos/README.md explains the files.
#include <fstream>
#include <map>

#include "support/ovos_session.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Whether `wanted` is a part of `there`: fields may be more.
bool is_part_of(const Json& there, const Json& wanted) {
  if (!wanted.is_object()) return there == wanted;
  if (!there.is_object()) return false;
  return std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& field) {
    return there.contains(field.key()) && is_part_of(there.at(field.key()), field.value());
  });
}

/// One file, played to the assistant with a connection for the skill and one for the user.
class Replay {
 public:
  explicit Replay(const std::string& file) : file_(file) {
    server_.config.gateway.compat = net::Compat::kOvos;
    server_.real_stages({"stop_high", "converse", "intent_high", "common_query", "intent_medium",
                         "fallback_high", "fallback_medium", "intent_low", "fallback_low"});
    server_.config.stages.at("common_query").options["early_start"] = false;  // else it asks beside intents
    server_.start();
    skill_.emplace(server_.client());
    user_.emplace(server_.client());
    user_->send("ovos.session.sync", kEmpty, {{"session", ovos_session("default")}});
  }

  void play() {
    std::ifstream lines(std::string(PARLEY_OVOS_REPLAYS) + "/" + file_);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      const std::string place = file_ + ":" + std::to_string(number);
      step(Json::parse(line), place);
      ++played_;
    }
    CHECK(played_ > 15);
    auto complaints = server_.log.complaints();
    std::erase_if(complaints, [](const auto& said) { return said.find("not understood, in") != said.npos; });
    CHECK_MESSAGE(complaints.empty(), (complaints.empty() ? "" : complaints.front()));
  }

 private:
  void step(const Json& line, const std::string& place) {
    const std::string what = line.at(0);
    const Json& message = line.at(1);
    if (what == "says") skill_->send(message.at("type"), message.at("data"), context_of(message));
    if (what == "hears") {
      const Json came = expect(*skill_, message, place);
      heard_[came.at("type")] = came;
    }
    if (what == "user") say(message);
    if (what == "user hears") {
      const Json came = expect(*user_, message, place);
      session_ = as_ovos_keeps(came.at("context").at("session"));
    }
  }

  static Json expect(CoreClient& client, const Json& wanted, const std::string& place) {
    Json came;
    try {
      came = client.receive(wanted.at("type").get<std::string>());
    } catch (const std::exception& nothing) {
      std::string passed;
      for (const auto& topic : topics_of(client.passed)) passed += "\n  " + topic;
      FAIL(place << ": " << wanted.at("type") << " never came (" << nothing.what() << "), but" << passed);
    }
    client.passed.clear();
    if (wanted.contains("data"))
      CHECK_MESSAGE(is_part_of(came.at("data"), wanted.at("data")),
                    place << ": " << came.at("data").dump() << " instead of " << wanted.at("data").dump());
    return came;
  }

  void say(const std::string& text) {
    skill_->catch_up();  // what it registers has been heard
    user_->send("recognizer_loop:utterance", {{"utterances", {text}}, {"lang", "en-US"}},
                {{"session", session_}, {"source", "tester"}, {"destination", "skills"}});
  }

  Json context_of(const Json& message) const {
    Json context = message.value("context", Json::object());
    for (const char* how : {"forward", "reply"}) {
      if (!context.contains(how)) continue;
      const bool swapped = how == std::string("reply");
      const std::string topic = context.at(how);
      context = heard_.at(topic).at("context");
      context["skill_id"] = skill_id_of(message, context);
      if (swapped && context.contains("source") && context.contains("destination"))
        std::swap(context.at("source"), context.at("destination"));
      return context;
    }
    context["session"] = ovos_session("default");
    return context;
  }
  static std::string skill_id_of(const Json& message, const Json& context) {
    const Json& data = message.at("data");
    return data.contains("skill_id") ? data.at("skill_id") : context.at("skill_id");
  }

  std::string file_;
  Served server_;
  std::optional<CoreClient> skill_, user_;
  std::map<std::string, Json> heard_;  ///< By topic, the last of each.
  Json session_ = ovos_session("user");
  int played_ = 0;
};

void replay(const std::string& file) {
  Replay(file).play();
}

}  // namespace

TEST_CASE("W-6 replay: a skill with template intents alone") {
  replay("camera.jsonl");
}
TEST_CASE("W-6 replay: Adapt intents, pictures on a screen") {
  replay("confucius-quotes.jsonl");
}
TEST_CASE("W-6 replay: a slot, and several answers") {
  replay("count.jsonl");
}
TEST_CASE("W-6 replay: an intent that a context opens") {
  replay("days-in-history.jsonl");
}
TEST_CASE("W-6 replay: a fallback skill") {
  replay("fallback-unknown.jsonl");
}
TEST_CASE("W-6 replay: vocabularies in other letters than the intent names them") {
  replay("hello-world.jsonl");
}
TEST_CASE("W-6 replay: a skill that converses") {
  replay("parrot.jsonl");
}
TEST_CASE("W-6 replay: slots between words") {
  replay("randomness.jsonl");
}
TEST_CASE("W-6 replay: an error, and complete behind it") {
  replay("volume.jsonl");
}
TEST_CASE("W-6 replay: a skill with questions") {
  replay("wordnet.jsonl");
}
