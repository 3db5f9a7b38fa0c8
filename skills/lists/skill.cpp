#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/lists.hpp>
#include <parley/locale.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "list.hpp"
#include "names.hpp"
#include "needed.hpp"
#include "things.hpp"
#include "wish.hpp"

namespace parley::lists {
namespace {

using Names = std::vector<std::string>;

/// Bytes of an item, and of a list's name.
constexpr std::size_t kLongestItem = 200;
constexpr std::size_t kLongestName = 80;
/// The intent context in which "add eggs" means a list.
constexpr const char* kSpokenOf = "lists";
/// Of "we need milk": before who finds recipes with it.
constexpr int kNeedPriority = 15;
/// Of what is read by its words: before what only resembles something.
constexpr int kWishPriority = 12;
/// Of a longer list only the first ones are said.
constexpr std::size_t kMostSaid = 20;

/// The list that a session was about last, and what it just added there.
struct Latest {
  Latest() = default;
  /// @param added  of what was said
  Latest(const Which& which, Names what, Names added)
      : key(which.key), name(which.name), said(std::move(what)), things(std::move(added)) {}
  std::string key, name;
  Names said, things;
};
/// Of so many sessions.
constexpr std::size_t kMostLatest = 1000;

/// What became of things that were to be added.
struct Outcome {
  Names added, there, full;
};

/// Lists of the household: shopping, to-do, and any that somebody gives a name.
class Lists final : public Skill {
 public:
  static constexpr const char* kAbout = "Shopping lists, to-do lists and others.";
  static constexpr std::array kSettings{
      Option::integer("max_items", "200", 1, 500, "How many things one list may hold."),
      Option::integer("max_lists", "50", 1, 500, "How many lists the household may have.")};

  void start() override {
    names_.emplace(locale());
    wishes_.emplace(locale());
    on_intent("add", &Lists::add);
    on_intent("add_short", &Lists::add_short);
    on_intent("add_bare", &Lists::add_short);
    on_intent("add_todo", &Lists::add_todo);
    on_intent("remove", &Lists::remove);
    on_intent("has", &Lists::has);
    on_intent("read", &Lists::read);
    on_intent("clear", &Lists::clear);
    on_intent("create", &Lists::create);
    on_intent("names", &Lists::names);
    on_intent("todo", &Lists::todo);
    on_intent("just_added", &Lists::just_added);
    on_intent("add_that", &Lists::add_that, in_context(kSpokenOf));
    on_intent("add_there", &Lists::add_that, in_context(kSpokenOf));
    on_intent("remove_that", &Lists::remove_that, in_context(kSpokenOf));
    on_intent("clear_that", &Lists::clear_that, in_context(kSpokenOf));
    on_fallback(kWishPriority, &Lists::is_wish, &Lists::fulfil_said);
    on_fallback(kNeedPriority, &Lists::is_need, &Lists::add_needed);
    at(clock().wall(), [this]() { return know_all(); });
  }

 private:
  // ---- what is wanted, by its words

  bool is_wish(const Query& query) {
    if (query.utterances.empty()) return false;
    const std::string& text = query.utterances.front();
    if (wish_in(text, query.lang)) return true;
    return query.message &&
           about_latest(text, query.lang, latest_.find(query.message->session_key(), clock().now()));
  }

  std::optional<Wish> wish_in(const std::string& text, const std::string& lang) const {
    Around around;
    for (const auto& [key, list] : known_)
      if (!list.name().empty()) around.names.push_back(list.name());
    return wishes_->read(text, lang, around);
  }

  /// What the lists of the household are called, before any was spoken of.
  Task<> know_all() {
    for (const auto& [key, kept] : co_await storage().all()) known_.try_emplace(key, List::from_json(kept));
  }

  /// "The bread I've bought, cross it off", "did I put eggs down": nothing names a list, but what is on the
  /// one that was just spoken of is named. Nothing: it is not about that.
  std::optional<Wish> about_latest(const std::string& text, const std::string& lang,
                                   const Latest* latest) const {
    if (latest == nullptr) return std::nullopt;
    Around around;
    around.is_spoken_of = true;
    auto wish = wishes_->read(text, lang, around);
    const auto list = known_.find(latest->key);
    if (!wish || list == known_.end() || list->second.named_in(text, lang).empty()) return std::nullopt;
    if (wish->kind != Wish::Kind::kRemove && wish->kind != Wish::Kind::kHas) return std::nullopt;
    wish->things.clear();
    wish->is_latest = true;
    return wish;
  }

