#pragma once

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/ovos/keywords.hpp"
#include "net/ovos/names.hpp"

namespace parley::net::ovos {

/// What the translator needs to know of this assistant.
struct Terms {
  Terms() = default;
  bool compat = false;       ///< `gateway.compat: ovos`.
  Session::Strings entries;  ///< Those of the pipeline that there are.
};

/// What an older client asks that only the loop knows.
enum class Query {
  kDefaultSession,  ///< Answer: the session.
  kSkills,          ///< Answer: `[skill_id, …]`.
  kIntent,          ///< Answer: what Orchestrator::dry_run() gives.
  kActivate,        ///< Puts data.skill_id among those who are asked first; answer: nothing of use.
  kDeactivate       ///< Takes it away from them.
};

/// Something the log is to be told, once a period.
struct Note {
  Note(std::string what, std::string words) : about(std::move(what)), text(std::move(words)) {}
  std::string about, text;
};

/// What one message of a peer becomes.
struct Said {
  Said() = default;
  std::vector<Message> passed;   ///< Onto the bus, in this order, as if the peer had said them.
  std::vector<Message> told;     ///< Back to the peer alone.
  std::vector<Message> relayed;  ///< To the older clients, unless it would be a dispatch.
  std::vector<std::pair<Query, Message>> asked;
  std::vector<Note> notes;
  const char* dropped = nullptr;  ///< Why it was dropped, for the counter; no client is told.
};

/// What a peer is sent beside, or instead of, a message of the bus, and what is said in its place.
struct Heard {
  Heard() = default;
  std::vector<Message> before;
  std::optional<Message> instead;
  std::vector<Message> after;
  std::vector<Message> passed;  ///< Onto the bus, as if the peer had said them.
  Json list;                    ///< Data of `instead`, where older messages have a list; else null.
};

/// Stands between one connection and the bus, and speaks both languages: that of OVOS before the
/// specifications, which is deployed, and today's (W-6). Pure: messages in, messages out; what it remembers
/// is in here, and bounded. Recognises an older peer by what it says. Times are Unix seconds.
class Translator {
 public:
  static constexpr std::size_t kMostTurns = 256;     ///< Dispatched to the peer, that are remembered.
  static constexpr std::size_t kMostSessions = 64;   ///< Of those the peer spoke in.
  static constexpr std::size_t kMostQuestions = 64;  ///< Put to the peer.
  static constexpr std::size_t kMostSkills = 1'024;
  static constexpr std::size_t kMostNames = 8'192;  ///< Of intents that were registered.
  static constexpr std::size_t kMostSources = 256;  ///< Names the peer gave as its own.
  static constexpr double kReadyAfter = 4;  ///< A peer that has not asked by then is told that all is ready.

  bool is_older() const noexcept { return is_older_; }
  /// The peer asked for topics by their older names.
  void recognise() noexcept { is_older_ = true; }
  /// Whether a message tells that its sender is older. The session and its fields are not looked at.
  static bool is_sign(const Message& message);

  /// What the peer says.
  Said say(const Message& message, double now, const Terms& terms);
  /// When on_time() is to be called; nothing: not at all.
  std::optional<double> due() const;
  Said on_time(double now);

  /// A message of the bus that the peer may be sent.
  /// @param is_own  it is addressed to a skill the peer speaks for, or ends a turn the peer began
  Heard hear(const Message& message, bool is_own, double now);
  /// Whether hear() has to be asked, own or not.
  static bool concerns_all(std::string_view topic) noexcept;
  /// Whether hear() has to be asked where the message's session is kept.
  static bool concerns_session(std::string_view topic) noexcept;
  /// Whether the peer spoke in that session: what it says of it next begins with what it was told last.
  bool keeps(const std::string& session_id) const { return sessions_.contains(session_id); }
  /// Whether hear() has to be asked of whoever began what a message belongs to.
  static bool concerns_sender(std::string_view topic) noexcept;

  /// An answer to what the peer, or the translator for it, asked of the schedule (K-3).
  Heard hear_scheduled(const Message& answer);

