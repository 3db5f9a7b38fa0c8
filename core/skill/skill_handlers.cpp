#include "skill/skill_handlers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/text.hpp>
#include <stdexcept>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/guard.hpp"
#include "store/schedule_table.hpp"

namespace parley {
namespace {

/// For how many turns it is remembered which handler said yes.
constexpr std::size_t kMostPromised = 64;

/// What a dispatch of `<skill_id>:due` says is due (K-3).
Scheduled scheduled_in(const Turn& turn) {
  const Json& data = turn.message().data();
  Scheduled what;
  what.id = data.value("id", "");
  what.name = data.value("name", "");
  what.data = std::make_shared<const Json>(data.value("payload", Json::object()));
  what.due = from_milliseconds(data.value("due_ms", std::int64_t{0}));
  if (const auto rule = data.find("rule"); rule != data.end()) {
    if (const auto read = ScheduleRule::from_json(*rule)) what.rule = *read;
  }
  what.session_id = turn.session_id();
  what.lang = turn.lang();
  what.owner = turn.owner();
  what.time_zone = data.value("zone", "");
  return what;
}

}  // namespace

void SkillHandlers::check_new(const std::string& intent) const {
  if (!is_identifier(intent))
    throw std::invalid_argument(fmt::format("'{}' can't be the name of an intent", intent));
  if (is_reserved(intent)) {
    throw std::invalid_argument(fmt::format("'{}' is a reserved name: it can't be an intent", intent));
  }
  if (intents_.contains(intent))
    throw std::invalid_argument(fmt::format("the intent '{}' has a handler already", intent));
}

void SkillHandlers::add_intent(std::string name, Handler handler) {
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

int SkillHandlers::add_fallback(int priority, CanAnswer can_answer, Handler answer) {
  const auto after = std::upper_bound(fallbacks_.begin(), fallbacks_.end(), priority,
                                      [](int rank, const auto& one) { return rank < one->priority; });
  fallbacks_.insert(
      after, std::make_shared<const FallbackHandler>(priority, std::move(can_answer), std::move(answer)));
  return fallbacks_.front()->priority;
}

void SkillHandlers::add_converse(Converses takes, Handler handler) {
  if (converse_) throw std::logic_error("a skill has one on_converse()");
  converses_ = std::move(takes);
  converse_ = std::make_shared<const Handler>(std::move(handler));
}

void SkillHandlers::add_question(Claims claims, Answers answer) {
  if (answers_) throw std::logic_error("a skill has one on_question()");
  claims_ = std::move(claims);
  answers_ = std::make_shared<const Answers>(std::move(answer));
}

void SkillHandlers::add_stop(SessionCallback stop, SessionCallback can_stop) {
  if (stop_) throw std::logic_error("a skill has one on_stop()");
  stop_ = std::move(stop);
  can_stop_ = std::move(can_stop);
}

void SkillHandlers::add_stop_offer(SessionCallback can_offer, Handler offer) {
  if (offer_) throw std::logic_error("a skill has one on_stop_offer()");
  can_offer_ = std::move(can_offer);
  offer_ = std::make_shared<const Handler>(std::move(offer));
}

void SkillHandlers::add_due(std::string name, DueHandler handler) {
  if (!is_identifier(name))
    throw std::invalid_argument(fmt::format("'{}' can't be the name of an on_due()", name));
  if (!dues_.emplace(name, std::make_shared<const DueHandler>(std::move(handler))).second)
    throw std::invalid_argument(fmt::format("'{}' has an on_due() already", name));
}

void SkillHandlers::drop() {
  intents_.clear();
  dues_.clear();
  fallbacks_.clear();
  promised_.clear();
  converses_ = nullptr;
  converse_.reset();
  claims_ = nullptr;
  answers_.reset();
  stop_ = can_stop_ = can_offer_ = nullptr;
  offer_.reset();
}

std::vector<std::string> SkillHandlers::intents() const {
  std::vector<std::string> names;
  for (const auto& [name, handler] : intents_) names.push_back(name);
  return names;
}

Handler SkillHandlers::intent(const std::string& name) const {
  const auto found = intents_.find(name);
  if (found == intents_.end())
    throw std::runtime_error(fmt::format("the skill has no handler for '{}'", name));
  return *found->second;
}

Handler SkillHandlers::converse() const {
  return converse_ ? *converse_ : intent(reserved::kConverse);
}

Handler SkillHandlers::due(const Turn& turn) const {
  Scheduled what = scheduled_in(turn);
  const auto found = dues_.find(what.name);
  if (found == dues_.end())
    throw std::runtime_error(fmt::format("the skill has no on_due(\"{}\", …)", what.name));
  const Json& data = turn.message().data();
  const std::chrono::milliseconds late(data.value("late_ms", std::int64_t{0}));
  std::string due_id = data.value("due_id", "");
  return [handler = found->second, what = std::move(what), late, due_id = std::move(due_id)](Turn now) {
    return (*handler)(Due(what, due_id, late, std::move(now)));
  };
}

std::shared_ptr<const FallbackHandler> SkillHandlers::willing_fallback(const Query& query) const {
  for (const auto& handler : fallbacks_) {
    bool willing = false;
    if (const auto failure = failure_of([&] { willing = handler->can_answer(query); })) {
      log_warning("skill " + owner_, fmt::format("its can_answer threw, which counts as a no: {}", *failure));
    }
    if (willing) return handler;
  }
  return nullptr;
}

Handler SkillHandlers::fallback(const Turn& turn) {
  std::shared_ptr<const FallbackHandler> handler;
  const auto promise = std::find_if(promised_.begin(), promised_.end(),
                                    [&](const auto& one) { return one.first == turn.utterance_id(); });
  if (promise == promised_.end()) {
    handler = willing_fallback(Query({turn.text()}, turn.lang(), turn.session()));
  } else {
    handler = std::move(promise->second);
    promised_.erase(promise);
  }
  if (handler == nullptr) throw std::runtime_error("no fallback handler of the skill takes this");
  return handler->answer;
}

bool SkillHandlers::promise_fallback(const std::string& utterance_id, const Query& query) {
  auto handler = willing_fallback(query);
  if (handler == nullptr) return false;
  if (!utterance_id.empty()) promised_.emplace_back(utterance_id, std::move(handler));
  if (promised_.size() > kMostPromised) promised_.pop_front();
  return true;
}

}  // namespace parley
