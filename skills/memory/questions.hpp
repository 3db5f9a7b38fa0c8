#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/sentences.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts.hpp"

namespace parley::memory {

/// What is asked about something that somebody may have told.
struct Question {
  enum class Kind {
    kAbout,  ///< "What do you know about Ana".
    kWhere,
    kWhat,
    kWho,
    kWhen,
    kWhose,     ///< "Whose birthday is on May 5th".
    kParked,    ///< "Where did I park".
    kAllergic,  ///< "What am I allergic to".
    kOpen       ///< Anything else: "who did I lend the ladder to". What was told has all its words.
  };
  Question(Kind what, std::string whom) : kind(what), thing(std::move(whom)) {}
  Kind kind;
  std::string thing;  ///< As it was said: "my wife". Of kParked and kAllergic the words that say so.
  std::string value;  ///< Of kWhose: "May 5th".
  std::optional<std::chrono::month_day> day;  ///< The day that is, if it is one.
  bool is_definite = false;                   ///< "The passport", and what is_own.
  bool is_own = false;  ///< It is of the one who asks: "my wife", "where did I put …".
};

/// Something plainly said of something: "no, the key is in the drawer".
struct Statement {
  Statement(std::string whom, std::string all) : thing(std::move(whom)), text(std::move(all)) {}
  std::string thing;  ///< "The key".
  std::string text;   ///< Without the "no".
};

/// Reads questions and what takes back an answer, in every language of the skill. One thread at a time.
class Questions {
 public:
  explicit Questions(const LocaleResources& locale);

  /// Nothing: it is none, or one about things in general ("what is a key").
  /// @param now  on the user's wall
  std::optional<Question> read(const std::string& text, const std::string& lang,
                               std::chrono::local_seconds now) const;
  /// The same, also within what is said: "have you any idea where the passports might be", "the code for the
  /// garage, quick".
  std::optional<Question> read_within(const std::string& text, const std::string& lang,
                                      std::chrono::local_seconds now) const;
  /// With all words for the people in it: "mom's birthday", "mother", "mum".
  std::string widened(const std::string& text, const std::string& lang) const;
  /// Whether it has words that say anything: not "can you".
  bool is_anything(const std::string& text, const std::string& lang) const;
  /// Whether something is asked at all, in whatever words: "shoe store, quick, Max's size?".
  bool asks(const std::string& text, const std::string& lang) const;
  /// Whether it has a word that asks: not only "the password".
  bool asks_plainly(const std::string& text, const std::string& lang) const;
  /// A question from its first asking word on, if it says behind that what it is about; else all of it.
  std::string asked_part(const std::string& text, const std::string& lang) const;
  /// Whether that is a question from its first word on; no such thing is ever a fact.
  bool begins_as_question(const std::string& text, const std::string& lang) const;
  /// Whether a question names what a fact is about, and what it tells of that, wherever in it these stand.
  bool names(const std::string& asked, const Fact& fact, const std::string& lang) const;
  /// The words of a text that say what it is about.
  std::vector<std::string> topic(const std::string& text, const std::string& lang) const;
  /// How many of some words, as of topic(), a text has.
  std::size_t count_in(const std::string& text, const std::vector<std::string>& topic,
                       const std::string& lang) const;
  /// What a word is for, by the first of its line in `recall_kinds.voc`: "sum" is "calculator". Empty:
  /// nothing.
  std::string kind_of(const std::string& word, const std::string& lang) const;

  /// Whether a fact says what is asked.
  bool answers(const Question& question, const Fact& fact, const std::string& lang) const;
  /// Whether it is about just that: "the key", not "the spare key".
  bool is_just_that(const Question& question, const Fact& fact, const std::string& lang) const;