  /// The answer to what was asked.
  std::optional<Message> answer(Query query, const Message& question, const Json& answer);

  /// Whether the peer goes by that name: one of those it named as its source.
  bool goes_by(const std::string& name) const { return sources_.contains(name); }
  bool owns(const std::string& skill_id) const { return skills_.contains(skill_id); }

 private:
  /// A skill that speaks over this connection.
  struct Skill {
    Skill() = default;
    bool is_older = false;                 ///< It said something only older skills say.
    bool asks = false;                     ///< It has answers to questions of fact (7.1)…
    bool is_classic = false;               ///< …in the way of Mycroft's CommonQuerySkill.
    bool was_probed = false;               ///< Its first converse ping was sent.
    bool converses = false;                ///< It has ever answered one.
    bool is_pinged = false;                ///< The converse stage waits for it.
    bool falls_back = false;               ///< It registered as an older fallback.
    std::optional<Message> fallback_ping;  ///< The fallback stage waits for it.
  };
  /// A handler of a skill here.
  struct Turn {
    Turn(std::string whose, std::string which, Message from)
        : skill_id(std::move(whose)), intent_name(std::move(which)), dispatch(std::move(from)) {}
    std::string skill_id, intent_name;
    Message dispatch;
    bool has_ended = false;
  };
  /// A question of fact that was put to a skill here.
  struct Question {
    Question(std::string whose, Message from) : skill_id(std::move(whose)), dispatch(std::move(from)) {}
    std::string skill_id;
    Message dispatch;
    std::string answer;  ///< Empty: none yet, or none.
    Json callback_data;
    bool is_over = false;
  };
  /// Speech of a skill that the common query stage has spoken for it.
  struct Muted {
    Muted(std::string in, std::string text, std::string also)
        : utterance_id(std::move(in)), answer(std::move(text)), callback_answer(std::move(also)) {}
    std::string utterance_id, answer, callback_answer;
  };
  using Wait = std::pair<std::string, std::string>;  ///< Skill and session.
  using Handle = void (Translator::*)(const Message&, Said&);
  struct Topic {
    std::string_view name;
    Handle handle;
  };
  static const Topic* find_topic(std::string_view topic);

  // What is said: translator.cpp
  void say_older(const Message& message, Said& said);
  bool say_of_family(const Message& message, Said& said);
  void say_plain(const Message& message, Said& said);
  void say_under_current_name(const Message& message, Said& said);
  void drop_quietly(const Message& message, Said& said);
  void sync(const Message& message, Said& said);
  void say_ready(const Message& message, Said& said);
  void ask(Query query, const Message& message, Said& said);
  void ask_for_skills(const Message& message, Said& said);
  void ask_for_intent(const Message& message, Said& said);
  void ask_for_active(const Message& message, Said& said);
  void activate(const Message& message, Said& said);
  void deactivate(const Message& message, Said& said);
  void speak(const Message& message, Said& said);
  void say_utterance(const Message& message, Said& said);
  Message in_current_session(const Message& message) const;
  SessionPtr session_for(const Message& message) const;

  // Registration: translator_registration.cpp
  void register_template(const Message& message, Said& said);
  void register_entity(const Message& message, Said& said);
  void register_vocabulary(const Message& message, Said& said);
  void register_keyword(const Message& message, Said& said);
  void register_current(const Message& message, Said& said);
  void note_current(const Message& message);
  void register_fallback(const Message& message, Said& said);
  void deregister_fallback(const Message& message, Said& said);
  void detach_intent(const Message& message, Said& said);
  void detach_skill(const Message& message, Said& said);
  void toggle_intent(const Message& message, Said& said);
  void loaded(const Message& message, Said& said);
  void add_context(const Message& message, Said& said);
  void remove_context(const Message& message, Said& said);
  void clear_context(const Message& message, Said& said);
  void say_context(const Message& message, const std::string& skill_id, Json entries, Said& said);
  /// The skill a message is about, by its context or its data; from here on the peer speaks for it.
  std::string skill_of(const Message& message, std::string_view key = "skill_id");
  /// The same for what registers something; complains when there is none.
  std::string registrant(const Message& message, const std::string& named, Said& said);
  Skill* note_skill(const std::string& skill_id, bool is_older);
  bool remembers_name(const std::string& skill_id, const std::string& name) const;

