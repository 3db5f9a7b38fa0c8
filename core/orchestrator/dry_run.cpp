#include "orchestrator/dry_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/timers.hpp"
#include "turn/trace_record.hpp"

namespace parley {
namespace {

/// The steps of a record, but for those that only say that nobody was there to answer.
Json steps_of(const TraceRecord& record, bool asked) {
  Json steps = Json::array();
  Json told = record.to_json("");
  for (Json& step : told["steps"]) {
    const auto kind = trace_kind(step.at("kind").get_ref<const std::string&>());
    if (asked && (kind == TraceKind::kAnswer || kind == TraceKind::kSilent || kind == TraceKind::kSkip))
      continue;
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
  Json object = {{"skill_id", match.skill_id},
                 {"intent_name", match.intent_name},
                 {"lang", match.lang},
                 {"utterance", match.utterance},
                 {"slots", match.slots}};
  for (const Match& part : match.then) object["then"].push_back(to_json(part));
  return object;
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

DryRun::DryRun(TurnOwner& owner, Message entry)
    : owner_(owner),
      entry_(std::move(entry)),
      session_(owner, entry_, TurnSession::Keeps::kNothing),
      round_(owner, entry_, session_) {}

Task<> DryRun::run(std::shared_ptr<DryRun> self, std::function<void(Result<Json>)> done) {
  Result<Json> report(Error("the assistant is ending"));
  try {
    Json told = co_await self->ask_all();
    report = Result<Json>(std::move(told));
  } catch (const Cancelled&) {  // that is why
  } catch (const std::exception& error) {
    report = Result<Json>(Error(error.what()));
  }
  done(std::move(report));
}

std::shared_ptr<TraceRecord> DryRun::begin_record() {
  auto record = std::make_shared<TraceRecord>(owner_.timers().clock(), entry_.context().utterance_id,
                                              session_.id(), round_.utterances());
  round_.trace_to(Trace(record));
  return record;
}

Task<Json> DryRun::ask_all() {
  round_.tell_problems();
  const ResolvedLanguage& language = round_.language();
  Json report = {{"utterances", round_.utterances()},
                 {"lang", language.tag},
                 {"lang_source", language.source},
                 {"skipped", Json::array()},
                 {"stages", Json::array()}};
  if (!round_.utterances().empty() && !is_refused_) {
    co_await round_.wake_language();
    session_.open_round();
    const auto composed = begin_record();
    const std::vector<PipelineEntry> pipeline = round_.compose();
    const Json told = composed->to_json("");
    for (const Json& step : told.at("steps")) {
      if (step.at("kind") == to_string(TraceKind::kSkip))
        report["skipped"].push_back({{"entry", step.at("subject")}, {"why", step.at("text")}});
    }
    for (const auto& entry : pipeline) {
      if (!round_.is_loaded(entry)) continue;
      Json stage = co_await ask(entry);
      report["stages"].push_back(std::move(stage));
    }
  }
  add_outcome(report);
  co_return report;
}

Task<Json> DryRun::ask(PipelineEntry entry) {
  const auto record = begin_record();
  const auto questions = std::make_shared<HostedStage::Questions>();
  Json said = {{"entry", entry.name}, {"pipeline_id", entry.stage->pipeline_id()}};
  MatchRequest request = round_.request_of(entry);
  const Verdict verdict = co_await entry.stage->dry_run(std::move(request), questions);
  switch (verdict.kind()) {
    case Verdict::Kind::kSkipped:
      said["verdict"] = "skipped";
      said["why"] = verdict.why();
      break;
    case Verdict::Kind::kFaulted:
      said["verdict"] = "fails";
      said["why"] = verdict.why();
      break;
    case Verdict::Kind::kDeclines:
      said["verdict"] = "declines";
      break;
    case Verdict::Kind::kClaims:
      const std::string against = round_.objection(*verdict.match);
      said["verdict"] = against.empty() ? "matches" : "refused";
      if (against.empty()) {
        said["match"] = to_json(*verdict.match);
      } else {
        said["why"] = against;
      }
      break;
  }
  if (!questions->empty()) {
    said["verdict"] = "asks";  // whatever it would do if nobody said yes
    said.erase("why");
    said["asks"] = to_json(*questions);
  }
  said["steps"] = steps_of(*record, !questions->empty());
  co_return said;
}

}  // namespace parley
