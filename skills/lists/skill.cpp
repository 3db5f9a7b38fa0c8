#include "lists_skill.hpp"

namespace parley::lists {
namespace {

/// Of "we need milk": before who finds recipes with it.
constexpr int kNeedPriority = 15;
/// Of what is read by its words: before what only resembles something.
constexpr int kWishPriority = 12;

}  // namespace

void Lists::start() {
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
  on_intent("read_that", &Lists::read_that, in_context(kSpokenOf));
  on_intent("clear_that", &Lists::clear_that, in_context(kSpokenOf));
  on_fallback(kWishPriority, &Lists::is_wish, &Lists::fulfil_said);
  on_fallback(kNeedPriority, &Lists::is_need, &Lists::add_needed);
  at(clock().wall(), [this]() { return know_all(); });
}

}  // namespace parley::lists

PARLEY_SKILL(parley::lists::Lists, "lists.parley")
