#include "registry/parse.hpp"

#include <nlohmann/json.hpp>

#include "registry/payload_reader.hpp"

namespace parley {

std::string_view to_string(Method method) noexcept {
  return method == Method::kKeyword ? "keyword" : "template";
}

std::size_t text_in(const Json& payload, std::size_t enough) {
  if (payload.is_string()) return payload.get_ref<const std::string&>().size() + 1;
  std::size_t bytes = 1;
  for (auto one = payload.begin(); payload.is_structured() && one != payload.end() && bytes < enough; ++one)
    bytes += text_in(*one, enough - bytes);
  return bytes;
}

Result<IntentRegistration> parse_intent(const Json& payload, Method method, const Complain& complain,
                                        const RegistrationLimits& limits) {
  PayloadReader reader(payload, complain, limits);
  IntentRegistration intent;
  intent.skill_id = reader.identifier("skill_id");
  intent.intent_name = reader.identifier("intent_name");
  intent.lang = reader.language();
  if (reader.failed()) return Error(reader.failure());
  if (method == Method::kKeyword) {
    intent.pattern = reader.keyword_intent();
  } else {
    intent.pattern = reader.template_intent(intent);
  }
  if (!reader.failed()) reader.read_gates(intent);
  if (reader.failed()) return Error(reader.failure());
  intent.weight = reader.weight();
  return intent;
}

Result<EntityRegistration> parse_entity(const Json& payload, const Complain& complain,
                                        const RegistrationLimits& limits) {
  PayloadReader reader(payload, complain, limits);
  EntityRegistration entity;
  entity.skill_id = reader.identifier("skill_id");
  entity.entity_name = reader.identifier("entity_name");
  entity.lang = reader.language();
  if (!reader.failed()) entity.samples = reader.entity_samples();
  if (reader.failed()) return Error(reader.failure());
  entity.weight = reader.weight();
  return entity;
}

}  // namespace parley
