// A configuration file, where no plugin is installed: reading their files for each input would take most of
// the time.
#include <nlohmann/json.hpp>

#include "config/config.hpp"
#include "support/fuzz.hpp"

using namespace parley;

void parley::testing::fuzz(std::string_view input) {
  ConfigSources sources;
  sources.executable_directory.clear();
  const CheckedConfig checked = check_config_text(input, "fuzz.yaml", sources);
  for (const auto& problem : checked.problems) PARLEY_FUZZ_CHECK(!problem.message.empty());
  if (checked.problems.empty()) PARLEY_FUZZ_CHECK(to_json(checked.config).is_object());
}
