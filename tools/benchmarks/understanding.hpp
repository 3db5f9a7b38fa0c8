#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/assistant.hpp"

namespace parley::bench {

/// What the intent stage made of one utterance.
struct Understood {
  Understood() = default;
  std::string intent;                        ///< Taken by an entry; empty: by none.
  std::string skill_id;                      ///< Whose that is.
  std::string entry;                         ///< Of the pipeline, that took it.
  std::string best;                          ///< The surest candidate, taken or not; empty: there was none.
  double certainty = 0;                      ///< Of `best`; above 1 for what is word for word.
  std::map<std::string, std::string> slots;  ///< Of `intent`.
  bool learnt = true;                        ///< Everything that was registered, when it was said.
  std::chrono::nanoseconds took{0};          ///< From the utterance to the end of its turn.
};

/// An assistant with nothing but the intent stage, taught through registration messages.
class Understanding {
 public:
  /// @param lang  a BCP-47 tag
  explicit Understanding(const std::string& lang);

  /// Registers `{intents, entities}` as /docs/intents.md describes test sets. An entity without a skill_id is
  /// registered for every skill; `keyword` holds keyword intents.
  void load(const nlohmann::json& set);
  void add_intent(const std::string& skill_id, const std::string& name, const nlohmann::json& data);
  /// Waits until everything registered has been learnt.
  void wait_until_learnt();
  /// Says something and looks at what comes of it.
  Understood understand(const std::string& utterance, bool with_candidates);

 private:
  void add(const char* topic, const std::string& skill_id, const std::string& name,
           const nlohmann::json& data);
  void publish(const std::string& topic, const std::string& skill_id, nlohmann::json data);

  std::string lang_;
  std::unique_ptr<Assistant> assistant_;
};

}  // namespace parley::bench
