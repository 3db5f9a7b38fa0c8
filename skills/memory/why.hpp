#pragma once

#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <string>
#include <vector>

namespace parley::memory {

/// Why a turn went as it did, read from its trace.
struct Reason {
  enum class Kind {
    kWords,        ///< The words were those of an intent.
    kResemblance,  ///< They resembled one.
    kQuestion,     ///< Of those who had an answer its own was the best.
    kFallback,     ///< Nobody else took it.
    kFloor,        ///< The skill had the floor, or had asked something.
    kStop,
    kNobody,  ///< Nobody took it.
    kUnknown  ///< No trace was kept.
  };
  Reason() = default;
  Kind kind = Kind::kUnknown;
  std::string skill;                ///< As it is said: "date time".
  std::string words;                ///< What was said, without what filled slots.
  int certainty = 0;                ///< In percent; of kResemblance and kQuestion.
  std::vector<std::string> others;  ///< Other skills that came into question, as they are said.
};

/// @param turn  as `parley.turn.get` answers it
Reason reason_of(const Json& turn, const std::string& lang);

/// The dialog that says it.
const char* dialog_of(Reason::Kind kind);

/// "date_time.parley" → "date time".
std::string spoken_skill(std::string skill_id);

}  // namespace parley::memory
