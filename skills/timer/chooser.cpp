#include "chooser.hpp"

#include <algorithm>
#include <chrono>
#include <parley/choices.hpp>
#include <parley/locale.hpp>
#include <parley/speech.hpp>
#include <parley/utterance_words.hpp>
#include <utility>

#include "live.hpp"
#include "request.hpp"

namespace parley::timer {
namespace {

using std::chrono::seconds;

constexpr std::size_t kWordsOfClause = 3;

bool has(const std::vector<Id>& some, Id id) {
  return std::find(some.begin(), some.end(), id) != some.end();
}

std::string dialog_of(const Timer& timer, const std::string& dialog) {
  return timer.name.empty() ? dialog : dialog + "_named";
}

}  // namespace

// ---- which are meant

/// "Cancel the timer the kid's asleep": what is so long, and behind the word for a timer, is mostly no name.
bool TimerChooser::is_clause_behind(const Turn& turn, const std::string& name) const {
  if (words(name, turn.lang()).size() < kWordsOfClause) return false;
  const UtteranceWords said(turn.text(), turn.lang(), locale());
  const auto timer = said.find("timer");
  return timer && said[timer->begin].begin < turn.text().find(name);
}

std::vector<Id> TimerChooser::named_by(Turn turn, const Timers::Which& fits) {
  std::string name = name_in(turn);
  if (is_clause_behind(turn, name) && named(turn, name, turn.lang()).empty()) name.clear();
  std::vector<Id> meant = name.empty() ? all_ids(turn) : named(turn, name, turn.lang());
  // A slot took something else: "pause the homework please she needs the loo".
  if (meant.empty() && !timers(turn).empty())
    meant = LiveReader(locale(), durations(turn.lang())).meant(turn.text(), timers(turn));
  // Where no template has a place for the name: "mach bei den Eiern sieben draus".
  if (name.empty() && meant.size() > 1) {
    const RequestReader reader(locale(), durations(turn.lang()));
    auto within = named_within(timers(turn), reader.without_what_stays(turn.text()), turn.lang());
    if (!within.empty()) meant = std::move(within);
  }
  std::vector<Id> fitting = meant;
  std::erase_if(fitting, [&](Id id) { return !fits(*find(turn, id)); });
  if (timers(turn).empty()) {
    turn.speak_dialog("none");
  } else if (meant.empty()) {
    turn.speak_dialog("no_such", {{"name", name}});
  } else if (fitting.empty()) {
    tell(turn, meant);
  }
  return fitting;
}

Task<std::vector<Id>> TimerChooser::meant_by(Turn turn, Timers::Which fits, std::string otherwise) {
  std::vector<Id> meant = named_by(turn, fits);
  if (meant.size() > 1 && !mentions("all", turn.text(), turn.lang()))
    meant = co_await ask_which(turn, meant, otherwise);
  co_return meant;
}

Task<std::vector<Id>> TimerChooser::ask_which(Turn turn, std::vector<Id> meant, std::string otherwise) {
  // Twins can't be told apart: the one that was set first goes.
  if (are_twins(those_of(turn, meant), clock().now())) co_return std::vector<Id>(1, meant.front());
  std::vector<std::string> names;
  for (const auto id : meant) {
    const Timer& timer = *find(turn, id);
    names.push_back(timer.name.empty() ? say_duration(timer.length, turn.render_lang("which")) : timer.name);
  }
  tell_alike_apart(turn, meant, names);
  const Slots choices{{"timers", say_choice(names, turn.render_lang("which"))}};
  const auto choose = [this, turn, meant, names](const std::string& said, const std::string& lang) {
    return chosen(turn, meant, names, said, lang);
  };
  const Reply<std::vector<Id>> answer = co_await turn.ask("which", choose, choices);
  if (answer) co_return *answer;
  if (answer.end() != AskEnd::kReplaced) turn.speak_dialog(otherwise);
  co_return std::vector<Id>();
}

/// Those that would be called the same are called by what is left of them, too.
void TimerChooser::tell_alike_apart(const Turn& turn, const std::vector<Id>& all,
                                    std::vector<std::string>& names) {
  const std::vector<std::string> called = names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::count(called.begin(), called.end(), called[i]) > 1) names[i] = item(turn, *find(turn, all[i]));
  }
}

