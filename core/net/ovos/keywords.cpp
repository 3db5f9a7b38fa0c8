#include "net/ovos/keywords.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "message/topics.hpp"

namespace parley::net::ovos {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string folded_type(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string string_at(const Json& data, const char* key) {
  const auto found = data.find(key);
  return found == data.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

/// `<skill_id>:<name>`, or the name alone.
std::string name_of(const std::string& skill_id, const Json& data) {
  std::string name = string_at(data, "name");
  if (name.starts_with(skill_id + ":")) name.erase(0, skill_id.size() + 1);
  return name;
}

/// `[[type, name], …]`, or types alone.
template <class Type>
void read_types(const Json& list, std::vector<Type>& into) {
  if (!list.is_array()) return;
  for (const auto& one : list) {
    if (one.is_string()) {
      into.emplace_back(one.template get<std::string>(), one.template get<std::string>());
    } else if (one.is_array() && !one.empty() && one[0].is_string()) {
      const bool named =
          one.size() > 1 && one[1].is_string() && !one[1].get_ref<const std::string&>().empty();
      into.emplace_back(one[0].template get<std::string>(), one[named ? 1 : 0].template get<std::string>());
    }
  }
}

const Json& list_at(const Json& data, const char* key) {
  static const Json kNone = Json::array();
  const auto found = data.find(key);
  return found == data.end() || !found->is_array() ? kNone : *found;
}

Message registration(const std::string& skill_id, Json data) {
  Context context;
  context.skill_id = skill_id;
  return Message(topic::kRegisterKeyword, std::move(data), std::move(context));
}

}  // namespace

std::string letters_of(const std::string& skill_id) {
  std::string letters = skill_id;
  std::replace_if(
      letters.begin(), letters.end(), [](char c) { return !is_letter_or_digit(c); }, '_');
  return letters;
}

std::string plain_name(const std::string& skill_id, const std::string& type) {
  const std::string letters = letters_of(skill_id);
  return type.size() > letters.size() && type.starts_with(letters) ? type.substr(letters.size()) : type;
}

Keywords::Taken Keywords::add_phrase(const std::string& skill_id, const Json& data) {
  if (data.contains("regex") && !data["regex"].is_null()) return Taken::kRegex;
  const std::string phrase = string_at(data, "entity_value");
  const std::string type = string_at(data, "entity_type");
  const std::string lang = string_at(data, "lang");
  if (phrase.empty() || type.empty() || lang.empty()) return Taken::kMalformed;
  if (phrases_ >= kMostPhrases || text_ + phrase.size() > kMostText) return Taken::kFull;
  auto& langs = langs_[skill_id];
  if (!langs.contains(lang) && langs.size() >= kMostLangs) return Taken::kFull;
  langs.insert(lang);
  const Id id(skill_id, folded_type(type));
  Vocabulary& vocabulary = vocabularies_[id][lang];
  if (!vocabulary.seen.insert(phrase).second) return Taken::kYes;
  vocabulary.phrases.push_back(phrase);
  vocabulary.text += phrase.size();
  ++phrases_;
  text_ += phrase.size();
  if (users_.contains(id)) grown_.insert(id);
  return Taken::kYes;
}

Keywords::Taken Keywords::add_intent(const std::string& skill_id, const Json& data,
                                     std::vector<Message>& into) {
  const Id id(skill_id, name_of(skill_id, data));
  if (id.second.empty()) return Taken::kMalformed;
  if (!intents_.contains(id) && intents_.size() >= kMostIntents) return Taken::kFull;
  Intent intent;
  read_types(list_at(data, "requires"), intent.required);
  read_types(list_at(data, "optional"), intent.optional);
  read_types(list_at(data, "excludes"), intent.excluded);
  for (const auto& group : list_at(data, "at_least_one")) {
    Types types;
    if (group.is_array()) read_types(group, types);
    if (!types.empty()) intent.one_of.push_back(std::move(types));
  }
  const auto wanted = vocabularies_of(id, intent);
  if (wanted.size() > 2 * kMostTypes) return Taken::kMalformed;
  remove_intent(skill_id, id.second);
  for (const auto& one : wanted) users_[one].insert(id);
  std::size_t text = 0;
  append(id, intents_.emplace(id, std::move(intent)).first->second, into, text);
  return into.empty() && text > kMostRegistered ? Taken::kFull : Taken::kYes;
}

std::set<Keywords::Id> Keywords::vocabularies_of(const Id& id, const Intent& intent) {
  std::set<Id> all;
  const auto note = [&](const Types& types) {
    for (const auto& one : types) all.emplace(id.first, folded_type(one.type));
  };
  note(intent.required);
  note(intent.optional);
  for (const auto& group : intent.one_of) note(group);
  note(intent.excluded);
  for (const auto& one : intent.excluded) all.emplace(id.first, folded_type(letters_of(id.first) + one.type));
  return all;
}

void Keywords::remove_intent(const std::string& skill_id, const std::string& name) {
  const auto found = intents_.find({skill_id, name});
  if (found == intents_.end()) return;
  for (const auto& one : vocabularies_of(found->first, found->second)) {
    const auto users = users_.find(one);
    if (users == users_.end()) continue;
    users->second.erase(found->first);
    if (users->second.empty()) users_.erase(users);
  }
  due_.erase(found->first);
  intents_.erase(found);
}

void Keywords::remove_skill(const std::string& skill_id) {
  const auto theirs = [&](const auto& one) { return one.first.first == skill_id; };
  for (const auto& [id, langs] : vocabularies_) {
    if (id.first != skill_id) continue;
    for (const auto& [lang, vocabulary] : langs) {
      phrases_ -= vocabulary.phrases.size();
      text_ -= vocabulary.text;
    }
  }
  std::erase_if(vocabularies_, theirs);
  std::erase_if(intents_, theirs);
  std::erase_if(users_, theirs);
  const auto is_theirs = [&](const Id& id) { return id.first == skill_id; };
  std::erase_if(grown_, is_theirs);
  std::erase_if(due_, is_theirs);
  langs_.erase(skill_id);
}

std::vector<Message> Keywords::renew() {
  std::vector<Message> renewed;
  std::size_t text = 0;
  if (due_.empty()) {
    for (const auto& grown : grown_) {
      const auto users = users_.find(grown);
      if (users != users_.end()) due_.insert(users->second.begin(), users->second.end());
    }
    grown_.clear();
  }
  while (!due_.empty() && text < kRenewedText) {
    const Id id = *due_.begin();
    due_.erase(due_.begin());
    const auto intent = intents_.find(id);
    if (intent != intents_.end()) append(id, intent->second, renewed, text);
  }
  return renewed;
}

const Keywords::ByLang* Keywords::vocabularies(const std::string& skill_id, const std::string& type) const {
  const auto found = vocabularies_.find({skill_id, folded_type(type)});
  return found == vocabularies_.end() ? nullptr : &found->second;
}

const Keywords::Vocabulary* Keywords::vocabulary(const std::string& skill_id, const std::string& type,
                                                 const std::string& lang) const {
  const ByLang* const all = vocabularies(skill_id, type);
  if (all == nullptr) return nullptr;
  const auto found = all->find(lang);
  return found == all->end() ? nullptr : &found->second;
}

/// In every language that has what it needs.
void Keywords::append(const Id& id, const Intent& intent, std::vector<Message>& into,
                      std::size_t& text) const {
  const auto langs = langs_.find(id.first);
  if (langs == langs_.end()) return;
  for (const auto& lang : langs->second) {
    std::size_t own = 0;
    auto data = described(id.first, intent, lang, own);
    text += own + 1;
    if (!data) continue;
    (*data)["skill_id"] = id.first;
    (*data)["intent_name"] = id.second;
    (*data)["lang"] = lang;
    into.push_back(registration(id.first, std::move(*data)));
  }
}

/// Nothing when the language lacks a vocabulary that is needed, or there is more than one registration holds.
std::optional<Json> Keywords::described(const std::string& skill_id, const Intent& intent,
                                        const std::string& lang, std::size_t& text) const {
  std::map<std::string, const Json*> roles;  // a vocabulary has one: the first
  const auto describe = [&](const Type& one, const Vocabulary& vocabulary, const Json& role, Json& into) {
    const auto [first, is_new] = roles.emplace(folded_type(one.type), &role);
    if (text > kMostRegistered || first->second != &role || (!is_new && &role == &into)) return;
    text += vocabulary.text;
    if (text <= kMostRegistered) into.push_back({{"name", one.name}, {"samples", vocabulary.phrases}});
  };
  Json required = Json::array();
  Json optional = Json::array();
  Json excluded = Json::array();
  Json one_of = Json::array();
  Json context = Json::array();
  for (const auto& one : intent.required) {
    if (vocabularies(skill_id, one.type) == nullptr) {
      context.push_back(plain_name(skill_id, one.type));
    } else if (const Vocabulary* known = vocabulary(skill_id, one.type, lang)) {
      describe(one, *known, required, required);
    } else {
      return std::nullopt;
    }
  }
  for (const auto& group : intent.one_of) {
    Json members = Json::array();
    bool is_met = false;  // by what is required anyway
    for (const auto& one : group) {
      const auto role = roles.find(folded_type(one.type));
      is_met = is_met || (role != roles.end() && role->second == &required);
      if (const Vocabulary* known = vocabulary(skill_id, one.type, lang))
        describe(one, *known, one_of, members);
    }
    if (is_met) continue;
    if (members.empty()) return std::nullopt;
    one_of.push_back(std::move(members));
  }
  for (const auto& one : intent.optional) {
    if (const Vocabulary* known = vocabulary(skill_id, one.type, lang))
      describe(one, *known, optional, optional);
  }
  for (const auto& one : intent.excluded) {
    const Vocabulary* known = vocabulary(skill_id, one.type, lang);
    if (known == nullptr) known = vocabulary(skill_id, letters_of(skill_id) + one.type, lang);
    if (known != nullptr) describe(one, *known, excluded, excluded);
  }
  if (text > kMostRegistered || (required.empty() && one_of.empty())) return std::nullopt;
  Json data = {{"required", std::move(required)},
               {"optional", std::move(optional)},
               {"one_of", std::move(one_of)},
               {"excluded", std::move(excluded)}};
  if (!context.empty()) data["requires_context"] = std::move(context);
  return data;
}

std::map<std::string, std::string> Keywords::context_of(const std::string& skill_id,
                                                        const std::string& name) const {
  std::map<std::string, std::string> filled;
  const auto found = intents_.find({skill_id, name});
  if (found == intents_.end()) return filled;
  for (const auto& one : found->second.required) {
    if (vocabularies(skill_id, one.type) == nullptr) filled.emplace(one.name, plain_name(skill_id, one.type));
  }
  return filled;
}

std::string Keywords::context_key(const std::string& skill_id, const std::string& context) const {
  const std::string letters = letters_of(skill_id);
  const bool prefixed = folded_type(context).starts_with(folded_type(letters));
  const auto users = users_.find({skill_id, folded_type(prefixed ? context : letters + context)});
  if (users != users_.end() && !users->second.empty()) {
    for (const auto& one : intents_.at(*users->second.begin()).required) {
      if (folded_type(plain_name(skill_id, one.type)) == folded_type(plain_name(skill_id, context)))
        return plain_name(skill_id, one.type);
    }
  }
  return plain_name(skill_id, context);
}

}  // namespace parley::net::ovos
