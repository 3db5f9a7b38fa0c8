#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "support/ovos_session.hpp"
#include "support/program.hpp"
#include "support/served.hpp"

namespace parley::testing {

/// Texts, which a test that fails prints.
class Texts : public std::vector<std::string> {
 public:
  using std::vector<std::string>::vector;
  friend std::ostream& operator<<(std::ostream& out, const Texts& words) {
    for (const auto& word : words) out << '[' << word << "] ";
    return out;
  }
};

inline Texts python(const std::string& program, unsigned short port, const std::string& route = "/core") {
  return {PARLEY_PYTHON, "-B", std::string(PARLEY_SUPPORT) + "/" + program, "--url",
          "ws://127.0.0.1:" + std::to_string(port) + route};
}
inline Texts joined(Texts words, const Texts& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Skills of ovos_skills.py in a process of their own, on one connection. When this is made, the assistant
/// has heard all of what they register.
class OlderSkills {
 public:
  OlderSkills(const Served& server, const Texts& names)
      : watcher_(server.client(kLoaded)),
        program_(joined(python("ovos_skill.py", server.port()), joined({"--retry", "0.1"}, names))) {
    wait_for_all(watcher_, names);
  }
  /// Waits until they have registered with a server that was not there when they were made.
  static void wait_for_all(CoreClient& watcher, Texts names) {
    while (!names.empty())
      std::erase(names, watcher.receive("mycroft.skills.loaded").at("data").at("id").get<std::string>());
  }
  /// Waits for a line on its standard output.
  void wait_for(const std::string& line) { program_.wait_for(line); }

  static constexpr const char* kLoaded = "?topics=mycroft.skills.loaded";

 private:
  CoreClient watcher_;
  Program program_;
};

/// What ovos_client.py told: the topics it heard, each with its text.
class Heard {
 public:
  explicit Heard(Json told) : told_(std::move(told)) {}
  /// The texts on a topic, in order.
  Texts texts(const std::string& topic) const {
    Texts texts;
    for (const auto& [heard, text] :
         told_.at("heard").get<std::vector<std::pair<std::string, std::string>>>())
      if (heard == topic) texts.push_back(text);
    return texts;
  }
  Texts spoken() const { return texts("speak"); }
  std::size_t count(const std::string& topic) const { return texts(topic).size(); }
  const Json& session() const { return told_.at("session"); }

 private:
  Json told_;
};

/// Runs ovos_client.py to its end and gives what it printed.
inline Json run_client(unsigned short port, const Texts& arguments, const std::string& route = "/core") {
  Program client(joined(python("ovos_client.py", port, route), arguments));
  return Json::parse(client.line());
}
/// A conversation of a named session; `default` is one, too.
inline Heard conversation(unsigned short port, const std::string& session, const Texts& utterances) {
  return Heard(run_client(port, joined({"--session", session}, utterances)));
}

/// A server that understands OVOS of before the specifications, with the stages that come along.
class OvosServer : public Served {
 public:
  OvosServer() {
    config.gateway.compat = net::Compat::kOvos;
    real_stages({"stop_high", "converse", "intent_high", "common_query", "intent_medium", "fallback_high",
                 "fallback_medium", "intent_low", "fallback_low"});
    set("common_query", "early_start", false);  // else questions are asked beside intents as well
  }
  void set(const std::string& stage, const std::string& option, Json value) {
    config.stages.at(stage).options[option] = std::move(value);
  }
};

}  // namespace parley::testing
