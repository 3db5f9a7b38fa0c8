#pragma once

#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <set>
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
    kParked,   ///< "Where did I park".
    kAllergic  ///< "What am I allergic to".
  };
  Question(Kind what, std::string whom) : kind(what), thing(std::move(whom)) {}
  Kind kind;
  std::string thing;         ///< As it was said: "my wife". Of kParked and kAllergic the words that say so.
  bool is_definite = false;  ///< "The passport", and what is_own.
  bool is_own = false;       ///< It is of the one who asks: "my wife", "where did I put …".
};

/// Reads questions, in every language of the skill.
class Questions {
 public:
  explicit Questions(const LocaleResources& locale);

  /// Nothing: it is none, or one about things in general ("what is a key").
  std::optional<Question> read(const std::string& text, const std::string& lang) const;
  /// Whether a fact says what is asked.
  bool answers(const Question& question, const Fact& fact, const std::string& lang) const;
  /// Whether it is about just that: "the key", not "the spare key".
  bool is_just_that(const Question& question, const Fact& fact, const std::string& lang) const;

  /// "Me", "mich": not something, but whoever says it.
  bool is_oneself(const std::string& thing, const std::string& lang) const;

 private:
  struct Language {
    Language(const LocaleResources& locale, const std::string& tag);
    Sentences sentences;
    std::set<std::string> articles, indefinite, own;  ///< Words, folded.
    std::string parked, allergic;                     ///< What to look for.
  };
  const Language* language(const std::string& lang) const;
  /// The words of a text without articles and "my".
  static std::vector<std::string> content(const Language& by, const std::string& text,
                                          const std::string& lang);

  std::vector<std::string> tags_;
  std::map<std::string, Language> languages_;
};

}  // namespace parley::memory
