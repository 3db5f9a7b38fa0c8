#include "registry/payload_reader.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <unordered_set>

#include "message/codec.hpp"

namespace parley {
namespace {

constexpr std::size_t kMostInLog = 120;  // bytes of something from outside

/// As much of a text as belongs into one line of the log.
std::string shortened(std::string_view text) {
  if (text.size() <= kMostInLog) return std::string(text);
  std::size_t end = kMostInLog;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole code points
  return std::string(text.substr(0, end)) + "…";
}

bool is_slot_type(std::string_view name) {
  for (const SlotType type :
       {SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor, SlotType::kLanguage}) {
    if (name == to_string(type)) return true;
  }
  return false;
}

}  // namespace

void PayloadReader::fail(std::string reason) {
  if (failure_.empty()) failure_ = std::move(reason);
}

std::string PayloadReader::identifier(const char* key) {
  const auto found = payload_.find(key);
  if (found == payload_.end() || !found->is_string()) {
    fail(fmt::format("'{}' must be a string", key));
    return {};
  }
  auto text = found->get<std::string>();
  if (!is_identifier(text)) {
    fail(fmt::format("{} '{}' must be letters, digits, '_' and '-', in parts joined by single dots", key,
                     shortened(text)));
  }
  return text;
}

std::string PayloadReader::language() {
  const auto found = payload_.find("lang");
  if (found == payload_.end() || !found->is_string()) {
    fail("'lang' must be a language tag such as \"en-US\"");
    return {};
  }
  auto tag = found->get<std::string>();
  if (!is_language_tag(tag))
    fail(fmt::format("lang '{}' is no language tag such as \"en-US\"", shortened(tag)));
  return tag;
}

const Json* PayloadReader::array(const char* key) {
  return array(payload_, key, key);
}

const Json* PayloadReader::array(const Json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  if (found->is_array()) return &*found;
  fail(fmt::format("{} is {}; it must be an array", where, kind_of(*found)));
  return nullptr;
}

bool PayloadReader::count_samples(const Json& list) {
  samples_ += list.size();
  if (samples_ > limits_.max_samples) {
    fail(fmt::format("it has more than {} samples in all (registration.max_samples): make several of it",
                     limits_.max_samples));
    return false;
  }
  for (const Json& one : list) text_ += one.is_string() ? one.get_ref<const std::string&>().size() : 0;
  if (text_ <= limits_.max_text) return true;
  fail(fmt::format("its samples have more than {} bytes in all (registration.max_text): make several of it",
                   limits_.max_text));
  return false;
}

/// @param teaching  gets those that only teach (T-3); null: they are left out
std::vector<Template> PayloadReader::templates(const Json& list, const std::string& where, Slots slots,
                                               std::vector<Template>* teaching) {
  std::vector<Template> good;
  if (!count_samples(list)) return good;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      complain_(fmt::format("{}[{}] is {}, not a template: left out", where, i, kind_of(list[i])));
      continue;
    }
    const auto& text = list[i].get_ref<const std::string&>();
    if (!seen.insert(text).second) continue;
    const bool allowed = slots == Slots::kAllowed;
    auto parsed =
        Template::parse(text, allowed ? TemplateOptions::for_intents() : TemplateOptions::for_phrases());
    std::vector<Template>* into = &good;
    if (!parsed && teaching != nullptr) {
      if (auto teaches = Template::parse(text, TemplateOptions::for_teaching())) {
        complain_(fmt::format("{}[{}] '{}': column {}: {}: it matches nothing, but teaches", where, i,
                              shortened(text), parsed.error().column, parsed.error().message));
        parsed = std::move(teaches);
        into = teaching;
      }
    }
    if (parsed) {
      forms_ += parsed->forms();
      if (forms_ > RegistrationLimits::kMaxForms) {
        fail(fmt::format("its samples have more than {} forms of groups that join without a space",
                         RegistrationLimits::kMaxForms));
        return good;
      }
      into->push_back(std::move(parsed).value());
    } else {
      complain_(fmt::format("{}[{}] '{}': column {}: {}: left out", where, i, shortened(text),
                            parsed.error().column, parsed.error().message));
    }
  }
  return good;
}

std::vector<std::string> PayloadReader::phrases(const Json& list, const std::string& where, Slots slots) {
  std::vector<std::string> texts;
  for (const Template& one : templates(list, where, slots)) texts.push_back(one.text());
  return texts;
}

