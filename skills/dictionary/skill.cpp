#include <fmt/format.h>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <parley/language.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <string>
#include <utility>

#include "lexicon.hpp"

namespace parley::dictionary {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(20);
/// So long a question may leave out what is asked of a word.
constexpr std::chrono::minutes kLifetime{2};
constexpr std::size_t kMostSessions = 256;
/// Where a word is plainly asked about, no number in the sentence is: "I've written urgent three times, give
/// me another word".
constexpr double kPlain = 0.97;

/// Says what English words mean, from WordNet.
class Dictionary final : public Skill {
 public:
  static constexpr const char* kAbout = "What words mean.";
  static constexpr std::array kSettings{
      Option::text("database", "/usr/share/wordnet", "The folder with WordNet's files.")};

  void start() override {
    const std::filesystem::path database = settings().text("database");
    if (!WordNet::is_installed(database)) {
      log(LogLevel::kWarning,
          fmt::format("WordNet is not in {}: no words are explained. Install the package wordnet-base, "
                      "or set skills.settings.{}.database",
                      database.string(), skill_id()));
      return;
    }
    wordnet_ = std::make_shared<const WordNet>(database);
    on_question(&Dictionary::claims, &Dictionary::answer);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    return understand(query).second ? std::optional(QuestionClaim(kLatency)) : std::nullopt;
  }

  /// With the lexicon of the language that is spoken.
  std::pair<const Lexicon*, std::optional<Inquiry>> understand(const Query& query) {
    const auto tag = closest_language(query.lang, locale().languages());
    if (!tag) return {nullptr, std::nullopt};
    const Lexicon& lexicon = lexicons_.try_emplace(*tag, locale(), wordnet_, *tag).first->second;
    return {&lexicon, lexicon.understand(query.utterances.front(), query.lang, before(query))};
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const auto [lexicon, inquiry] = understand(query);
    if (!inquiry) co_return std::nullopt;
    auto reply = lexicon->answer(*inquiry);
    if (!reply) co_return std::nullopt;
    note(query, *inquiry);
    const bool is_plain = lexicon->is_plain(*inquiry, query.utterances.front());
    co_return QuestionAnswer(std::move(reply->text), is_plain ? kPlain : reply->confidence);
  }

  /// What was asked last; empty: nothing lately.
  Asked before(const Query& query) const {
    const Asked* const known = lately_.find(query.session_key(), clock().now());
    return known == nullptr ? Asked() : *known;
  }

  void note(const Query& query, const Inquiry& inquiry) {
    const auto word = inquiry.said.find("word");
    Asked asked{inquiry.question, word == inquiry.said.end() ? std::string() : word->second};
    lately_.note(*query.message, std::move(asked), clock().now());
  }

  SessionMemory<Asked> lately_{kMostSessions, kLifetime};
  std::shared_ptr<const WordNet> wordnet_;
  std::map<std::string, Lexicon> lexicons_;  ///< Of the languages that were spoken.
};

}  // namespace
}  // namespace parley::dictionary

PARLEY_SKILL(parley::dictionary::Dictionary, "dictionary.parley")
