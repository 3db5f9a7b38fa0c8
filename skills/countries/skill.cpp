#include <filesystem>
#include <optional>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <string>
#include <utility>

#include "guide.hpp"

namespace parley::countries {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(10);
/// So long a question may leave out what was spoken of.
constexpr std::chrono::minutes kLifetime{2};
constexpr std::size_t kMostSessions = 256;

/// Knows capitals, populations, areas, currencies, languages and neighbours of countries.
class Countries final : public Skill {
 public:
  void start() override {
    guide_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&Countries::claims, &Countries::answer);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    Subject subject = subject_of(query);
    if (!guide_->answer(query.utterances.front(), query.lang, subject)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    Subject subject = subject_of(query);
    auto reply = guide_->answer(query.utterances.front(), query.lang, subject);
    if (!reply) co_return std::nullopt;
    lately_.note(*query.message, std::move(subject), clock().now());
    co_return QuestionAnswer(std::move(reply->text), reply->confidence);
  }

  Subject subject_of(const Query& query) const {
    const Subject* const known = lately_.find(query.session_key(), clock().now());
    return known == nullptr ? Subject() : *known;
  }

  SessionMemory<Subject> lately_{kMostSessions, kLifetime};
  std::optional<Guide> guide_;
};

}  // namespace
}  // namespace parley::countries

PARLEY_SKILL(parley::countries::Countries, "countries.parley")
