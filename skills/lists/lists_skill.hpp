#pragma once

#include <array>
#include <map>
#include <optional>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <string>
#include <utility>
#include <vector>

#include "list.hpp"
#include "names.hpp"
#include "wish.hpp"

namespace parley::lists {

using Names = std::vector<std::string>;

/// The intent context in which "add eggs" means a list.
inline constexpr const char* kSpokenOf = "lists";
/// That one was spoken of, for so many turns.
inline constexpr const char* kLately = "lately";
inline constexpr int kLatelyTurns = 8;

/// The list that a session was about last, and what it just added there.
struct Latest {
  Latest() = default;
  /// @param added  of what was said
  Latest(const Which& which, Names what, Names added)
      : key(which.key), name(which.name), said(std::move(what)), things(std::move(added)) {}
  std::string key, name;
  Names said, things;
  bool is_removal = false;  ///< Something was taken off it: "and milk" goes as well.
  bool is_missing = false;  ///< It was asked for and is not there: "then add it".
};

/// Lists of the household: shopping, to-do, and any that somebody gives a name.
class Lists final : public Skill {
 public:
  static constexpr const char* kAbout = "Shopping lists, to-do lists and others.";
  static constexpr std::array kSettings{
      Option::integer("max_items", "200", 1, 500, "How many things one list may hold."),
      Option::integer("max_lists", "50", 1, 500, "How many lists the household may have.")};

  void start() override;

 private:
  /// Of so many sessions it is known which list they were about.
  static constexpr std::size_t kMostLatest = 1000;

  // ---- what is wanted, by its words (wishing.cpp)

  bool is_wish(const Query& query);
  /// What somebody wants who says that, by itself or by what the session was about so many turns ago.
  std::optional<Wish> wish_in(const std::string& text, const std::string& lang, const Latest* latest,
                              int turns) const;
  std::optional<Wish> wish_of(const Turn& turn) const;
  /// How many turns of the session came between a list that was spoken of and this one.
  int turns_since(const Session& session) const;
  /// What the lists of the household are called, before any was spoken of.
  Task<> know_all();
  /// "The bread I've bought, cross it off", "did I put eggs down": nothing names a list, but what is on the
  /// one that was just spoken of is named. Nothing: it is not about that.
  std::optional<Wish> about_latest(Wish wish, const std::string& text, const std::string& lang,
                                   const Latest& latest, bool is_near) const;
  Task<> fulfil_said(Turn turn);
  /// What the words of a sentence say is wanted, where it only resembles the intent, or where the intent's
  /// slots hold more than things. Nothing: the intent is as good.
  std::optional<Wish> rather(const Turn& turn, const std::vector<std::string>& intents,
                             Wish::Kind kind) const;
  /// Whether a list stands elsewhere than in the intent's slot.
  bool names_other_list(const Turn& turn, const Wish& wish) const;
  Task<> fulfil(Turn turn, Wish wish);

  // ---- changing (changing.cpp)

  Task<> add(Turn turn);
  /// "Milk on the shopping list", "we're out of milk, put it on the list": what is lacking is told first.
  Task<> add_short(Turn turn);
  /// "To do: ring the plumber". "To do list" alone asks for it.
  Task<> add_todo(Turn turn);
  /// "Add eggs", where a list was just spoken of.
  Task<> add_that(Turn turn);
  bool is_need(const Query& query);
  Task<> add_needed(Turn turn);
  Names needed_by(const std::string& said, const std::string& lang) const;
  Task<> add_to(Turn turn, Which which);
  /// @param is_swap  in place of what was just added, if anything was
  Task<> add_things(Turn turn, Which which, Names things, bool is_swap = false);
  /// What takes things off a list, where there is one.
  static Storage::Edit without(Names things);
  void note(Turn turn, Latest latest);
  /// What its session added just before, where the turn corrects that, or swaps it.
  Latest take_latest(const Turn& turn, bool is_swap) const;
  /// Null: nothing yet.
  const Latest* latest_of(const Turn& turn) const;
  Task<> remove(Turn turn);
  Task<> remove_that(Turn turn);
  bool is_any_on(const Which& which, const Names& things, const std::string& lang) const;
  /// The things that were named; else those that were spoken of last.
  Names things_said(const Turn& turn) const;
  Task<> remove_from(Turn turn, Which which, Names things);
  Task<> clear(Turn turn);
  Task<> clear_that(Turn turn);
  Task<> empty(Turn turn, Which which);
  Task<> create(Turn turn);
  Task<> begin(Turn turn, Which which);
  /// False when that could not be kept; then that was said.
  Task<bool> changed(Turn turn, Which which, Storage::Edit edit);
  /// Whether a further list is one too many; then that was said.
  Task<bool> no_room_for(Turn turn, Which which);

  // ---- telling (telling.cpp)

  Task<> has(Turn turn);
  Task<> say_whether(Turn turn, Which which, Names things);
  Task<> read(Turn turn);
  Task<> todo(Turn turn);
  /// "What's left on it", of the list that was spoken of last.
  Task<> read_that(Turn turn);
  Task<> read_out(Turn turn, Which which);
  /// What the session added last, and nothing that was on the list before.
  Task<> just_added(Turn turn);
  Task<> names(Turn turn);
  /// Nothing when there is no such list; then that was said. The shopping and the to-do list are always
  /// there.
  Task<std::optional<List>> existing(Turn turn, Which which);
  void tell(Turn turn, const Which& which, const std::string& dialog, const Names& things);
  void say_empty(Turn turn, const Which& which);
  static void is_no_list(Turn turn);
  static void gave_up(Turn turn, AskEnd end);

  // ---- which list and which things are meant (meaning.cpp)

  /// The list that was named; "it" is the one that the session was about last; else the shopping list.
  Which which_list(const Turn& turn) const;
  /// The list that was named; one that is kept under nearly that name ("Urlaub", "Urlaubsliste") is that.
  Task<Which> begun_list(Turn turn);
  Task<Which> kept_as(Turn turn, Which which);
  /// Whether a list was spoken of hardly a turn ago, and none is named now.
  bool is_of_latest(const Turn& turn) const;
  /// The list that was named, if there is one of that name. What only resembles a sentence may have it
  /// elsewhere: then it is the list whose name is beside the word for a list.
  Task<Which> spoken_of(Turn turn);
  /// Else the shopping list.
  Which latest_list(const Turn& turn) const;
  /// What only resembles a request for a list has no word for one: "I'm off to the bank".
  bool names_list_at_all(const Turn& turn) const;
  bool has_list_word(const Turn& turn) const;
  /// "Shopping list", "packing list": without an article, as the phrases of `dialog` take it.
  std::string spoken(const Turn& turn, const Which& which, const std::string& dialog) const;
  /// What "it" is: what the session just wanted to have there.
  Names latest_things(const Turn& turn) const;
  Names things_in(const std::string& text, const std::string& lang) const;

  std::optional<ListNames> names_;  ///< Since start(), as the wishes.
  std::optional<Wishes> wishes_;
  std::map<std::string, List> known_;  ///< As they were seen last, by key: what a sentence may be about.
  SessionMemory<Latest> latest_{kMostLatest};
};

}  // namespace parley::lists
