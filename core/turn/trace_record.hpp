#pragma once

#include <functional>
#include <mutex>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <parley/trace.hpp>
#include <string>
#include <vector>

namespace parley {

/// What happened in one turn, in order. Written from any thread.
class TraceRecord {
 public:
  TraceRecord(const Clock& clock, std::string utterance_id, std::string session_id,
              std::vector<std::string> utterances);

  /// Of a turn whose record is in another process: has each step told there instead. Before the first.
  using Tell = std::function<void(TraceKind kind, std::string_view subject, std::string text,
                                  std::vector<TraceFact> facts)>;
  void on_step(Tell tell) { tell_ = std::move(tell); }

  void add(TraceKind kind, std::string_view subject, std::string text, std::vector<TraceFact> facts);
  void set_lang(std::string lang);
  /// `{utterance_id, session_id, utterances, lang, duration_us, outcome, steps: [{at_us, kind, subject,
  /// text, facts: {…}}]}`: what `parley.turn.trace` carries.
  Json to_json(std::string_view outcome) const;

 private:
  struct Step {
    Step(double at, TraceKind what, std::string_view whom, std::string words, std::vector<TraceFact> more)
        : at_us(at), kind(what), subject(whom), text(std::move(words)), facts(std::move(more)) {}
    double at_us;
    TraceKind kind;
    std::string subject, text;
    std::vector<TraceFact> facts;
  };

  double elapsed_us() const;

  const Clock& clock_;
  const Clock::Time began_;
  const std::string utterance_id_, session_id_;
  const std::vector<std::string> utterances_;
  Tell tell_;
  mutable std::mutex mutex_;
  std::string lang_;
  std::vector<Step> steps_;
};

}  // namespace parley
