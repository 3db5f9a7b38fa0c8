#include <unistd.h>

#include <nlohmann/json.hpp>

#include "host.hpp"
#include "inventory.hpp"
#include "options.hpp"

namespace parley::command {
namespace {

using Collect = nlohmann::json (*)(Assistant&);
using Render = std::string (*)(const nlohmann::json&, const Paint&);

int list(const GlobalOptions& global, const ListOptions& options, Collect collect, Render render) {
  Setup setup = load_setup(global);
  setup.options.jumping_clock = true;  // nothing is to happen meanwhile
  Host host(std::move(setup));
  const auto found = collect(host.assistant());
  print(options.json ? found.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                     : render(found, Paint(wants_colour(STDOUT_FILENO))));
  return kGood;
}

}  // namespace

int list_skills(const GlobalOptions& global, const ListOptions& options) {
  return list(global, options, skills_of, skills_table);
}

int list_intents(const GlobalOptions& global, const ListOptions& options) {
  return list(global, options, intents_of, intents_table);
}

int list_pipeline(const GlobalOptions& global, const ListOptions& options) {
  return list(global, options, pipeline_of, pipeline_table);
}

}  // namespace parley::command
