#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
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
    note(query, std::move(subject));
    co_return QuestionAnswer(std::move(reply->text), reply->confidence);
  }

  Subject subject_of(const Query& query) const {
    const auto known = lately_.find(whose(query));
    const bool holds = known != lately_.end() && clock().now() <= known->second.when + kLifetime;
    return holds ? known->second.subject : Subject();
  }

  void note(const Query& query, Subject subject) {
    if (lately_.size() >= kMostSessions) {
      const auto oldest = std::min_element(lately_.begin(), lately_.end(), [](const auto& a, const auto& b) {
        return a.second.when < b.second.when;
      });
      lately_.erase(oldest);
    }
    lately_.insert_or_assign(whose(query), Lately(std::move(subject), clock().now()));
  }

  static std::string whose(const Query& query) {
    return query.message ? query.message->owner() + '/' + query.message->session_id() : std::string();
  }

  struct Lately {
    Lately(Subject what, Clock::Time at) : subject(std::move(what)), when(at) {}
    Subject subject;
    Clock::Time when;
  };
  std::map<std::string, Lately> lately_;  ///< By owner and session.
  std::optional<Guide> guide_;
};

}  // namespace
}  // namespace parley::countries

PARLEY_SKILL(parley::countries::Countries, "countries.parley")
