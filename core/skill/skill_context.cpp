// What a skill calls: its registrations, events and timers. On the skill's strand.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "skill/hosted_skill.hpp"

namespace parley {
namespace {

Json vocabularies(const LocaleResources& locale, const std::string& lang,
                  const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const auto& name : names) {
    if (const auto* phrases = locale.vocabulary(lang, name))
      list.push_back({{"name", name}, {"samples", *phrases}});
  }
  return list;
}

/// The vocabularies a language must have for the intent to exist in it.
std::vector<std::string> needed(const Keywords& words) {
  std::vector<std::string> names = words.required;
  for (const auto& group : words.choices) names.insert(names.end(), group.begin(), group.end());
  names.insert(names.end(), words.excluded.begin(), words.excluded.end());
  return names;
}

Json keyword_payload(const LocaleResources& locale, const std::string& lang, const Keywords& words) {
  Json one_of = Json::array();
  for (const auto& group : words.choices) one_of.push_back(vocabularies(locale, lang, group));
  return {{"required", vocabularies(locale, lang, words.required)},
          {"optional", vocabularies(locale, lang, words.optional)},
          {"excluded", vocabularies(locale, lang, words.excluded)},
          {"one_of", std::move(one_of)}};
}

Json template_payload(const IntentResource& intent) {
  Json data = {{"samples", intent.samples}};
  for (const std::string& one : intent.teaching) data["samples"].push_back(one);
  if (!intent.blacklist.empty()) data["blacklist"] = intent.blacklist;
  if (!intent.required_slots.empty()) data["required_slots"] = intent.required_slots;
  for (const auto& [slot, dialog] : intent.asked_slots) data["asked_slots"].push_back(slot);
  if (!intent.slot_blacklist.empty()) data["slot_blacklist"] = intent.slot_blacklist;
  if (!intent.slot_types.empty()) data["slot_types"] = intent.slot_types;
  return data;
}

void add_gates(Json& data, const ContextGates& gates) {
  if (!gates.required.empty()) data["requires_context"] = gates.required;
  if (!gates.excluded.empty()) data["excludes_context"] = gates.excluded;
}

/// Coroutines of one on_event that run at a time.
constexpr int kMostHeard = 64;

}  // namespace

/// What `every` or `at` calls.
struct HostedSkill::Ticker {
  Ticker(TimerHandler what, Clock::Time::duration pause) : handler(std::move(what)), period(pause) {}
  bool once() const noexcept { return period == Clock::Time::duration::zero(); }
  const TimerHandler handler;
  const Clock::Time::duration period;
  std::atomic<bool> busy{false};  ///< On its way to the strand, or running there.
};

/// What `on_event` calls. On the strand.
struct HostedSkill::Listener {
  Listener(std::string what, EventHandler whom) : topic(std::move(what)), handler(std::move(whom)) {}
  const std::string topic;
  const EventHandler handler;
  int running = 0;
};

Message HostedSkill::own_message(std::string type, Json data) const {
  Context context;
  context.source = skill_id();
  context.skill_id = skill_id();
  return Message(std::move(type), std::move(data), std::move(context));
}

bool HostedSkill::is_late(const Message& message) const {
  if (message.type() != topic::kSpeak) return false;
  if (std::find(silenced_.begin(), silenced_.end(), message.context().utterance_id) == silenced_.end())
    return false;
  environment_->counters.counter("parley_late_messages_dropped_total", {{"skill", skill_id()}}).add();
  return true;
}

void HostedSkill::announce(Message message) {
  environment_->post([self = shared_from_this(), sent = std::move(message)] {
    if (self->closing_ || self->is_late(sent)) return;
    if (self->started_) {
      self->environment_->bus.publish(sent);
    } else {
      self->unannounced_.push_back(sent);
    }
  });
}

void HostedSkill::check_name(const std::string& name) const {
  if (!is_identifier(name))
    throw std::invalid_argument(fmt::format("'{}' can't be the name of an intent", name));
  if (is_reserved(name)) {
    throw std::invalid_argument(fmt::format("'{}' is a reserved name: it can't be an intent", name));
  }
  if (intents_.contains(name))
    throw std::invalid_argument(fmt::format("the intent '{}' has a handler already", name));
}

