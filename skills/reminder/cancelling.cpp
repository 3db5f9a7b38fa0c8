#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/locale.hpp>
#include <parley/speech.hpp>
#include <string>
#include <utility>

#include "coming.hpp"

// What is to come no more: it is cancelled, or left out once.
namespace parley::reminder {

namespace ch = std::chrono;

Task<> Coming::cancel(Turn turn) {
  co_await cancel_one(std::move(turn), false);
}

Task<> Coming::cancel_one(Turn turn, bool just_set) {
  if (!turn.slot("which") && silence(turn.session_key())) co_return turn.speak_dialog("silenced");
  Entries all = co_await asked_about(turn);
  auto meant = co_await which_of(turn, std::move(all), just_set);
  if (!meant) co_return;
  const bool repeats = meant->size() == 1 && meant->front().rule;
  // "Thursday's" of what comes every day is the next one, of what comes every Thursday it may be all.
  const auto day =
      repeats ? day_said(turn, meant->front().rule->kind() != ScheduleRule::Kind::kWeekly) : std::nullopt;
  const auto due = day ? due_on(meant->front(), *day, here(turn).zone) : std::nullopt;
  if (due) co_return co_await skip_one(turn, meant->front(), *due);
  co_await cancel_these(turn, std::move(*meant));
}

Task<> Coming::skip(Turn turn) {
  const Here place = here(turn);
  Entries all = co_await asked_about(turn);
  if (all.empty()) co_return say_none(turn);
  const auto day = day_said(turn, true);
  if (!day && !slot_which(turn)) all = Entries(1, all.front());
  if (day) std::erase_if(all, [&](const Scheduled& one) { return !due_on(one, *day, place.zone); });
  if (all.empty()) co_return say_no_such(turn);
  if (!day) {
    auto meant = co_await which_of(turn, std::move(all));
    if (!meant) co_return;
    all = std::move(*meant);
  }
  for (const Scheduled& one : all) {
    auto due = day ? *due_on(one, *day, place.zone) : one.due;
    while (one.rule && skips(one.payload(), due)) due = one.rule->next(due, place.zone);
    if (one.rule)
      co_await skip_one(turn, one, due);
    else
      co_await cancel_these(turn, Entries(1, one));
  }
}

Task<> Coming::skip_one(Turn turn, Scheduled one, ch::system_clock::time_point due) {
  const Here place = here(turn);
  const auto payload = skipping(one.payload(), due, clock().wall());
  if (!payload) co_return turn.speak_dialog("too_many_skipped");
  try {
    const std::string id = co_await schedule().repeat(*one.rule, kDue, *payload, turn);
    co_await schedule().cancel(one.id);
    note_latest(turn, id, known_as(one, place));
  } catch (const StorageError& error) {
    log(LogLevel::kError, error.what());
    co_return turn.speak_dialog("not_kept");
  }
  remember_topic(turn);
  const std::string when = say_when(place.zone.local(due), place.now, turn.render_lang("skipped"));
  turn.speak_dialog("skipped", {{"when", when}, {"item", names(turn, Entries(1, one)).front()}});
}

Task<> Coming::cancel_that(Turn turn) {
  Entries meant = co_await latest(turn);
  if (meant.empty()) co_return co_await cancel(turn);
  forget_latest(turn);
  // The next "it" is something else that was spoken of.
  turn.remove_context("reminders");
  co_await cancel_these(turn, std::move(meant));
}

Task<> Coming::cancel_all(Turn turn) {
  Entries all = co_await asked_about(turn);
  if (all.empty()) co_return say_none(turn);
  if (all.size() > 1) {
    const Slots slots{{"count", std::to_string(all.size())}};
    const Confirmation sure = co_await turn.confirm("sure_all", slots);
    if (sure.end() == AskEnd::kReplaced) co_return;
    if (!sure.yes()) co_return turn.speak_dialog("nothing_cancelled");
  }
  co_await cancel_these(turn, std::move(all));
}

Task<> Coming::cancel_these(Turn turn, Entries meant) {
  for (const Scheduled& one : meant) co_await schedule().cancel(one.id);
  if (meant.size() > 1)
    co_return turn.speak_dialog("cancelled_all", {{"count", std::to_string(meant.size())}});
  turn.speak_dialog("cancelled", {{"item", names(turn, meant).front()}});
}

}  // namespace parley::reminder
