#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <set>
#include <utility>

#include "facts.hpp"
#include "last_answers.hpp"
#include "questions.hpp"
#include "speech.hpp"
#include "why.hpp"

namespace parley::memory {
namespace {

constexpr Duration kPatience = std::chrono::seconds(10);  ///< With the core, for an answer.
constexpr Duration kLatency = std::chrono::milliseconds(50);
constexpr double kCertain = 0.96;     ///< Of what the user said themselves.
constexpr double kEnoughWords = 0.5;  ///< Of "set a timer" in what was said: verbs change.
constexpr std::int64_t kCandidates = 20;
constexpr std::int64_t kMostAsked = 1'000;  ///< Of everything that was told, at a time.
constexpr std::size_t kMostErased = 32;     ///< At a time: each is two objects of 64.
constexpr int kMostRounds = 1'000;          ///< So often.
constexpr std::size_t kMostTold = 4;        ///< Things told at a time.
constexpr std::int64_t kMostTurns = 200;

/// Keeps what somebody tells, answers from it, and says where an answer came from. All of it is asked of the
/// evidence over the bus: the skill itself only remembers what it said last.
class Memory final : public Skill {
 public:
  static constexpr const char* kAbout =
      "What you tell it to remember, what you asked, and why it said something.";

  void start() override {
    questions_.emplace(locale());
    on_intent("remember", &Memory::remember);
    on_intent("tell", &Memory::tell_plainly);
    on_intent("about_me", &Memory::about_me);
    on_intent("last_time", &Memory::last_time);
    on_intent("asked", &Memory::asked);
    on_intent("why", &Memory::why);
    on_intent("how_known", &Memory::how_known);
    on_intent("forget", &Memory::forget);
    on_intent("forget_about", &Memory::forget_about);
    on_intent("wrong", &Memory::wrong);
    on_question(&Memory::claims, &Memory::answer);
    on_fallback(95, &Memory::is_own_question, &Memory::nothing_told);
  }

 private:
  // ---- asking the core

  Task<std::optional<Json>> ask_core(Message from, std::string topic, Json data) {
    Message question = from.forward(std::move(topic), std::move(data));
    const auto answer = co_await request(std::move(question), kPatience);
    if (!answer || answer->data().contains("error") || answer->data().contains("error_code"))
      co_return std::nullopt;
    co_return answer->data();
  }

  Task<std::vector<Fact>> facts(Message from, Json query) {
    const auto answer = co_await ask_core(std::move(from), "parley.evidence.query", std::move(query));
    co_return answer ? facts_in(*answer) : std::vector<Fact>();
  }

  /// The turn before this one in the session that was not about how it came; null: there is none.
  Task<Json> last_turn(Turn turn) {
    Json which = {{"session_id", turn.session_id()}, {"limit", 10}};
    const auto list = co_await ask_core(turn.message(), "parley.turn.list", std::move(which));
    if (!list) co_return nullptr;
    const Json turns = list->value("turns", Json::array());
    for (auto one = turns.rbegin(); one != turns.rend(); ++one) {
      const bool explains =
          one->value("skill_id", "") == skill_id() &&
          (one->value("intent_name", "") == "why" || one->value("intent_name", "") == "how_known");
      if (!explains && one->value("utterance_id", "") != turn.utterance_id()) co_return *one;
    }
    co_return nullptr;
  }

  // ---- saying

  std::string say_fact(const Fact& fact, const std::string& owner, const std::string& time_zone,
                       const std::string& lang) {
    const Picker pick = [this](std::size_t count) { return random(count); };
    return memory::say_fact(locale(), fact, owner, say_moment(fact.time, time_zone, lang), lang, pick);
  }
  void say_facts(Turn& turn, const std::vector<Fact>& known) {
    for (const auto& fact : known)
      turn.speak(say_fact(fact, turn.owner(), turn.time_zone(), turn.render_lang("fact")));
  }
  std::string say_moment(Moment then, const std::string& time_zone, const std::string& lang) const {
    return memory::say_moment(locale(), then, clock().wall(), time_zone, lang);
  }

