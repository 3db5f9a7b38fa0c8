#include "offer.hpp"

#include <algorithm>
#include <map>
#include <parley/gates.hpp>
#include <parley/language.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <set>
#include <span>
#include <utility>

#include "phrases_of.hpp"

namespace parley::intent_llm {
namespace {

constexpr std::size_t kMostRanked = 5'000;
constexpr std::size_t kRankedText = 512;  ///< Bytes of an intent's samples that are compared.
constexpr std::size_t kMostSamples = 64;  ///< Samples whose slots are looked at.
constexpr std::size_t kMostArguments = 32;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kShownSamples = 3;
constexpr std::size_t kShownBytes = 160;
constexpr std::size_t kMostChoices = 64;  ///< Values of a keyword that are listed as such.
constexpr std::size_t kShownValues = 6;

// ---- who is in reach

bool is_open(const IntentRegistration& intent, const Registry& registry, const Session& session, double now) {
  const bool is_in_pool = intent.session_id == "default" || intent.session_id == session.session_id;
  return is_in_pool && !session.blacklists_skill(intent.skill_id) &&
         !session.blacklists_intent(intent.skill_id + ':' + intent.intent_name) &&
         registry.is_enabled(intent, session.session_id) && gates_open(intent, session, now);
}

// ---- what is suppressed, and who fits best

/// T-6 and R-4: whether words of the utterance keep the intent from being meant.
bool is_suppressed(const IntentRegistration& intent, std::span<const Word> said, const std::string& lang) {
  if (const auto* const sentences = std::get_if<TemplateIntent>(&intent.pattern))
    return PhraseSet(phrases_of(sentences->blacklist), lang).occurs_in(said);
  const auto& excluded = std::get<KeywordIntent>(intent.pattern).excluded;
  return std::any_of(excluded.begin(), excluded.end(), [&](const KeywordVocabulary& one) {
    return PhraseSet(phrases_of(one.samples), lang).occurs_in(said);
  });
}

void add_text(std::string& text, const std::vector<std::string>& samples) {
  for (const std::string& sample : samples) {
    if (text.size() >= kRankedText) return;
    text += sample.substr(0, kRankedText - text.size()) + ' ';
  }
}

std::string text_of(const IntentRegistration& intent) {
  std::string text;
  if (const auto* const sentences = std::get_if<TemplateIntent>(&intent.pattern)) {
    add_text(text, sentences->samples);
    return text;
  }
  const auto& keywords = std::get<KeywordIntent>(intent.pattern);
  for (const auto& one : keywords.required) add_text(text, one.samples);
  for (const auto& group : keywords.one_of)
    for (const auto& one : group) add_text(text, one.samples);
  return text;
}

/// How much an intent has in common with the utterance: words that few intents have count for more.
class Ranking {
 public:
  explicit Ranking(const Offer& offer) {
    for (const Word& word : words(offer.utterance, offer.lang)) said_.insert(word.norm);
    if (offer.session->active_handlers)
      for (const ActiveHandler& one : *offer.session->active_handlers) active_.insert(one.skill_id);
    for (const IntentPtr& intent : offer.intents) {
      std::set<std::string> common;
      for (const Word& word : words(text_of(*intent), offer.lang))
        if (said_.contains(word.norm)) common.insert(word.norm);
      for (const std::string& word : common) ++spread_[word];
      common_.emplace(intent.get(), std::move(common));
    }
  }

  double score(const IntentPtr& intent) const {
    constexpr double kOfActive = 0.5;
    double sum = active_.contains(intent->skill_id) ? kOfActive : 0;
    for (const std::string& word : common_.at(intent.get())) sum += 1.0 / spread_.at(word);
    return sum;
  }

 private:
  std::set<std::string> said_, active_;
  std::map<const IntentRegistration*, std::set<std::string>> common_;
  std::map<std::string, double> spread_;
};

void keep_likeliest(Offer& offer) {
  if (offer.intents.size() > kMostRanked) offer.intents.resize(kMostRanked);
  if (offer.intents.size() <= offer.most_tools) return;
  const Ranking ranking(offer);
  std::stable_sort(offer.intents.begin(), offer.intents.end(), [&](const IntentPtr& a, const IntentPtr& b) {
    return ranking.score(a) > ranking.score(b);
  });
  offer.intents.resize(offer.most_tools);
}

// ---- a function

std::string name_of(const IntentRegistration& intent, std::set<std::string>& taken) {
  std::string name = intent.skill_id + '-' + intent.intent_name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == ':'; }, '_');
  constexpr std::size_t kRoomForNumber = 5;
  name.resize(std::min(name.size(), kLongestName - kRoomForNumber));
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = name + '-' + std::to_string(n);
  return unique;
}

Argument& argument(Tool& tool, const std::string& name) {
  const auto known = std::find_if(tool.arguments.begin(), tool.arguments.end(),
                                  [&name](const Argument& one) { return one.name == name; });
  return known != tool.arguments.end() ? *known : tool.arguments.emplace_back(name);
}

void add_slots(Tool& tool, const TemplateIntent& sentences) {
  const std::size_t count = std::min(sentences.samples.size(), kMostSamples);
  for (const std::string& sample : std::span(sentences.samples).first(count)) {
    const auto read = Template::parse(sample, TemplateOptions::for_intents());
    if (!read) continue;
    for (const Slot& slot : read->slots())
      if (tool.arguments.size() < kMostArguments) argument(tool, slot.name).type = slot.type;
  }
  for (const auto& [name, type] : sentences.slot_types) {
    const auto known = std::find_if(tool.arguments.begin(), tool.arguments.end(),
                                    [&, &slot = name](const Argument& one) { return one.name == slot; });
    if (known != tool.arguments.end()) known->type = slot_type(type);
  }
}

