#include "session/session.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/text_set.hpp>

#include "session/fields.hpp"

namespace parley {
namespace {

bool equal(const std::shared_ptr<const Json>& a, const std::shared_ptr<const Json>& b) {
  if (a == b) return true;
  return a && b && *a == *b;
}

bool contains(const std::optional<Session::Strings>& list, std::string_view text) {
  if (!list || list->empty()) return false;
  TextSet::count_visits(list->size());
  return std::find(list->begin(), list->end(), text) != list->end();
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

Session::Session() : session_id(kDefaultSession) {}
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

namespace {

/// The entries of an object whose value is another than there.
std::shared_ptr<const Json> other_entries(const std::shared_ptr<const Json>& in,
                                          const std::shared_ptr<const Json>& there) {
  if (!in || equal(in, there)) return nullptr;
  Json other = Json::object();
  for (const auto& [key, value] : in->items()) {
    if (!there || !there->contains(key) || there->at(key) != value) other[key] = value;
  }
  return other.empty() ? nullptr : std::make_shared<const Json>(std::move(other));
}

}  // namespace

Session reported_changes(const Session& dispatched, const Session& report) {
  Session patch = report;
  for_each_but_context([&](auto member) {
    if (patch.*member == dispatched.*member) (patch.*member).reset();
  });
  if (patch.intent_context && dispatched.intent_context) {
    std::erase_if(*patch.intent_context, [&](const auto& entry) {
      const auto old = dispatched.intent_context->find(entry.first);
      return old != dispatched.intent_context->end() && old->second == entry.second;
    });
  }
  std::erase_if(patch.transformers, [&](const auto& chain) {
    const auto old = dispatched.transformers.find(chain.first);
    return old != dispatched.transformers.end() && old->second == chain.second;
  });
  patch.rest = other_entries(report.rest, dispatched.rest);
  return patch;
}

std::string zone_of(const Session* session, const std::string& otherwise) {
  if (session != nullptr && session->location && session->location->tz && !session->location->tz->empty())
    return *session->location->tz;
  return otherwise.empty() ? "UTC" : otherwise;
}

namespace {

/// An id that is too large by itself is cut: what says that its session was refused must not be too large.
std::string id_within(const std::string& id, std::size_t max_size) {
  if (fits(Session(id), max_size)) return id;
  constexpr std::size_t kMostEscaped = 8;  // times what it is, serialised
  std::size_t end = max_size / kMostEscaped;
  while (end > 1 && (static_cast<unsigned char>(id[end]) & 0xC0U) == 0x80U) --end;  // whole characters
  return id.substr(0, end);
}

}  // namespace

SessionStore::Entered SessionStore::preview(const SessionPtr& inbound) const {
  if (!inbound) return Entered(current_);
  Entered entered(inbound);
  if (!is_default_session(inbound->session_id)) {
    const auto& entries = inbound->intent_context;
    const auto gone = [](const auto& entry) { return entry.second.removed; };
    if (!fits(*inbound, max_size_)) {
      entered.session = std::make_shared<const Session>(id_within(inbound->session_id, max_size_));
      entered.too_large = true;
    } else if (entries && std::any_of(entries->begin(), entries->end(), gone)) {
      auto cleaned = std::make_shared<Session>(*inbound);
      drop_removed(cleaned->intent_context);
      entered.session = std::move(cleaned);
    }
    return entered;
  }
  auto merged = std::make_shared<Session>(*current_);
  replace_present(*merged, *inbound);
  entered.session = current_;
  if (*merged == *current_) return entered;
  entered.too_large = !fits(*merged, max_size_);
  if (!entered.too_large) entered.session = std::move(merged);
  return entered;
}

SessionStore::Entered SessionStore::enter(const SessionPtr& inbound) {
  Entered entered = preview(inbound);
  if (is_default_session(entered.session->session_id)) current_ = entered.session;
  return entered;
}

bool SessionStore::set(SessionPtr session) {
  if (!fits(*session, max_size_)) return false;
  current_ = std::move(session);
  return true;
}

bool SessionStore::change(const Session& before, const Session& after) {
  auto changed = std::make_shared<Session>(*current_);
  apply_changes(*changed, before, after);
  return set(std::move(changed));
}

SessionPtr SessionStore::outbound(const SessionPtr& given, const SessionPtr& own) const {
  const SessionPtr& base = is_default_session(given->session_id) ? current_ : given;
  if (own == given) return base;
  auto changed = std::make_shared<Session>(*base);
  apply_changes(*changed, *given, *own);
  if (!fits(*changed, max_size_)) return base;
  return changed;
}

namespace {

bool has_letters_only(std::string_view subtag) {
  return std::all_of(subtag.begin(), subtag.end(),
                     [](unsigned char c) { return (c | 0x20U) >= 'a' && (c | 0x20U) <= 'z'; });
}

/// The script and the region of a tag, each empty where it names none: "Hant" and "TW" of "zh-Hant-TW".
std::pair<std::string_view, std::string_view> script_and_region(std::string_view tag) {
  std::string_view script, region;
  for (auto dash = tag.find('-'); dash != std::string_view::npos;) {
    tag.remove_prefix(dash + 1);
    dash = tag.find('-');
    const std::string_view subtag = tag.substr(0, dash);
    if (subtag.size() == 4 && script.empty() && has_letters_only(subtag)) script = subtag;
    if ((subtag.size() == 2 || (subtag.size() == 3 && !has_letters_only(subtag))) && region.empty())
      region = subtag;
  }
  return {script, region};
}

/// The enabled tag that one stands for (L-1); null: there is none of its language.
const std::string* enabled_for(std::string_view tag, const std::vector<std::string>& enabled) {
  for (const auto& one : enabled) {
    if (same_language(one, tag)) return &one;
  }
  if (!is_language_tag(tag)) return nullptr;
  const std::string primary = primary_language(tag);
  const auto [script, region] = script_and_region(tag);
  const std::string* best = nullptr;
  int most = -1;
  for (const auto& one : enabled) {
    if (primary_language(one) != primary) continue;
    const auto theirs = script_and_region(one);
    const int likeness =
        (same_language(theirs.first, script) ? 2 : 0) + (same_language(theirs.second, region) ? 1 : 0);
    if (likeness <= most) continue;
    best = &one;
    most = likeness;
  }
  return best;
}

}  // namespace

ResolvedLanguage resolve_language(const std::string& data_lang, const Session& session,
                                  const Languages& languages) {
  const std::pair<const char*, const std::string*> signals[] = {
      {"data.lang", data_lang.empty() ? nullptr : &data_lang},
      {"session.stt_lang", session.stt_lang ? &*session.stt_lang : nullptr},
      {"session.detected_lang", session.detected_lang ? &*session.detected_lang : nullptr},
      {"session.request_lang", session.request_lang ? &*session.request_lang : nullptr},
      {"session.lang", session.lang ? &*session.lang : nullptr}};
  std::string passed_over;
  const auto resolved = [&](const std::string& tag, const char* source) {
    ResolvedLanguage language(tag, source);
    language.passed_over = std::move(passed_over);
    return language;
  };
  for (const auto& [name, value] : signals) {
    if (value == nullptr) continue;
    if (const auto* tag = enabled_for(*value, languages.enabled)) return resolved(*tag, name);
    if (passed_over.empty()) passed_over = *value;
  }
  return resolved(languages.fallback, "the configured default");
}

}  // namespace parley