  /// What was said from memory in the turn before this one; empty: nothing.
  Task<std::vector<Fact>> just_said(Turn turn) {
    const Json before = co_await last_turn(turn);
    const LastAnswer* const last = last_.of(Asker::of(turn.message()));
    if (!before.is_object() || last == nullptr) co_return std::vector<Fact>();
    // A question of ours and its answer are two turns.
    const bool is_it =
        before.value("utterance_id", "") == last->turn ||
        (before.value("skill_id", "") == skill_id() && before.value("intent_name", "") == "response");
    co_return is_it ? last->facts : std::vector<Fact>();
  }

  // ---- telling

  Task<> remember(Turn turn) {
    if (co_await is_answered(turn)) co_return;
    auto fact = turn.slot("fact");
    if (!fact) {
      const auto said = co_await turn.ask("what");
      if (!said) co_return turn.speak_dialog("never_mind");
      fact = *said;
    }
    if (!co_await is_meant(turn, "remember", *fact)) co_return turn.speak_dialog("never_mind");
    co_await tell(std::move(turn), *fact, "noted", "");
  }

  Task<> tell_plainly(Turn turn) {
    if (co_await is_answered(turn)) co_return;
    std::string fact = turn.text();
    if (!co_await is_meant(turn, "tell", fact)) co_return turn.speak_dialog("never_mind");
    co_await tell(std::move(turn), std::move(fact), "noted", "");
  }

  /// What only resembles a telling is kept when the user says so.
  Task<bool> is_meant(Turn turn, std::string intent, std::string fact) {
    if (turn.understand(turn.text(), {intent})) co_return true;
    const Slots what{{"fact", fact}};
    const Confirmation meant = co_await turn.confirm("shall_i", what);
    co_return meant.yes();
  }

  /// @param contradicts  a fact that does not hold any more; empty: none that is known
  Task<> tell(Turn turn, std::string fact, std::string dialog, std::string contradicts) {
    const Asker asker = Asker::of(turn.message());
    Json event = telling(asker, turn.utterance_id(), fact, turn.lang(), clock().wall(), contradicts);
    const auto told = co_await ask_core(turn.message(), "parley.evidence.ingest", std::move(event));
    if (!told || told->value("accepted", 0) == 0) co_return turn.speak_dialog("not_kept");
    const Json result = told->at("results").at(0);
    Fact known;
    known.id = result.at("object_ids").back().get<std::string>();
    known.text = fact;
    known.agent = asker.owner;
    known.sources = {result.at("event_id").get<std::string>()};
    known.time = clock().wall();
    Json query = query_told(asker, fact, turn.lang(), kCandidates);
    for (auto& one : co_await facts(turn.message(), std::move(query))) {
      if (one.id == known.id) known = std::move(one);
    }
    turn.speak_dialog(dialog, {{"fact", fact}});
    last_.note(turn.message(), {known});
  }

  // ---- answering

  std::optional<QuestionClaim> claims(const Query& query) {
    if (!questions_->read(query.utterances.front(), query.lang)) return std::nullopt;
    return QuestionClaim(kLatency);
  }

  Task<std::optional<QuestionAnswer>> answer(Query query) {
    const std::string said = query.utterances.front();
    const auto question = questions_->read(said, query.lang);
    if (!question || !query.message) co_return std::nullopt;
    const auto known = co_await told_of(*query.message, *question, query.lang);
    if (known.empty()) co_return std::nullopt;
    const std::string owner = query.message->owner();
    std::string text;
    for (const auto& fact : known)
      text += (text.empty() ? "" : " ") + say_fact(fact, owner, query.time_zone, query.lang);
    last_.note(*query.message, known);
    co_return QuestionAnswer(std::move(text), kCertain);
  }