  /// Nothing: it is none, or of nothing definite ("dogs are loud").
  std::optional<Statement> statement(const std::string& text, const std::string& lang) const;
  /// What is to hold in place of what was said last: "no, it's in the drawer" → "in the drawer".
  std::optional<std::string> instead(const std::string& text, const std::string& lang) const;
  /// Whether both are the same thing, and nothing more: "the key" and "my keys".
  bool is_of(const Statement& statement, const Fact& fact, const std::string& lang) const;

  /// Whether a text is that fact, in whatever order.
  bool says(const std::string& said, const Fact& fact, const std::string& lang) const;

  /// Whether a text is a sentence of that file, with polite words around it.
  bool is(const std::string& text, const std::string& file, const std::string& lang) const;
  /// "Me", "mich": not something, but whoever says it.
  bool is_oneself(const std::string& thing, const std::string& lang) const;

 private:
  struct Language {
    Language(const LocaleResources& locale, const std::string& tag);
    Sentences sentences;
    std::set<std::string> articles, indefinite, own, that;  ///< Words, folded.
    std::set<std::string> function;          ///< Words of a question that say nothing about what is asked.
    std::set<std::string> bare;              ///< What is asked for by its name alone: "code".
    std::set<std::string> asking;            ///< What a question begins with.
    std::set<std::string> possessive;        ///< "My", of what is own.
    std::set<std::string> codes;             ///< What stands for each other: "number", "code".
    std::set<std::string> wheres, calls;     ///< What asks for a place, and for a name.
    std::set<std::string> which_one;         ///< What tells one of several: "new".
    std::set<std::string> places;            ///< What a place is told with: "under".
    std::map<std::string, std::string> kin;  ///< "Mom" → "mother".
    std::map<std::string, std::string> kinds;
    PhraseSet forgetting;                          ///< What takes something back.
    PhraseSet wants;                               ///< What asks for something: "I forgot".
    PhraseSet expletives;                          ///< "In the name of God", within a question.
    std::string parked, allergic, birthday;        ///< What to look for.
    std::vector<std::vector<std::string>> put_at;  ///< "In", of what was put "to".
  };
  const Language* language(const std::string& lang) const;
  /// The thing of a question, and what else is read of it; nothing: it asks about things in general.
  static std::optional<Question> asked_in(const Sentences::Match& match, Question::Kind kind,
                                          const Language& by, const std::string& lang,
                                          std::chrono::local_seconds now);
  /// "Who did I lend the ladder to": the words that what was told must have.
  static std::optional<Question> open_in(const std::string& what, const std::string& text,
                                         const std::string& name, const Language& by,
                                         const std::string& lang);
  /// Without what only says how impatient somebody is: "where on earth did I put my glasses".
  static std::string plain(const Language& by, const std::string& text, const std::string& lang);
  /// "In the garage" of "to the garage".
  static std::string where_it_is(const std::string& where_to, const Language& by, const std::string& lang);
  /// Whether what asks is only named there: "you can forget what Tom owes me".
  static bool is_given_up(const Language& by, std::span<const Word> said, std::size_t asking);
  /// Whether what is asked leads what was told of: "the glasses", "the glasses for reading".
  static bool is_led_by(const Language& by, const std::vector<std::string>& asked,
                        const std::vector<std::string>& subject, const std::string& lang);
  /// Whether one of them is that word, however it ends.
  static bool is_among(const std::string& word, const std::vector<std::string>& some);
  /// "Lesebrille" and "Brille"; "Großmutter" is another than "Mutter".
  static bool is_compound(const Language& by, const std::string& longer, const std::string& shorter);
  /// The content of what is asked, without words that say nothing about it, unless it has no others.
  static std::vector<std::string> essence(const Language& by, const std::string& text,
                                          const std::string& lang);
  static bool answers_whose(const Language& by, const Question& question, const Fact& fact,
                            const std::string& lang);
  /// The words of a text without articles and "my".
  static std::vector<std::string> content(const Language& by, const std::string& text,
                                          const std::string& lang);

  LocaleResources locale_;
  mutable std::map<std::string, Language> languages_;  ///< Those that were spoken.
};

}  // namespace parley::memory
