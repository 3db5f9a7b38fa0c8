#include "listener.hpp"

#include <algorithm>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace parley::timer {

std::vector<Spoken> TimerListener::said_at_once(const Turn& turn) {
  std::vector<Spoken> all = said_in_slots(turn);
  const auto right = RequestReader(locale(), durations(turn.lang())).put_right(turn.text());
  if (!right || all.size() != 1) return all;
  Spoken& only = all.front();
  only.duration = right->time;
  const std::size_t slip = only.rest.find(right->slip);  // "the eggs, no, twelve minutes" is no name
  if (slip != std::string::npos) only.rest.resize(slip);
  while (!only.rest.empty() && (only.rest.back() == ' ' || only.rest.back() == ',')) only.rest.pop_back();
  return all;
}

std::vector<Spoken> TimerListener::said_in_slots(const Turn& turn) {
  const DurationReader& reader = durations(turn.lang());
  if (turn.slot("count")) return {read_count(turn)};
  if (turn.slot("front")) return {told_in_front(turn)};  // "The dough rises for an hour, so set a timer"
  Spoken wanted = reader.read(turn.slot("what").value_or(""));
  if (!wanted.duration && !turn.slot("duration")) {  // "another one for five"
    Spoken bare = reader.read_answer(wanted.rest);
    if (bare.duration && bare.rest.empty()) wanted = std::move(bare);
  }
  std::vector<Spoken> all = reader.read_all(turn.slot("duration").value_or(""));
  Spoken& first = all.front();
  if (wanted.duration) first.duration = wanted.duration;
  if (!wanted.rest.empty()) first.rest = wanted.rest;
  if (const std::string name = name_in(turn); !name.empty()) {
    Spoken named = reader.read(name);
    first.rest = std::move(named.rest);
    if (!first.duration) first.duration = named.duration;  // "called nap, twenty minutes"
  }
  // "Four for the garlic"
  if (auto counted = reader.read_many(turn.slot("duration").value_or(""));
      !first.duration && counted.size() == 1 && counted.front().duration && !turn.slot("what")) {
    all = std::move(counted);
    return all;
  }
  if (!first.duration) {  // in words that no template has, of which slots got a part or nothing
    const Spoken whole = reader.read(turn.text());
    first.duration = whole.duration;
    if (whole.duration && name_in(turn).empty() && whole.rest.find(first.rest) == std::string::npos)
      first.rest.clear();
  }
  if (first.duration && all.size() == 1 && mentions("wish_name", turn.text(), turn.lang())) {
    if (std::string called = name_behind(turn); !called.empty()) first.rest = std::move(called);
  }
  if (first.duration) {
    if (first.rest.empty() && all.size() == 1) first.rest = name_behind(turn);
    return all;
  }
  if (const auto request = request_in(turn.text(), turn.lang(), turn.session_key())) {
    first.duration = request->duration;
    if (first.duration) first.rest = request->name;
  }
  return all;
}

/// "Four minutes, and call it tea".
std::string TimerListener::name_behind(const Turn& turn) {
  if (!mentions("wish_name", turn.text(), turn.lang())) return "";
  const auto request = request_in(turn.text(), turn.lang(), turn.session_key());
  return request && request->wish == Wish::kSet ? request->name : std::string();
}

/// What was told of in front of the request: how long, and no name.
Spoken TimerListener::told_in_front(const Turn& turn) {
  const std::string front = turn.slot("front").value_or("");
  Spoken told = durations(turn.lang()).read(front);
  if (!told.duration && !told.negative) told.duration = heard_in(front, turn.lang());
  if (!told.duration && !told.negative) told.duration = heard_in(turn.text(), turn.lang());
  told.rest.clear();
  return told;
}

/// How many minutes or hours are counted, from the number on where a name stands behind: what is in front of
/// it tells something else ("I'll tell you in a moment, first put three minutes for the tea").
Spoken TimerListener::read_count(const Turn& turn) {
  const std::string count = turn.slot("count").value_or("");
  std::size_t begin = turn.text().find(count);
  if (begin == std::string::npos) begin = 0;
  const auto said = words(count, turn.lang());
  for (std::size_t from = 0; turn.slot("name") && from < said.size(); ++from) {
    const auto number = leading_number(std::span(said).subspan(from), turn.lang());
    if (!number || from + number->words < said.size()) continue;
    begin += said[from].begin;
    break;
  }
  return durations(turn.lang()).read(std::string_view(turn.text()).substr(begin));
}

