// What typed slots say: from the intent's own template, the slot's words and the user's clock.
#include <parley/language.hpp>
#include <parley/turn.hpp>
#include <parley/zone.hpp>

#include "turn/turn_state.hpp"

namespace parley {

SlotType Turn::State::slot_type(const std::string& name) const {
  const std::string& topic = dispatch.type();
  const std::string intent_name = topic.substr(topic.find(':') + 1);
  const LocaleResources& locale = environment->locale;
  const auto closest = closest_language(lang, locale.languages());
  const IntentResource* intent = closest ? locale.intent(*closest, intent_name) : nullptr;
  if (intent == nullptr) return SlotType::kNone;
  const auto type = intent->slot_types.find(name);
  return type == intent->slot_types.end() ? SlotType::kNone : parley::slot_type(type->second);
}

std::optional<SlotValue> Turn::State::read_slot(const std::string& name) const {
  const auto words = slots.find(name);
  const SlotType type = slot_type(name);
  if (words == slots.end() || type == SlotType::kNone) return std::nullopt;
  return value_of(type, words->second);
}

std::optional<SlotValue> Turn::State::value_of(SlotType type, const std::string& words) const {
  auto zone = Zone::named(time_zone());
  if (!zone) zone = Zone::named("UTC");
  const auto now = environment->clock().wall();
  const auto here =
      zone ? zone->local(now)
           : std::chrono::local_seconds(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch());
  return read_value(type, words, lang, here);
}

const std::optional<SlotValue>& Turn::State::slot_value(const std::string& name) {
  const auto known = slot_values_.find(name);
  if (known != slot_values_.end()) return known->second;
  return slot_values_.emplace(name, read_slot(name)).first->second;
}

std::optional<SlotValue> Turn::slot_value(const std::string& name) const {
  return state_->slot_value(name);
}

}  // namespace parley
