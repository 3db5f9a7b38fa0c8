#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <parley/message.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace parley::net::ovos {

/// The letters and digits of a skill's id, as Adapt puts them before the names of the skill's vocabularies.
std::string letters_of(const std::string& skill_id);
/// A vocabulary's or a context's name without the letters of its skill.
std::string plain_name(const std::string& skill_id, const std::string& type);

/// What the skills of one connection have told Adapt: vocabularies, phrase by phrase, and intents that refer
/// to them. Gives the registrations that mean the same (ovos-wire 2.3 to 2.6). Vocabularies may come after
/// the intents; their types are compared without regard to case.
class Keywords {
 public:
  /// Bounds of one connection.
  static constexpr std::size_t kMostPhrases = 65'536, kMostText = std::size_t{4} << 20U, kMostIntents = 4'096;
  static constexpr std::size_t kMostTypes = 64;  ///< That one intent refers to.
  static constexpr std::size_t kMostLangs = 64;  ///< Of one skill's vocabularies.
  /// Bytes of phrases in one registration; and from where on renew() gives no more at a time.
  static constexpr std::size_t kMostRegistered = std::size_t{256} << 10U, kRenewedText = 65'536;

  enum class Taken { kYes, kMalformed, kRegex, kFull };

  /// `register_vocab`: one phrase. Intents that want its vocabulary are due for renew().
  Taken add_phrase(const std::string& skill_id, const Json& data);
  /// `register_intent`.
  /// @param into  gets the registrations, one for each language that has the vocabularies
  Taken add_intent(const std::string& skill_id, const Json& data, std::vector<Message>& into);
  void remove_intent(const std::string& skill_id, const std::string& name);
  void remove_skill(const std::string& skill_id);

  bool is_due() const noexcept { return !due_.empty() || !grown_.empty(); }
  /// Registrations of intents whose vocabularies have grown: some of them, the rest with the next call.
  std::vector<Message> renew();

  bool has(const std::string& skill_id, const std::string& name) const {
    return intents_.contains({skill_id, name});
  }
  /// Types of an intent that only the context fills (2.6): with their keys there.
  std::map<std::string, std::string> context_of(const std::string& skill_id, const std::string& name) const;
  /// The key of a context as an intent of the skill spells it.
  std::string context_key(const std::string& skill_id, const std::string& context) const;

 private:
  using Id = std::pair<std::string, std::string>;  ///< Skill and name; of vocabularies, the folded type.
  struct Type {
    Type(std::string kind, std::string called) : type(std::move(kind)), name(std::move(called)) {}
    std::string type;  ///< As it was given.
    std::string name;  ///< Of the slot.
  };
  using Types = std::vector<Type>;
  struct Intent {
    Intent() = default;
    Types required, optional, excluded;
    std::vector<Types> one_of;
  };
  struct Vocabulary {
    std::vector<std::string> phrases;
    std::set<std::string> seen;
    std::size_t text = 0;
  };
  using ByLang = std::map<std::string, Vocabulary>;

  const ByLang* vocabularies(const std::string& skill_id, const std::string& type) const;
  const Vocabulary* vocabulary(const std::string& skill_id, const std::string& type,
                               const std::string& lang) const;
  void append(const Id& id, const Intent& intent, std::vector<Message>& into, std::size_t& text) const;
  std::optional<Json> described(const std::string& skill_id, const Intent& intent, const std::string& lang,
                                std::size_t& text) const;
  /// The vocabularies an intent refers to, with both spellings of what it excludes.
  static std::set<Id> vocabularies_of(const Id& id, const Intent& intent);

  std::map<Id, ByLang> vocabularies_;
  std::map<Id, Intent> intents_;
  std::map<Id, std::set<Id>> users_;                    ///< Intents by the vocabularies they refer to.
  std::map<std::string, std::set<std::string>> langs_;  ///< Of vocabularies, by skill.
  std::set<Id> grown_;                                  ///< Vocabularies that intents referred to before.
  std::set<Id> due_;                                    ///< Intents to be registered again.
  std::size_t phrases_ = 0, text_ = 0;
};

}  // namespace parley::net::ovos
