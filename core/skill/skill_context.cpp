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
  if (!intent.blacklist.empty()) data["blacklist"] = intent.blacklist;
  if (!intent.required_slots.empty()) data["required_slots"] = intent.required_slots;
  if (!intent.slot_blacklist.empty()) data["slot_blacklist"] = intent.slot_blacklist;
  if (!intent.slot_types.empty()) data["slot_types"] = intent.slot_types;
  return data;
}

}  // namespace

/// What `every` or `at` calls.
struct HostedSkill::Ticker {
  Ticker(std::function<void()> what, Clock::Time::duration pause)
      : callback(std::move(what)), period(pause) {}
  bool once() const noexcept { return period == Clock::Time::duration::zero(); }
  const std::function<void()> callback;
  const Clock::Time::duration period;
  std::atomic<bool> queued{false};  ///< On its way to the strand.
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

void HostedSkill::add_intent(std::string name, Handler handler) {
  check_name(name);
  bool found = false;
  for (const auto& lang : locale().languages()) {
    const IntentResource* intent = locale().intent(lang, name);
    if (intent == nullptr) continue;
    found = true;
    Json data = template_payload(*intent);
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message(topic::kRegisterTemplate, std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(
        fmt::format("no language of {} has a usable '{}.intent'", (folder_ / "locale").string(), name));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
}

void HostedSkill::add_keywords(std::string name, Keywords words, Handler handler) {
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
    data.update({{"skill_id", skill_id()}, {"intent_name", name}, {"lang", lang}});
    announce(own_message(topic::kRegisterKeyword, std::move(data)));
  }
  if (!found) {
    throw std::invalid_argument(fmt::format("no language of {} has all of the vocabularies of '{}': {}",
                                            (folder_ / "locale").string(), name, fmt::join(names, ", ")));
  }
  intents_.emplace(std::move(name), std::make_shared<const Handler>(std::move(handler)));
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

void HostedSkill::add_event(std::string topic, std::function<void(const Message&)> callback) {
  auto shared = std::make_shared<const std::function<void(const Message&)>>(std::move(callback));
  environment_->post([self = shared_from_this(), topic = std::move(topic), shared = std::move(shared)] {
    if (self->closing_) return;
    auto deliver = [raw = self.get(), topic, shared](const Message& message) {
      raw->on_strand("its handler of '" + topic + "'", [shared, message] { (*shared)(message); });
    };
    self->subscriptions_.push_back(self->environment_->bus.subscribe(topic, std::move(deliver)));
  });
}

TimerId HostedSkill::add_every(Duration period, std::function<void()> callback) {
  if (period < std::chrono::milliseconds(1))
    throw std::invalid_argument("every() takes a period of 1 ms or more");
  const TimerId id = ++timer_count_;
  const auto span = std::chrono::duration_cast<Clock::Time::duration>(period);
  add_ticker(id, std::make_shared<Ticker>(std::move(callback), span),
             [this, span] { return clock().now() + span; });
  return id;
}

TimerId HostedSkill::add_at(std::chrono::system_clock::time_point when, std::function<void()> callback) {
  const TimerId id = ++timer_count_;
  auto ticker = std::make_shared<Ticker>(std::move(callback), Clock::Time::duration::zero());
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
  timers_[id] = environment_->bus.timers().at(when, [this, id, when, ticker] {
    // One at a time: a skill that is behind is not buried under what it missed.
    if (!ticker->queued.exchange(true)) on_strand("a timer", [this, id] { ring(id); });
    if (ticker->once()) {
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
  ticker->queued = false;
  ticker->callback();
}

void HostedSkill::cancel_timer(TimerId id) {
  tickers_.erase(id);
  environment_->post([self = shared_from_this(), id] { self->timers_.erase(id); });
}

void HostedSkill::emit(Message message) {
  Context context = message.context();
  context.skill_id = skill_id();
  announce(message.with_context(std::move(context)));
}

void HostedSkill::log(std::string_view level, std::string text) {
  const std::string who = "skill " + skill_id();
  if (level == "error") {
    log_error(who, text);
  } else if (level == "warning") {
    log_warning(who, text);
  } else if (level == "debug") {
    log_debug(who, text);
  } else {
    log_info(who, text);
  }
}

}  // namespace parley