  Task<> fulfil_said(Turn turn) {
    auto wish = wish_in(turn.text(), turn.lang());
    if (!wish) wish = about_latest(turn.text(), turn.lang(), latest_of(turn));
    if (wish) co_await fulfil(turn, *wish);
  }

  /// What the words of a sentence say is wanted, where it only resembles the intent, or where the intent's
  /// slots hold more than things. Nothing: the intent is as good.
  std::optional<Wish> rather(const Turn& turn, const std::string& intent, Wish::Kind kind) const {
    auto wish = wish_in(turn.text(), turn.lang());
    if (!wish || !turn.understand(turn.text(), {intent})) return wish;
    const bool is_question = wish->kind == Wish::Kind::kRead || wish->kind == Wish::Kind::kHas;
    if (intent == "add_short" && is_question) return wish;
    if (intent == "has" && wish->is_count) return wish;
    if (kind != Wish::Kind::kAdd || wish->kind != kind) return std::nullopt;
    const std::string items = turn.slot("items").value_or("");
    const bool is_less = wish->is_lacking && wish->things.size() < items.size() &&
                         items.find(wish->things) != std::string::npos;
    if (is_less || wishes_->bare(items, turn.lang()).empty()) return wish;
    return std::nullopt;
  }

  Task<> fulfil(Turn turn, Wish wish) {
    Which which = wish.is_latest     ? latest_list(turn)
                  : wish.key.empty() ? names_->named(wish.list, turn.lang())
                                     : Which(wish.key, "");
    Which kept = co_await kept_as(turn, which);
    if (!wish.is_latest) which = std::move(kept);
    Names things = things_in(wish.things, turn.lang());
    switch (wish.kind) {
      case Wish::Kind::kAdd:
        co_return co_await add_things(turn, which, std::move(things));
      case Wish::Kind::kRemove:
        co_await remove_from(turn, which, std::move(things));
        if (wish.wants_rest) co_await read_out(turn, which);
        co_return;
      case Wish::Kind::kHas:
        co_return co_await say_whether(turn, which, std::move(things));
      case Wish::Kind::kRead:
        co_return co_await read_out(turn, which);
      case Wish::Kind::kClear:
        co_return co_await empty(turn, which);
      case Wish::Kind::kCreate:
        co_return co_await begin(turn, which);
    }
  }

  // ---- changing

  Task<> add(Turn turn) {
    if (auto wish = rather(turn, "add", Wish::Kind::kAdd)) co_return co_await fulfil(turn, *wish);
    if (!names_list_at_all(turn)) co_return is_no_list(turn);
    Which which = co_await begun_list(turn);
    co_await add_to(std::move(turn), std::move(which));
  }

  /// "Milk on the shopping list", "we're out of milk, put it on the list": what is lacking is told first.
  Task<> add_short(Turn turn) {
    if (auto wish = rather(turn, "add_short", Wish::Kind::kAdd)) co_return co_await fulfil(turn, *wish);
    const std::string said = turn.slot("items").value_or("");
    const std::string lacking = lacking_in(said, locale(), turn.lang());
    Names things = things_in(lacking.empty() ? said : lacking, turn.lang());
    Which which = co_await begun_list(turn);
    if (things.empty()) co_return co_await read_out(std::move(turn), std::move(which));
    co_await add_things(std::move(turn), std::move(which), std::move(things));
  }

  /// "To do: ring the plumber". "To do list" alone asks for it.
  Task<> add_todo(Turn turn) {
    const Which todo("todo", "");
    Names things = things_in(turn.slot("items").value_or(""), turn.lang());
    const bool is_list =
        things.size() == 1 && names_->is_word(normalise(things.front(), turn.lang()), turn.lang());
    if (is_list) co_return co_await read_out(std::move(turn), todo);
    co_await add_things(std::move(turn), todo, std::move(things));
  }

