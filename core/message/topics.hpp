#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>
#include <vector>

// Every topic that the core says or hears, who may say it, and what its data hold (docs/protocol.md). Nobody
// else in the core spells a topic or the name of an intent that is reserved.
namespace parley {
namespace topic {

// An utterance and what becomes of it (U, D)
inline constexpr char kUtterance[] = "ovos.utterance.handle";
inline constexpr char kHandled[] = "ovos.utterance.handled";
inline constexpr char kSpeak[] = "ovos.utterance.speak";
inline constexpr char kMatched[] = "ovos.intent.matched";
inline constexpr char kUnmatched[] = "ovos.intent.unmatched";
inline constexpr char kHandlerStart[] = "ovos.intent.handler.start";
inline constexpr char kHandlerComplete[] = "ovos.intent.handler.complete";
inline constexpr char kHandlerError[] = "ovos.intent.handler.error";
/// `<skill_id>:<intent_name>` (D-1).
std::string dispatch(const std::string& skill_id, const std::string& intent_name);
/// What happened in a turn, for clients that ask for it.
inline constexpr char kTrace[] = "parley.turn.trace";

// Sessions and the whole (S, W)
inline constexpr char kSessionSync[] = "ovos.session.sync";
inline constexpr char kSessionRejected[] = "ovos.session.rejected";
inline constexpr char kCoreReady[] = "ovos.core.ready";
inline constexpr char kActiveList[] = "ovos.converse.active.list";

// Registration (R)
inline constexpr char kRegisterTemplate[] = "ovos.intent.register.template";
inline constexpr char kRegisterKeyword[] = "ovos.intent.register.keyword";
inline constexpr char kRegisterEntity[] = "ovos.entity.register";
inline constexpr char kDeregisterIntent[] = "ovos.intent.deregister";
inline constexpr char kDeregisterEntity[] = "ovos.entity.deregister";
inline constexpr char kDeregisterSkill[] = "ovos.skill.deregister";
inline constexpr char kEnableIntent[] = "ovos.intent.enable";
inline constexpr char kDisableIntent[] = "ovos.intent.disable";
inline constexpr char kListIntents[] = "ovos.intent.list";
inline constexpr char kDescribeIntent[] = "ovos.intent.describe";
/// What a stage itself registers.
std::string list_of_stage(const std::string& pipeline_id);

// What skills are asked, and how they answer (P, C, F, Q)
inline constexpr char kStop[] = "ovos.stop";
inline constexpr char kStopPing[] = "ovos.stop.ping";
/// What can be asked of the skills hosted here: `{lang}`, answered with `{examples: {skill_id: [text, …]}}`.
inline constexpr char kListExamples[] = "parley.examples.list";
inline constexpr char kStopPong[] = "ovos.stop.pong";
/// What a skill, or the core for turns that ran, answers to kStop: `{skill_id, stopped}`.
inline constexpr char kStopDone[] = "ovos.stop.response";
std::string converse_ping(const std::string& skill_id);
std::string converse_pong(const std::string& skill_id);
inline constexpr char kRegisterFallback[] = "ovos.fallback.register";
inline constexpr char kDeregisterFallback[] = "ovos.fallback.deregister";
std::string fallback_ping(const std::string& skill_id);
std::string fallback_pong(const std::string& skill_id);
inline constexpr char kQuestionPing[] = "ovos.common_query.ping";
inline constexpr char kQuestionPong[] = "ovos.common_query.pong";
std::string question_answer(const std::string& skill_id);

// What a remote skill keeps, and what is to come for it (K)
inline constexpr char kStoragePut[] = "parley.storage.put";
inline constexpr char kStorageGet[] = "parley.storage.get";
inline constexpr char kStorageAll[] = "parley.storage.all";
inline constexpr char kStorageErase[] = "parley.storage.erase";
inline constexpr char kScheduleAdd[] = "parley.schedule.add";
inline constexpr char kScheduleCancel[] = "parley.schedule.cancel";
inline constexpr char kScheduleList[] = "parley.schedule.list";
/// `{session_id?}`: ends a session, or erases it (K-5). A skill here says it on the bus, of the session and
/// owner of its turn.
inline constexpr char kSessionClose[] = "parley.session.close";
inline constexpr char kSessionForget[] = "parley.session.forget";
/// What is asked of the evidence, as `POST /v1/query` has it, what is added to it and taken away; and turns
/// that were kept (K-6). A skill here says it on the bus, and reaches what is the owner's of its turn.
inline constexpr char kEvidenceQuery[] = "parley.evidence.query";
inline constexpr char kEvidenceIngest[] = "parley.evidence.ingest";
inline constexpr char kEvidenceForget[] = "parley.evidence.forget";
inline constexpr char kTurnList[] = "parley.turn.list";
inline constexpr char kTurnGet[] = "parley.turn.get";
inline constexpr std::array<std::string_view, 5> kEvidenceRequests{kEvidenceQuery, kEvidenceIngest,
                                                                   kEvidenceForget, kTurnList, kTurnGet};
bool is_evidence_request(std::string_view topic) noexcept;
/// Whether that is one of these topics, which clients may send although they are the core's (K-1).
bool is_lasting_request(std::string_view topic) noexcept;
/// Whether that answers one of them: the answer goes only to the connection that asked (K-1).
bool is_lasting_answer(std::string_view topic) noexcept;

/// Who may say a message, by its topic (W-2, W-4).
enum class Speaker {
  kAnybody,
  kCore,          ///< The core only.
  kReportsStart,  ///< A remote skill tells what the core says itself: of no use.
  kReportsEnd,    ///< A remote skill tells how its handler ended: the core says it to the others.
  kPolledSkill    ///< The answer to a poll: only the skill itself, by the name in its data.
};
Speaker speaker_of(std::string_view topic) noexcept;

}  // namespace topic

/// Names of intents that a skill can't register: the core or a stage dispatches them (D-1).
namespace reserved {
inline constexpr char kConverse[] = "converse";
inline constexpr char kResponse[] = "response";
inline constexpr char kStop[] = "stop";
inline constexpr char kFallback[] = "fallback";
inline constexpr char kQuestion[] = "common_query";
inline constexpr char kDue[] = "due";
inline constexpr std::array<std::string_view, 6> kAll{kConverse, kResponse, kStop,
                                                      kFallback, kQuestion, kDue};
}  // namespace reserved
bool is_reserved(std::string_view intent_name) noexcept;

/// Whether the skill that a message names in its data, if it names one, is the one it comes from.
bool names_its_speaker(const Message& message);

// What the data of a message hold. Reading takes what is there: a field of another type is as if it were
// missing.

/// topic::kUtterance, and what skills are asked about an utterance.
struct Utterance {
  Utterance() = default;
  explicit Utterance(const Message& message);
  Json to_json() const;
  static constexpr std::size_t kMostCandidates = 32;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10U;  ///< Of all candidates.
  std::vector<std::string>
      utterances;       ///< Candidates, best first, within these bounds; without those that are blank.
  bool is_list = true;  ///< Whether there was a list of them at all.
  bool is_cut = false;  ///< There were more.
  std::string lang;     ///< Empty: not said.
};

/// topic::kSpeak.
struct Speech {
  Speech(std::string what, std::string tag, bool then_listen)
      : utterance(std::move(what)), lang(std::move(tag)), listen(then_listen) {}
  explicit Speech(const Message& message);
  Json to_json() const;
  std::string utterance, lang;
  bool listen;                                  ///< The client is to open the microphone afterwards.
  std::shared_ptr<const Json> screen, options;  ///< For clients that have a screen; null: none.
};

/// topic::kMatched.
struct MatchedIntent {
  MatchedIntent() = default;
  explicit MatchedIntent(const Message& message);
  Json to_json() const;
  std::string skill_id, intent_name, pipeline_id;
  std::string lang, utterance;
  std::map<std::string, std::string> slots;  ///< Not read: the core does not look at them again.
};

/// topic::kHandlerStart, kHandlerComplete and kHandlerError.
struct HandlerReport {
  HandlerReport(std::string whose, std::string which)
      : skill_id(std::move(whose)), intent_name(std::move(which)) {}
  explicit HandlerReport(const Message& message);
  Json to_json() const;
  std::string skill_id, intent_name;
  std::optional<std::string> exception;  ///< Of an error; never empty.
  bool not_understood = false;           ///< Of a completion: it had no answer (U-10).
};

/// topic::kSessionSync: what is to change. Nothing: its data name no session.
const Json* synced_session(const Message& message);

}  // namespace parley
