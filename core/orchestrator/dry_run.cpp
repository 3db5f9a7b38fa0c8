// What would become of an utterance, without any of it happening.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/lifecycle.hpp"
#include "runtime/random_id.hpp"

namespace parley {
namespace {

/// The steps of a record, but for those that only say that nobody was there to answer.
Json steps_of(const TraceRecord& record, bool asked) {
  Json steps = Json::array();
  Json told = record.to_json("");
  for (Json& step : told["steps"]) {
    const std::string kind = step.at("kind");
    if (asked && (kind == "answer" || kind == "silent" || kind == "skip")) continue;
    steps.push_back(std::move(step));
  }
  return steps;
}

Json to_json(const HostedStage::Questions& questions) {
  Json asks = Json::array();
  for (const auto& question : questions)
    asks.push_back({{"topic", question.topic}, {"skills", question.skills}});
  return asks;
}

Json to_json(const Match& match) {
  return {{"skill_id", match.skill_id},
          {"intent_name", match.intent_name},
          {"lang", match.lang},
          {"utterance", match.utterance},
          {"slots", match.slots}};
}

bool has_verdict(const Json& stage, std::string_view verdict) {
  return stage.at("verdict") == verdict;
}

/// Adds how it would end: with the first match, unless somebody who has to be asked comes before it.
void add_outcome(Json& report) {
  const Json& stages = report.at("stages");
  const auto first = std::find_if(stages.begin(), stages.end(),
                                  [](const Json& stage) { return has_verdict(stage, "matches"); });
  const bool depends =
      std::any_of(stages.begin(), first, [](const Json& stage) { return has_verdict(stage, "asks"); });
  if (first != stages.end()) report["entry"] = first->at("entry");
  report["outcome"] = depends ? "depends" : first != stages.end() ? "matched" : "unmatched";
}

}  // namespace

Task<> Lifecycle::dry_run(std::shared_ptr<Lifecycle> self, std::function<void(Result<Json>)> done) {
  Result<Json> report(Error("the assistant is ending"));
  try {
    Json told = co_await self->dry_run_all();
    report = Result<Json>(std::move(told));
  } catch (const Cancelled&) {  // that is why
  } catch (const std::exception& error) {
    report = Result<Json>(Error(error.what()));
  }
  done(std::move(report));
}

Task<Json> Lifecycle::dry_run_all() {
  is_dry_ = true;
  const bool usable = read_utterances() && !is_refused_;
  const ResolvedLanguage language = resolved_language();
  lang_ = language.tag;
  Json report = {{"utterances", utterances_},
                 {"lang", language.tag},
                 {"lang_source", language.source},
                 {"skipped", Json::array()},
                 {"stages", Json::array()}};
  if (usable) {
    open_round();
    const auto composed =
        std::make_shared<TraceRecord>(owner_.bus_.timers().clock(), id(), session_->session_id, utterances_);
    trace_ = Trace(composed);
    const std::vector<PipelineEntry> pipeline = effective_pipeline();
    const Json told = composed->to_json("");
    for (const Json& step : told.at("steps")) {
      if (step.at("kind") == "skip")
        report["skipped"].push_back({{"entry", step.at("subject")}, {"why", step.at("text")}});
    }
    for (const auto& entry : pipeline) {
      const PipelineEntry* still = owner_.entry(entry.name);
      if (still == nullptr || still->stage != entry.stage) continue;
      Json stage = co_await dry_run_one(entry);
      report["stages"].push_back(std::move(stage));
    }
  }
  add_outcome(report);
  co_return report;
}

Task<Json> Lifecycle::dry_run_one(PipelineEntry entry) {
  const auto record =
      std::make_shared<TraceRecord>(owner_.bus_.timers().clock(), id(), session_->session_id, utterances_);
  trace_ = Trace(record);
  const auto questions = std::make_shared<HostedStage::Questions>();
  Json said = {{"entry", entry.name}, {"pipeline_id", entry.stage->pipeline_id()}};
  MatchRequest request = request_of(entry, session_for_stages());
  const HostedStage::Answer answer = co_await entry.stage->dry_run(std::move(request), questions);
  const std::string against = answer.match ? objection(*answer.match) : std::string();
  if (!answer.fault.empty()) {
    said["verdict"] = answer.skipped ? "skipped" : "fails";
    said["why"] = answer.fault;
  } else if (!against.empty()) {
    said["verdict"] = "refused";
    said["why"] = against;
  } else {
    said["verdict"] = answer.match ? "matches" : "declines";
  }
  if (answer.match && against.empty()) said["match"] = to_json(*answer.match);
  if (!questions->empty()) {
    said["verdict"] = "asks";  // whatever it would do if nobody said yes
    said["asks"] = to_json(*questions);
  }
  said["steps"] = steps_of(*record, !questions->empty());
  co_return said;
}

void Orchestrator::dry_run(const Message& message, std::function<void(Result<Json>)> done) {
  Context context = message.context();
  const SessionStore::Entered entered = sessions_.preview(context.session);
  context.session = entered.session;
  context.utterance_id = random_id();
  const auto lifecycle = std::make_shared<Lifecycle>(*this, message.with_context(std::move(context)));
  if (entered.too_large) lifecycle->refuse_session();
  if (!scope_.spawn(loop_, Lifecycle::dry_run(lifecycle, done))) done(Error("the assistant is ending"));
}

}  // namespace parley
