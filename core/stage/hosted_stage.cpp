#include "stage/hosted_stage.hpp"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/cell.hpp"
#include "runtime/crash_report.hpp"
#include "runtime/guard.hpp"

namespace parley {
/// Keeps only texts of what a stage throws: the object's type lives in the plugin.
Task<> HostedStage::match_into(HostedStage* self, MatchRequest request, std::shared_ptr<Cell<Verdict>> cell) {
  const TurnUnderWay turn(self->name_, request.message().context().utterance_id);
  Verdict verdict;
  try {
    self->services_.monitor.enter(self->name_);
    auto match = co_await self->stage_->match(std::move(request));
    if (match) verdict = Verdict::claims(std::move(*match));
  } catch (const Cancelled&) {
    verdict = Verdict::faulted("was cancelled");
  } catch (...) {
    verdict = Verdict::faulted(fmt::format("threw: {}", text_of_current_exception()));
  }
  cell->set(std::move(verdict));
}

Task<> Stage::handle(Turn turn) {
  throw std::logic_error("the stage has no handler for '" + turn.message().type() + "'");
  co_return;
}

HostedStage::HostedStage(StageServices services, StageSettings settings, std::unique_ptr<Stage> stage)
    : services_(std::move(services)),
      settings_(std::move(settings)),
      name_("stage " + settings_.pipeline_id),
      stage_(std::move(stage)),
      took_(services_.counters.histogram("parley_stage_seconds", {{"stage", settings_.pipeline_id}})) {
  // Shown from the start: what goes up from nothing is seen by nobody's alarm.
  for (const char* const name : {"parley_stage_faults_total", "parley_stage_tripped_total"})
    services_.counters.counter(name, {{"stage", settings_.pipeline_id}});
  if (!settings_.options) settings_.options = std::make_shared<const Json>(Json::object());
}

HostedStage::~HostedStage() = default;

void HostedStage::start() {
  stage_->attach(*this);
  on(topic::list_of_stage(pipeline_id()), [this](const Message& query) { answer_intents_list(query); });
  const auto failure = failure_of([this] { stage_->start(); });
  if (!failure) return;
  subscriptions_.clear();
  throw std::runtime_error(fmt::format("stage '{}' refused to start: {}", pipeline_id(), *failure));
}

bool HostedStage::tripped() const {
  if (!tripped_at_) return false;
  return settings_.fault_cooldown.count() == 0 || clock().now() < *tripped_at_ + settings_.fault_cooldown;
}

Verdict HostedStage::skipped() const {
  return Verdict::skipped(fmt::format("skipped after {} faults in a row", faults_));
}

Task<Verdict> HostedStage::ask(MatchRequest request) {
  if (tripped()) co_return skipped();
  const auto began = clock().now();
  Verdict verdict = co_await run(std::move(request));
  took_.observe(clock().now() - began);
  judge(verdict);
  co_return verdict;
}

Task<Verdict> HostedStage::dry_run(MatchRequest request, std::shared_ptr<Questions> questions) {
  if (tripped()) co_return skipped();
  const std::string id = request.message().context().utterance_id;
  dry_runs_.insert_or_assign(id, std::move(questions));
  const std::shared_ptr<void> until_it_ends(nullptr, [this, id](void*) { dry_runs_.erase(id); });
  Verdict verdict = co_await run(std::move(request));
  co_return verdict;
}

bool HostedStage::hold_back(const Message& message, const std::vector<std::string>& asked,
                            const std::string& what) {
  const auto dry = dry_runs_.find(message.context().utterance_id);
  if (dry == dry_runs_.end()) return false;
  dry->second->emplace_back(what, asked);
  return true;
}

std::optional<Verdict> HostedStage::quick_verdict(const MatchRequest& request) {
  const TurnUnderWay turn(name_, request.message().context().utterance_id);
  services_.monitor.enter(name_);
  QuickAnswer said;
  const auto failure = failure_of([&] { said = stage_->quick_match(request); });
  if (failure) return Verdict::faulted("threw: " + *failure);
  if (!said.known) return std::nullopt;
  return said.match ? Verdict::claims(std::move(*said.match)) : Verdict();
}

bool HostedStage::declines_at_once(const MatchRequest& request) {
  if (tripped()) return true;
  const auto said = quick_verdict(request);
  return said && !said->match;
}

std::optional<Match> HostedStage::takes_word_for_word(const MatchRequest& request) {
  if (tripped()) return std::nullopt;
  services_.monitor.enter(name_);
  std::optional<Match> match;
  if (const auto failure = failure_of([&] { match = stage_->word_for_word(request); })) {
    warn("threw when asked what it takes word for word: " + *failure);
    return std::nullopt;
  }
  return match;
}

Task<Verdict> HostedStage::run(MatchRequest request) {
  if (auto quick = quick_verdict(request)) co_return std::move(*quick);
  const std::string id = request.message().context().utterance_id;
  const auto waited = std::make_shared<Waited>();
  matches_->insert_or_assign(id, waited);
  const std::shared_ptr<void> until_it_ends(nullptr, [all = matches_, id](void*) { all->erase(id); });
  auto cell = std::make_shared<Cell<Verdict>>();
  const auto job = scope_.spawn(services_.loop, match_into(this, std::move(request), cell));
  if (!job) co_return Verdict();
  Timer bound;
  if (!cell->ready()) {
    const auto began = clock().now();
    bound = services_.timers.at(began + settings_.match_timeout,
                                [this, cell, waited, began] { cell->set(late(*waited, began)); });
  }
  Verdict verdict;
  try {
    verdict = co_await Cell<Verdict>::wait(cell);
  } catch (const Cancelled&) {
    job->cancel();  // nobody is there any more whom its answer could be for
    throw;
  }
  if (job->running()) job->cancel();
  co_return verdict;
}

std::shared_ptr<HostedStage::Waited> HostedStage::waited_by(const std::string& utterance_id) const {
  const auto match = matches_->find(utterance_id);
  return match == matches_->end() ? nullptr : match->second;
}

Verdict HostedStage::late(const Waited& waited, Clock::Time began) const {
  const auto own_time = clock().now() - began - waited.before;
  const auto bound = settings_.match_timeout.count();
  if (waited.waits > 0 || own_time < settings_.match_timeout)
    return Verdict::declines(fmt::format("others had not answered within {} ms", bound));
  return Verdict::faulted(fmt::format("gave no answer within {} ms", bound));
}

void HostedStage::judge(const Verdict& verdict) {
  if (verdict.kind() != Verdict::Kind::kFaulted) {
    if (!verdict.why().empty()) {
      count("gave_up", {});
      return;
    }
    faults_ = 0;
    tripped_at_.reset();
    return;
  }
  ++faults_;
  services_.counters.counter("parley_stage_faults_total", {{"stage", pipeline_id()}}).add();
  log_warning("orchestrator",
              fmt::format("stage '{}' {}; the next stage is asked", pipeline_id(), verdict.why()));
  if (faults_ < settings_.max_faults) return;
  tripped_at_ = clock().now();
  services_.counters.counter("parley_stage_tripped_total", {{"stage", pipeline_id()}}).add();
  log_error("orchestrator",
            fmt::format("stage '{}' failed {} times in a row and is skipped{}", pipeline_id(), faults_,
                        settings_.fault_cooldown.count() == 0
                            ? std::string(" until the next start")
                            : fmt::format(" for {} s", settings_.fault_cooldown.count() / 1000)));
}

void HostedStage::close(std::function<void()> idle) {
  subscriptions_.clear();
  scope_.close();
  scope_.when_idle(std::move(idle));
}

void HostedStage::prepare(const MatchRequest& request) {
  if (tripped()) return;
  services_.monitor.enter(name_);
  if (const auto failure = failure_of([&] { entered_(request); })) warn("threw on an entry: " + *failure);
}

std::vector<IntentPtr> HostedStage::listed_intents() {
  std::vector<IntentPtr> listed;
  if (const auto failure = failure_of([&] { listed = stage_->listed_intents(); }))
    warn("threw when asked for its intents: " + *failure);
  return listed;
}

void HostedStage::answer_intents_list(const Message& query) {
  Json intents = Json::array();
  const std::string lang = query.text("lang");
  const std::string skill = query.text("skill_id");
  const auto& asker = query.context().sender;
  for (const auto& intent : listed_intents()) {
    if (asker && !asker->may_see(intent->session_id)) continue;
    if (!skill.empty() && intent->skill_id != skill) continue;
    if (!lang.empty() && !same_language(intent->lang, lang)) continue;
    intents.push_back(
        {{"intent_name", intent->intent_name}, {"skill_id", intent->skill_id}, {"lang", intent->lang}});
  }
  publish(query.response({{"pipeline_id", pipeline_id()}, {"intents", std::move(intents)}}));
}

}  // namespace parley
