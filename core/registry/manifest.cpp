#include "registry/manifest.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <tuple>
#include <unordered_set>

namespace parley {
namespace {

const std::string kDefault = "default";

/// For `visit(session_id)`: what a session sees, its own first.
template <class Visit>
void for_each_scope(const std::string& session_id, Visit&& visit) {
  visit(session_id);
  if (!is_default_session(session_id)) visit(kDefault);
}

std::unordered_set<std::string_view> as_set(const std::optional<Session::Strings>& list) {
  return list ? std::unordered_set<std::string_view>(list->begin(), list->end())
              : std::unordered_set<std::string_view>();
}

}  // namespace

std::string folded(std::string_view lang) {
  std::string out(lang);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool Manifest::PlaceLess::operator()(const Place& a, const Place& b) const {
  const bool a_special = !is_default_session(a.session_id);
  const bool b_special = !is_default_session(b.session_id);
  return std::tie(a_special, a.session_id, a.lang, a.method) <
         std::tie(b_special, b.session_id, b.lang, b.method);
}

const Manifest::Group* Manifest::group(std::string_view skill_id, std::string_view name) const {
  const auto skill = skills_.find(skill_id);
  if (skill == skills_.end()) return nullptr;
  const auto found = skill->second.find(name);
  return found == skill->second.end() ? nullptr : &found->second;
}

ManifestEntry& Manifest::put(const IntentKey& key, const Message& message) {
  auto& entries = skills_[key.skill_id][key.intent_name].entries;
  const auto [found, is_new] =
      entries.try_emplace(Place{key.session_id, folded(key.lang), key.method}, key, message, count_);
  ManifestEntry& entry = found->second;
  if (is_new) {
    ++count_;
  } else if (!entry.accepted || entry.message.data() != message.data()) {
    entry.key.lang = key.lang;
    entry.message = message;
    entry.accepted = false;
  }
  return entry;
}

IntentPtr Manifest::accept(ManifestEntry& entry, IntentRegistration registration) {
  registration.session_id = entry.key.session_id;
  registration.enabled = is_enabled(entry.key, entry.key.session_id);
  set_valid(entry, std::make_shared<const IntentRegistration>(std::move(registration)));
  entry.accepted = true;
  return entry.valid;
}

void Manifest::set_valid(ManifestEntry& entry, IntentPtr registration) {
  entry.valid = std::move(registration);
  valid_[entry.key.session_id][entry.number] = entry.valid;
}

void Manifest::forget_valid(const ManifestEntry& entry) {
  const auto session = valid_.find(entry.key.session_id);
  if (session == valid_.end()) return;
  session->second.erase(entry.number);
  if (session->second.empty()) valid_.erase(session);
}

std::vector<IntentPtr> Manifest::remove(const Target& target) {
  std::vector<IntentPtr> removed;
  const auto skill = skills_.find(target.skill_id);
  if (skill == skills_.end()) return removed;
  Groups& groups = skill->second;
  auto found = target.name ? groups.find(*target.name) : groups.begin();
  while (found != groups.end()) {
    remove_from(found->second, target, removed);
    found = found->second.entries.empty() ? groups.erase(found) : std::next(found);
    if (target.name) break;
  }
  if (groups.empty()) skills_.erase(skill);
  return removed;
}

void Manifest::remove_from(Group& group, const Target& target, std::vector<IntentPtr>& removed) {
  auto entry = group.entries.lower_bound(Place{target.session_id, {}, Method::kKeyword});
  while (entry != group.entries.end() && entry->first.session_id == target.session_id) {
    if (!target.covers_lang(entry->first.lang)) {
      ++entry;
      continue;
    }
    if (entry->second.valid) {
      removed.push_back(entry->second.valid);
      forget_valid(entry->second);
    }
    entry = group.entries.erase(entry);
  }
  const auto is_registered = [&group](const std::string& session_id, const std::string& lang) {
    const auto first = group.entries.lower_bound(Place{session_id, lang, Method::kKeyword});
    return first != group.entries.end() && first->first.session_id == session_id && first->first.lang == lang;
  };
  disabled_ -= std::erase_if(group.disabled, [&](const auto& state) {
    const auto& [session_id, lang] = state;
    const bool reset = session_id == target.session_id && target.covers_lang(lang);
    return reset || (!is_registered(session_id, lang) && !is_registered(kDefault, lang));
  });
}

std::vector<IntentPtr> Manifest::set_enabled(const Target& target, bool enabled) {
  std::vector<IntentPtr> changed;
  const auto skill = skills_.find(target.skill_id);
  if (skill == skills_.end() || !target.name) return changed;
  const auto found = skill->second.find(*target.name);
  if (found == skill->second.end()) return changed;
  Group& group = found->second;
  for_each_scope(target.session_id, [&](const std::string& scope) {
    auto entry = group.entries.lower_bound(Place{scope, {}, Method::kKeyword});
    for (; entry != group.entries.end() && entry->first.session_id == scope; ++entry) {
      if (!target.covers_lang(entry->first.lang)) continue;
      if (enabled) {
        disabled_ -= group.disabled.erase({target.session_id, entry->first.lang});
      } else {
        disabled_ += group.disabled.emplace(target.session_id, entry->first.lang).second ? 1U : 0U;
      }
    }
  });
  refresh(group, target, changed);
  return changed;
}

void Manifest::refresh(Group& group, const Target& target, std::vector<IntentPtr>& changed) {
  auto entry = group.entries.lower_bound(Place{target.session_id, {}, Method::kKeyword});
  for (; entry != group.entries.end() && entry->first.session_id == target.session_id; ++entry) {
    ManifestEntry& one = entry->second;
    const bool enabled = !is_disabled(group, target.session_id, entry->first.lang, target.session_id);
    if (!one.valid || one.valid->enabled == enabled) continue;
    auto copy = std::make_shared<IntentRegistration>(*one.valid);
    copy->enabled = enabled;
    set_valid(one, std::move(copy));
    changed.push_back(one.valid);
  }
}

bool Manifest::is_disabled(const Group& group, const std::string& registered_in, const std::string& lang,
                           const std::string& session_id) {
  if (group.disabled.empty()) return false;
  return group.disabled.contains({registered_in, lang}) || group.disabled.contains({session_id, lang});
}

bool Manifest::is_enabled(const IntentKey& key, const std::string& session_id) const {
  return enabled(key.skill_id, key.intent_name, key.lang, key.session_id, session_id);
}

bool Manifest::is_enabled(const IntentRegistration& intent, const std::string& session_id) const {
  return enabled(intent.skill_id, intent.intent_name, intent.lang, intent.session_id, session_id);
}

bool Manifest::enabled(const std::string& skill_id, const std::string& name, const std::string& lang,
                       const std::string& registered_in, const std::string& session_id) const {
  if (disabled_ == 0) return true;
  const Group* known = group(skill_id, name);
  // The default session's choice is about its own registrations: it can't disable another session's.
  const std::string& looker = is_default_session(session_id) ? registered_in : session_id;
  return known == nullptr || !is_disabled(*known, registered_in, folded(lang), looker);
}

std::vector<IntentPtr> Manifest::valid() const {
  std::vector<std::pair<std::uint64_t, IntentPtr>> numbered;
  for (const auto& [session_id, intents] : valid_)
    numbered.insert(numbered.end(), intents.begin(), intents.end());
  std::sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<IntentPtr> all;
  all.reserve(numbered.size());
  for (auto& [number, intent] : numbered) all.push_back(std::move(intent));
  return all;
}

std::vector<IntentPtr> Manifest::pool(const Session& session) const {
  std::vector<IntentPtr> members;
  const auto skills = as_set(session.blacklisted_skills);
  const auto intents = as_set(session.blacklisted_intents);
  for_each_scope(session.session_id, [&](const std::string& scope) {
    const auto found = valid_.find(scope);
    if (found == valid_.end()) return;
    members.reserve(members.size() + found->second.size());
    const bool own = scope == session.session_id;
    for (const auto& [number, intent] : found->second) {
      if (!skills.empty() && skills.contains(intent->skill_id)) continue;
      if (!intents.empty() && intents.contains(intent->skill_id + ":" + intent->intent_name)) continue;
      if (!intent->enabled) continue;
      if (!own && !is_enabled(*intent, session.session_id)) continue;
      members.push_back(intent);
    }
  });
  return members;
}

IntentPtr Manifest::enabled_in(const Group& group, const std::string& registered_in, const std::string& lang,
                               const std::string& session_id) {
  for (const Method method : {Method::kTemplate, Method::kKeyword}) {
    const auto found = group.entries.find(Place{registered_in, lang, method});
    if (found == group.entries.end() || !found->second.valid) continue;
    if (!is_disabled(group, registered_in, lang, session_id)) return found->second.valid;
  }
  return nullptr;
}

std::optional<std::string> Manifest::closest(const Group& group, const std::string& session_id,
                                             const std::string& lang) {
  std::vector<std::string> langs;
  for_each_scope(session_id, [&](const std::string& scope) {
    auto entry = group.entries.lower_bound(Place{scope, {}, Method::kKeyword});
    for (; entry != group.entries.end() && entry->first.session_id == scope; ++entry) {
      if (enabled_in(group, scope, entry->first.lang, session_id)) langs.push_back(entry->first.lang);
    }
  });
  return closest_language(lang, langs);
}

IntentPtr Manifest::find(const Session& session, const std::string& skill_id, const std::string& intent_name,
                         const std::string& lang) const {
  const Group* known = group(skill_id, intent_name);
  if (known == nullptr || session.blacklists_skill(skill_id)) return nullptr;
  if (session.blacklists_intent(skill_id + ":" + intent_name)) return nullptr;
  IntentPtr found;
  const auto look = [&](const std::string& tag) {
    for_each_scope(session.session_id, [&](const std::string& scope) {
      if (!found) found = enabled_in(*known, scope, tag, session.session_id);
    });
  };
  look(folded(lang));
  if (found) return found;
  if (const auto nearest = closest(*known, session.session_id, folded(lang))) look(*nearest);
  return found;
}

std::vector<const ManifestEntry*> Manifest::entries(const std::optional<std::string>& skill_id) const {
  std::vector<const ManifestEntry*> all;
  const auto add = [&all](const Groups& groups) {
    for (const auto& [name, one] : groups) {
      for (const auto& [place, entry] : one.entries) all.push_back(&entry);
    }
  };
  if (!skill_id) {
    for (const auto& [id, groups] : skills_) add(groups);
  } else if (const auto found = skills_.find(*skill_id); found != skills_.end()) {
    add(found->second);
  }
  return all;
}

}  // namespace parley