std::vector<std::string> PayloadReader::required_samples(const Json& object, const std::string& where) {
  const Json* list = array(object, "samples", where);
  if (failed()) return {};
  if (list == nullptr || list->empty()) {
    fail(fmt::format("{} must hold at least one phrase", where));
    return {};
  }
  auto good = phrases(*list, where, Slots::kForbidden);
  if (good.empty()) fail(fmt::format("{} holds no phrase that can be used", where));
  return good;
}

std::vector<std::string> PayloadReader::entity_samples() {
  return required_samples(payload_, "samples");
}

TemplateIntent PayloadReader::template_intent(IntentRegistration& slots_of) {
  TemplateIntent intent;
  const Json* list = array("samples");
  if (failed()) return intent;
  if (list == nullptr || list->empty()) {
    fail("samples must hold at least one template");
    return intent;
  }
  std::vector<Template> teaching;
  auto samples = templates(*list, "samples", Slots::kAllowed, &teaching);
  if (samples.empty()) {
    fail("samples holds no template that can be used");
    return intent;
  }
  for (const Template& one : samples) intent.samples.push_back(one.text());
  for (const Template& one : teaching) intent.teaching.push_back(one.text());
  std::move(teaching.begin(), teaching.end(), std::back_inserter(samples));
  if (const Json* blacklist = array("blacklist"); blacklist != nullptr) {
    intent.blacklist = phrases(*blacklist, "blacklist", Slots::kForbidden);
  }
  const Declared slots = declared_slots(samples);
  slots_of.required_slots = slot_list("required_slots", slots);
  slots_of.asked_slots = slot_list("asked_slots", slots);
  intent.slot_blacklist = slot_blacklist(slots);
  intent.slot_types = slot_types(slots);
  return intent;
}

PayloadReader::Declared PayloadReader::declared_slots(const std::vector<Template>& samples) {
  Declared slots;
  for (const Template& sample : samples) {
    for (const Slot& slot : sample.slots()) {
      auto& type = slots.emplace(slot.name, slot.type).first->second;
      if (type == SlotType::kNone) type = slot.type;  // the first one that says something
    }
  }
  return slots;
}

std::vector<std::string> PayloadReader::slot_list(const char* key, const Declared& slots) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  const Json* list = array(key);
  if (list == nullptr) return names;
  for (const Json& one : *list) {
    if (!one.is_string()) {
      fail(fmt::format("{} holds {}; it must hold names of slots", key, kind_of(one)));
      return {};
    }
    const auto& name = one.get_ref<const std::string&>();
    if (!slots.contains(name)) {
      fail(fmt::format("{} names '{}', which no usable sample declares", key, shortened(name)));
      return {};
    }
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

std::map<std::string, std::vector<std::string>> PayloadReader::slot_blacklist(const Declared& slots) {
  std::map<std::string, std::vector<std::string>> forbidden;
  const auto found = payload_.find("slot_blacklist");
  if (found == payload_.end()) return forbidden;
  if (!found->is_object()) {
    fail(fmt::format("slot_blacklist is {}; it must be an object", kind_of(*found)));
    return forbidden;
  }
  for (const auto& [slot, values] : found->items()) {
    const std::string where = "slot_blacklist." + shortened(slot);
    if (!values.is_array()) {
      fail(fmt::format("{} is {}; it must be an array", where, kind_of(values)));
      return forbidden;
    }
    if (!slots.contains(slot)) {
      complain_(fmt::format("{} is of a slot no usable sample declares: left out", where));
      continue;
    }
    if (auto list = phrases(values, where, Slots::kForbidden); !list.empty())
      forbidden[slot] = std::move(list);
  }
  return forbidden;
}

// Only a hint, and what the samples say already: nothing in it can spoil the registration.
std::map<std::string, std::string> PayloadReader::slot_types(const Declared& slots) {
  std::map<std::string, std::string> types;
  for (const auto& [slot, type] : slots) {
    if (type != SlotType::kNone) types.emplace(slot, to_string(type));
  }
  const auto found = payload_.find("slot_types");
  if (found == payload_.end()) return types;
  if (!found->is_object()) {
    complain_(fmt::format("slot_types is {}, not an object: left out", kind_of(*found)));
    return types;
  }
  for (const auto& [slot, type] : found->items()) {
    if (!type.is_string()) {
      complain_(fmt::format("slot_types.{} is {}, not a string: left out", shortened(slot), kind_of(type)));
    } else if (slots.contains(slot) && is_slot_type(type.get_ref<const std::string&>())) {
      types.emplace(slot, type.get<std::string>());
    }
  }
  return types;
}

}  // namespace parley