  /// "Add eggs", where a list was just spoken of.
  Task<> add_that(Turn turn) {
    Which which = latest_list(turn);
    return add_to(std::move(turn), std::move(which));
  }

  bool is_need(const Query& query) {
    return !query.utterances.empty() && !needed_by(query.utterances.front(), query.lang).empty();
  }

  Task<> add_needed(Turn turn) {
    Names things = needed_by(turn.text(), turn.lang());
    return add_things(std::move(turn), names_->named("", ""), std::move(things));
  }

  Names needed_by(const std::string& said, const std::string& lang) const {
    // Mostly nobody needs anything, and these phrases are ready to be looked for.
    if (!mentions("needed", said, lang) && !mentions("gone", said, lang)) return {};
    return needed_in(said, locale(), lang);
  }

  Task<> add_to(Turn turn, Which which) {
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

  Task<> add_things(Turn turn, Which which, Names things) {
    const Latest corrected = take_latest(turn);
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

  /// What takes things off a list, where there is one.
  static Storage::Edit without(Names things) {
    return [things = std::move(things)](std::optional<Json> kept) -> std::optional<Json> {
      if (!kept) return std::nullopt;
      List left = List::from_json(*kept);
      for (const std::string& thing : things) left.remove(thing);
      return left.to_json();
    };
  }

  void note(Turn turn, Latest latest) {
    ContextOptions some_turns;
    some_turns.turns = 4;
    turn.set_context(kSpokenOf, std::nullopt, some_turns);
    latest_.note(turn.message(), std::move(latest), clock().now());
  }

  /// What the turn corrects, if it does: what its session added just before.
  Latest take_latest(const Turn& turn) const {
    const Latest* const found = latest_of(turn);
    return found != nullptr && turn.corrects() ? *found : Latest();
  }

  /// Null: nothing yet.
  const Latest* latest_of(const Turn& turn) const { return latest_.find(turn.session_key(), clock().now()); }

  Task<> remove(Turn turn) {
    if (auto wish = rather(turn, "remove", Wish::Kind::kRemove)) co_return co_await fulfil(turn, *wish);
    if (turn.slot("list") && !has_list_word(turn)) co_return is_no_list(turn);
    Which which = co_await spoken_of(turn);
    Names things = things_said(turn);
    co_await remove_from(std::move(turn), std::move(which), std::move(things));
  }

  Task<> remove_that(Turn turn) {
    Which which = latest_list(turn);
    Names things = things_said(turn);
    return remove_from(std::move(turn), std::move(which), std::move(things));
  }

  /// The things that were named; else those that were spoken of last.
  Names things_said(const Turn& turn) const {
    const auto said = turn.slot("items");
    return said ? things_in(*said, turn.lang()) : latest_things(turn);
  }

  Task<> remove_from(Turn turn, Which which, Names things) {
    const auto list = co_await existing(turn, which);
    if (!list) co_return;
    Names gone;
    Names missing;
    const auto is_there = [&](const std::string& thing) {
      return !list->meant_by(thing, turn.lang()).empty();
    };
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
    note(turn, Latest(which, {}, {}));
  }

  Task<> clear(Turn turn) {
    if (auto wish = rather(turn, "clear", Wish::Kind::kClear)) co_return co_await fulfil(turn, *wish);
    if (turn.slot("list") && !has_list_word(turn)) co_return is_no_list(turn);
    Which which = co_await spoken_of(turn);
    co_await empty(std::move(turn), std::move(which));
  }

  Task<> clear_that(Turn turn) {
    Which which = latest_list(turn);
    return empty(std::move(turn), std::move(which));
  }

  Task<> empty(Turn turn, Which which) {
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

  Task<> create(Turn turn) {
    if (auto wish = rather(turn, "create", Wish::Kind::kCreate)) co_return co_await fulfil(turn, *wish);
    auto name = turn.slot("list");
    if (!name) {
      const Reply<std::string> answer = co_await turn.ask("what_name");
      if (!answer) co_return gave_up(turn, answer.end());
      name = *answer;
    }
    Which which = names_->named(*name, turn.lang());
    co_await begin(std::move(turn), std::move(which));
  }

  Task<> begin(Turn turn, Which which) {
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

  /// False when that could not be kept; then that was said.
  Task<bool> changed(Turn turn, Which which, Storage::Edit edit) {
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

  /// Whether a further list is one too many; then that was said.
  Task<bool> no_room_for(Turn turn, Which which) {
    const auto all = co_await storage().all();
    if (all.contains(which.key) || all.size() < static_cast<std::size_t>(settings().integer("max_lists")))
      co_return false;
    turn.speak_dialog("too_many_lists", {{"count", std::to_string(all.size())}});
    co_return true;
  }

  // ---- telling

  Task<> has(Turn turn) {
    if (auto wish = rather(turn, "has", Wish::Kind::kHas)) co_return co_await fulfil(turn, *wish);
    if (!has_list_word(turn)) co_return is_no_list(turn);
    Which which = co_await spoken_of(turn);
    Names things = things_in(turn.slot("items").value_or(""), turn.lang());
    co_await say_whether(std::move(turn), std::move(which), std::move(things));
  }

  Task<> say_whether(Turn turn, Which which, Names things) {
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
  }

  Task<> read(Turn turn) {
    if (auto wish = rather(turn, "read", Wish::Kind::kRead)) co_return co_await fulfil(turn, *wish);
    if (turn.slot("list") && !has_list_word(turn)) co_return is_no_list(turn);
    Which which = co_await spoken_of(turn);
    co_await read_out(std::move(turn), std::move(which));
  }
  Task<> todo(Turn turn) { return read_out(std::move(turn), Which("todo", "")); }

  Task<> read_out(Turn turn, Which which) {
    const auto list = co_await existing(turn, which);
    if (!list) co_return;
    note(turn, Latest(which, {}, {}));
    const Names& items = list->items();
    if (items.empty()) co_return say_empty(turn, which);
    const std::string dialog = items.size() == 1          ? "read_one"
                               : items.size() > kMostSaid ? "read_some"
                                                          : "read";
    const Names first(items.begin(),
                      items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), kMostSaid)));
    turn.speak_dialog(dialog, {{"list", spoken(turn, which, dialog)},
                               {"count", std::to_string(items.size())},
                               {"items", say_list(first, turn.render_lang(dialog))}});
  }

  /// What the session added last, and nothing that was on the list before.
  Task<> just_added(Turn turn) {
    const Latest* const latest = latest_of(turn);
    if (latest == nullptr || latest->things.empty()) co_return turn.speak_dialog("nothing_added");
    tell(turn, Which(latest->key, latest->name), "just_added", latest->things);
  }

  Task<> names(Turn turn) {
    const auto all = co_await storage().all();
    Names called;
    for (const auto& [key, kept] : all)
      called.push_back(spoken(turn, Which(key, List::from_json(kept).name()), "names"));
    if (called.empty()) co_return turn.speak_dialog("no_lists");
    turn.speak_dialog("names", {{"lists", say_list(called, turn.render_lang("names"))}});
  }

  /// Nothing when there is no such list; then that was said. The shopping and the to-do list are always
  /// there.
  Task<std::optional<List>> existing(Turn turn, Which which) {
    const auto kept = co_await storage().get(which.key);
    if (kept) {
      known_.insert_or_assign(which.key, List::from_json(*kept));
      co_return List::from_json(*kept);
    }
    if (which.name.empty()) co_return List("");
    turn.speak_dialog("no_such_list", {{"list", spoken(turn, which, "no_such_list")}});
    co_return std::nullopt;
  }

  void tell(Turn turn, const Which& which, const std::string& dialog, const Names& things) {
    if (things.empty()) return;
    turn.speak_dialog(dialog, {{"list", spoken(turn, which, dialog)},
                               {"items", say_list(things, turn.render_lang(dialog))}});
  }

  void say_empty(Turn turn, const Which& which) {
    turn.speak_dialog("empty", {{"list", spoken(turn, which, "empty")}});
  }

  static void is_no_list(Turn turn) {
    turn.not_understood();
    turn.speak_dialog("never_mind");
  }

  static void gave_up(Turn turn, AskEnd end) {
    // After another question the user is elsewhere.
    if (end != AskEnd::kReplaced) turn.speak_dialog("never_mind");
  }

  // ---- language

  /// The list that was named; "it" is the one that the session was about last; else the shopping list.
  Which which_list(const Turn& turn) const {
    const auto name = turn.slot("list");
    if (!name && mentions("that_list", turn.text(), turn.lang())) return latest_list(turn);
    return names_->named(name ? *name : names_->compound_in(turn.text(), turn.lang()), turn.lang());
  }

  /// The list that was named; one that is kept under nearly that name ("Urlaub", "Urlaubsliste") is that.
  Task<Which> begun_list(Turn turn) {
    Which which = which_list(turn);
    return kept_as(std::move(turn), std::move(which));
  }

  Task<Which> kept_as(Turn turn, Which which) {
    if (which.name.empty()) co_return which;
    const auto all = co_await storage().all();
    if (all.contains(which.key)) co_return which;
    for (const auto& [key, kept] : all) {
      const std::string name = List::from_json(kept).name();
      if (!name.empty() && names_->bare(name, turn.lang()) == names_->bare(which.name, turn.lang()))
        co_return Which(key, name);
    }
    co_return which;
  }

  /// The list that was named, if there is one of that name. What only resembles a sentence may have it
  /// elsewhere: then it is the list whose name is beside the word for a list.
  Task<Which> spoken_of(Turn turn) {
    Which which = co_await begun_list(turn);
    const auto all = co_await storage().all();
    const bool is_known = turn.slot("list") && (which.name.empty() || all.contains(which.key));
    if (is_known) co_return which;
    for (const auto& [key, kept] : all) {
      const std::string name = List::from_json(kept).name();
      if (!name.empty() && names_->has(turn.text(), name, turn.lang())) co_return Which(key, name);
    }
    for (const auto& [vocabulary, key] : {std::pair("todo", "todo"), std::pair("shopping", "shopping")})
      if (names_->has_any(turn.text(), vocabulary, turn.lang())) co_return Which(key, "");
    if (names_->is_behind(which.name, turn.lang())) co_return latest_list(turn);
    co_return which;
  }

  /// Else the shopping list.
  Which latest_list(const Turn& turn) const {
    const Latest* const latest = latest_of(turn);
    if (latest == nullptr) return names_->named("", turn.lang());
    return {latest->key, latest->name};
  }

  /// What only resembles a request for a list has no word for one: "I'm off to the bank".
  bool names_list_at_all(const Turn& turn) const {
    return turn.understand(turn.text(), {"add"}) || has_list_word(turn);
  }

  bool has_list_word(const Turn& turn) const {
    return mentions("shopping", turn.text(), turn.lang()) || mentions("todo", turn.text(), turn.lang()) ||
           mentions("that_list", turn.text(), turn.lang()) || names_->has_word(turn.text(), turn.lang());
  }

  /// "Shopping list", "packing list": without an article, as the phrases of `dialog` take it.
  std::string spoken(const Turn& turn, const Which& which, const std::string& dialog) const {
    if (which.key == "shopping" || which.key == "todo") return turn.dialog(which.key + "_name");
    // "Packliste" says that it is one, "Urlaub" does not.
    const auto* endings = locale().vocabulary(turn.render_lang(dialog), "compound");
    const std::string name = normalise(which.name, turn.lang());
    const bool compound =
        endings != nullptr && std::any_of(endings->begin(), endings->end(),
                                          [&](const std::string& one) { return name.ends_with(one); });
    return compound ? which.name : turn.dialog("named", {{"name", which.name}});
  }

  /// What "it" is: what the session just wanted to have there.
  Names latest_things(const Turn& turn) const {
    const Latest* const latest = latest_of(turn);
    return latest == nullptr ? Names() : latest->said;
  }

  Names things_in(const std::string& text, const std::string& lang) const {
    return lists::things_in(text, lang, locale(), *names_, *wishes_);
  }

  std::optional<ListNames> names_;  ///< Since start(), as the wishes.
  std::optional<Wishes> wishes_;
  std::map<std::string, List> known_;  ///< As they were seen last, by key: what a sentence may be about.
  SessionMemory<Latest> latest_{kMostLatest};
};

}  // namespace
}  // namespace parley::lists

PARLEY_SKILL(parley::lists::Lists, "lists.parley")
