// The gate of common query, with whatever may be said.
#include "gate.hpp"

#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;

void parley::testing::fuzz(std::string_view input) {
  static const LocaleResources locale = [] {
    LocaleFolders folders;
    folders.skill = PARLEY_COMMON_QUERY;
    return LocaleResources(folders);
  }();
  static common_query::Gate gate(locale);
  constexpr const char* kLanguages[] = {"en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "xx"};
  FuzzInput parts(input);
  const std::string lang = kLanguages[parts.choice(std::size(kLanguages))];
  const bool accepted = gate.accepts(parts.rest(), lang);
  PARLEY_FUZZ_CHECK(gate.accepts(parts.rest(), lang) == accepted);
}
