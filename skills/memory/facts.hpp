#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::memory {

using Moment = std::chrono::system_clock::time_point;

/// Something that is known, as the answer to `parley.evidence.query` has it.
struct Fact {
  Fact() = default;
  std::string id, text;
  std::string agent;  ///< Who it is of: the owner, or another program.
  std::string subject, relation,
      value;  ///< "spare key", "where", "under the pot"; empty: it can't be read so.
  std::optional<std::chrono::hours> hour;  ///< Of a routine: since midnight; `text` is what is said then.
  Moment time;
  double coverage = 0;  ///< The share of the question's words that are in it.
};

/// A string of an object; empty: there is none.
std::string text_at(const Json& object, const char* key);

/// Those that hold, in the order of the answer.
std::vector<Fact> facts_in(const Json& answer);

/// Whose things are asked for, in which session.
struct Asker {
  Asker(std::string whose, std::string where) : owner(std::move(whose)), session_id(std::move(where)) {}
  static Asker of(const Message& turn);
  bool operator==(const Asker&) const = default;
  std::string owner, session_id;
};

/// What asks for what was told, the best first.
Json query_told(const Asker& asker, const std::string& text, const std::string& lang, std::int64_t most);
/// What asks for everything that was told, the latest first.
Json query_all_told(const Asker& asker, std::int64_t most);
/// What asks for turns, the best first.
Json query_turns(const Asker& asker, const std::string& text, const std::string& lang, std::int64_t most);

/// What asks for what was done, and for routines.
Json query_done(const Asker& asker, std::int64_t most);

/// An event that tells something.
/// @param contradicts  the id of what does not hold any more; empty: nothing that is known
Json telling(const Asker& asker, const std::string& utterance_id, const std::string& text,
             const std::string& lang, Moment now, const std::string& contradicts);
/// The turn in which an event was told to this skill, of telling(); none: it came otherwise.
std::optional<std::string> told_in(const std::string& event_id);
/// The id of what is remembered of a turn.
std::string memory_of_turn(const std::string& utterance_id);
std::string turn_of_memory(const std::string& id);

/// "2026-01-03T12:00:00.000Z".
std::string to_text(Moment time);
Moment from_text(const std::string& text);

/// "The spare key is under the pot", corrected by "in the drawer".
/// @param value  what held so far, folded; empty or not in the text: nothing
std::optional<std::string> corrected(const std::string& text, const std::string& value,
                                     const std::string& instead, std::string_view lang);

}  // namespace parley::memory
