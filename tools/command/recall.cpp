// Questions to the evidence, answered from the file.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <parley/zone.hpp>

#include "app/store_file.hpp"
#include "evidence/answer.hpp"
#include "host.hpp"
#include "kept.hpp"
#include "runtime/random_id.hpp"
#include "store/open.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

evidence::Wording wording_of(const Config& config) {
  evidence::Wording wording;
  wording.lang = config.language.default_tag;
  const auto now = std::chrono::system_clock::now();
  const auto zone = Zone::named(config.location.tz.empty() ? "UTC" : config.location.tz);
  const auto utc = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  const auto local = zone ? zone->local(now).time_since_epoch() : utc;
  wording.offset = local - utc;
  wording.today = std::chrono::floor<std::chrono::days>(std::chrono::local_seconds(local));
  return wording;
}

Json query_of(const RecallOptions& options) {
  return {{"query_text", options.text},
          {"agent_id", options.agent},
          {"session_id", options.session.empty() ? "default" : options.session},
          {"query_scope", options.session.empty() ? "private" : "session"},
          {"top_k", options.top_k},
          {"object_types", options.json ? Json::array() : Json{"memory", "state", "artifact"}},
          {"response_mode", "structured_evidence"}};
}

void show(const Json& answer, bool proof) {
  const Json& steps = answer.at("proof_trace");
  for (const auto& object : answer.at("objects")) {
    if (object.value("expanded", false)) continue;
    print(fmt::format("{}  {}\n", object.at("time").get<std::string>(),
                      one_line(object.at("summary").get<std::string>())));
    if (object.contains("superseded_by")) print("  (it no longer holds)\n");
    if (proof)
      print(fmt::format("  {}: {}\n", object.at("object_id").get<std::string>(),
                        steps.at("reasons").at(object.at("object_id")).get<std::string>()));
  }
  if (!proof) return;
  for (const auto& step : steps.at("assembly_steps")) print("- " + step.get<std::string>() + "\n");
}

}  // namespace

int recall(const GlobalOptions& global, const RecallOptions& options) {
  const Setup setup = load_setup(global);
  const auto file = store_file(setup.config.store, setup.options.config_file);
  if (!std::filesystem::exists(file))
    throw StoreRefused(
        fmt::format("there is no store '{}' yet: `parley serve` and `parley chat` make it, and "
                    "'store.path' says where",
                    file.string()));
  const auto request = evidence::read_request(query_of(options));
  if (!request) {
    complain(request.error().message);
    return kFailed;
  }
  const evidence::Caller caller;
  const auto reach = evidence::reach_of(caller, request->agent_id, request->session_id, "", "");
  const auto database = open_to_read(file);
  Json answer;
  try {
    answer = evidence::answer(*database, *request, *reach, wording_of(setup.config), "q_" + random_id());
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
  if (options.json) {
    print(dump(answer) + "\n");
  } else {
    show(answer, options.proof);
  }
  if (!answer.at("objects").empty()) return kGood;
  if (!options.json) print("nothing is known about that\n");
  return kDiffers;
}

}  // namespace parley::command