Spoken TimerListener::how_long_now(const Turn& turn) {
  const DurationReader& reader = durations(turn.lang());
  Spoken whole = reader.read_answer(turn.slot("duration").value_or(""));
  if (whole.duration || whole.negative) return whole;
  whole = reader.read(turn.text());
  if (whole.duration || whole.negative) return whole;
  return last_number(turn);
}

/// Minutes where nobody says of what.
Spoken TimerListener::last_number(const Turn& turn) {
  const auto said = words(turn.text(), turn.lang());
  std::span<const Word> last;
  for (std::size_t at = 0; at < said.size();) {
    const auto number = leading_number(std::span(said).subspan(at), turn.lang());
    if (number) last = std::span(said).subspan(at, number->words);
    at += number ? number->words : 1;
  }
  return last.empty() ? Spoken() : durations(turn.lang()).read_answer(surface(turn.text(), last));
}

Spoken TimerListener::how_much_more(const Turn& turn) {
  Spoken more = more_by_slots(turn);
  if (!more.duration && !more.negative) more.duration = heard_in(turn.text(), turn.lang());
  if (!more.duration && !more.negative) return last_number(turn);
  return more;
}

Spoken TimerListener::how_much_less(const Turn& turn) {
  const Spoken less = how_much_more(turn);
  if (!less.negative) return less;
  // "Menos dez minutos": less by that, and no negative time.
  const auto said = words(turn.text(), turn.lang());
  for (std::size_t from = 1; from < said.size(); ++from) {
    Spoken behind = durations(turn.lang()).read(std::string_view(turn.text()).substr(said[from].begin));
    if (behind.duration) return behind;
  }
  return less;
}

Spoken TimerListener::more_by_slots(const Turn& turn) {
  const DurationReader& reader = durations(turn.lang());
  if (const auto duration = turn.slot("duration")) return reader.read_answer(*duration);
  Spoken more = reader.read(turn.text());
  const std::string count = count_in(turn);
  if (more.duration || more.negative || count.empty()) return more;
  const std::string_view after = std::string_view(turn.text()).substr(turn.text().find(count) + count.size());
  const auto next = words(after, turn.lang());
  return next.empty() ? more : reader.read(count + std::string(after.substr(next.front().end)));
}

/// "Give the {eggs two} more minutes": a name may end in the number.
std::string TimerListener::count_in(const Turn& turn) {
  if (const auto count = turn.slot("count")) return *count;
  const std::string name = turn.slot("name").value_or("");
  const auto said = words(name, turn.lang());
  for (std::size_t from = 1; from < said.size(); ++from) {
    const auto rest = std::span(said).subspan(from);
    const auto number = leading_number(rest, turn.lang());
    if (number && number->words == rest.size()) return name.substr(rest.front().begin);
  }
  return "";
}

std::optional<Request> TimerListener::request_in(const std::string& text, const std::string& lang,
                                                 const SessionKey& session) {
  const RequestReader reader(locale(), durations(lang));
  const std::vector<Timer>& running = all_timers().of(session);
  if (auto request = reader.read(text, running)) return request;
  const std::string written = heard(lang).as_written(text);
  return written == text ? std::nullopt : reader.read(written, running);
}

std::optional<Request> TimerListener::live_request_in(const std::string& text, const std::string& lang,
                                                      const SessionKey& session, const Talk* talk) {
  return LiveReader(locale(), durations(lang)).read(text, all_timers().of(session), talk);
}

bool TimerListener::is_template(const std::string& text, const std::string& lang) {
  constexpr std::size_t kMostInSlots = 4;
  auto& known = sentences_[lang];
  if (!known) known = std::make_unique<const Sentences>(locale(), lang);
  const auto is_whole = [&](const Sentences::Match& match) {
    std::size_t in_slots = 0;
    for (const auto& [name, value] : match.slots) in_slots += words(value, lang).size();
    return in_slots <= kMostInSlots;
  };
  return std::ranges::any_of(known->match(text), is_whole);
}

std::optional<std::chrono::seconds> TimerListener::heard_in(const std::string& text,
                                                            const std::string& lang) {
  const RequestReader reader(locale(), durations(lang));
  const auto told = reader.duration_in(text);
  return told ? told : reader.duration_in(heard(lang).as_written(text));
}

const SpokenForms& TimerListener::heard(const std::string& lang) {
  auto& known = heard_[lang];
  if (!known) known = std::make_unique<const SpokenForms>(locale(), lang, "heard");
  return *known;
}

}  // namespace parley::timer
