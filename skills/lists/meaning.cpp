#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/text.hpp>

#include "lists_skill.hpp"
#include "things.hpp"

namespace parley::lists {

Which Lists::which_list(const Turn& turn) const {
  const auto name = turn.slot("list");
  if (!name && (mentions("that_list", turn.text(), turn.lang()) || is_of_latest(turn)))
    return latest_list(turn);
  return names_->named(name ? *name : names_->compound_in(turn.text(), turn.lang()), turn.lang());
}

Task<Which> Lists::begun_list(Turn turn) {
  Which which = which_list(turn);
  return kept_as(std::move(turn), std::move(which));
}

Task<Which> Lists::kept_as(Turn turn, Which which) {
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

bool Lists::is_of_latest(const Turn& turn) const {
  constexpr int kNear = 2;
  return turns_since(*turn.session()) <= kNear && !has_list_word(turn) &&
         !mentions("wish_buying", turn.text(), turn.lang());
}

Task<Which> Lists::spoken_of(Turn turn) {
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

Which Lists::latest_list(const Turn& turn) const {
  const Latest* const latest = latest_of(turn);
  if (latest == nullptr) return names_->named("", turn.lang());
  return {latest->key, latest->name};
}

bool Lists::names_list_at_all(const Turn& turn) const {
  return turn.understand(turn.text(), {"add"}) || has_list_word(turn);
}

bool Lists::has_list_word(const Turn& turn) const {
  return mentions("shopping", turn.text(), turn.lang()) || mentions("todo", turn.text(), turn.lang()) ||
         mentions("that_list", turn.text(), turn.lang()) || names_->has_word(turn.text(), turn.lang());
}

std::string Lists::spoken(const Turn& turn, const Which& which, const std::string& dialog) const {
  if (which.key == "shopping" || which.key == "todo") return turn.dialog(which.key + "_name");
  // "Packliste" says that it is one, "Urlaub" does not.
  const auto* endings = locale().vocabulary(turn.render_lang(dialog), "compound");
  const std::string name = normalise(which.name, turn.lang());
  const bool compound =
      endings != nullptr && std::any_of(endings->begin(), endings->end(),
                                        [&](const std::string& one) { return name.ends_with(one); });
  return compound ? which.name : turn.dialog("named", {{"name", which.name}});
}

Names Lists::latest_things(const Turn& turn) const {
  const Latest* const latest = latest_of(turn);
  return latest == nullptr ? Names() : latest->said;
}

Names Lists::things_in(const std::string& text, const std::string& lang) const {
  return lists::things_in(text, lang, locale(), *names_, *wishes_);
}

}  // namespace parley::lists
