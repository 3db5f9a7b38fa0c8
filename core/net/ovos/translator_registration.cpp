// What skills register (ovos-wire 2, 6.1, 9.1). All of it holds for everybody: before the specifications
// there were no registrations of one session.
#include <algorithm>
#include <cctype>

#include "message/topics.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net::ovos {
namespace {

constexpr double kContextTime = 120;  ///< Seconds Adapt remembers a context for.
constexpr std::size_t kDigest = 32;   ///< Hexadecimal digits after the name of an entity.
constexpr std::int64_t kLastPriority = 100;
constexpr std::string_view kFileEnd = ".intent";

struct Named {
  std::string skill_id, name;
};

/// `<skill_id>:<name>`; without a colon the skill is whoever speaks.
Named named_in(const std::string& text, const std::string& speaker) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {speaker, text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string without_end(const std::string& text, std::string_view end) {
  return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

/// `<name>_<md5>`.
std::string without_digest(const std::string& name) {
  if (name.size() <= kDigest + 1 || name[name.size() - kDigest - 1] != '_') return name;
  const bool is_digest =
      std::all_of(name.end() - kDigest, name.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return is_digest ? name.substr(0, name.size() - kDigest - 1) : name;
}

/// `<name>_<lang>`.
bool ends_with_lang(const std::string& name) {
  const auto line = name.rfind('_');
  if (line == std::string::npos || line == 0) return false;
  const auto is_tag = [](unsigned char c) { return std::isalpha(c) != 0 || c == '-'; };
  const std::size_t size = name.size() - line - 1;
  return size >= 2 && size <= 7 &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(line) + 1, name.end(), is_tag);
}

Json list_in(const Message& message, const char* key) {
  const auto found = message.data().find(key);
  return found == message.data().end() || !found->is_array() ? Json::array() : *found;
}

/// For everybody, from that skill.
Message global(const char* topic, const std::string& skill_id, Json data, const Message& from) {
  Context context = from.context();
  context.session = nullptr;
  context.utterance_id.clear();
  context.skill_id = skill_id;
  data["skill_id"] = skill_id;
  return Message(topic, std::move(data), std::move(context));
}

}  // namespace

Translator::Skill* Translator::note_skill(const std::string& skill_id, bool is_older) {
  if (!is_identifier(skill_id)) return nullptr;
  const auto known = skills_.find(skill_id);
  if (known == skills_.end() && skills_.size() >= kMostSkills) return nullptr;
  Skill& skill = known == skills_.end() ? skills_[skill_id] : known->second;
  skill.is_older = skill.is_older || is_older;
  return &skill;
}

std::string Translator::skill_of(const Message& message, std::string_view key) {
  std::string skill_id = message.context().skill_id;
  if (skill_id.empty()) skill_id = message.text(key);
  if (!is_identifier(skill_id) || note_skill(skill_id, true) == nullptr) return {};
  return skill_id;
}

bool Translator::remembers_name(const std::string& skill_id, const std::string& name) const {
  return names_.contains({skill_id, name}) || keywords_.has(skill_id, name);
}

std::string Translator::registrant(const Message& message, const std::string& named, Said& said) {
  const std::string& speaker = message.context().skill_id;
  const std::string skill_id = speaker.empty() ? named : speaker;
  if (is_identifier(skill_id) && note_skill(skill_id, true) != nullptr) return skill_id;
  said.notes.emplace_back("registrant", "dropped '" + message.type() +
                                            "': it is to name a skill, in context.skill_id or as "
                                            "'<skill_id>:<name>', one of no more than " +
                                            std::to_string(kMostSkills) + " of this connection");
  return {};
}

void Translator::register_template(const Message& message, Said& said) {
  const Named named = named_in(message.text("name"), message.context().skill_id);
  const std::string skill_id = registrant(message, named.skill_id, said);
  if (skill_id.empty()) return;
  if (current_.contains({skill_id, without_end(named.name, kFileEnd)})) {
    said.dropped = "duplicate";
    return;
  }
  if (names_.size() < kMostNames) names_.emplace(skill_id, named.name);
  said.passed.push_back(global(topic::kRegisterTemplate, skill_id,
                               {{"intent_name", named.name},
                                {"lang", message.text("lang")},
                                {"samples", list_in(message, "samples")},
                                {"blacklist", list_in(message, "blacklisted_words")}},
                               message));
}

void Translator::register_entity(const Message& message, Said& said) {
  const Named named = named_in(message.text("name"), message.context().skill_id);
  const std::string skill_id = registrant(message, named.skill_id, said);
  if (skill_id.empty()) return;
  said.passed.push_back(global(topic::kRegisterEntity, skill_id,
                               {{"entity_name", without_digest(named.name)},
                                {"lang", message.text("lang")},
                                {"samples", list_in(message, "samples")}},
                               message));
}

void Translator::register_vocabulary(const Message& message, Said& said) {
  const std::string skill_id = registrant(message, message.text("skill_id"), said);
  if (skill_id.empty()) return;
  switch (keywords_.add_phrase(skill_id, message.data())) {
    case Keywords::Taken::kYes:
      break;
    case Keywords::Taken::kRegex:
      said.notes.emplace_back(
          "regex of " + skill_id,
          "a vocabulary of '" + skill_id +
              "' is a regex (a regular expression), which is not supported: intents that need it "
              "can't match; a template with a slot does the same (padatious)");
      break;
    case Keywords::Taken::kMalformed:
      said.notes.emplace_back(message.type(), "dropped 'register_vocab' of '" + skill_id +
                                                  "': it needs entity_value, entity_type and lang");
      break;
    case Keywords::Taken::kFull:
      said.notes.emplace_back("vocabularies", "dropped 'register_vocab' of '" + skill_id +
                                                  "': the vocabularies of this connection hold " +
                                                  std::to_string(Keywords::kMostPhrases) + " phrases or " +
                                                  std::to_string(Keywords::kMostText) + " bytes already");
  }
}

void Translator::register_keyword(const Message& message, Said& said) {
  const Named named = named_in(message.text("name"), message.context().skill_id);
  const std::string skill_id = registrant(message, named.skill_id, said);
  if (skill_id.empty()) return;
  if (current_.contains({skill_id, named.name})) {
    said.dropped = "duplicate";
    return;
  }
  std::vector<Message> registrations;
  const auto taken = keywords_.add_intent(skill_id, message.data(), registrations);
  for (const auto& one : registrations)
    said.passed.push_back(global(topic::kRegisterKeyword, skill_id, one.data(), message));
  if (taken == Keywords::Taken::kYes) return;
  said.notes.emplace_back("intent " + named.name,
                          "dropped 'register_intent' of '" + skill_id + "', intent '" + named.name + "': " +
                              (taken == Keywords::Taken::kFull
                                   ? "its vocabularies, or the intents of this connection, are too many"
                                   : "it has no name, or refers to too many vocabularies"));
}

void Translator::note_current(const Message& message) {
  const bool registers =
      message.type() == topic::kRegisterTemplate || message.type() == topic::kRegisterKeyword;
  if (registers && current_.size() < kMostNames)
    current_.emplace(message.text("skill_id"), message.text("intent_name"));
}

/// Newer skills say both: the current form counts (10).
void Translator::register_current(const Message& message, Said& said) {
  const std::string skill_id = message.text("skill_id");
  const std::string name = message.text("intent_name");
  if (!skill_id.empty() && note_skill(skill_id, false) != nullptr) {
    note_current(message);
    const std::string older = name + std::string(kFileEnd);
    if (names_.erase({skill_id, older}) > 0)
      said.passed.push_back(global(topic::kDeregisterIntent, skill_id, {{"intent_name", older}}, message));
    keywords_.remove_intent(skill_id, name);
  }
  say_plain(message, said);
}

void Translator::register_fallback(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  Json data = message.data();
  if (skill_id.empty()) return say_plain(message, said);
  if (message.type() != topic::kRegisterFallback) skills_.at(skill_id).falls_back = true;
  const auto priority = data.find("priority");
  if (priority != data.end() && priority->is_number_integer())  // there is one more there: 101
    *priority = std::clamp<std::int64_t>(priority->get<std::int64_t>(), 0, kLastPriority);
  said.passed.push_back(global(topic::kRegisterFallback, skill_id, std::move(data), message));
}

void Translator::deregister_fallback(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  if (skill_id.empty()) return say_plain(message, said);
  skills_.at(skill_id).falls_back = false;
  said.passed.push_back(global(topic::kDeregisterFallback, skill_id, message.data(), message));
}

void Translator::detach_intent(const Message& message, Said& said) {
  const Named named = named_in(message.text("intent_name"), message.context().skill_id);
  // They take `<name>_<lang>` away too, which nothing was ever called.
  const bool is_known = remembers_name(named.skill_id, named.name) ||
                        current_.contains({named.skill_id, without_end(named.name, kFileEnd)});
  if ((!is_known && ends_with_lang(named.name)) || note_skill(named.skill_id, true) == nullptr) {
    said.dropped = "older";
    return;
  }
  keywords_.remove_intent(named.skill_id, named.name);
  names_.erase({named.skill_id, named.name});
  current_.erase({named.skill_id, without_end(named.name, kFileEnd)});
  said.passed.push_back(
      global(topic::kDeregisterIntent, named.skill_id, {{"intent_name", named.name}}, message));
}

void Translator::detach_skill(const Message& message, Said& said) {
  std::string skill_id = message.text("skill_id");
  if (skill_id.empty()) skill_id = message.context().skill_id;
  keywords_.remove_skill(skill_id);
  const auto theirs = [&](const auto& one) { return one.first == skill_id; };
  std::erase_if(names_, theirs);
  std::erase_if(current_, theirs);
  const auto known = skills_.find(skill_id);
  if (known != skills_.end()) known->second.falls_back = false;
  said.passed.push_back(global(topic::kDeregisterSkill, skill_id, message.data(), message));
}

/// A request to the skill, which does what it asks for by itself; a skill that says so of itself means it.
void Translator::toggle_intent(const Message& message, Said& said) {
  const Named named = named_in(message.text("intent_name"), message.context().skill_id);
  said.relayed.push_back(in_current_session(message));
  if (named.skill_id.empty()) return;
  const bool enables = message.type().ends_with(".enable_intent");
  said.passed.push_back(global(enables ? topic::kEnableIntent : topic::kDisableIntent, named.skill_id,
                               {{"intent_name", named.name}}, message));
}

void Translator::loaded(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message, "id");
  Context context = message.context();
  context.skill_id = skill_id;
  say_plain(message.with_context(std::move(context)), said);
}

// ---- context

void Translator::say_context(const Message& message, const std::string& skill_id, Json entries, Said& said) {
  if (entries.empty()) return;
  const Message current = in_current_session(message);
  Context context = current.context();
  context.skill_id = skill_id;
  Json session = {{"session_id", message.session_id()}, {"intent_context", std::move(entries)}};
  said.passed.emplace_back(topic::kSessionSync, Json{{"session", std::move(session)}}, std::move(context));
}

void Translator::add_context(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  const std::string context = message.text("context");
  if (skill_id.empty() || context.empty()) return;
  Json entry = {{"value", message.text("word")}, {"expires_at", now_ + kContextTime}};
  Json entries = Json::object();
  entries[skill_id + ":" + keywords_.context_key(skill_id, context)] = std::move(entry);
  say_context(message, skill_id, std::move(entries), said);
}

void Translator::remove_context(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  const std::string context = message.text("context");
  if (skill_id.empty() || context.empty()) return;
  Json entries = Json::object();
  entries[skill_id + ":" + keywords_.context_key(skill_id, context)] = nullptr;
  say_context(message, skill_id, std::move(entries), said);
}

/// Everything there is: who says it has been given the session, which names it.
void Translator::clear_context(const Message& message, Said& said) {
  const std::string skill_id = skill_of(message);
  const SessionPtr session = session_for(message);
  if (skill_id.empty() || !session || !session->intent_context) return;
  Json entries = Json::object();
  for (const auto& [key, entry] : *session->intent_context) entries[key] = nullptr;
  say_context(message, skill_id, std::move(entries), said);
}

}  // namespace parley::net::ovos