  // Turns: translator_turns.cpp
  Turn* turn_of(const Message& message);
  const Turn* turn_of(const Message& message) const;
  void note_turn(const std::string& skill_id, const std::string& name, const Message& dispatch);
  void report_done(const Message& message, Said& said);
  void end_turn(Turn& turn, const Message& said, const std::string& exception, Said& into);
  void end_reserved(const Message& message, std::string_view intent_name, Said& said);
  void pong_stop(const Message& message, Said& said);
  void pong_converse(const Message& message, Said& said);
  void end_converse(const Message& message, Said& said);
  void pong_fallback(const Message& message, Said& said);
  void wait_for_answer(const Message& message, Said& said);
  void wait_no_longer(const Message& message, Said& said);
  void listen(const Message& message, Said& said);
  void renew_question(const Message& message, Said& said);
  Heard hear_dispatch(const Message& message, const std::string& skill_id, const std::string& name);
  void hear_reserved(const Message& dispatch, const std::string& skill_id, const std::string& name,
                     Heard& heard);
  Message own_copy(const Message& dispatch, const std::string& skill_id, const std::string& name) const;
  void probe(const std::string& skill_id, Skill& skill, const Message& dispatch, Heard& heard);
  void hear_converse_ping(const Message& ping, const std::string& skill_id, Heard& heard);
  void hear_fallback_ping(const Message& ping, const std::string& skill_id, Heard& heard);
  void hear_stop_ping(const Message& ping, Heard& heard) const;

  // What is to come: translator_schedule.cpp
  void schedule_event(const Message& message, Said& said);
  void remove_event(const Message& message, Said& said);
  void update_event(const Message& message, Said& said);
  void get_event(const Message& message, Said& said);
  void look_at_event(const Message& message, const char* key, Said& said);
  /// @param key  under which the message names the event
  std::optional<Message> about_event(const Message& message, const char* topic, Json data, const char* key,
                                     Said& said);
  void pass_in_turn(Message request, Said& said);
  void hear_look(const Message& answer, Heard& heard);
  void hear_due(const Message& dispatch, const std::string& skill_id, Heard& heard);

  // Questions of fact: translator_questions.cpp
  void pong_question(const Message& message, Said& said);
  void answer_question(const Message& message, Said& said);
  void hear_question_ping(const Message& ping, Heard& heard) const;
  void hear_question(const Message& dispatch, const std::string& skill_id, Heard& heard);
  void hear_match(const Message& matched, Heard& heard);
  bool is_muted(const Message& speech);

  bool is_older_ = false;
  Twins twins_;
  double now_ = 0;                ///< Of the call that is being dealt with, as the next.
  const Terms* terms_ = nullptr;  ///< In say() only.
  std::optional<double> ready_at_;
  bool has_asked_ready_ = false;
  std::size_t asked_intents_ = 0, asked_active_ = 0;
  std::set<std::string> sources_;
  std::map<std::string, Skill> skills_;
  Keywords keywords_;
  std::set<std::pair<std::string, std::string>> names_;    ///< Skill and intent, registered the older way…
  std::set<std::pair<std::string, std::string>> current_;  ///< …and the current way.
  std::deque<Turn> turns_;                                 ///< The latest last.
  std::map<std::string, SessionPtr> sessions_;             ///< As the peer was told them last; null: not yet.
  std::deque<std::string> session_order_;
  std::set<Wait> waits_;
  std::deque<Question> questions_;
  std::deque<Muted> muted_;
  std::deque<Message> in_turn_;                        ///< Requests to the schedule that wait…
  std::optional<double> open_since_;                   ///< …for the answer to the one that went then.
  std::deque<std::pair<std::string, Message>> looks_;  ///< Events, and what was asked about them.
};

}  // namespace parley::net::ovos
