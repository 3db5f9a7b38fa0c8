#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>

#include "lists_skill.hpp"
#include "needed.hpp"

namespace parley::lists {
namespace {

/// Bytes of an item, and of a list's name.
constexpr std::size_t kLongestItem = 200;
constexpr std::size_t kLongestName = 80;

/// What became of things that were to be added.
struct Outcome {
  Names added, there, full;
};

}  // namespace

Task<> Lists::add(Turn turn) {
  if (auto wish = rather(turn, {"add"}, Wish::Kind::kAdd)) co_return co_await fulfil(turn, *wish);
  if (!names_list_at_all(turn)) co_return is_no_list(turn);
  Which which = co_await begun_list(turn);
  co_await add_to(std::move(turn), std::move(which));
}

Task<> Lists::add_short(Turn turn) {
  if (auto wish = rather(turn, {"add_short"}, Wish::Kind::kAdd)) co_return co_await fulfil(turn, *wish);
  const std::string said = turn.slot("items").value_or("");
  const std::string lacking = lacking_in(said, locale(), turn.lang());
  Names things = things_in(lacking.empty() ? said : lacking, turn.lang());
  Which which = co_await begun_list(turn);
  if (things.empty()) co_return co_await read_out(std::move(turn), std::move(which));
  co_await add_things(std::move(turn), std::move(which), std::move(things));
}

Task<> Lists::add_todo(Turn turn) {
  const Which todo("todo", "");
  Names things = things_in(turn.slot("items").value_or(""), turn.lang());
  const bool is_list =
      things.size() == 1 && names_->is_word(normalise(things.front(), turn.lang()), turn.lang());
  if (is_list) co_return co_await read_out(std::move(turn), todo);
  co_await add_things(std::move(turn), todo, std::move(things));
}

Task<> Lists::add_that(Turn turn) {
  const std::vector<std::string> intents{"add_that", "add_there"};
  if (auto wish = rather(turn, intents, Wish::Kind::kAdd)) co_return co_await fulfil(turn, *wish);
  const auto said = turn.slot("items");
  const bool names_thing = said && !things_in(*said, turn.lang()).empty();
  const Latest* const latest = latest_of(turn);
  if (!names_thing && latest != nullptr && latest->is_missing) {
    Which which(latest->key, latest->name);
    Names missing = latest->said;
    co_return co_await add_things(std::move(turn), std::move(which), std::move(missing));
  }
  // "Put that on it" names nothing, and may be said to somebody else.
  if (!turn.understand(turn.text(), intents) || !names_thing) co_return is_no_list(turn);
  co_await add_to(turn, latest_list(turn));
}

bool Lists::is_need(const Query& query) {
  return !query.utterances.empty() && !needed_by(query.utterances.front(), query.lang).empty();
}

Task<> Lists::add_needed(Turn turn) {
  Names things = needed_by(turn.text(), turn.lang());
  return add_things(std::move(turn), names_->named("", ""), std::move(things));
}

Names Lists::needed_by(const std::string& said, const std::string& lang) const {
  // Mostly nobody needs anything, and these phrases are ready to be looked for.
  if (!mentions("needed", said, lang) && !mentions("gone", said, lang)) return {};
  return needed_in(said, locale(), lang);
}

Task<> Lists::add_to(Turn turn, Which which) {
  if (which.name.size() > kLongestName) co_return turn.speak_dialog("too_long");
  auto said = turn.slot("items");
  if (!said) {
    const Slots slots{{"list", spoken(turn, which, "what")}};
    const Reply<std::string> answer = co_await turn.ask("what", slots);
    if (!answer) co_return gave_up(turn, answer.end());
    said = *answer;
  }
  co_await add_things(turn, which, things_in(*said, turn.lang()));
}

Task<> Lists::add_things(Turn turn, Which which, Names things, bool is_swap) {
  const Latest corrected = take_latest(turn, is_swap);
  // "Put them on the packing list": what was spoken of just before.
  if (things.empty() && turn.slot("items")) things = latest_things(turn);
  const bool too_long = std::any_of(things.begin(), things.end(),
                                    [](const std::string& one) { return one.size() > kLongestItem; });
  if (too_long) co_return turn.speak_dialog("too_long");
  if (things.empty()) {
    const Slots slots{{"list", spoken(turn, which, "what")}};
    const Reply<std::string> answer = co_await turn.ask("what", slots);
    if (!answer) co_return gave_up(turn, answer.end());
    things = things_in(*answer, turn.lang());
    if (things.empty()) co_return turn.speak_dialog("never_mind");
  }
  if (co_await no_room_for(turn, which)) co_return;
  const auto outcome = std::make_shared<Outcome>();
  const auto most = static_cast<std::size_t>(settings().integer("max_items"));
  const Storage::Edit edit = [outcome, which, things, most, corrected,
                              lang = turn.lang()](std::optional<Json> kept) -> std::optional<Json> {
    *outcome = Outcome();
    List list = kept ? List::from_json(*kept) : List(which.name);
    if (corrected.key == which.key)
      for (const std::string& thing : corrected.things) list.remove(thing);
    for (const std::string& thing : things) {
      const List::Added added = list.add(thing, most, lang);
      (added == List::Added::kYes     ? outcome->added
       : added == List::Added::kThere ? outcome->there
                                      : outcome->full)
          .push_back(thing);
    }
    return list.to_json();
  };
  if (!co_await changed(turn, which, edit)) co_return;
  if (!corrected.key.empty() && corrected.key != which.key) {
    const Storage::Edit takes_back = without(corrected.things);
    const Which before(corrected.key, "");
    if (!co_await changed(turn, before, takes_back)) co_return;
  }
  note(turn, Latest(which, things, outcome->added));
  tell(turn, which, "added", outcome->added);
  tell(turn, which, "there", outcome->there);
  tell(turn, which, "full", outcome->full);
}

Storage::Edit Lists::without(Names things) {
  return [things = std::move(things)](std::optional<Json> kept) -> std::optional<Json> {
    if (!kept) return std::nullopt;
    List left = List::from_json(*kept);
    for (const std::string& thing : things) left.remove(thing);
    return left.to_json();
  };
}

void Lists::note(Turn turn, Latest latest) {
  ContextOptions some_turns;
  some_turns.turns = 4;
  turn.set_context(kSpokenOf, std::nullopt, some_turns);
  some_turns.turns = kLatelyTurns;
  turn.set_context(kLately, std::nullopt, some_turns);
  latest_.note(turn.message(), std::move(latest), clock().now());
}

Latest Lists::take_latest(const Turn& turn, bool is_swap) const {
  const Latest* const found = latest_of(turn);
  return found != nullptr && (is_swap || turn.corrects()) ? *found : Latest();
}

const Latest* Lists::latest_of(const Turn& turn) const {
  return latest_.find(turn.session_key(), clock().now());
}

Task<> Lists::remove(Turn turn) {
  if (auto wish = rather(turn, {"remove"}, Wish::Kind::kRemove)) co_return co_await fulfil(turn, *wish);
  if (turn.slot("list") && !has_list_word(turn)) co_return is_no_list(turn);
  Which which = co_await spoken_of(turn);
  Names things = things_said(turn);
  co_await remove_from(std::move(turn), std::move(which), std::move(things));
}

Task<> Lists::remove_that(Turn turn) {
  if (auto wish = rather(turn, {"remove_that"}, Wish::Kind::kRemove)) co_return co_await fulfil(turn, *wish);
  Which which = latest_list(turn);
  Names things = things_said(turn);
  // "Take your shoes off", when something else was spoken of since then; "grandma is coming, too".
  const auto said = turn.slot("items");
  const bool is_near =
      turns_since(*turn.session()) <= 1 && !(said && mentions("wish_verb", *said, turn.lang()));
  if (said && !is_near && !is_any_on(which, things, turn.lang())) co_return is_no_list(turn);
  co_await remove_from(std::move(turn), std::move(which), std::move(things));
}

bool Lists::is_any_on(const Which& which, const Names& things, const std::string& lang) const {
  const auto list = known_.find(which.key);
  return list != known_.end() && std::ranges::any_of(things, [&](const std::string& thing) {
           return !list->second.meant_by(thing, lang).empty();
         });
}

Names Lists::things_said(const Turn& turn) const {
  const auto said = turn.slot("items");
  return said ? things_in(*said, turn.lang()) : latest_things(turn);
}

Task<> Lists::remove_from(Turn turn, Which which, Names things) {
  const auto list = co_await existing(turn, which);
  if (!list) co_return;
  Names gone;
  Names missing;
  const auto is_there = [&](const std::string& thing) { return !list->meant_by(thing, turn.lang()).empty(); };
  // "Finally called the bank, that can come off": what is on the list tells what is meant.
  if (std::none_of(things.begin(), things.end(), is_there)) {
    Names named = list->named_in(turn.text(), turn.lang());
    if (named.empty() && things.empty()) named = latest_things(turn);
    if (!named.empty()) things = std::move(named);
  }
  for (const std::string& thing : things) {
    Names meant = list->meant_by(thing, turn.lang());
    if (meant.size() > 1) {
      const Slots slots{{"items", say_list(meant, turn.render_lang("which"))}};
      const Reply<std::size_t> chosen = co_await turn.choose("which", meant, slots);
      if (!chosen && chosen.end() == AskEnd::kReplaced) co_return;
      if (!chosen) continue;
      meant = Names(1, meant[*chosen]);
    }
    if (meant.empty()) missing.push_back(thing);
    gone.insert(gone.end(), meant.begin(), meant.end());
  }
  const Storage::Edit edit = without(gone);
  if (!gone.empty() && !co_await changed(turn, which, edit)) co_return;
  tell(turn, which, "removed", gone);
  tell(turn, which, "not_there", missing);
  if (gone.empty() && missing.empty()) turn.speak_dialog("never_mind");
  Latest latest(which, {}, {});
  latest.is_removal = true;
  note(turn, std::move(latest));
}

Task<> Lists::clear(Turn turn) {
  if (auto wish = rather(turn, {"clear"}, Wish::Kind::kClear)) co_return co_await fulfil(turn, *wish);
  if (turn.slot("list") && !has_list_word(turn)) co_return is_no_list(turn);
  Which which = co_await spoken_of(turn);
  co_await empty(std::move(turn), std::move(which));
}

Task<> Lists::clear_that(Turn turn) {
  Which which = latest_list(turn);
  return empty(std::move(turn), std::move(which));
}

Task<> Lists::empty(Turn turn, Which which) {
  const auto list = co_await existing(turn, which);
  if (!list) co_return;
  const std::size_t count = list->items().size();
  if (count == 0 && which.name.empty()) co_return say_empty(turn, which);
  if (count > 0) {
    const std::string dialog = count == 1 ? "sure_one" : "sure";
    const Slots slots{{"list", spoken(turn, which, dialog)}, {"count", std::to_string(count)}};
    const Confirmation sure = co_await turn.confirm(dialog, slots);
    if (sure.end() == AskEnd::kReplaced) co_return;
    if (!sure.yes()) co_return turn.speak_dialog("kept", {{"list", spoken(turn, which, "kept")}});
  }
  const Storage::Edit nothing = [](std::optional<Json>) -> std::optional<Json> { return std::nullopt; };
  if (!co_await changed(turn, which, nothing)) co_return;
  turn.speak_dialog("cleared", {{"list", spoken(turn, which, "cleared")}});
}

Task<> Lists::create(Turn turn) {
  if (auto wish = rather(turn, {"create"}, Wish::Kind::kCreate)) co_return co_await fulfil(turn, *wish);
  auto name = turn.slot("list");
  if (!name) {
    const Reply<std::string> answer = co_await turn.ask("what_name");
    if (!answer) co_return gave_up(turn, answer.end());
    name = *answer;
  }
  Which which = names_->named(*name, turn.lang());
  co_await begin(std::move(turn), std::move(which));
}

Task<> Lists::begin(Turn turn, Which which) {
  if (which.name.size() > kLongestName) co_return turn.speak_dialog("too_long");
  if (co_await storage().get(which.key))
    co_return turn.speak_dialog("exists", {{"list", spoken(turn, which, "exists")}});
  if (co_await no_room_for(turn, which)) co_return;
  const Storage::Edit begin = [which](std::optional<Json> kept) -> std::optional<Json> {
    return kept ? std::move(kept) : List(which.name).to_json();
  };
  if (!co_await changed(turn, which, begin)) co_return;
  note(turn, Latest(which, {}, {}));
  turn.speak_dialog("created", {{"list", spoken(turn, which, "created")}});
}

Task<bool> Lists::changed(Turn turn, Which which, Storage::Edit edit) {
  const auto after = std::make_shared<std::optional<Json>>();
  const Storage::Edit seen = [edit, after](std::optional<Json> kept) {
    *after = edit(std::move(kept));
    return *after;
  };
  try {
    co_await storage().change(which.key, seen);
  } catch (const StorageError& error) {
    log(LogLevel::kError, error.what());
    turn.speak_dialog("not_kept");
    co_return false;
  }
  known_.insert_or_assign(which.key, *after ? List::from_json(**after) : List(which.name));
  co_return true;
}

Task<bool> Lists::no_room_for(Turn turn, Which which) {
  const auto all = co_await storage().all();
  if (all.contains(which.key) || all.size() < static_cast<std::size_t>(settings().integer("max_lists")))
    co_return false;
  turn.speak_dialog("too_many_lists", {{"count", std::to_string(all.size())}});
  co_return true;
}

}  // namespace parley::lists
