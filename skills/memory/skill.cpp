#include <algorithm>
#include <parley/numbers.hpp>
#include <parley/skill.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "memory.hpp"
#include "speech.hpp"
#include "tellings.hpp"

namespace parley::memory {
namespace {

constexpr Duration kPatience = std::chrono::seconds(10);  ///< With the core, for an answer.
constexpr Duration kLatency = std::chrono::milliseconds(50);
constexpr double kCertain = 0.96;  ///< Of what the user said themselves.
constexpr double kLikely = 0.85;   ///< Of that it answers a question which is none of the usual ones.

/// "I got 14, 17 and 11, what's my average" asks for nothing that was told.
bool is_sum(const Query& query) {
  constexpr std::size_t kNumbersOfSum = 2;
  const auto all = words(query.utterances.front(), query.lang);
  const std::span<const Word> said(all);
  std::size_t count = 0;
  for (std::size_t at = 0; at < said.size();) {
    const auto number = leading_number(said.subspan(at), query.lang);
    const bool counts = number && number->words > 0 && number->value > 1;  // "a" is one as well
    if (counts) ++count;
    at += counts ? number->words : 1;
  }
  return count >= kNumbersOfSum;
}

}  // namespace

void Memory::start() {
  questions_.emplace(locale());
  on_intent("remember", &Memory::remember);
  // "And while I think of it, my plumber is called Vandevelde, that's worth remembering".
  on_intent("remember_behind", &Memory::remember);
  on_intent("remember_before", &Memory::remember);
  // Apart from the others: "the dentist at ten, don't let me forget" wants to be reminded.
  on_intent("not_forget", &Memory::remember);
  on_intent("tell", &Memory::tell_plainly);
  on_intent("about_me", &Memory::about_me);
  on_intent("my_name", &Memory::my_name);
  on_intent("birthday_of", &Memory::birthday_of);
  on_intent("last_time", &Memory::last_time);
  on_intent("asked", &Memory::asked);
  on_intent("said_last", &Memory::said_last);
  // "Sorry, I wasn't listening, what did you answer": wherever these words stand.
  on_keywords("just_asked", keywords().require("i_just_asked"), &Memory::said_last);
  // "What was it I asked you about Mumbai, before all those lists".
  on_keywords("asked_about",
              keywords()
                  .require("i_asked")
                  .require("recall_asks")
                  .optionally("recall_about")
                  .optionally("recall_first")
                  .optionally("recall_little")
                  .optionally("function")
                  .optionally("articles")
                  .optionally("own")
                  .exclude("recall_else")
                  .exclude("i_just_asked"),
              &Memory::asked);
  on_keywords("answered", keywords().require("you_answered"), &Memory::answered_last);
  on_intent("routines", &Memory::routines);
  on_intent("why", &Memory::why);
  on_intent("how_known", &Memory::how_known);
  on_intent("forget", &Memory::forget);
  on_intent("forget_about", &Memory::forget_about);
  on_intent("forget_fact", &Memory::forget_fact);
  on_intent("call_me", &Memory::call_me);
  on_intent("forget_mine", &Memory::forget_mine);
  on_intent("forget_name", &Memory::forget_name);
  on_intent("wrong", &Memory::wrong);
  on_question(&Memory::claims, &Memory::answer);
  on_converse(&Memory::goes_on, &Memory::go_on);
  on_fallback(94, &Memory::is_statement, &Memory::correct);
  on_fallback(95, &Memory::is_own_question, &Memory::nothing_told);
}

// ---- asking the core

Task<std::optional<Json>> Memory::ask_core(Message from, std::string topic, Json data) {
  Message question = from.forward(std::move(topic), std::move(data));
  const auto answer = co_await request(std::move(question), kPatience);
  if (!answer || answer->data().contains("error") || answer->data().contains("error_code"))
    co_return std::nullopt;
  co_return answer->data();
}

Task<std::vector<Fact>> Memory::facts(Message from, Json query) {
  const auto answer = co_await ask_core(std::move(from), "parley.evidence.query", std::move(query));
  co_return answer ? facts_in(*answer) : std::vector<Fact>();
}

// ---- saying

std::string Memory::say_fact(const Fact& fact, const std::string& owner, const std::string& time_zone,
                             const std::string& lang) {
  const Picker pick = [this](std::size_t count) { return random(count); };
  return memory::say_fact(locale(), fact, owner, say_moment(fact.time, time_zone, lang), lang, pick);
}

void Memory::say_facts(Turn& turn, const std::vector<Fact>& known) {
  for (const auto& fact : known)
    turn.speak(say_fact(fact, turn.owner(), turn.time_zone(), turn.render_lang("fact")));
}

std::string Memory::say_moment(Moment then, const std::string& time_zone, const std::string& lang) const {
  return memory::say_moment(locale(), then, clock().wall(), time_zone, lang);
}

Task<std::vector<Fact>> Memory::just_said(Turn turn) {
  const Json before = co_await last_turn(turn);
  const LastAnswer* const last = last_.of(Asker::of(turn.message()));
  if (!before.is_object() || last == nullptr) co_return std::vector<Fact>();
  // A question of ours and its answer are two turns.
  const bool is_it =
      before.value("utterance_id", "") == last->turn ||
      (before.value("skill_id", "") == skill_id() && before.value("intent_name", "") == "response");
  co_return is_it ? last->facts : std::vector<Fact>();
}

// ---- answering

std::optional<Question> Memory::question_in(const Query& query) const {
  return questions_->read(query.utterances.front(), query.lang, wall_clock(query.time_zone));
}

std::optional<Question> Memory::question_within(const Query& query) const {
  return questions_->read_within(query.utterances.front(), query.lang, wall_clock(query.time_zone));
}

std::optional<Question> Memory::question_within(const Turn& turn) const {
  return questions_->read_within(turn.text(), turn.lang(), wall_clock(turn.time_zone()));
}

std::optional<Question> Memory::question_in(const Turn& turn) const {
  return questions_->read(turn.text(), turn.lang(), wall_clock(turn.time_zone()));
}

std::chrono::local_seconds Memory::wall_clock(const std::string& time_zone) const {
  return zone_of(time_zone).local(clock().wall());
}

std::optional<QuestionClaim> Memory::claims(const Query& query) {
  if (!question_within(query) && !questions_->asks(query.utterances.front(), query.lang)) return std::nullopt;
  return QuestionClaim(kLatency);
}

Task<std::vector<Fact>> Memory::told_of_asked(Message from, std::string said,
                                              std::optional<Question> question, std::string lang) {
  std::vector<Fact> known;
  if (question) known = co_await told_of(from, *question, lang);
  if (known.empty()) known = co_await told_of_named(std::move(from), std::move(said), std::move(lang));
  co_return known;
}

ConverseAnswer Memory::goes_on(const Query& query) {
  const Offered* const offered = offers_.open(query, skill_id(), clock().now());
  if (offered != nullptr && answer_to_offer(*offered, query.utterances.front(), query.lang)) return true;
  const ConverseAnswer correction = is_correction(query);
  if (correction.yes() || asks_kept(query) || asks_where_it_is(query)) return true;
  const bool is_kept = kept_.find(query.session_key(), clock().now()) != nullptr;
  return correction.is_done() && is_kept ? ConverseAnswer(false) : correction;
}

bool Memory::asks_kept(const Query& query) const {
  const std::string& said = query.utterances.front();
  const auto* const kept = kept_.find(query.session_key(), clock().now());
  const bool asks = questions_->asks_plainly(said, query.lang) && !states(said, query.lang);
  if (kept == nullptr || !asks || mentions("kept_else", said, query.lang)) return false;
  const std::string asked = questions_->asked_part(said, query.lang);
  return std::any_of(kept->begin(), kept->end(), [&](const Fact& fact) {
    // Of one's own name is asked otherwise: "what is the capital called" is not it.
    return !mentions("called", fact.text, query.lang) && questions_->names(asked, fact, query.lang);
  });
}

bool Memory::states(const std::string& said, const std::string& lang) const {
  const bool asks_behind = mentions("wants", said, lang) && questions_->asks_plainly(said, lang);
  return (questions_->statement(said, lang) && !asks_behind) || questions_->instead(said, lang);
}

Task<> Memory::go_on(Turn turn) {
  if (auto offered = offers_.take(turn.session_key(), clock().now())) {
    if (const auto wanted = answer_to_offer(*offered, turn.text(), turn.lang()))
      co_return co_await answer_offer(std::move(turn), std::move(*offered), *wanted);
  }
  if (states(turn.text(), turn.lang())) co_return co_await correct(std::move(turn));
  std::vector<Fact> known;
  if (questions_->is(turn.text(), "q_it", turn.lang())) {
    known = co_await just_said(turn);
  } else {
    auto question = question_within(turn);
    known = co_await told_of_asked(turn.message(), turn.text(), std::move(question), turn.lang());
  }
  if (known.empty()) co_return turn.speak_dialog("nothing_told");
  say_facts(turn, known);
  last_.note(turn.message(), known, clock().wall());
}

Task<std::optional<QuestionAnswer>> Memory::answer(Query query) {
  if (!query.message) co_return std::nullopt;
  const auto question = question_within(query);
  auto asked = question;
  auto known = co_await told_of_asked(*query.message, query.utterances.front(), std::move(asked), query.lang);
  const bool is_open = !question || question->kind == Question::Kind::kOpen;
  // "How long for the tea of Beto is allergic to penicillin": asked once more of what was spoken of.
  std::erase_if(known, [&](const Fact& fact) {
    return is_open && query.utterances.front().find(fact.text) != std::string::npos;
  });
  if (known.empty()) co_return std::nullopt;
  const std::string owner = query.message->owner();
  std::string text;
  for (const auto& fact : known)
    text += (text.empty() ? "" : " ") + say_fact(fact, owner, query.time_zone, query.lang);
  last_.note(*query.message, known, clock().wall());
  co_return QuestionAnswer(std::move(text), is_open ? kLikely : kCertain);
}

Task<std::vector<Fact>> Memory::told_of(Message from, Question question, std::string lang) {
  const std::string asked = questions_->widened(question.thing + ' ' + question.value, lang);
  Json query = query_told(Asker::of(from), asked, lang, kCandidates);
  co_return answering(question, lang, co_await facts(std::move(from), std::move(query)));
}

Task<std::vector<Fact>> Memory::told_of_named(Message from, std::string asked, std::string lang) {
  // Not by its words: "doggy" is a dog.
  Json query = query_all_told(Asker::of(from), kMostNamed);
  auto found = co_await facts(std::move(from), std::move(query));
  std::erase_if(found, [&](const Fact& fact) { return !questions_->names(asked, fact, lang); });
  std::stable_sort(found.begin(), found.end(), [](const Fact& a, const Fact& b) { return a.time > b.time; });
  if (found.size() > 1) found.resize(1);
  co_return found;
}

std::vector<Fact> Memory::answering(const Question& question, const std::string& lang,
                                    std::vector<Fact> found) const {
  std::erase_if(found, [&](const Fact& fact) { return !questions_->answers(question, fact, lang); });
  std::stable_sort(found.begin(), found.end(), [](const Fact& a, const Fact& b) { return a.time > b.time; });
  std::stable_partition(found.begin(), found.end(),
                        [&](const Fact& fact) { return questions_->is_just_that(question, fact, lang); });
  const bool wants_all = question.kind == Question::Kind::kAbout ||
                         question.kind == Question::Kind::kAllergic ||
                         question.kind == Question::Kind::kWhose;
  const std::size_t most = wants_all ? kMostTold : 1;
  if (found.size() > most) found.resize(most);
  return found;
}

bool Memory::is_own_question(const Query& query) {
  const auto question = question_within(query);
  if (question && is_sum(query)) return false;
  const auto is_name = [&] {
    constexpr std::size_t kShort = 2;  // "the hamster", not "the president of France"
    return question->kind == Question::Kind::kWhat && question->is_definite &&
           words(question->thing, query.lang).size() <= kShort &&
           questions_->is(query.utterances.front(), "q_called", query.lang);
  };
  return question && (is_name() || question->is_own || question->kind == Question::Kind::kAbout ||
                      question->kind == Question::Kind::kWhose ||
                      (question->kind == Question::Kind::kWhere && question->is_definite));
}

Task<> Memory::nothing_told(Turn turn) {
  if (const auto question = question_within(turn)) say_nothing_of(turn, *question);
  co_return;
}

void Memory::say_nothing_of(Turn& turn, const Question& question) {
  if (question.is_own) return turn.speak_dialog("nothing_told");
  turn.speak_dialog("nothing_about", {{"thing", question.value.empty() ? question.thing : question.value}});
}

Task<bool> Memory::is_answered(Turn turn, bool is_never_told) {
  const auto question = question_in(turn);
  const bool is_plain = is_never_told && questions_->begins_as_question(turn.text(), turn.lang());
  if (!question && !is_plain) co_return false;
  std::vector<Fact> known;
  if (question) known = co_await told_of(turn.message(), *question, turn.lang());
  if (known.empty() && is_plain) known = co_await told_of_named(turn.message(), turn.text(), turn.lang());
  const bool is_open = !question || question->kind == Question::Kind::kOpen;
  if (known.empty() && is_open && !is_plain) co_return false;
  if (known.empty() && is_open) turn.speak_dialog("nothing_told");
  if (known.empty() && !is_open) say_nothing_of(turn, *question);
  say_facts(turn, known);
  last_.note(turn.message(), known, clock().wall());
  co_return true;
}

/// Not left to the others: who has something of names resembles it. What resembles this is about another's.
Task<> Memory::my_name(Turn turn) {
  if (!turn.understand(turn.text(), {"my_name"}) && !asks_my_name(turn)) {
    if (!co_await is_answered(turn)) turn.speak_dialog("nothing_told");
    co_return;
  }
  auto known = co_await told_with(turn, "called");
  if (known.empty()) co_return turn.speak_dialog("nothing_told");
  known.resize(1);
  say_facts(turn, known);
  last_.note(turn.message(), known, clock().wall());
}

/// All of it, a clause or how it is called: "do you even know who I am, what's my name", "do you still know
/// my name".
bool Memory::asks_my_name(const Turn& turn) const {
  const std::string& text = turn.text();
  if (questions_->is(text, "my_name", turn.lang()) || mentions("own_name", text, turn.lang())) return true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (questions_->is(text.substr(begin, comma - begin), "my_name", turn.lang())) return true;
    begin = comma + 1;
  }
  return false;
}

