#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "memory.hpp"

// What does not hold any more: it is forgotten, or corrected.
namespace parley::memory {
namespace {

constexpr std::size_t kMostErased = 64;  ///< At a time: one request takes no more.
constexpr int kMostRounds = 1'000;       ///< So often.
/// The share of what is to be forgotten that a fact must have of it.
constexpr double kSpokenOf = 0.5;
/// Words that point to something rather than say something: "forget that one", "forget that whole thing".
constexpr std::size_t kPointing = 3;
/// For so long after an answer something else said of the same is a correction.
constexpr std::chrono::minutes kJustSaid{2};

std::vector<std::string> ids_of(const std::vector<Fact>& facts) {
  std::vector<std::string> ids;
  ids.reserve(facts.size());
  for (const auto& fact : facts) ids.push_back(fact.id);
  return ids;
}

/// The memories of the turns in which was told what has gone.
std::vector<std::string> turns_of(const Json& gone) {
  std::vector<std::string> ids;
  for (const auto& event_id : gone.value("event_ids", std::vector<std::string>())) {
    if (const auto turn_id = told_in(event_id)) ids.push_back(memory_of_turn(*turn_id));
  }
  return ids;
}

}  // namespace

Task<> Memory::forget(Turn turn) {
  const auto known = co_await just_said(turn);
  if (known.empty()) co_return turn.speak_dialog("never_mind");
  const bool is_plain = turn.understand(turn.text(), {"forget"}).has_value();
  co_await erase_if_meant(std::move(turn), known, is_plain);
}

Task<> Memory::forget_about(Turn turn) {
  // "What do you know about Ana" resembles it: nothing is lost by what is a question.
  const bool is_plain = turn.understand(turn.text(), {"forget_about"}).has_value();
  if (!is_plain) {
    if (co_await is_answered(turn)) co_return;
  }
  const std::string thing = turn.slot("thing").value_or("");
  const bool is_all = questions_->is_oneself(thing, turn.lang());
  std::vector<Fact> known;
  if (is_all) {
    Json query = query_all_told(Asker::of(turn.message()), kMostAsked);
    known = co_await facts(turn.message(), std::move(query));
  } else {
    known = co_await all_about(turn, thing);
  }
  if (is_all && known.empty()) co_return turn.speak_dialog("nothing_yet");
  if (known.empty()) co_return turn.speak_dialog("nothing_about", {{"thing", thing}});
  co_await erase_if_meant(std::move(turn), known, is_plain, is_all);
}

Task<std::vector<Fact>> Memory::all_about(Turn turn, std::string thing) {
  const Question question(Question::Kind::kAbout, thing);
  Json query = query_told(Asker::of(turn.message()), thing, turn.lang(), kCandidates);
  auto known = co_await facts(turn.message(), std::move(query));
  std::erase_if(known, [&](const Fact& fact) { return !questions_->answers(question, fact, turn.lang()); });
  co_return known;
}

Task<std::optional<Fact>> Memory::most_like(Turn turn, std::string said) {
  Json query = query_told(Asker::of(turn.message()), std::move(said), turn.lang(), kCandidates);
  const auto known = co_await facts(turn.message(), std::move(query));
  const auto best = std::max_element(known.begin(), known.end(), [](const Fact& one, const Fact& other) {
    return one.coverage < other.coverage;
  });
  if (best == known.end() || best->coverage < kSpokenOf) co_return std::nullopt;
  co_return *best;
}

/// "Forget that the key is under the pot", "forget where I parked".
Task<> Memory::forget_fact(Turn turn) {
  const bool is_plain = turn.understand(turn.text(), {"forget_fact"}).has_value();
  const std::string said = turn.slot("fact").value_or("");
  const auto best = co_await most_like(turn, said);
  if (!best) {
    const bool is_said_of = words(said, turn.lang()).size() > kPointing;
    if (!is_said_of) co_return co_await forget(std::move(turn));
    co_return turn.speak_dialog("not_told");
  }
  const bool is_that = is_plain && questions_->says(said, *best, turn.lang());
  std::vector<Fact> only(1, *best);
  co_await erase_if_meant(std::move(turn), std::move(only), is_that);
}

/// "Forget my birthday". Anybody's birthday may be what is known: it asks first.
Task<> Memory::forget_mine(Turn turn) {
  const std::string thing = turn.slot("thing").value_or("");
  auto known = co_await all_about(turn, thing);
  if (known.empty()) {  // "the wifi password, we changed it"
    const auto best = co_await most_like(turn, thing.substr(0, thing.find(',')));
    if (!best) co_return turn.speak_dialog("nothing_told");
    known.push_back(*best);
  }
  co_await erase_if_meant(std::move(turn), std::move(known), false);
}

Task<> Memory::forget_name(Turn turn) {
  auto known = co_await told_with(turn, "called");
  if (known.empty()) co_return turn.speak_dialog("nothing_told");
  const bool is_plain = turn.understand(turn.text(), {"forget_name"}).has_value();
  co_await erase_if_meant(std::move(turn), std::move(known), is_plain);
}

Task<> Memory::erase_if_meant(Turn turn, std::vector<Fact> known, bool is_plain, bool is_all) {
  const bool is_one = known.size() == 1;
  if (is_one && is_plain) co_return co_await erase(std::move(turn), std::move(known), is_all);
  const Slots what{{"count", std::to_string(known.size())}, {"fact", known.front().text}};
  Offered offered;
  offered.known = std::move(known);
  offered.is_all = is_all;
  offers_.make(std::move(turn), std::move(offered), is_one ? "sure_one" : "sure", clock().now(), what);
}

Task<> Memory::erase(Turn turn, std::vector<Fact> known, bool is_all) {
  const bool is_one = known.size() == 1;
  const Asker asker = Asker::of(turn.message());
  std::vector<std::string> ids = ids_of(known);
  for (int round = 0; !ids.empty(); ++round) {
    const auto next = std::span(ids).last(std::min(ids.size(), kMostErased));
    Json what = {{"object_ids", next}};
    const auto gone = co_await ask_core(turn.message(), "parley.evidence.forget", std::move(what));
    if (!gone || round == kMostRounds) co_return turn.speak_dialog("not_forgotten");
    ids.resize(ids.size() - next.size());
    for (auto& told : turns_of(*gone)) ids.push_back(std::move(told));
    if (!ids.empty() || !is_all) continue;
    Json rest = query_all_told(asker, kMostAsked);
    known = co_await facts(turn.message(), std::move(rest));
    ids = ids_of(known);
  }
  last_.forget(Asker::of(turn.message()));
  kept_.forget(turn.session_key());  // what else was told there is found as well, but not as early
  turn.speak_dialog(is_one ? "forgotten" : "forgotten_all");
}

Task<> Memory::wrong(Turn turn) {
  const auto known = co_await just_said(turn);
  if (known.empty()) co_return turn.speak_dialog("nothing_to_correct");
  auto instead = turn.slot("value");
  if (!instead) {
    const auto said = co_await turn.ask("what_instead");
    if (!said) co_return turn.speak_dialog("never_mind");
    const auto meant = turn.understand(*said, {"it_is"});
    instead = meant ? meant->slots.at("value") : *said;
  }
  co_await put_right(std::move(turn), known.front(), *instead);
}

Task<> Memory::put_right(Turn turn, Fact fact, std::string instead) {
  auto fixed = corrected(fact.text, fact.value, instead, turn.lang());
  if (!fixed) {
    const auto said = co_await turn.ask("say_whole");
    if (!said) co_return turn.speak_dialog("never_mind");
    fixed = *said;
  }
  co_await tell(std::move(turn), *fixed, "corrected", fact.id);
}

ConverseAnswer Memory::is_correction(const Query& query) {
  if (!query.message) return false;
  const LastAnswer* const last = last_.of(Asker::of(*query.message));
  if (last == nullptr || clock().wall() > last->when + kJustSaid) return ConverseAnswer::done();
  const std::string& said = query.utterances.front();
  const auto statement = questions_->statement(said, query.lang);
  if (!statement) return questions_->instead(said, query.lang).has_value();
  return std::any_of(last->facts.begin(), last->facts.end(),
                     [&](const Fact& fact) { return questions_->is_of(*statement, fact, query.lang); });
}

/// "Where is it now", of what was spoken of just now.
bool Memory::asks_where_it_is(const Query& query) const {
  if (!query.message || !questions_->is(query.utterances.front(), "q_it", query.lang)) return false;
  const LastAnswer* const last = last_.of(Asker::of(*query.message));
  return last != nullptr && clock().wall() <= last->when + kJustSaid && !last->facts.empty() &&
         last->facts.front().relation == "where";
}

bool Memory::is_statement(const Query& query) {
  return questions_->statement(query.utterances.front(), query.lang) || is_correction(query).yes();
}

Task<> Memory::correct(Turn turn) {
  const auto statement = questions_->statement(turn.text(), turn.lang());
  if (statement) {
    if (co_await is_told_anew(turn, *statement)) co_return;
    turn.not_understood();
    co_return turn.speak_dialog("nothing_of_that", {{"thing", statement->thing}});
  }
  const auto known = co_await just_said(turn);
  const auto instead = questions_->instead(turn.text(), turn.lang());
  if (known.empty() || !instead) {
    turn.not_understood();
    co_return turn.speak_dialog("nothing_to_correct");
  }
  co_await put_right(std::move(turn), known.front(), *instead);
}

Task<bool> Memory::is_told_anew(Turn turn, Statement statement) {
  Json query = query_told(Asker::of(turn.message()), statement.thing, turn.lang(), kCandidates);
  const auto known = co_await facts(turn.message(), std::move(query));
  const bool is_known = std::any_of(known.begin(), known.end(), [&](const Fact& fact) {
    return questions_->is_of(statement, fact, turn.lang());
  });
  if (is_known) co_await tell(std::move(turn), statement.text, "corrected", "");
  co_return is_known;
}

}  // namespace parley::memory
