#include <filesystem>
#include <optional>
#include <parley/skill.hpp>
#include <utility>

#include "guide.hpp"

namespace parley::countries {
namespace {

constexpr Duration kLatency = std::chrono::milliseconds(10);

/// Knows capitals, populations, areas, currencies, languages and neighbours of countries.
class Countries final : public Skill {
 public:
  void start() override {
    guide_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&Countries::claims, &Countries::answer);
  }

 private:
  std::optional<QuestionClaim> claims(const Query& query) {
    if (!guide_->answer(query.utterances.front(), query.lang)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    auto reply = guide_->answer(query.utterances.front(), query.lang);
    if (!reply) co_return std::nullopt;
    co_return QuestionAnswer(std::move(reply->text), reply->confidence);
  }

  std::optional<Guide> guide_;
};

}  // namespace
}  // namespace parley::countries

PARLEY_SKILL(parley::countries::Countries, "countries.parley")
