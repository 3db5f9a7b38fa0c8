// Questions to the evidence, answered from the file.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "evidence/answer.hpp"
#include "evidence/asking.hpp"
#include "evidence/meaning_at_once.hpp"
#include "evidence/question_vectors.hpp"
#include "host.hpp"
#include "kept.hpp"
#include "language/zone_names.hpp"
#include "read_kept.hpp"
#include "runtime/random_id.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

evidence::Wording wording_of(const Config& config) {
  return evidence::wording_at(std::chrono::system_clock::now(), zone_here(config.location.tz),
                              config.language.default_tag);
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
  const auto request = evidence::read_request(query_of(options));
  if (!request) {
    complain(request.error().message);
    return kFailed;
  }
  const evidence::Caller caller;
  const auto reach = evidence::reach_of(caller, request->agent_id, request->session_id, "", "");
  const Json answer = read_kept(setup, [&](Database& database) {
    const auto meaning =
        evidence::meaning_at_once(database, setup.config.evidence.embeddings, request->query_text);
    return evidence::answer(database, *request, *reach, wording_of(setup.config), "q_" + random_id(),
                            meaning.get());
  });
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
