#include "session/session.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "session/fields.hpp"

namespace parley {
namespace {

bool equal(const std::shared_ptr<const Json>& a, const std::shared_ptr<const Json>& b) {
  if (a == b) return true;
  return a && b && *a == *b;
}

bool contains(const std::optional<Session::Strings>& list, std::string_view text) {
  return list && std::find(list->begin(), list->end(), text) != list->end();
}

using Entries = std::optional<std::map<std::string, ContextEntry>>;

void drop_removed(Entries& entries) {
  if (entries) std::erase_if(*entries, [](const auto& entry) { return entry.second.removed; });
}

/// Merges what is in `patch`; an entry marked as removed goes.
void merge_entries(Entries& into, const Entries& patch) {
  if (!patch) return;
  if (!into) into.emplace();
  for (const auto& [key, entry] : *patch) {
    if (entry.removed) {
      into->erase(key);
    } else {
      (*into)[key] = entry;
    }
  }
}

void merge_entry_changes(Entries& into, const Entries& before, const Entries& after) {
  if (before == after) return;
  if (!into) into.emplace();
  if (before) {
    for (const auto& [key, entry] : *before) {
      if (!after || !after->contains(key)) into->erase(key);
    }
  }
  if (!after) return;
  for (const auto& [key, entry] : *after) {
    if (entry.removed) {
      into->erase(key);
    } else if (!before || !before->contains(key) || !(before->at(key) == entry)) {
      (*into)[key] = entry;
    }
  }
}

void merge_rest(std::shared_ptr<const Json>& into, const std::shared_ptr<const Json>& from) {
  if (!from || into == from) return;
  Json merged = into ? *into : Json::object();
  merged.update(*from);
  into = std::make_shared<const Json>(std::move(merged));
}

void merge_rest_changes(std::shared_ptr<const Json>& into, const std::shared_ptr<const Json>& before,
                        const std::shared_ptr<const Json>& after) {
  if (equal(before, after)) return;
  Json merged = into ? *into : Json::object();
  if (before) {
    for (const auto& [key, value] : before->items()) {
      if (!after || !after->contains(key)) merged.erase(key);
    }
  }
  if (after) {
    for (const auto& [key, value] : after->items()) {
      if (!before || !before->contains(key) || before->at(key) != value) merged[key] = value;
    }
  }
  into = merged.empty() ? nullptr : std::make_shared<const Json>(std::move(merged));
}

template <class Visit>
void for_each_but_context(Visit&& visit) {
  for_each_field([&](std::string_view, auto member) {
    if constexpr (!std::is_same_v<decltype(member), Entries Session::*>) visit(member);
  });
}

}  // namespace

Session::Session() : session_id("default") {}
Session::Session(std::string id) : session_id(std::move(id)) {}

bool Location::operator==(const Location& other) const {
  return lat == other.lat && lon == other.lon && tz == other.tz && equal(rest, other.rest);
}

bool Session::operator==(const Session& other) const {
  bool same = session_id == other.session_id && transformers == other.transformers && equal(rest, other.rest);
  for_each_field([&](std::string_view, auto member) { same = same && this->*member == other.*member; });
  return same;
}

bool Session::blacklists_skill(std::string_view skill_id) const {
  return contains(blacklisted_skills, skill_id);
}
bool Session::blacklists_intent(std::string_view intent) const {
  return contains(blacklisted_intents, intent);
}

bool is_default_session(std::string_view session_id) noexcept {
  return session_id == "default";
}

void replace_present(Session& into, const Session& from) {
  for_each_field([&](std::string_view, auto member) {
    if (from.*member) into.*member = from.*member;
  });
  drop_removed(into.intent_context);
  for (const auto& [name, chain] : from.transformers) into.transformers[name] = chain;
  merge_rest(into.rest, from.rest);
}

void apply_patch(Session& into, const Session& patch) {
  for_each_but_context([&](auto member) {
    if (patch.*member) into.*member = patch.*member;
  });
  merge_entries(into.intent_context, patch.intent_context);
  for (const auto& [name, chain] : patch.transformers) into.transformers[name] = chain;
  merge_rest(into.rest, patch.rest);
}

void apply_changes(Session& into, const Session& before, const Session& after) {
  for_each_but_context([&](auto member) {
    if (!(before.*member == after.*member)) into.*member = after.*member;
  });
  merge_entry_changes(into.intent_context, before.intent_context, after.intent_context);
  for (const auto& [name, chain] : before.transformers) {
    if (!after.transformers.contains(name)) into.transformers.erase(name);
  }
  for (const auto& [name, chain] : after.transformers) {
    const auto old = before.transformers.find(name);
    if (old == before.transformers.end() || old->second != chain) into.transformers[name] = chain;
  }
  merge_rest_changes(into.rest, before.rest, after.rest);
}

SessionPtr SessionStore::preview(const SessionPtr& inbound) const {
  if (!inbound) return current_;
  if (!is_default_session(inbound->session_id)) {
    const auto& entries = inbound->intent_context;
    const auto gone = [](const auto& entry) { return entry.second.removed; };
    if (!entries || std::none_of(entries->begin(), entries->end(), gone)) return inbound;
    auto cleaned = std::make_shared<Session>(*inbound);
    drop_removed(cleaned->intent_context);
    return cleaned;
  }
  auto merged = std::make_shared<Session>(*current_);
  replace_present(*merged, *inbound);
  if (*merged == *current_) return current_;
  return merged;
}

SessionPtr SessionStore::enter(const SessionPtr& inbound) {
  SessionPtr entered = preview(inbound);
  if (is_default_session(entered->session_id)) current_ = entered;
  return entered;
}

SessionPtr SessionStore::change(const Session& before, const Session& after) {
  auto changed = std::make_shared<Session>(*current_);
  apply_changes(*changed, before, after);
  current_ = std::move(changed);
  return current_;
}

SessionPtr SessionStore::outbound(const SessionPtr& given, const SessionPtr& own) const {
  const SessionPtr& base = is_default_session(given->session_id) ? current_ : given;
  if (own == given) return base;
  auto changed = std::make_shared<Session>(*base);
  apply_changes(*changed, *given, *own);
  return changed;
}

ResolvedLanguage resolve_language(const std::string& data_lang, const Session& session,
                                  const Languages& languages) {
  const auto enabled = [&](const std::string& tag) -> const std::string* {
    for (const auto& one : languages.enabled) {
      if (same_language(one, tag)) return &one;
    }
    return nullptr;
  };
  if (!data_lang.empty()) {
    if (const auto* tag = enabled(data_lang)) return {*tag, "data.lang"};
  }
  const std::pair<const char*, const std::optional<std::string>*> signals[] = {
      {"session.stt_lang", &session.stt_lang},
      {"session.detected_lang", &session.detected_lang},
      {"session.request_lang", &session.request_lang},
      {"session.lang", &session.lang}};
  for (const auto& [name, value] : signals) {
    if (!value->has_value()) continue;
    if (const auto* tag = enabled(**value)) return {*tag, name};
  }
  return {languages.fallback, "the configured default"};
}

}  // namespace parley
