#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "memory.hpp"
#include "tellings.hpp"

// What is told and kept, and what is offered to be.
namespace parley::memory {

Task<> Memory::remember(Turn turn) {
  if (co_await is_answered(turn)) co_return;
  if (auto told = fact_in(turn.text(), turn.lang(), locale()))
    co_return co_await tell(std::move(turn), std::move(*told), "noted", "");
  auto fact = turn.slot("fact");
  if (!fact) {
    const auto said = co_await turn.ask("what");
    if (!said) co_return turn.speak_dialog("never_mind");
    fact = *said;
  }
  // "Can you remember that": what stood before was taken for something else.
  if (!questions_->is_anything(*fact, turn.lang())) {
    const auto said = co_await turn.ask("what");
    if (!said) co_return turn.speak_dialog("never_mind");
    fact = *said;
  }
  co_await tell_if_meant(std::move(turn), *fact, "noted");
}

Task<> Memory::tell_plainly(Turn turn) {
  if (co_await is_answered(turn, true)) co_return;
  if (const auto statement = questions_->statement(turn.text(), turn.lang())) {
    if (co_await is_told_anew(turn, *statement)) co_return;
  }
  std::string fact = fact_in(turn.text(), turn.lang(), locale()).value_or(turn.text());
  co_await tell_if_meant(std::move(turn), std::move(fact), "noted");
}

Task<> Memory::tell_if_meant(Turn turn, std::string fact, std::string dialog) {
  if (turn.understand(turn.text(), {"remember", "not_forget", "tell", "call_me"}))
    co_return co_await tell(std::move(turn), std::move(fact), std::move(dialog), "");
  const Slots what{{"fact", fact}};
  Offered offered;
  offered.fact = std::move(fact);
  offered.dialog = std::move(dialog);
  offers_.make(std::move(turn), std::move(offered), "shall_i", clock().now(), what);
}

std::optional<bool> Memory::answer_to_offer(const Offered& offered, const std::string& said,
                                            const std::string& lang) const {
  // "Yes, forget it": behind the yes it says once more what was asked.
  const char* const once_more = offered.fact.empty() ? "forget_it" : "keep_it";
  const std::vector<Word> all = words(said, lang);
  for (std::size_t n = 1; n < all.size(); ++n) {
    const std::string front(surface(said, std::span(all).first(n)));
    const std::string rest(surface(said, std::span(all).subspan(n)));
    if (says("yes", front, lang) && says(once_more, rest, lang)) return true;
  }
  return yes_or_no(said, lang, [&](std::string_view vocabulary, std::string_view text) {
    return says(vocabulary, text, lang);
  });
}

Task<> Memory::answer_offer(Turn turn, Offered offered, bool wanted) {
  const bool forgets = offered.fact.empty();
  if (!wanted) {
    // "Forget that": it is still spoken of.
    if (forgets) last_.note(turn.message(), offered.known, clock().wall());
    co_return turn.speak_dialog(forgets ? "kept" : "never_mind");
  }
  if (forgets) co_return co_await erase(std::move(turn), std::move(offered.known), offered.is_all);
  co_await tell(std::move(turn), std::move(offered.fact), std::move(offered.dialog), "");
}

Task<std::string> Memory::replaced_by(Turn turn, std::string fact) {
  for (const char* const kind : {"parking", "called"}) {
    if (!mentions(kind, fact, turn.lang())) continue;
    const auto known = co_await told_with(turn, kind);
    co_return known.empty() ? std::string() : known.front().id;
  }
  co_return std::string();
}

Task<> Memory::tell(Turn turn, std::string fact, std::string dialog, std::string contradicts) {
  const Asker asker = Asker::of(turn.message());
  if (contradicts.empty()) contradicts = co_await replaced_by(turn, fact);
  Json event = telling(asker, turn.utterance_id(), fact, turn.lang(), clock().wall(), contradicts);
  const auto told = co_await ask_core(turn.message(), "parley.evidence.ingest", std::move(event));
  if (!told || told->value("accepted", 0) == 0) co_return turn.speak_dialog("not_kept");
  const Json result = told->at("results").at(0);
  Fact known;
  known.id = result.at("object_ids").back().get<std::string>();
  known.text = fact;
  known.agent = asker.owner;
  known.time = clock().wall();
  Json query = query_told(asker, fact, turn.lang(), kCandidates);
  for (auto& one : co_await facts(turn.message(), std::move(query))) {
    if (one.id == known.id) known = std::move(one);
  }
  // Names and days are what is misheard: they are said back.
  const bool is_said_back =
      dialog == "noted" && (mentions("called", fact, turn.lang()) || mentions("birthday", fact, turn.lang()));
  turn.speak_dialog(is_said_back ? "noted_fact" : dialog, {{"fact", fact}});
  keep(turn, known);
  last_.note(turn.message(), {known}, clock().wall());
}

void Memory::keep(const Turn& turn, Fact fact) {
  const auto* const before = kept_.find(turn.session_key(), clock().now());
  std::vector<Fact> all = before == nullptr ? std::vector<Fact>() : *before;
  all.push_back(std::move(fact));
  if (all.size() > kMostKept) all.erase(all.begin());
  kept_.note(turn.message(), std::move(all), clock().now());
}

}  // namespace parley::memory
