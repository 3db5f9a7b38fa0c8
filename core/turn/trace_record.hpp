#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/trace.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// What happened in one turn, in order. Written from any thread.
class TraceRecord {
 public:
  TraceRecord(const Clock& clock, std::string utterance_id, std::string session_id,
              std::vector<std::string> utterances);

  /// What a step is of, as `skill_id:intent_name` where it has two names.
  struct Subject {
    Subject(std::string_view one) : name(one) {}
    Subject(std::string_view skill_id, std::string_view intent_name) : name(skill_id), intent(intent_name) {}
    std::string text() const;
    std::string_view name, intent;
  };
  using Facts = std::span<const TraceFact>;

  /// Of a turn whose record is in another process: has each step told there instead. Before the first.
  using Tell =
      std::function<void(TraceKind kind, const std::string& subject, std::string_view text, Facts facts)>;
  void on_step(Tell tell) { tell_ = std::move(tell); }

  void add(TraceKind kind, const Subject& subject, std::string_view text, Facts facts);
  void set_lang(std::string lang);
  /// `{utterance_id, session_id, utterances, lang, duration_us, outcome, steps: [{at_us, kind, subject,
  /// text, facts: {…}}]}`: what `parley.turn.trace` carries.
  Json to_json(std::string_view outcome) const;

 private:
  /// Where the texts of a step end in `texts_`; they begin where the one before ends.
  struct Step {
    double at_us;
    TraceKind kind;
    std::size_t subject_end, text_end, facts_end;
  };
  struct Fact {
    std::size_t name_end, text_end;
    std::optional<double> number;
  };

  double elapsed_us() const;

  const Clock& clock_;
  const Clock::Time began_;
  const std::string utterance_id_, session_id_;
  const std::vector<std::string> utterances_;
  Tell tell_;
  mutable std::mutex mutex_;
  std::string lang_;
  // One block for all words of a turn: what is written down with each turn should cost it little.
  std::string texts_;
  std::vector<Step> steps_;
  std::vector<Fact> facts_;
};

}  // namespace parley