/// "Call me Bob": told as "my name is Bob".
Task<> Memory::call_me(Turn turn) {
  std::string fact = turn.dialog("my_name_is", {{"name", turn.slot("name").value_or("")}});
  const auto known = co_await told_with(turn, "called");
  co_await tell_if_meant(std::move(turn), std::move(fact), known.empty() ? "noted" : "corrected");
}

Task<std::vector<Fact>> Memory::told_with(Turn turn, std::string vocabulary) {
  std::string words;
  if (const auto* const phrases = locale().vocabulary(turn.lang(), vocabulary)) {
    for (const std::string& phrase : *phrases) words += phrase + ' ';
  }
  Json query = query_told(Asker::of(turn.message()), words, turn.lang(), kCandidates);
  auto known = co_await facts(turn.message(), std::move(query));
  std::erase_if(known, [&](const Fact& fact) { return !mentions(vocabulary, fact.text, turn.lang()); });
  std::stable_sort(known.begin(), known.end(), [](const Fact& a, const Fact& b) { return a.time > b.time; });
  co_return known;
}

/// Not left to the others: who knows dates would take "is that Ana has her birthday" for one.
Task<> Memory::birthday_of(Turn turn) {
  if (co_await is_answered(turn)) co_return;
  std::vector<Fact> known;
  if (const auto question = question_within(turn))  // with words in front that say nothing
    known = co_await told_of(turn.message(), *question, turn.lang());
  if (known.empty()) co_return turn.speak_dialog("nothing_told");
  say_facts(turn, known);
  last_.note(turn.message(), known, clock().wall());
}

Task<> Memory::about_me(Turn turn) {
  if (!questions_->is(turn.text(), "about_me", turn.lang())) {
    if (co_await is_answered(turn)) co_return;
  }
  const Asker asker = Asker::of(turn.message());
  Json query = query_all_told(asker, kCandidates);
  auto known = co_await facts(turn.message(), std::move(query));
  if (known.empty()) co_return turn.speak_dialog("nothing_yet");
  std::stable_sort(known.begin(), known.end(), [](const Fact& a, const Fact& b) { return a.time > b.time; });
  const std::size_t count = known.size();
  if (count > kMostTold) known.resize(kMostTold);
  say_facts(turn, known);
  if (count > kMostTold) turn.speak_dialog("and_more", {{"count", std::to_string(count - kMostTold)}});
  last_.note(turn.message(), known, clock().wall());
}

}  // namespace parley::memory

PARLEY_SKILL(parley::memory::Memory, "memory.parley")
