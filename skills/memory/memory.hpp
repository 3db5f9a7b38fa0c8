#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/offers.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <string>
#include <vector>

#include "facts.hpp"
#include "last_answers.hpp"
#include "questions.hpp"

namespace parley::memory {

inline constexpr std::int64_t kCandidates = 20;
inline constexpr std::int64_t kMostAsked = 1'000;  ///< Of everything there is, at a time.
inline constexpr std::int64_t kMostNamed =
    200;  ///< Of what is known, in which a question's words are looked for.
inline constexpr std::size_t kMostTold = 4;  ///< Things told at a time.
inline constexpr std::size_t kMostSessions = 256;
inline constexpr std::size_t kMostKept = 16;   ///< Of what was told in a session,
inline constexpr std::chrono::hours kKept{1};  ///< and for how long.

/// From an hour to before another.
struct HoursOfDay {
  constexpr HoursOfDay(std::chrono::hours from, std::chrono::hours until) : begin(from), end(until) {}
  std::chrono::hours begin, end;
};

/// What is done when the user says so.
struct Offered {
  std::string fact;         ///< To be told, in these words; empty: something is to be forgotten.
  std::string dialog;       ///< That says that it is kept.
  std::vector<Fact> known;  ///< To be forgotten.
  bool is_all = false;      ///< As Memory::erase() has it.
};

/// Keeps what somebody tells, answers from it, and says where an answer came from. All of it is asked of the
/// evidence over the bus: the skill itself only remembers what it said last.
class Memory final : public Skill {
 public:
  static constexpr const char* kAbout =
      "What you tell it to remember, what you asked, and why it said something.";

  void start() override;

 private:
  // ---- asking the core

  Task<std::optional<Json>> ask_core(Message from, std::string topic, Json data);
  Task<std::vector<Fact>> facts(Message from, Json query);
  /// The turn before this one in the session that was not about how it came; null: there is none.
  Task<Json> last_turn(Turn turn);

  // ---- saying

  std::string say_fact(const Fact& fact, const std::string& owner, const std::string& time_zone,
                       const std::string& lang);
  void say_facts(Turn& turn, const std::vector<Fact>& known);
  std::string say_moment(Moment then, const std::string& time_zone, const std::string& lang) const;
  /// What was said from memory in the turn before this one; empty: nothing.
  Task<std::vector<Fact>> just_said(Turn turn);

  // ---- telling

  Task<> remember(Turn turn);
  Task<> tell_plainly(Turn turn);
  /// What only resembles a telling is kept when the user says so.
  Task<> tell_if_meant(Turn turn, std::string fact, std::string dialog);
  /// @param contradicts  a fact that does not hold any more; empty: none that is known
  Task<> tell(Turn turn, std::string fact, std::string dialog, std::string contradicts);

  void keep(const Turn& turn, Fact fact);

  /// What a telling takes the place of, though its words are others: where the car was parked before, what
  /// the user was called. Empty: nothing that is known.
  Task<std::string> replaced_by(Turn turn, std::string fact);

  // ---- answering

  std::optional<Question> question_in(const Query& query) const;
  std::optional<Question> question_within(const Query& query) const;
  std::optional<Question> question_in(const Turn& turn) const;
  std::optional<Question> question_within(const Turn& turn) const;
  std::chrono::local_seconds wall_clock(const std::string& time_zone) const;
  std::optional<QuestionClaim> claims(const Query& query);
  Task<std::optional<QuestionAnswer>> answer(Query query);
  /// What was told that answers a question.
  Task<std::vector<Fact>> told_of(Message from, Question question, std::string lang);
  /// Either: of the question, if it is one of the usual ones, else of what it names.
  Task<std::vector<Fact>> told_of_asked(Message from, std::string said, std::optional<Question> question,
                                        std::string lang);
  /// What was told of what a question names, in whatever words it asks.
  Task<std::vector<Fact>> told_of_named(Message from, std::string asked, std::string lang);
  /// Of what was found what answers a question: all there is about something, else the latest.
  std::vector<Fact> answering(const Question& question, const std::string& lang,
                              std::vector<Fact> found) const;
  /// Nobody else had an answer: for what only the user can have told.
  bool is_own_question(const Query& query);
  Task<> nothing_told(Turn turn);
  static void say_nothing_of(Turn& turn, const Question& question);
  /// What resembles a telling may be a question all the same: it is answered, and never kept.
  /// @param is_never_told  also where nothing is known of what a question's first word asks for
  Task<bool> is_answered(Turn turn, bool is_never_told = false);
  Task<> about_me(Turn turn);
  Task<> my_name(Turn turn);
  bool asks_my_name(const Turn& turn) const;
  Task<> birthday_of(Turn turn);
  /// What the user told that has a phrase of that vocabulary, the latest first: `called`, `parking`.
  Task<std::vector<Fact>> told_with(Turn turn, std::string vocabulary);

