#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/forget.hpp"

namespace parley {

class Database;
class TraceRecord;

/// What is written down of a turn, one row an event.
enum class EventKind : std::uint8_t {
  kUtterance,
  kMatch,
  kUnmatched,
  kStart,
  kSpeech,
  kComplete,
  kError,
  kHandled,
  kStop,
  kSessionChange,
  kSkillArrived,
  kSkillLeft,
  kTrace
};

/// Something that happened, as the loop hands it over.
struct Happened {
  Happened(EventKind what, Message how, std::int64_t when)
      : kind(what), message(std::move(how)), time(when) {}
  EventKind kind;
  Message message;
  std::int64_t time;                         ///< Unix milliseconds.
  std::shared_ptr<const TraceRecord> trace;  ///< Of kTrace.
  std::string outcome;                       ///< Likewise.
};

/// Makes rows of what happens: events, and turns as a whole. On the store's thread.
class TurnRows {
 public:
  /// @param time_zone  IANA, of sessions that have none of their own
  explicit TurnRows(std::string time_zone = "UTC") : time_zone_(std::move(time_zone)) {}

  /// @return whether a turn is over with it, or has more to it than when it was over
  bool add(Database& database, const Happened& event);
  /// Forgets what it knows of turns under way: what follows in them is written as of no turn.
  void forget(const ForgetWhat& what);
  /// Takes away what is older, some thousand rows at most. Whether there may be more.
  static bool forget_before(Database& database, std::int64_t time);

 private:
  /// A turn that is not over.
  struct Open {
    std::int64_t row = 0;  ///< In `turn`; 0: not written yet.
    std::int64_t began = 0;
    std::int64_t started = 0;  ///< When its first handler did; 0: none has.
    std::string owner, session_id, lang, said, skill_id, intent_name, pipeline_id, error, outcome;
    std::string trace;                                         ///< JSON; it may come before the end.
    std::vector<std::pair<std::string, std::string>> answers;  ///< Text and language.
    std::int64_t cause = 0;                                    ///< The event that the next one comes of.
  };
  Open& open(const Happened& event);
  Json data_of(const Happened& event) const;
  void write_event(Database& database, const Happened& event, std::string_view kind, std::int64_t cause);
  void write_turn(Database& database, const std::string& id, Open& turn);
  void write_trace(Database& database, const Happened& event);
  /// False: its turn is not there.
  bool add_late_speech(Database& database, const Happened& event);

  std::string time_zone_;
  std::map<std::string, Open, std::less<>> open_;  ///< By utterance_id.
  std::deque<std::string> order_;                  ///< The oldest first.
};

/// One turn, as it is read.
struct TurnRow {
  TurnRow() = default;
  std::int64_t number = 0;   ///< Later turns have higher ones.
  std::int64_t time = 0;     ///< When it was said, in Unix milliseconds.
  std::int64_t started = 0;  ///< When its first handler began; 0: none did.
  std::string utterance_id, owner, session_id, lang, said, outcome, skill_id, intent_name, pipeline_id, error;
  std::vector<std::pair<std::string, std::string>> answers;
  std::string trace;  ///< JSON; empty: none was kept. Read only when one turn is asked for.
};

/// Which turns are asked for. Empty: any.
struct TurnFilter {
  TurnFilter() = default;
  std::string owner, session_id, skill_id, outcome;
  std::int64_t since = 0, until = INT64_MAX;
  std::int64_t before = INT64_MAX;  ///< A TurnRow::number.
  std::size_t limit = 50;
};

namespace turns {
/// One session's, in the order in which they were said, from the one behind `after` (a TurnRow::number) on.
std::vector<TurnRow> of_session(Database& database, const std::string& owner, const std::string& session_id,
                                std::int64_t after, std::size_t limit);
/// The latest that fit, in the order in which they were said.
std::vector<TurnRow> latest(Database& database, const TurnFilter& filter);
std::optional<TurnRow> find(Database& database, const std::string& utterance_id);

/// What nobody knew an answer to, and how often; the most frequent first.
struct Unmatched {
  Unmatched(std::string text, std::string tag, std::int64_t times)
      : said(std::move(text)), lang(std::move(tag)), count(times) {}
  std::string said, lang;
  std::int64_t count;
};
std::vector<Unmatched> unmatched(Database& database, const TurnFilter& filter);
}  // namespace turns

}  // namespace parley
