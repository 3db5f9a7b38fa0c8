#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/lists.hpp>
#include <parley/text.hpp>

#include "lists_skill.hpp"

namespace parley::lists {
namespace {

/// Behind so many turns "put jam on it" does not mean the list that was spoken of before them.
constexpr int kNear = 4;

}  // namespace

bool Lists::is_wish(const Query& query) {
  if (query.utterances.empty() || !query.message) return false;
  const Latest* const latest = latest_.find(query.message->session_key(), clock().now());
  return wish_in(query.utterances.front(), query.lang, latest, turns_since(*query.session)).has_value();
}

std::optional<Wish> Lists::wish_of(const Turn& turn) const {
  const int turns = std::max(0, turns_since(*turn.session()) - 1);  // while it is handled, a turn is over
  return wish_in(turn.text(), turn.lang(), latest_of(turn), turns);
}

std::optional<Wish> Lists::wish_in(const std::string& text, const std::string& lang, const Latest* latest,
                                   int turns) const {
  Around around;
  for (const auto& [key, list] : known_)
    if (!list.name().empty()) around.names.push_back(list.name());
  if (latest != nullptr) {
    around.is_spoken_of = true;
    around.is_near = turns < kNear;
    around.is_fresh = turns == 0;
  }
  auto wish = wishes_->read(text, lang, around);
  if (!wish || !wish->is_latest) return wish;
  return latest == nullptr ? std::nullopt
                           : about_latest(std::move(*wish), text, lang, *latest, around.is_near);
}

int Lists::turns_since(const Session& session) const {
  const std::string entry = skill_id() + ":" + kLately;
  const bool is_noted = session.intent_context && session.intent_context->contains(entry);
  const auto left = is_noted ? session.intent_context->at(entry).turns_remaining : std::nullopt;
  return left ? kLatelyTurns - *left : kLatelyTurns;
}

Task<> Lists::know_all() {
  for (const auto& [key, kept] : co_await storage().all()) known_.try_emplace(key, List::from_json(kept));
}

std::optional<Wish> Lists::about_latest(Wish wish, const std::string& text, const std::string& lang,
                                        const Latest& latest, bool is_near) const {
  constexpr std::ptrdiff_t kShort = 2;  // words
  if (wish.is_swap && !latest.is_removal && latest.things.empty()) return std::nullopt;
  if (wish.is_further && latest.is_removal)
    wish.kind = Wish::Kind::kRemove;
  else if (wish.is_further && latest.things.empty() && !wish.is_grocery)
    return std::nullopt;
  if (wish.kind != Wish::Kind::kRemove && wish.kind != Wish::Kind::kHas) return wish;
  const auto list = known_.find(latest.key);
  if (list == known_.end() || list->second.named_in(text, lang).empty()) {
    const bool is_asked_for = wish.kind == Wish::Kind::kHas && is_near && !wish.things.empty() &&
                              std::ranges::count(wish.things, ' ') < kShort;
    return is_asked_for ? std::optional(std::move(wish)) : std::nullopt;
  }
  wish.things.clear();
  return wish;
}

Task<> Lists::fulfil_said(Turn turn) {
  if (const auto wish = wish_of(turn)) co_await fulfil(turn, *wish);
}

std::optional<Wish> Lists::rather(const Turn& turn, const std::vector<std::string>& intents,
                                  Wish::Kind kind) const {
  auto wish = wish_of(turn);
  if (!wish || !turn.understand(turn.text(), intents)) return wish;
  const bool is_question = wish->kind == Wish::Kind::kRead || wish->kind == Wish::Kind::kHas;
  if (intents.front() == "add_short" && is_question) return wish;
  if (intents.front() == "has" && wish->is_count) return wish;
  if (wish->wants_rest || (wish->is_latest && !wish->things.empty() && !wish->is_further)) return wish;
  if (wish->kind == Wish::Kind::kCreate && !wish->things.empty()) return wish;
  if (wish->kind != kind) return std::nullopt;
  if (names_other_list(turn, *wish)) return wish;
  if (kind != Wish::Kind::kAdd) return std::nullopt;
  const std::string items = turn.slot("items").value_or("");
  const bool is_told = wish->is_lacking || wishes_->tells(items, turn.lang());
  const bool is_less =
      is_told && wish->things.size() < items.size() && items.find(wish->things) != std::string::npos;
  if (is_less || wishes_->bare(items, turn.lang()).empty()) return wish;
  return std::nullopt;
}

bool Lists::names_other_list(const Turn& turn, const Wish& wish) const {
  constexpr std::size_t kMostOfName = 3;  // words; an open slot takes more: "shopping and read it to me"
  const auto slot = turn.slot("list");
  const auto is_known = [&](const std::string& name) {
    const Which which = names_->named(name, turn.lang());
    return which.name.empty() || known_.contains(which.key);  // these two are always there
  };
  if (wish.list.empty() && wish.key.empty()) return false;
  if (slot && words(*slot, turn.lang()).size() > kMostOfName) return wish.list.size() < slot->size();
  if (wish.list.empty()) return !slot;
  return is_known(wish.list) && (!slot || !is_known(*slot));
}

Task<> Lists::fulfil(Turn turn, Wish wish) {
  Which which = wish.is_latest     ? latest_list(turn)
                : wish.key.empty() ? names_->named(wish.list, turn.lang())
                                   : Which(wish.key, "");
  Which kept = co_await kept_as(turn, which);
  if (!wish.is_latest) which = std::move(kept);
  Names things = things_in(wish.things, turn.lang());
  switch (wish.kind) {
    case Wish::Kind::kAdd:
      co_await add_things(turn, which, std::move(things), wish.is_swap);
      if (wish.wants_rest) co_await read_out(turn, which);
      co_return;
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
      if (!things.empty()) co_return co_await add_things(turn, which, std::move(things));
      co_return co_await begin(turn, which);
  }
}

}  // namespace parley::lists
