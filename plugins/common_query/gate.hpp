#pragma once

#include <map>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <string>
#include <string_view>

namespace parley::common_query {

/// Whether an utterance may be a question of fact (section 4). It only rejects what plainly is something
/// else; in doubt it accepts. What it knows lies in the stage's locale files:
///
/// | file | holds |
/// | --- | --- |
/// | `question_start.voc` | what questions begin with |
/// | `question.voc` | what makes a question of an utterance wherever it stands |
/// | `polite.voc` | what may stand before anything and says nothing |
/// | `command_start.voc`, `command_end.voc` | what commands begin and end with |
/// | `chatter.voc` | greetings and the like that are the whole utterance |
class Gate {
 public:
  /// @param locale  must outlive the gate
  explicit Gate(const LocaleResources& locale) : locale_(locale) {}

  /// Accepts everything in a language without files.
  bool accepts(std::string_view utterance, const std::string& lang);

 private:
  struct Language {
    Language() = default;
    bool known = false;
    PhraseSet question_start, question, polite, command_start, command_end, chatter;
  };
  const Language& language(const std::string& lang);

  const LocaleResources& locale_;
  std::map<std::string, Language, std::less<>> languages_;
};

}  // namespace parley::common_query
