#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

class TraceRecord;

/// One named value of a trace step, e.g. {"score", "0.93"}.
struct TraceFact {
  TraceFact(std::string_view key, std::string_view text) : name(key), value(text) {}
  TraceFact(std::string_view key, double number);
  std::string name;
  std::string value;
};

/// Where stages and handlers write what happened in a turn and why. A cheap handle, safe to use from
/// any thread; it never fails and does nothing when nobody reads traces. Build costly texts only when
/// it is `true`.
class Trace {
 public:
  Trace() = default;
  explicit Trace(std::shared_ptr<TraceRecord> record) : record_(std::move(record)) {}

  explicit operator bool() const noexcept { return record_ != nullptr; }

  /// A free remark, shown as it is.
  void note(std::string text, std::vector<TraceFact> facts = {}) const;
  /// An intent or skill that was considered; `score` from 0 to 1.
  void candidate(std::string_view skill_id, std::string_view intent_name, double score,
                 std::string why) const;
  /// A candidate that may not win, and the reason.
  void veto(std::string_view skill_id, std::string_view intent_name, std::string why) const;
  /// Any step by its kind (one word, e.g. "poll") and subject (e.g. a skill_id).
  void step(std::string_view kind, std::string_view subject, std::string text,
            std::vector<TraceFact> facts = {}) const;

 private:
  std::shared_ptr<TraceRecord> record_;
};

}  // namespace parley
