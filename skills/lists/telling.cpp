#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>

#include "lists_skill.hpp"

namespace parley::lists {
namespace {

/// Of a longer list only the first ones are said.
constexpr std::size_t kMostSaid = 20;

}  // namespace

Task<> Lists::has(Turn turn) {
  if (auto wish = rather(turn, {"has"}, Wish::Kind::kHas)) co_return co_await fulfil(turn, *wish);
  if (!has_list_word(turn)) co_return is_no_list(turn);
  Which which = co_await spoken_of(turn);
  Names things = things_in(turn.slot("items").value_or(""), turn.lang());
  co_await say_whether(std::move(turn), std::move(which), std::move(things));
}

Task<> Lists::say_whether(Turn turn, Which which, Names things) {
  if (things.empty()) {
    const auto kept = co_await storage().get(which.key);
    if (kept) things = List::from_json(*kept).named_in(turn.text(), turn.lang());
  }
  const auto is_anything = [&](const std::string& thing) { return says("anything", thing, turn.lang()); };
  if (std::all_of(things.begin(), things.end(), is_anything))
    co_return co_await read_out(std::move(turn), which);
  const auto list = co_await existing(turn, which);
  if (!list) co_return;
  Names there;
  Names missing;
  for (const std::string& thing : things) {
    const Names meant = list->meant_by(thing, turn.lang());
    if (meant.empty()) missing.push_back(thing);
    there.insert(there.end(), meant.begin(), meant.end());
  }
  tell(turn, which, "has", there);
  tell(turn, which, "has_not", missing);
  Latest asked(which, missing.empty() ? there : missing, {});  // "take it off", "then add it"
  asked.is_missing = !missing.empty();
  note(turn, std::move(asked));
}

Task<> Lists::read(Turn turn) {
  if (auto wish = rather(turn, {"read"}, Wish::Kind::kRead)) co_return co_await fulfil(turn, *wish);
  const auto name = turn.slot("list");
  // "Grandma is coming, too", behind "read me the list", follows on that.
  const bool is_told =
      name && !names_->named(*name, turn.lang()).name.empty() && mentions("wish_verb", *name, turn.lang());
  if (name && (is_told || !has_list_word(turn))) co_return is_no_list(turn);
  Which which = co_await spoken_of(turn);
  co_await read_out(std::move(turn), std::move(which));
}
Task<> Lists::todo(Turn turn) {
  return read_out(std::move(turn), Which("todo", ""));
}

Task<> Lists::read_that(Turn turn) {
  return read_out(turn, latest_list(turn));
}

Task<> Lists::read_out(Turn turn, Which which) {
  const auto list = co_await existing(turn, which);
  if (!list) co_return;
  note(turn, Latest(which, {}, {}));
  const Names& items = list->items();
  if (items.empty()) co_return say_empty(turn, which);
  const std::string dialog = items.size() == 1 ? "read_one" : items.size() > kMostSaid ? "read_some" : "read";
  const Names first(items.begin(),
                    items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), kMostSaid)));
  turn.speak_dialog(dialog, {{"list", spoken(turn, which, dialog)},
                             {"count", std::to_string(items.size())},
                             {"items", say_list(first, turn.render_lang(dialog))}});
}

Task<> Lists::just_added(Turn turn) {
  const Latest* const latest = latest_of(turn);
  if (latest == nullptr || latest->things.empty()) co_return turn.speak_dialog("nothing_added");
  tell(turn, Which(latest->key, latest->name), "just_added", latest->things);
}

Task<> Lists::names(Turn turn) {
  const auto all = co_await storage().all();
  Names called;
  for (const auto& [key, kept] : all)
    called.push_back(spoken(turn, Which(key, List::from_json(kept).name()), "names"));
  if (called.empty()) co_return turn.speak_dialog("no_lists");
  turn.speak_dialog("names", {{"lists", say_list(called, turn.render_lang("names"))}});
}

Task<std::optional<List>> Lists::existing(Turn turn, Which which) {
  const auto kept = co_await storage().get(which.key);
  if (kept) {
    known_.insert_or_assign(which.key, List::from_json(*kept));
    co_return List::from_json(*kept);
  }
  if (which.name.empty()) co_return List("");
  turn.speak_dialog("no_such_list", {{"list", spoken(turn, which, "no_such_list")}});
  co_return std::nullopt;
}

void Lists::tell(Turn turn, const Which& which, const std::string& dialog, const Names& things) {
  if (things.empty()) return;
  turn.speak_dialog(
      dialog, {{"list", spoken(turn, which, dialog)}, {"items", say_list(things, turn.render_lang(dialog))}});
}

void Lists::say_empty(Turn turn, const Which& which) {
  turn.speak_dialog("empty", {{"list", spoken(turn, which, "empty")}});
}

void Lists::is_no_list(Turn turn) {
  turn.not_understood();
  turn.speak_dialog("no_list");
}

void Lists::gave_up(Turn turn, AskEnd end) {
  // After another question the user is elsewhere.
  if (end != AskEnd::kReplaced) turn.speak_dialog("never_mind");
}

}  // namespace parley::lists