  /// What was told that answers a question.
  Task<std::vector<Fact>> told_of(Message from, Question question, std::string lang) {
    Json query = query_told(Asker::of(from), question.thing, lang, kCandidates);
    co_return answering(question, lang, co_await facts(std::move(from), std::move(query)));
  }

  /// Of what was found what answers a question: all there is about something, else the latest.
  std::vector<Fact> answering(const Question& question, const std::string& lang,
                              std::vector<Fact> found) const {
    std::erase_if(found, [&](const Fact& fact) { return !questions_->answers(question, fact, lang); });
    std::stable_sort(found.begin(), found.end(),
                     [](const Fact& a, const Fact& b) { return a.time > b.time; });
    std::stable_partition(found.begin(), found.end(),
                          [&](const Fact& fact) { return questions_->is_just_that(question, fact, lang); });
    const bool wants_all =
        question.kind == Question::Kind::kAbout || question.kind == Question::Kind::kAllergic;
    const std::size_t most = wants_all ? kMostTold : 1;
    if (found.size() > most) found.resize(most);
    return found;
  }

  /// Nobody else had an answer: for what only the user can have told.
  bool is_own_question(const Query& query) {
    const auto question = questions_->read(query.utterances.front(), query.lang);
    return question && (question->is_own || question->kind == Question::Kind::kAbout ||
                        (question->kind == Question::Kind::kWhere && question->is_definite));
  }

  Task<> nothing_told(Turn turn) {
    if (const auto question = questions_->read(turn.text(), turn.lang())) say_nothing_of(turn, *question);
    co_return;
  }

  static void say_nothing_of(Turn& turn, const Question& question) {
    if (question.is_own) return turn.speak_dialog("nothing_told");
    turn.speak_dialog("nothing_about", {{"thing", question.thing}});
  }

  /// What resembles a telling may be a question all the same: it is answered, and never kept.
  Task<bool> is_answered(Turn turn) {
    const auto question = questions_->read(turn.text(), turn.lang());
    if (!question) co_return false;
    const auto known = co_await told_of(turn.message(), *question, turn.lang());
    if (known.empty()) say_nothing_of(turn, *question);
    say_facts(turn, known);
    last_.note(turn.message(), known);
    co_return true;
  }

  Task<> about_me(Turn turn) {
    if (co_await is_answered(turn)) co_return;
    const Asker asker = Asker::of(turn.message());
    Json query = query_all_told(asker, kCandidates);
    auto known = co_await facts(turn.message(), std::move(query));
    if (known.empty()) co_return turn.speak_dialog("nothing_yet");
    std::stable_sort(known.begin(), known.end(),
                     [](const Fact& a, const Fact& b) { return a.time > b.time; });
    const std::size_t count = known.size();
    if (count > kMostTold) known.resize(kMostTold);
    say_facts(turn, known);
    if (count > kMostTold) turn.speak_dialog("and_more", {{"count", std::to_string(count - kMostTold)}});
    last_.note(turn.message(), known);
  }

  // ---- what was asked

  Task<> last_time(Turn turn) {
    const std::string what = turn.slot("what").value_or(turn.text());
    const Asker asker = Asker::of(turn.message());
    Json query = query_turns(asker, what, turn.lang(), kMostTurns);
    auto turns = co_await facts(turn.message(), std::move(query));
    std::erase_if(turns,
                  [this](const Fact& one) { return one.coverage < kEnoughWords || one.agent == skill_id(); });
    const auto latest = std::max_element(turns.begin(), turns.end(), [](const Fact& a, const Fact& b) {
      return a.coverage != b.coverage ? a.coverage < b.coverage : a.time < b.time;
    });
    if (latest == turns.end()) co_return turn.speak_dialog("never", {{"what", what}});
    Json which = {{"utterance_id", latest->id.substr(std::string("mem_").size())}};
    const auto found = co_await ask_core(turn.message(), "parley.turn.get", std::move(which));
    if (!found || !found->contains("turn")) co_return turn.speak_dialog("never", {{"what", what}});
    turn.speak_dialog("last_said",
                      {{"said", found->at("turn").value("said", "")},
                       {"when", say_moment(latest->time, turn.time_zone(), turn.render_lang("last_said"))}});
  }

