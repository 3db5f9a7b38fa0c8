#pragma once

#include <map>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/templates.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley {

/// The sentences of a skill's `.intent` files, matched by the skill itself: word for word, with phrases of
/// its `polite.voc` allowed before and after. Skills that answer questions of fact recognise them this way.
/// Unlike intents, these sentences are not registered. Immutable, so any thread may read it.
class Sentences {
 public:
  /// @param lang  one of locale.languages()
  Sentences(const LocaleResources& locale, const std::string& lang);

  struct Match {
    std::string name;                          ///< Of the file.
    std::map<std::string, std::string> slots;  ///< As they were said; each one word or more.
  };
  /// Every way to read `utterance`, the sentences with the fewest words in slots first. Repetitions may
  /// occur.
  std::vector<Match> match(std::string_view utterance) const;

 private:
  struct Form {
    std::string name;
    Pattern pattern;
  };
  using Found = std::vector<std::pair<std::size_t, Match>>;  // with the number of words outside of slots
  void add(const std::string& name, const std::string& sample);
  void find(std::string_view utterance, std::span<const Word> said, Found& found) const;
  std::span<const Word> without_polite_start(std::span<const Word> said) const;
  std::span<const Word> without_polite_end(std::span<const Word> said) const;

  std::string lang_;
  PhraseSet polite_;
  std::vector<Form> forms_;
  // Indices into forms_, rising; "" for those that can begin with a slot.
  std::unordered_map<std::string, std::vector<std::size_t>> by_first_word_;
};

}  // namespace parley
