#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

class TraceRecord;

/// One named value of a trace step, e.g. {"score", 0.93} or {"lang", "de"}.
struct TraceFact {
  TraceFact(std::string key, std::string words) : name(std::move(key)), text(std::move(words)) {}
  TraceFact(std::string key, double value) : name(std::move(key)), number(value) {}
  std::string name;
  std::string text;
  std::optional<double> number;  ///< Shown in place of `text`, with three digits unless it is a whole one.
};

/// The kind of a step in a trace. On the wire it has the name that to_string() gives.
enum class TraceKind : std::uint8_t {
  kLanguage,   ///< What language the utterance is in, and why.
  kPipeline,   ///< Which entries are asked, in order.
  kSkip,       ///< An entry or a skill that is not asked, and why.
  kAsk,        ///< An entry is asked; or a handler asks the user.
  kCandidate,  ///< An intent or skill that was considered.
  kVeto,       ///< A candidate that may not win, and why.
  kClaim,      ///< A skill says that it has an answer.
  kAnswer,     ///< What a skill, or the user, answered.
  kSilent,     ///< A skill that gave no answer.
  kNote,       ///< A free remark.
  kDecline,    ///< The entry declines.
  kFault,      ///< The entry failed.
  kGuard,      ///< A match that does not count, and why.
  kMatch,      ///< A match that counts.
  kStart,      ///< The handler runs.
  kSpeak,      ///< What is said.
  kDropped,    ///< What a handler said after its end.
  kComplete,   ///< The handler has ended.
  kError,      ///< The handler failed, and how.
  kUnmatched,  ///< No entry took the utterance.
  kHandled,    ///< The end of the turn.
};
/// In one word.
std::string_view to_string(TraceKind kind) noexcept;
/// The kind of that name. Nothing: there is none.
std::optional<TraceKind> trace_kind(std::string_view name) noexcept;

/// Where stages and handlers write what happened in a turn and why. A cheap handle, safe to use from
/// any thread; it never fails and does nothing when nobody reads traces. Build costly texts only when
/// it is `true`.
class Trace {
 public:
  using Facts = std::initializer_list<TraceFact>;

  Trace() = default;
  explicit Trace(std::shared_ptr<TraceRecord> record) : record_(std::move(record)) {}

  explicit operator bool() const noexcept { return record_ != nullptr; }

  /// A free remark, shown as it is.
  void note(std::string_view text, Facts facts = {}) const;
  /// An intent or skill that was considered; `score` from 0 to 1.
  void candidate(std::string_view skill_id, std::string_view intent_name, double score,
                 std::string_view why) const;
  /// A candidate that may not win, and the reason.
  void veto(std::string_view skill_id, std::string_view intent_name, std::string_view why) const;
  /// Any step by its kind and subject (e.g. a skill_id).
  void step(TraceKind kind, std::string_view subject, std::string_view text, Facts facts = {}) const;
  void step(TraceKind kind, std::string_view subject, std::string_view text,
            std::span<const TraceFact> facts) const;

 private:
  std::shared_ptr<TraceRecord> record_;
};

}  // namespace parley
