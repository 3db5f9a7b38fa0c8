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
/// So long it may where it is clear that a country is meant.
constexpr std::chrono::minutes kLongest{10};
constexpr std::size_t kMostSessions = 256;
/// Asked before what only resembles an intent.
constexpr int kLatelyPriority = 14;

/// Knows capitals, populations, areas, currencies, languages and neighbours of countries.
class Countries final : public Skill {
 public:
  void start() override {
    guide_.emplace(std::filesystem::path(folder()) / "data", locale());
    on_question(&Countries::claims, &Countries::answer);
    on_fallback(kLatelyPriority, &Countries::asks_lately, &Countries::tell_lately);
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
    note(*query.message, std::move(subject));
    co_return QuestionAnswer(std::move(reply->text), reply->confidence);
  }

  bool asks_lately(const Query& query) {
    Subject subject = lately(query.session_key());
    return guide_->answer_lately(query.utterances.front(), query.lang, subject).has_value();
  }

  Task<> tell_lately(Turn turn) {
    Subject subject = lately(turn.session_key());
    const auto reply = guide_->answer_lately(turn.text(), turn.lang(), subject);
    if (!reply) co_return;
    note(turn.message(), std::move(subject));
    turn.speak(reply->text);
  }

  Subject subject_of(const Query& query) const {
    const Lately* const known = lately_.find(query.session_key(), clock().now());
    return known == nullptr || clock().now() - known->when > kLifetime ? Subject() : known->subject;
  }

  Subject lately(const SessionKey& session) const {
    const Lately* const known = lately_.find(session, clock().now());
    return known == nullptr ? Subject() : known->subject;
  }

  void note(const Message& message, Subject subject) {
    lately_.note(message, Lately{std::move(subject), clock().now()}, clock().now());
  }

  struct Lately {
    Subject subject;
    Clock::Time when;
  };
  SessionMemory<Lately> lately_{kMostSessions, kLongest};
  std::optional<Guide> guide_;
};

}  // namespace
}  // namespace parley::countries

PARLEY_SKILL(parley::countries::Countries, "countries.parley")
