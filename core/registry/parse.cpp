#include "registry/parse.hpp"

#include <nlohmann/json.hpp>

#include "registry/payload_reader.hpp"

namespace parley {

std::string_view to_string(Method method) noexcept {
  return method == Method::kKeyword ? "keyword" : "template";
}

Result<IntentRegistration> parse_intent(const Json& payload, Method method, const Complain& complain) {
  PayloadReader reader(payload, complain);
  IntentRegistration intent;
  intent.skill_id = reader.identifier("skill_id");
  intent.intent_name = reader.identifier("intent_name");
  intent.lang = reader.language();
  if (reader.failed()) return Error(reader.failure());
  if (method == Method::kKeyword) {
    intent.pattern = reader.keyword_intent();
  } else {
    intent.pattern = reader.template_intent(intent.required_slots);
  }
  if (!reader.failed()) reader.read_gates(intent);
  if (reader.failed()) return Error(reader.failure());
  return intent;
}

Result<EntityRegistration> parse_entity(const Json& payload, const Complain& complain) {
  PayloadReader reader(payload, complain);
  EntityRegistration entity;
  entity.skill_id = reader.identifier("skill_id");
  entity.entity_name = reader.identifier("entity_name");
  entity.lang = reader.language();
  if (!reader.failed()) entity.samples = reader.entity_samples();
  if (reader.failed()) return Error(reader.failure());
  return entity;
}

}  // namespace parley