  Task<> asked(Turn turn) {
    const std::string lang = turn.render_lang("asked");
    Json which = {{"limit", kMostTurns}};
    if (const auto day = turn.slot("day")) {
      // The evidence reads what time is meant.
      Json query = query_turns(Asker::of(turn.message()), *day, turn.lang(), 1);
      const auto read = co_await ask_core(turn.message(), "parley.evidence.query", std::move(query));
      const Json filters = read ? read->value("applied_filters", Json::object()) : Json::object();
      if (!filters.contains("time_said")) co_return turn.speak_dialog("no_such_day", {{"day", *day}});
      which["since"] = filters.at("time_said").at("from");
      which["until"] = filters.at("time_said").at("to");
    }
    const auto list = co_await ask_core(turn.message(), "parley.turn.list", std::move(which));
    const Json turns = list ? list->value("turns", Json::array()) : Json::array();
    std::vector<std::string> said;
    std::set<std::string> seen;
    for (auto one = turns.rbegin(); one != turns.rend(); ++one) {
      std::string text = one->value("said", "");
      const bool is_this = one->value("utterance_id", "") == turn.utterance_id();
      if (is_this || text.empty() || !seen.insert(text).second) continue;
      said.push_back(turn.dialog("quoted", {{"said", std::move(text)}}));
    }
    if (said.empty()) co_return turn.speak_dialog("asked_nothing");
    const std::size_t count = said.size();
    if (count > kMostTold) said.resize(kMostTold);
    turn.speak_dialog("asked", {{"said", say_list(said, lang)}});
    if (count > kMostTold) turn.speak_dialog("and_more", {{"count", std::to_string(count - kMostTold)}});
  }

  // ---- where an answer came from

  Task<> why(Turn turn) {
    const Json before = co_await last_turn(turn);
    if (!before.is_object()) co_return turn.speak_dialog("why_nothing");
    co_await explain(std::move(turn), before);
  }

  Task<> explain(Turn turn, Json before) {
    Json which = {{"utterance_id", before.value("utterance_id", "")}};
    const auto found = co_await ask_core(turn.message(), "parley.turn.get", std::move(which));
    const Json whole = found ? found->value("turn", before) : before;
    const Reason reason = reason_of(whole, before.value("lang", turn.lang()));
    const Slots slots{{"skill", reason.skill},
                      {"words", reason.words},
                      {"said", before.value("said", "")},
                      {"percent", std::to_string(reason.certainty)},
                      {"others", say_list(reason.others, turn.render_lang("why_words"))}};
    using Kind = Reason::Kind;
    turn.speak_dialog(dialog_of(reason.kind), slots);
    if (reason.kind == Kind::kNobody || reason.kind == Kind::kUnknown || reason.kind == Kind::kStop)
      co_return;
    turn.speak_dialog(reason.others.empty() ? "why_alone" : "why_others", slots);
  }

  Task<> how_known(Turn turn) {
    const auto known = co_await just_said(turn);
    if (known.empty()) {
      const Json before = co_await last_turn(turn);
      if (!before.is_object()) co_return turn.speak_dialog("why_nothing");
      co_return co_await explain(std::move(turn), before);
    }
    for (const auto& fact : known) {
      const Slots slots{{"when", say_moment(fact.time, turn.time_zone(), turn.render_lang("how_told"))},
                        {"fact", fact.text},
                        {"agent", fact.agent}};
      turn.speak_dialog(fact.agent == turn.owner() ? "how_told" : "how_told_by", slots);
    }
  }

  // ---- taking back

