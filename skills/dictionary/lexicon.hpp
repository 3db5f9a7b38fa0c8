#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <parley/sentences.hpp>
#include <parley/text.hpp>
#include "wordnet.hpp"

namespace parley::dictionary {

/// An answer as it is spoken, and how sure it is by Appendix B of common query.
struct Reply {
  std::string text;
  double confidence;
};

/// A question about words that was understood, and the words looked up.
struct Inquiry {
  std::string question;  ///< The name of its intent file.
  std::map<std::string, std::string> said;
  std::vector<Entry> word;   ///< The parts of speech it has; never empty.
  std::vector<Entry> other;  ///< Of "is … a kind of …": the kind.
};

/// What was asked last; empty: nothing.
struct Asked {
  std::string question;  ///< The name of its intent file.
  std::string word;
};

/// Answers questions about English words that are asked in one language. Not for several threads at once.
class Lexicon {
 public:
  /// @param locale  of the skill
  /// @param lang  one of locale.languages()
  Lexicon(LocaleResources locale, std::shared_ptr<const WordNet> wordnet, std::string lang);

  /// Understands a question, in memory alone.
  /// @param tag  BCP-47
  /// @param before  for "no, the other one, peace"
  /// @return nothing when it is none, or about words that are not known
  std::optional<Inquiry> understand(std::string_view question, std::string_view tag,
                                    const Asked& before = {}) const;
  /// Whether it is plainly a word that is asked about, whatever else is said: "how you spell it".
  bool is_plain(const Inquiry& inquiry, std::string_view question) const;
  /// Reads what is asked for.
  /// @return nothing when WordNet does not have it
  /// @throws std::runtime_error when the database is broken
  std::optional<Reply> answer(const Inquiry& inquiry) const;

 private:
  std::optional<Inquiry> read(std::string_view question, const Asked& before) const;
  /// Whether an English word is asked about in another language: that is said ("das englische Wort Gift"), or
  /// it goes on from one. No name, and no translation.
  bool is_of_english(const Inquiry& inquiry, std::string_view question, bool goes_on) const;
  /// "Any synonyms?", of the word that was asked about before.
  std::optional<Inquiry> of_the_word_before(std::string_view question, const Asked& before) const;
  std::optional<Inquiry> understood(std::string_view question, const std::string& before) const;
  /// By what is asked of a word, `topic_<question>.voc`, and the word behind it, in whatever sentence: "I'm
  /// writing a poem and need a synonym for sorrow".
  std::optional<Inquiry> by_topic(std::string_view question) const;
  std::optional<Inquiry> by_fear(std::string_view question) const;
  std::optional<Inquiry> of_a_clause(std::string_view question) const;
  /// "Generous, it is a noun or an adjective": what it ends with is asked.
  std::optional<Inquiry> of_part_of_speech(std::string_view question) const;
  std::optional<Inquiry> by_pointed_word(std::string_view question) const;
  /// The words that are in quotation marks or pointed at ("the word reluctant"), the surest first.
  std::vector<std::string> pointed_at(std::string_view question, std::span<const Word> said) const;
  /// The only word that may be meant: "generous, it is a noun or an adjective". Empty: there are several.
  std::string only_word(std::string_view question, std::span<const Word> said) const;
  std::optional<Inquiry> look_up(const Sentences::Match& match) const;
  std::string without_article(const std::string& said) const;
  std::optional<Reply> definition(const Inquiry& inquiry, double confidence) const;
  std::optional<Reply> synonyms(const Inquiry& inquiry) const;
  std::optional<Reply> opposite(const Inquiry& inquiry) const;
  std::optional<Reply> opposite_of_kin(const std::vector<Entry>& entries) const;
  std::optional<std::string> opposite_of(const Synset& meaning, PartOfSpeech part) const;
  std::optional<Reply> kind(const Inquiry& inquiry) const;
  std::optional<Reply> spelling(const Inquiry& inquiry) const;
  std::optional<Reply> part_of_speech(const Inquiry& inquiry) const;
  std::optional<Reply> example(const Inquiry& inquiry) const;
  /// Those a noun points to: kinds of it, or its parts.
  std::optional<Reply> related(const Inquiry& inquiry, const std::string& dialog,
                               const std::vector<std::string>& symbols) const;
  std::optional<Reply> described(const Inquiry& inquiry) const;
  /// Of somebody whom a definition calls something more particular; none: there is none.
  std::vector<std::string> person_defined_by(std::vector<std::string> wanted) const;
  /// The words that say something, in their base form or as they are.
  std::vector<std::string> telling(const std::string& said) const;
  /// Whether a definition of the word names the other.
  bool defined_by(const Entry& word, const Entry& other) const;
  Reply say(const std::string& dialog, const std::map<std::string, std::string>& slots,
            double confidence) const;

  LocaleResources locale_;
  std::string lang_;
  Sentences questions_;
  PhraseSet translations_;  ///< What asks for a translation.
  std::shared_ptr<const WordNet> wordnet_;
};

}  // namespace parley::dictionary