void add_keywords(Tool& tool, const std::vector<KeywordVocabulary>& vocabularies, bool needed) {
  for (const KeywordVocabulary& one : vocabularies) {
    Argument& keyword = argument(tool, one.name);
    keyword.needed = needed;
    keyword.closed = true;
    keyword.listed = phrases_of(one.samples);
  }
}

/// Those of an entity of the skill with the slot's name.
void add_listed(Tool& tool, const Offer& offer) {
  for (const EntityPtr& entity : offer.entities) {
    const bool is_ours = entity->skill_id == tool.intent->skill_id &&
                         same_language(entity->lang, tool.intent->lang) &&
                         (entity->session_id == "default" || entity->session_id == offer.session->session_id);
    if (!is_ours) continue;
    for (Argument& slot : tool.arguments) {
      if (slot.name != entity->entity_name) continue;
      const auto values = phrases_of(entity->samples);
      slot.listed.insert(slot.listed.end(), values.begin(), values.end());
    }
  }
}

void demand(Tool& tool, const Offer& offer) {
  for (const std::string& slot : tool.intent->required_slots) {
    const auto value = context_value(*offer.session, tool.intent->skill_id, slot, offer.now);
    argument(tool, slot).needed = !value;
    if (value) tool.from_context.emplace(slot, *value);
  }
}

Tool tool_of(const IntentPtr& intent, const Offer& offer) {
  Tool tool(intent);
  if (const auto* const sentences = std::get_if<TemplateIntent>(&intent->pattern)) {
    add_slots(tool, *sentences);
    add_listed(tool, offer);
  } else {
    const auto& keywords = std::get<KeywordIntent>(intent->pattern);
    add_keywords(tool, keywords.required, true);
    for (const auto& group : keywords.one_of) add_keywords(tool, group, false);
    add_keywords(tool, keywords.optional, false);
  }
  demand(tool, offer);
  return tool;
}

// ---- how it is declared

/// Not more than so many bytes, whole characters.
std::string shown(std::string_view text) {
  std::size_t end = std::min(text.size(), kShownBytes);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

std::string listing(const std::vector<std::string>& texts, std::size_t most) {
  std::string list;
  for (const std::string& text : std::span(texts).first(std::min(texts.size(), most)))
    list += (list.empty() ? "" : "; ") + shown(text);
  return list;
}

std::string description_of(const IntentRegistration& intent) {
  if (const auto* const sentences = std::get_if<TemplateIntent>(&intent.pattern))
    return "For sentences such as: " + listing(sentences->samples, kShownSamples);
  std::string text = "For sentences with:";
  const auto add = [&text](const KeywordVocabulary& one) {
    text += " (" + listing(one.samples, kShownSamples) + ')';
  };
  const auto& keywords = std::get<KeywordIntent>(intent.pattern);
  for (const auto& one : keywords.required) add(one);
  for (const auto& group : keywords.one_of)
    if (!group.empty()) add(group.front());
  return text;
}

Json schema_of(const Argument& slot) {
  Json schema = {{"type", slot.needed ? Json("string") : Json::array({"string", "null"})}};
  std::string text = slot.type == SlotType::kNone
                         ? std::string()
                         : "A " + std::string(to_string(slot.type)) + ", as it was said.";
  if (slot.closed && !slot.listed.empty() && slot.listed.size() <= kMostChoices) {
    schema["enum"] = slot.listed;
    if (!slot.needed) schema["enum"].push_back(nullptr);
  } else if (!slot.listed.empty()) {
    text += (text.empty() ? "" : " ") + std::string("Such as: ") + listing(slot.listed, kShownValues);
  }
  if (!text.empty()) schema["description"] = text;
  return schema;
}

}  // namespace

std::vector<IntentPtr> intents_in_reach(const Registry& registry, const Session& session,
                                        std::string_view lang, double now) {
  const std::string primary = primary_language(lang);
  std::vector<IntentPtr> found;
  std::set<std::pair<std::string, std::string>> of_region;
  for (IntentPtr& intent : registry.intents()) {
    if (primary_language(intent->lang) != primary || !is_open(*intent, registry, session, now)) continue;
    if (same_language(intent->lang, lang)) of_region.emplace(intent->skill_id, intent->intent_name);
    found.push_back(std::move(intent));
  }
  std::erase_if(found, [&](const IntentPtr& one) {
    return !same_language(one->lang, lang) && of_region.contains({one->skill_id, one->intent_name});
  });
  return found;
}

void make_tools(Offer& offer) {
  const std::vector<Word> said = words(offer.utterance, offer.lang);
  keep_likeliest(offer);
  std::set<std::string> names;
  for (const IntentPtr& intent : offer.intents) {
    if (is_suppressed(*intent, said, offer.lang)) continue;
    offer.tools.push_back(tool_of(intent, offer));
    offer.tools.back().name = name_of(*intent, names);
  }
}

Json declaration_of(const Tool& tool) {
  Json properties = {{kQuote,
                      {{"type", "string"},
                       {"description", "The words of what the user just said that ask for this, copied."}}}};
  for (const Argument& slot : tool.arguments) properties[slot.name] = schema_of(slot);
  Json names = Json::array();
  for (const auto& [name, schema] : properties.items()) names.push_back(name);
  Json parameters = {{"type", "object"},
                     {"properties", std::move(properties)},
                     {"required", std::move(names)},
                     {"additionalProperties", false}};
  return {{"type", "function"},
          {"function",
           {{"name", tool.name},
            {"description", description_of(*tool.intent)},
            {"strict", true},
            {"parameters", std::move(parameters)}}}};
}

}  // namespace parley::intent_llm