  Task<> forget(Turn turn) {
    const auto known = co_await just_said(turn);
    if (known.empty()) co_return turn.speak_dialog("never_mind");
    const bool is_plain = turn.understand(turn.text(), {"forget"}).has_value();
    co_await erase(std::move(turn), known, is_plain);
  }

  Task<> forget_about(Turn turn) {
    // "What do you know about Ana" resembles it: nothing is lost by what is a question.
    const bool is_plain = turn.understand(turn.text(), {"forget_about"}).has_value();
    if (!is_plain) {
      if (co_await is_answered(turn)) co_return;
    }
    const std::string thing = turn.slot("thing").value_or("");
    const Asker asker = Asker::of(turn.message());
    const bool is_all = questions_->is_oneself(thing, turn.lang());
    const Question question(Question::Kind::kAbout, thing);
    Json query =
        is_all ? query_all_told(asker, kMostAsked) : query_told(asker, thing, turn.lang(), kCandidates);
    auto known = co_await facts(turn.message(), std::move(query));
    std::erase_if(known, [&](const Fact& fact) {
      return !is_all && !questions_->answers(question, fact, turn.lang());
    });
    if (is_all && known.empty()) co_return turn.speak_dialog("nothing_yet");
    if (known.empty()) co_return turn.speak_dialog("nothing_about", {{"thing", thing}});
    co_await erase(std::move(turn), known, is_plain, is_all);
  }

  /// @param is_plain  that is what was said; else it only resembles that, and one thing is asked about, too
  /// @param is_all  there may be more than these, which goes as well
  Task<> erase(Turn turn, std::vector<Fact> known, bool is_plain, bool is_all = false) {
    const bool is_one = known.size() == 1;
    if (!is_one || !is_plain) {
      const Slots what{{"count", std::to_string(known.size())}, {"fact", known.front().text}};
      const Confirmation sure = co_await turn.confirm(is_one ? "sure_one" : "sure", what);
      if (!sure.yes()) co_return turn.speak_dialog("kept");
    }
    const Asker asker = Asker::of(turn.message());
    for (int round = 0; !known.empty(); ++round) {
      Json ids = Json::array();
      const auto next = std::span(known).first(std::min(known.size(), kMostErased));
      for (const auto& fact : next) {
        ids.push_back(fact.id);
        if (const std::string turn_id = told_in(fact); !turn_id.empty()) ids.push_back("mem_" + turn_id);
      }
      Json what = {{"object_ids", std::move(ids)}};
      const auto gone = co_await ask_core(turn.message(), "parley.evidence.forget", std::move(what));
      if (!gone || round == kMostRounds) co_return turn.speak_dialog("not_forgotten");
      known.erase(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(next.size()));
      if (!known.empty() || !is_all) continue;
      Json rest = query_all_told(asker, kMostAsked);
      known = co_await facts(turn.message(), std::move(rest));
    }
    last_.forget(Asker::of(turn.message()));
    turn.speak_dialog(is_one ? "forgotten" : "forgotten_all");
  }

  Task<> wrong(Turn turn) {
    const auto known = co_await just_said(turn);
    if (known.empty()) co_return turn.speak_dialog("nothing_to_correct");
    const Fact& fact = known.front();
    auto instead = turn.slot("value");
    if (!instead) {
      const auto said = co_await turn.ask("what_instead");
      if (!said) co_return turn.speak_dialog("never_mind");
      const auto meant = turn.understand(*said, {"it_is"});
      instead = meant ? meant->slots.at("value") : *said;
    }
    auto fixed = corrected(fact.text, fact.value, *instead, turn.lang());
    if (!fixed) {
      const auto said = co_await turn.ask("say_whole");
      if (!said) co_return turn.speak_dialog("never_mind");
      fixed = *said;
    }
    co_await tell(std::move(turn), *fixed, "corrected", fact.id);
  }

  std::optional<Questions> questions_;
  LastAnswers last_;
};

}  // namespace
}  // namespace parley::memory

PARLEY_SKILL(parley::memory::Memory, "memory.parley")
