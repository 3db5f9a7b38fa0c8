#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <parley/sentences.hpp>
#include "atlas.hpp"
#include "names.hpp"
#include "reply.hpp"
#include "speech.hpp"
#include "world.hpp"

namespace parley::countries {

/// Answers questions about countries in the languages it has files for. Not for several threads at once.
class Guide {
 public:
  /// @param data  the skill's folder of that name
  /// @throws std::runtime_error naming file and line when countries.txt is broken
  Guide(std::filesystem::path data, LocaleResources locale);

  /// @param tag      BCP-47
  /// @param subject  what was spoken of before; with an answer, what is spoken of now
  /// @return nothing when it is no such question, or is about a country that is not known
  /// @throws std::runtime_error naming file and line when the language's names are broken
  std::optional<Reply> answer(std::string_view question, const std::string& tag, Subject& subject);
  /// What is asked of the country that was spoken of lately, by nothing but a pronoun and what it is about
  /// ("which ones are next to it", "and the money there"): for who knows that nobody else was meant.
  std::optional<Reply> answer_lately(std::string_view question, const std::string& tag, Subject& subject);
  std::optional<Reply> answer(std::string_view question, const std::string& tag) {
    Subject nothing;
    return answer(question, tag, nothing);
  }

 private:
  /// All about one language.
  struct Tongue {
    Tongue(const std::filesystem::path& data, const LocaleResources& locale, const std::string& tag,
           const Atlas& atlas)
        : names(data, tag, atlas), questions(locale, tag), speech(tag) {}
    Names names;
    Sentences questions;
    Speech speech;
  };
  class Answer;

  /// An answer to the question as it stands.
  /// @param is_all  of what was said: only then it may be the question before with another country
  std::optional<Sentences::Match> by_topic_of(const std::vector<std::string>& meanings,
                                              std::string_view question, const std::string& lang,
                                              const Names& names) const;
  std::optional<Reply> answered(std::string_view question, const Tongue& words, const std::string& lang,
                                Subject& subject, bool is_all) const;
  std::optional<Reply> answered(Sentences::Match match, const Tongue& words, const std::string& lang,
                                Subject& subject, bool is_all) const;
  static bool is_put_together(const Sentences::Match& match, const Subject& lately);
  const Tongue* tongue(const std::string& tag);
  /// What is spoken of when that is asked after something else.
  static Subject subject_of(const Sentences::Match& match, const Names& names, Subject before);

  std::filesystem::path data_;
  LocaleResources locale_;
  Atlas atlas_;
  World world_;
  std::map<std::string, Tongue> tongues_;  // by a language of locale_
};

}  // namespace parley::countries
