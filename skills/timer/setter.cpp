#include "setter.hpp"

#include <algorithm>
#include <chrono>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley::timer {
namespace {

using std::chrono::seconds;

/// Of all sessions together.
constexpr std::size_t kMostInAll = 10'000;

/// Who began the turn; null: this process.
SenderPtr client_of(const Turn& turn) {
  return turn.message().context().sender;
}

}  // namespace

Task<> TimerSetter::set_one_of(Turn turn, Request request) {
  if (is_full(turn)) co_return;
  Spoken wanted;
  wanted.duration = request.duration;
  wanted.rest = std::move(request.name);
  co_await set_one(std::move(turn), std::move(wanted));
}

std::optional<Id> TimerSetter::corrected_by(const Turn& turn) const {
  constexpr std::chrono::minutes kJustNow(2);
  const std::vector<Timer>& here = timers(turn);
  const auto newest =
      std::max_element(here.begin(), here.end(), [](const Timer& a, const Timer& b) { return a.id < b.id; });
  if (!turn.corrects() || newest == here.end() || clock().now() - (newest->due - newest->length) > kJustNow)
    return std::nullopt;
  return newest->id;
}

std::vector<Id> TimerSetter::already_there(const Turn& turn, const std::vector<Spoken>& wanted) {
  const std::string& name = wanted.front().rest;
  if (wanted.size() != 1 || name.empty() || !is_of_one_known(turn)) return {};
  std::vector<Id> known = named_within(timers(turn), name, turn.lang());
  if (known.size() != 1) known.clear();
  return known;
}

bool TimerSetter::is_of_one_known(const Turn& turn) const {
  const auto said = words(turn.text(), turn.lang());
  for (std::size_t at = 0; at < said.size(); ++at) {
    const auto word = std::span(said).subspan(at, 1);
    if (locale().vocabulary_equals(turn.lang(), "new", word)) return false;
    if (locale().vocabulary_equals(turn.lang(), "known", word)) return true;
  }
  return false;
}

Task<> TimerSetter::set_all(Turn turn, std::vector<Spoken> wanted) {
  const bool any_negative =
      std::any_of(wanted.begin(), wanted.end(), [](const Spoken& one) { return one.negative; });
  if (any_negative) co_return turn.speak_dialog("negative");
  for (Spoken& one : wanted) {
    if (!one.duration) one = co_await ask_how_long(turn, "how_long");
    if (!one.duration || is_full(turn)) co_return;
    co_await set_one(turn, one);
  }
}

Task<Spoken> TimerSetter::ask_how_long(Turn turn, std::string dialog) {
  const auto read = [this](const std::string& said, const std::string& lang) {
    Spoken spoken = durations(lang).read_answer(said);
    return spoken.duration || spoken.negative ? std::optional(std::move(spoken)) : std::nullopt;
  };
  AskOptions options;
  options.not_understood = "how_long_again";
  const Reply<Spoken> answer = co_await turn.ask(dialog, read, Slots(), options);
  if (answer && answer->negative) turn.speak_dialog("negative");
  if (answer) co_return *answer;
  // After another question the user is elsewhere.
  if (answer.end() != AskEnd::kReplaced) turn.speak_dialog("never_mind");
  co_return Spoken();
}

Task<Spoken> TimerSetter::said_or_asked(Turn turn, Spoken said, std::string dialog) {
  if (said.negative) turn.speak_dialog("negative");
  if (said.negative || said.duration) co_return said;
  Spoken answer = co_await ask_how_long(turn, std::move(dialog));
  co_return answer;
}

bool TimerSetter::is_full(Turn turn) {
  const auto most = static_cast<std::size_t>(settings().integer("max_timers"));
  const auto share = static_cast<std::size_t>(settings().integer("max_timers_per_client"));
  const SenderPtr client = client_of(turn);
  const std::size_t here = timers(turn).size();
  const std::size_t of_client = all_timers().count_if(
      [&client](const Timer& one) { return client && one.turn && client_of(*one.turn) == client; });
  if (here < most && of_client < share && all_timers().count() < kMostInAll) return false;
  if (here < most) {
    turn.speak_dialog("too_many_elsewhere");
  } else {
    turn.speak_dialog("too_many", {{"count", std::to_string(here)}});
  }
  return true;
}

Task<> TimerSetter::set_one(Turn turn, Spoken wanted) {
  const seconds length = *wanted.duration;
  if (is_too_long(turn, length)) co_return;
  co_await begin_timer(turn, wanted.rest, length);
  spoke_of(turn, Wish::kSet, std::vector<Id>(1, timers(turn).back().id), length);
  if (mentions("live_when", turn.text(), turn.lang()) && mentions("live_end", turn.text(), turn.lang()))
    co_return tell_when(turn, std::vector<Id>(1, timers(turn).back().id));
  const std::string dialog = wanted.rest.empty() ? "set" : "set_named";
  turn.speak_dialog(dialog,
                    {{"name", wanted.rest}, {"duration", say_duration(length, turn.render_lang(dialog))}});
}

}  // namespace parley::timer