/// Those of `offered` an answer names, or counts: "the second one". Some may have rung and gone while the
/// user was thinking.
std::optional<std::vector<Id>> TimerChooser::chosen(const Turn& turn, const std::vector<Id>& offered,
                                                    const std::vector<std::string>& names,
                                                    const std::string& said, const std::string& lang) {
  std::vector<Id> meant = offered;
  const auto keep = [&meant](const std::vector<Id>& these) {
    std::erase_if(meant, [&](Id id) { return !has(these, id); });
  };
  keep(all_ids(turn));
  if (!mentions("all", said, lang)) {
    const auto by_rest = with_left(those_of(turn, meant), said, durations(lang), clock().now());
    const std::string compound = durations(lang).compound_name(said);
    keep(!by_rest.empty() ? by_rest : named(turn, compound.empty() ? said : compound, lang));
    const auto counted =
        meant.empty() ? choice_of(names, said, lang, says("last", said, lang)) : std::nullopt;
    if (counted && find(turn, offered[*counted]) != nullptr) meant = {offered[*counted]};
  }
  return meant.empty() ? std::nullopt : std::optional(std::move(meant));
}

std::string TimerChooser::name_in(const Turn& turn) {
  const auto name = turn.slot("name");
  if (!name) return durations(turn.lang()).compound_name(turn.text());
  // "The phone is ringing, pause the timer": what ends before a comma is a clause, unless there is one of
  // that name.
  const auto at = turn.text().rfind(*name);
  const bool is_clause = at != std::string::npos && turn.text().substr(at + name->size(), 1) == ",";
  const auto before = turn.text().find_last_not_of(' ', at == 0 ? 0 : at - 1);
  const bool begins_clause = before != std::string::npos && turn.text()[before] == ',';
  return (is_clause || begins_clause) && named(turn, *name, turn.lang()).empty() ? std::string() : *name;
}

std::vector<Id> TimerChooser::named(const Turn& turn, const std::string& text, const std::string& lang) {
  return timer::named(timers(turn), text, durations(lang));
}

std::vector<Timer> TimerChooser::those_of(const Turn& turn, const std::vector<Id>& which) const {
  std::vector<Timer> these;
  for (const Timer& one : timers(turn)) {
    if (has(which, one.id)) these.push_back(one);
  }
  return these;
}

// ---- telling

void TimerChooser::tell(Turn turn, const std::vector<Id>& meant) {
  if (meant.size() == 1) {
    const Timer& only = *find(turn, meant.front());
    if (only.rings()) return turn.speak_dialog("rings_now");
    return say_of(turn, only, only.paused ? "paused" : "left");
  }
  std::vector<std::string> parts;
  for (const Id id : meant) parts.push_back(item(turn, *find(turn, id)));
  turn.speak_dialog("list", {{"count", std::to_string(parts.size())},
                             {"timers", say_list(parts, turn.render_lang("list"))}});
}

std::string TimerChooser::item(const Turn& turn, const Timer& timer) const {
  const std::string dialog = dialog_of(timer, timer.paused ? "item_paused" : "item");
  return turn.dialog(dialog, slots(turn, timer, dialog));
}

void TimerChooser::say_of(Turn turn, const Timer& timer, const std::string& dialog) {
  const std::string full = dialog_of(timer, dialog);
  turn.speak_dialog(full, slots(turn, timer, full));
}

Slots TimerChooser::slots(const Turn& turn, const Timer& timer, const std::string& dialog) const {
  const std::string lang = turn.render_lang(dialog);
  return {{"name", timer.name},
          {"duration", say_duration(timer.length, lang)},
          {"left", say_duration(std::max(timer.left(clock().now()), seconds(1)), lang, Precision::kMinutes)}};
}

/// Put together when first needed, so that starting takes no time.
const DurationReader& TimerChooser::durations(const std::string& lang) {
  auto& known = readers_[lang];
  if (!known) known = std::make_unique<const DurationReader>(locale(), lang);
  return *known;
}

}  // namespace parley::timer
