#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace parley::bench {

/// A sentence somebody might say, and what should come of it.
struct FreeSentence {
  FreeSentence() = default;
  std::size_t line = 0;  ///< 1-based.
  std::string utterance;
  std::string lang;                                           ///< Empty: the configured one.
  std::string session;                                        ///< Fields of the session, a JSON object.
  std::optional<std::chrono::system_clock::time_point> time;  ///< Nothing: wherever the clock stands.
  bool goes_on = false;                                       ///< In the session of the one before.
  bool counts = true;                                         ///< Else it is only said.
  std::string skill_id;                                       ///< Empty: nobody, it is to be declined.
  std::optional<std::regex> speech;                           ///< Found in what is spoken.
  std::string speech_text;                                    ///< That pattern, as it was written.
};

struct FreeSentences {
  FreeSentences() = default;
  std::vector<FreeSentence> sentences;
  std::vector<std::string> problems;  ///< A sentence for each line that can't be read, with its place.
};

/// The format, for --help.
extern const char* const kFreeFormat;

/// @param name  of the file, for the problems
FreeSentences read_free_sentences(std::string_view name, std::string_view text);

/// What came of a sentence.
enum class FreeVerdict { kRight, kDeclined, kWrong };

/// @param skill_id  who answered; empty: nobody
/// @param speech    all that was spoken
/// @param declined  nobody knew what to do with it, or only who says so
FreeVerdict judge(const FreeSentence& wanted, std::string_view skill_id, const std::string& speech,
                  bool declined);

}  // namespace parley::bench
