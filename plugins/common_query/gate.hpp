#pragma once

#include <map>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::common_query {

/// Whether an utterance may be a question of fact (section 4). It only rejects what plainly is something
/// else: greetings, and what begins or ends like a command and has no sign of a question. In doubt it
/// accepts. What it knows lies in the stage's locale files, which may all be missing:
///
/// | file | holds |
/// | --- | --- |
/// | `chatter.voc` | greetings and short commands, no question when they are all that is said |
/// | `polite.voc` | what may stand before and after anything and says nothing: "could you", "please" |
/// | `question_start.voc` | what questions begin with, the polite words aside |
/// | `question.voc` | what makes a question of an utterance wherever it stands |
/// | `and.voc` | joins questions; only for joint_at() |
/// | `filler.voc` | words that say nothing wherever they stand: "denn", "actually"; only for bare() |
/// | `command_start.voc`, `command_end.voc` | what commands begin and end with, the polite words aside |
/// | `command_verb.voc`, `command_object.voc` | one of the former and then one of the latter also begin a
/// command |
///
/// The files are looked at in this order, and the first that knows the utterance decides. A phrase has at
/// most eight words; apostrophes and hyphens separate words as parley::words() says.
class Gate {
 public:
  /// @param locale  must outlive the gate
  explicit Gate(const LocaleResources& locale) : locale_(locale) {}

  /// Accepts everything in a language without files, rejects what holds no word in any other. Takes
  /// arbitrary bytes. Not thread-safe: a language is prepared when it is first asked for.
  bool accepts(std::string_view utterance, const std::string& lang);
  /// The utterance without the polite words before and behind it and the fillers in it, never empty.
  std::string bare(std::string_view utterance, const std::string& lang);
  /// Whether it begins like a question and goes on.
  bool begins_like_question(std::span<const Word> said, const std::string& lang);
  /// False only where no word can begin a phrase of `and.voc`: most utterances, and it costs next to nothing.
  bool may_join(std::string_view utterance, const std::string& lang);
  /// How many words at the beginning are a phrase of `and.voc`; 0: none.
  std::size_t joint_at(std::span<const Word> said, const std::string& lang);

 private:
  struct Language {
    Language() = default;
    bool known = false;
    PhraseSet question_start, question, polite, command_start, command_end, chatter, command_verb,
        command_object, filler, joint;
    std::vector<std::string> joint_starts;  ///< What their phrases begin with, in matching form, each once.
  };
  const Language& language(const std::string& lang);

  const LocaleResources& locale_;
  std::map<std::string, Language, std::less<>> languages_;
};

}  // namespace parley::common_query