void HostedSkill::add_intent(std::string name, Handler handler, ContextGates gates) {
  check_name(name);
  bool found = false;
  for (const auto& lang : locale().languages()) {
    const IntentResource* intent = locale().intent(lang, name);
    if (intent == nullptr) continue;
    found = true;
    Json data = template_payload(*intent);
    add_gates(data, gates);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message(topic::kRegisterTemplate, std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(
        fmt::format("no language of {} has a usable '{}.intent'", (folder_ / "locale").string(), name));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

void HostedSkill::add_keywords(std::string name, Keywords words, Handler handler, ContextGates gates) {
  check_name(name);
  const std::vector<std::string> names = needed(words);
  bool found = false;
  for (const auto& lang : locale().languages()) {
    const bool complete = std::all_of(names.begin(), names.end(), [&](const auto& voc) {
      return locale().vocabulary(lang, voc) != nullptr;
    });
    if (!complete) continue;
    found = true;
    Json data = keyword_payload(locale(), lang, words);
    add_gates(data, gates);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message(topic::kRegisterKeyword, std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(fmt::format("no language of {} has all of the vocabularies of '{}': {}",
                                            (folder_ / "locale").string(), name, fmt::join(names, ", ")));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

void HostedSkill::enable_intent(const std::string& name, bool enabled) {
  if (!intents_.contains(name))
    throw std::invalid_argument(fmt::format("the skill has no intent '{}'", name));
  announce(own_message(enabled ? topic::kEnableIntent : topic::kDisableIntent,
                       {{"skill_id", skill_id()}, {"intent_name", name}}));
}

void HostedSkill::add_fallback(int priority, CanAnswer can_answer, Handler answer) {
  const auto after = std::upper_bound(fallbacks_.begin(), fallbacks_.end(), priority,
                                      [](int rank, const auto& one) { return rank < one->priority; });
  fallbacks_.insert(
      after, std::make_shared<const FallbackHandler>(priority, std::move(can_answer), std::move(answer)));
  announce(own_message(topic::kRegisterFallback,
                       {{"skill_id", skill_id()}, {"priority", fallbacks_.front()->priority}}));
}

void HostedSkill::add_converse(Converses takes, Handler handler) {
  if (converse_) throw std::logic_error("a skill has one on_converse()");
  converses_ = std::move(takes);
  converse_ = std::make_shared<const Handler>(std::move(handler));
}

void HostedSkill::add_question(Claims claims, Answers answer) {
  if (answers_) throw std::logic_error("a skill has one on_question()");
  claims_ = std::move(claims);
  answers_ = std::make_shared<const Answers>(std::move(answer));
}

void HostedSkill::add_stop(SessionCallback stop, SessionCallback can_stop) {
  if (stop_) throw std::logic_error("a skill has one on_stop()");
  stop_ = std::move(stop);
  can_stop_ = std::move(can_stop);
}

void HostedSkill::add_stop_offer(SessionCallback can_offer, Handler offer) {
  if (offer_) throw std::logic_error("a skill has one on_stop_offer()");
  can_offer_ = std::move(can_offer);
  offer_ = std::make_shared<const Handler>(std::move(offer));
}

void HostedSkill::add_event(std::string topic, EventHandler handler) {
  auto listener = std::make_shared<Listener>(std::move(topic), std::move(handler));
  environment_->post([self = shared_from_this(), listener] {
    if (self->closing_) return;
    auto deliver = [raw = self.get(), listener](const Message& message) {
      raw->on_strand("its handler of '" + listener->topic + "'",
                     [raw, listener, message] { raw->hear_event(listener, message); });
    };
    self->subscriptions_.push_back(self->environment_->bus.subscribe(listener->topic, std::move(deliver)));
  });
}

void HostedSkill::hear_event(const std::shared_ptr<Listener>& listener, const Message& message) {
  if (listener->running >= kMostHeard) {
    return log_warning("skill " + skill_id(),
                       fmt::format("its handler of '{}' runs {} times already: a message is dropped",
                                   listener->topic, kMostHeard));
  }
  ++listener->running;
  std::shared_ptr<void> running(nullptr, [listener](void*) { --listener->running; });
  go_on("its handler of '" + listener->topic + "'", listener->handler(message), std::move(running));
}

TimerId HostedSkill::add_every(Duration period, TimerHandler handler) {
  if (period < std::chrono::milliseconds(1))
    throw std::invalid_argument("every() takes a period of 1 ms or more");
  const TimerId id = ++timer_count_;
  const auto span = std::chrono::duration_cast<Clock::Time::duration>(period);
  add_ticker(id, std::make_shared<Ticker>(std::move(handler), span),
             [this, span] { return clock().now() + span; });
  return id;
}

TimerId HostedSkill::add_at(std::chrono::system_clock::time_point when, TimerHandler handler) {
  const TimerId id = ++timer_count_;
  auto ticker = std::make_shared<Ticker>(std::move(handler), Clock::Time::duration::zero());
  add_ticker(id, std::move(ticker), [this, when] {
    const auto left = std::chrono::duration_cast<Clock::Time::duration>(when - clock().wall());
    return clock().now() + std::max(left, Clock::Time::duration::zero());
  });
  return id;
}

void HostedSkill::add_ticker(TimerId id, std::shared_ptr<Ticker> ticker, std::function<Clock::Time()> first) {
  tickers_.emplace(id, ticker);
  environment_->post([self = shared_from_this(), id, ticker = std::move(ticker), first = std::move(first)] {
    self->arm(id, first(), ticker);
  });
}

void HostedSkill::arm(TimerId id, Clock::Time when, std::shared_ptr<Ticker> ticker) {
  if (closing_) return;
  if (ticker->once()) due_[id] = when;
  timers_[id] = environment_->bus.timers().at(when, [this, id, when, ticker] {
    // One at a time: a skill that is behind is not buried under what it missed.
    if (!ticker->busy.exchange(true)) on_strand("a timer", [this, id] { ring(id); });
    if (ticker->once()) {
      due_.erase(id);
      timers_.erase(id);
    } else {
      arm(id, when + ticker->period, ticker);
    }
  });
}

/// On the strand, where what was cancelled in the meantime stays silent.
void HostedSkill::ring(TimerId id) {
  const auto found = tickers_.find(id);
  if (found == tickers_.end()) return;
  const auto ticker = found->second;  // it may cancel itself
  if (ticker->once()) tickers_.erase(found);
  std::shared_ptr<void> busy(nullptr, [ticker](void*) { ticker->busy = false; });
  go_on("a timer", ticker->handler(), std::move(busy));
}

void HostedSkill::cancel_timer(TimerId id) {
  tickers_.erase(id);
  environment_->post([self = shared_from_this(), id] {
    self->due_.erase(id);
    self->timers_.erase(id);
  });
}

std::optional<Clock::Time> HostedSkill::next_due() const {
  const auto first = std::min_element(due_.begin(), due_.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  return first == due_.end() ? std::nullopt : std::optional(first->second);
}

void HostedSkill::emit(Message message) {
  Context context = message.context();
  context.skill_id = skill_id();
  announce(message.with_context(std::move(context)));
}

void HostedSkill::log(LogLevel level, std::string_view text) {
  parley::log(level, "skill " + skill_id(), text);
}

}  // namespace parley