  // ---- what was asked

  Task<> last_time(Turn turn);
  Task<> asked(Turn turn);
  Task<> said_last(Turn turn);
  /// What somebody wants to know of what they asked.
  struct Recall {
    std::vector<std::string> topic;  ///< As of Questions::topic().
    bool is_named = false;           ///< Behind "about".
    bool is_first = false;           ///< The first of all that was asked, not the last.
  };
  Recall recall_in(const Turn& turn) const;
  std::size_t likeness(const Json& before, const Recall& recall, const std::string& lang) const;
  /// The skill that answered in a turn of `parley.turn.list`.
  Task<std::string> skill_of(Message from, Json before);
  /// What was asked about something. False: nothing is named, or nobody asked about it.
  Task<bool> is_recalled(Turn turn);
  Task<> answered_last(Turn turn);
  Task<> routines(Turn turn);
  /// The hours of the day that are meant, mostly all.
  HoursOfDay hours_in(const Turn& turn) const;

  // ---- where an answer came from

  Task<> why(Turn turn);
  Task<> explain(Turn turn, Json before);
  Task<> how_known(Turn turn);

  // ---- taking back

  Task<> forget(Turn turn);
  Task<> forget_about(Turn turn);
  Task<> forget_fact(Turn turn);
  Task<> call_me(Turn turn);
  Task<> forget_mine(Turn turn);
  /// What was told that has these words, however much it is.
  Task<std::vector<Fact>> all_about(Turn turn, std::string thing);
  /// What was told that has most of what is said, but at least half of it.
  Task<std::optional<Fact>> most_like(Turn turn, std::string said);
  Task<> forget_name(Turn turn);
  /// @param is_plain  that is what was said; else it only resembles that, and one thing is asked about, too
  /// @param is_all  there may be more than these, which goes as well
  Task<> erase_if_meant(Turn turn, std::vector<Fact> known, bool is_plain, bool is_all = false);
  Task<> erase(Turn turn, std::vector<Fact> known, bool is_all);
  /// What an answer says to what was offered.
  std::optional<bool> answer_to_offer(const Offered& offered, const std::string& said,
                                      const std::string& lang) const;
  Task<> answer_offer(Turn turn, Offered offered, bool wanted);
  Task<> wrong(Turn turn);
  /// The fact with another value.
  Task<> put_right(Turn turn, Fact fact, std::string instead);
  /// Of something that was just spoken of from memory: what holds in its place.
  ConverseAnswer is_correction(const Query& query);
  bool asks_where_it_is(const Query& query) const;
  /// A correction, or a question about what was told in this session.
  ConverseAnswer goes_on(const Query& query);
  bool asks_kept(const Query& query) const;
  /// Whether something is only stated; "the plunger is downstairs, tell me where the keys are" asks.
  bool states(const std::string& said, const std::string& lang) const;
  Task<> go_on(Turn turn);
  /// Nobody else took it, and it says something of something, or of what was just spoken of.
  bool is_statement(const Query& query);
  Task<> correct(Turn turn);
  /// Whether something was told of that before; then it is told again, as this.
  Task<bool> is_told_anew(Turn turn, Statement statement);

  std::optional<Questions> questions_;
  LastAnswers last_;
  SessionMemory<std::vector<Fact>> kept_{kMostSessions, kKept};  ///< What was told in a session.
  Offers<Offered> offers_{kMostSessions};
};

}  // namespace parley::memory
