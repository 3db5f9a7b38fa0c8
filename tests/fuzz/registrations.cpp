// Payloads of intent and entity registrations, as remote skills send them.
#include <nlohmann/json.hpp>

#include "registry/parse.hpp"
#include "support/fuzz.hpp"

using namespace parley;

void parley::testing::fuzz(std::string_view input) {
  const Json payload = Json::parse(input, nullptr, false);
  if (!payload.is_object()) return;
  const Complain complain = [](const std::string& text) { PARLEY_FUZZ_CHECK(!text.empty()); };
  for (const Method method : {Method::kKeyword, Method::kTemplate}) {
    const auto intent = parse_intent(payload, method, complain);
    if (!intent) {
      PARLEY_FUZZ_CHECK(!intent.error().message.empty());
      continue;
    }
    PARLEY_FUZZ_CHECK(is_identifier(intent->skill_id) && is_identifier(intent->intent_name));
    PARLEY_FUZZ_CHECK(intent->is_template() == (method == Method::kTemplate));
  }
  if (const auto entity = parse_entity(payload, complain)) PARLEY_FUZZ_CHECK(is_identifier(entity->skill_id));
}
