#pragma once

#include <parley/message.hpp>
#include <parley/schedule.hpp>
#include <parley/session.hpp>
#include <parley/storage.hpp>
#include <string>

#include "runtime/http.hpp"
#include "store/scheduler.hpp"

// What frames between parley and a child of it hold, beside messages in the form of the wire. Readers throw
// nlohmann::json::exception for what does not fit.
namespace parley::child {

/// The kinds of frames, those to the child first.
namespace frame {
inline constexpr char kBegin[] = "begin";        ///< What to run, and how (Plan).
inline constexpr char kJoin[] = "join";          ///< Take part from here on.
inline constexpr char kDispatch[] = "dispatch";  ///< `{t, intent, left_ns, traced, ended, from?}`; a message.
inline constexpr char kCancel[] = "cancel";      ///< `{utterance_id}`
inline constexpr char kMessage[] = "message";    ///< `{topic, from?}`; a message that it listens to.
inline constexpr char kHeard[] = "heard";  ///< `{q, end, text?, lang?, session?}`: what came of a question.
inline constexpr char kCheck[] = "check";  ///< `{n, q, text, lang}`: would this answer it?
inline constexpr char kSettings[] = "settings";     ///< `{n, values}`
inline constexpr char kKept[] = "kept";             ///< `{n, …}`: the answer to kKeep.
inline constexpr char kHttpPiece[] = "http_piece";  ///< `{n, status, headers}`; a piece of the body.
inline constexpr char kHttpEnd[] = "http_end";      ///< `{n, status, headers, problem}`
inline constexpr char kAside[] = "aside";           ///< Another version takes part: only turns go on.
inline constexpr char kEnd[] = "end";               ///< Stop, and end.
inline constexpr char kTime[] = "time";             ///< `{now_ns, wall_ns}`: of a clock that jumps.
inline constexpr char kSync[] = "sync";             ///< `{n}`: say kIdle when nothing is left.
inline constexpr char kDrawn[] = "drawn";           ///< `{number}`

inline constexpr char kStarted[] = "started";  ///< `{failure, messages, abilities, intents}`
inline constexpr char kPublish[] = "publish";  ///< `{from?}`; a message.
inline constexpr char kSay[] = "say";          ///< `{t, topic, base?, session?}`; the data of a forward.
inline constexpr char kAsk[] = "ask";  ///< `{t, q, lang, timeout_ns, expects, base?, session?}`; a text.
inline constexpr char kAskOver[] = "ask_over";   ///< `{q}`: nobody waits for the answer any more.
inline constexpr char kFit[] = "fit";            ///< `{n, fit}`
inline constexpr char kEnded[] = "ended";        ///< `{t, exception?, not_understood, base?, session?}`
inline constexpr char kStep[] = "step";          ///< `{t, kind, subject, text, facts}` of a trace.
inline constexpr char kLog[] = "log";            ///< `{level, who, text}`
inline constexpr char kListen[] = "listen";      ///< `{topic}`
inline constexpr char kUnlisten[] = "unlisten";  ///< `{topic}`
inline constexpr char kTold[] = "told";          ///< `{n, at_once}`: the answer to kSettings.
inline constexpr char kKeep[] = "keep";          ///< `{n, op, …}`
inline constexpr char kHttp[] = "http";          ///< `{n, …}`; the body.
inline constexpr char kHttpOff[] = "http_off";   ///< `{n}`
inline constexpr char kCount[] = "count";        ///< `{name, labels, by}`
inline constexpr char kDraw[] = "draw";          ///< `{count}`: a number below it, which it waits for.
inline constexpr char kDue[] = "due";            ///< `{at_ns?}`: when the first of its at() calls back.
inline constexpr char kIdle[] = "idle";          ///< `{n, next_ns?}`
}  // namespace frame

Json json_of(const StoragePlace& place);
/// @param skill_id  whose it is, whatever the frame says
StoragePlace place_from(const Json& json, const std::string& skill_id);

Json json_of(const Scheduled& what);
Scheduled scheduled_from(const Json& json);
Json json_of(const ScheduleRow& row);
/// @param skill_id  likewise
ScheduleRow row_from(const Json& json, const std::string& skill_id);

/// Without its body.
Json json_of(const HttpRequest& request);
HttpRequest request_from(const Json& json, std::string body);

SessionPtr session_from(const Json& json);

inline std::int64_t ns_of(Duration span) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(span).count();
}
inline std::int64_t ns_of(std::chrono::steady_clock::time_point time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}
inline std::int64_t ns_of(std::chrono::system_clock::time_point time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

}  // namespace parley::child
