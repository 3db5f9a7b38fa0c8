// A child as a process: how it comes, talks, dies and comes back.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "child/child_skill.hpp"
#include "child/frames.hpp"
#include "child/outlet.hpp"
#include "message/codec.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley::child {
namespace {

constexpr std::size_t kMostQueued = std::size_t{16} << 20U;  ///< Bytes that a child may leave unread.
constexpr std::chrono::seconds kAnswerBound(10);
constexpr std::chrono::seconds kSettleBound(20);
constexpr std::chrono::milliseconds kFirstWait(100);

/// Nobody waits at the first death; then 100 ms, 200 ms, 400 ms.
std::chrono::milliseconds wait_after(std::size_t deaths) {
  return deaths < 2 ? std::chrono::milliseconds(0) : kFirstWait * (1 << (deaths - 2));
}

}  // namespace

void ChildSkill::spawn() {
  process_ = std::make_unique<Process>(environment_->loop, services_.program, "host-skill");
  put_into_group();
  channel_ = std::make_shared<Channel>(environment_->loop, process_->take_socket());
  channel_->listen([this](const Frame& frame) { take(frame); },
                   [this](const std::string& why) {
                     if (process_) kill("its connection ended: " + why);
                   });
  if (!plan_.jumping) channel_->read_on();
  process_->when_ended([weak = weak_from_this(), id = process_->id()] {
    const auto self = weak.lock();
    if (!self || !self->process_ || self->process_->id() != id) return;
    if (const auto how = self->process_->death()) self->died(*how);
  });
  told_time_ = moment();
  std::tie(plan_.now_ns, plan_.wall_ns) = *told_time_;
  Json begin = json_of(plan_);
  begin["k"] = frame::kBegin;
  send(begin);
}

/// Its share of the processor is held by a control group or not at all; its memory is held without, too.
void ChildSkill::put_into_group() {
  if (!plan_.limits.cpu) return;
  if (!group_) {
    auto made = Group::make(plan_.limits);
    if (const auto* const why = std::get_if<std::string>(&made))
      return log_warning("skill " + skill_id(), "is not held to a limit: cpu: " + *why);
    group_ = std::get<std::unique_ptr<Group>>(std::move(made));
  }
  if (!group_->add(process_->id()))
    log_warning("skill " + skill_id(), fmt::format("is not held to a limit: cpu: it can't be put into {}",
                                                   group_->folder().string()));
}

void ChildSkill::send(const Json& head, std::string_view body) {
  if (!channel_) return;
  touched_ = true;
  if (plan_.jumping && std::exchange(told_time_, moment()) != moment())
    channel_->send({{"k", frame::kTime}, {"now_ns", told_time_->first}, {"wall_ns", told_time_->second}});
  channel_->send(head, body);
  if (channel_->queued() > kMostQueued) kill("it did not read what it was told");
}

std::pair<std::int64_t, std::int64_t> ChildSkill::moment() const {
  const Clock& clock = environment_->clock();
  return {ns_of(clock.now()), ns_of(clock.wall())};
}

void ChildSkill::kill(std::string because) {
  if (!process_) return;
  // Of a child that is dying already this is the least of the reasons.
  if (killed_because_.empty() && !process_->death()) killed_because_ = std::move(because);
  process_->kill();
}

void ChildSkill::forget_child() {
  ready_ = false;
  patience_.reset();
  mirror_.reset();
  watch_.reset();
  probe_.reset();
  next_due_.reset();
  listened_.clear();
  if (channel_) channel_->close();
  channel_.reset();
  process_.reset();
  killed_because_.clear();
}

void ChildSkill::died(const Death& how) {
  const auto channel = channel_;
  channel->drain();  // what it said before
  std::string what = how.in_words();
  const bool by_us = how.signal == SIGKILL && !killed_because_.empty();
  if (by_us) what = fmt::format("was ended: {}", killed_because_);
  forget_child();
  if (closing_) return finish();
  environment_->counters.counter("parley_skill_deaths_total", {{"skill", skill_id()}}).add();
  turns_->pause();
  // After what it said, which is on its way.
  environment_->post([self = shared_from_this(),
                      failure = fmt::format("the process of the skill '{}' {}", skill_id(), what)] {
    if (!self->closing_) self->came_down(failure);
  });
}

void ChildSkill::came_down(const std::string& failure) {
  if (when_started_) return tell_started(failure);
  requests_->drop();
  for (const auto& [n, told] : std::exchange(told_, {})) told(true);
  if (joined_ && !aside_) environment_->bus.presence().leave(skill_id());
  turns_->lose(failure);
  if (aside_) return log_warning("skill " + skill_id(), failure);
  const Clock::Time now = environment_->clock().now();
  deaths_.push_back(now);
  while (deaths_.front() + kPeriod < now) deaths_.pop_front();
  if (deaths_.size() >= kMostDeaths) {
    log_error("skill " + skill_id(),
              fmt::format("{}: {} times within {} minutes is too often, so it stays down until it is loaded "
                          "anew",
                          failure, deaths_.size(), kPeriod.count()));
    return give_up();
  }
  const auto wait = wait_after(deaths_.size());
  log_warning("skill " + skill_id(),
              wait.count() == 0 ? failure + "; it is started again"
                                : fmt::format("{}; it is started again in {} ms", failure, wait.count()));
  again_ = environment_->bus.timers().at(now + wait, [this] { start_again(); });
}

void ChildSkill::start_again() {
  try {
    spawn();
  } catch (const std::exception& error) {
    forget_child();
    return came_down(error.what());
  }
  if (plan_.jumping) return;
  patience_ = environment_->bus.timers().at(environment_->clock().now() + start_bound(), [this] {
    kill(fmt::format("it did not start within {} s", start_bound().count()));
  });
}

void ChildSkill::give_up() {
  given_up_ = true;
  environment_->counters.counter("parley_skills_given_up_total", {{"skill", skill_id()}}).add();
  if (joined_) withdraw();
  turns_->end_all(fmt::format("the skill '{}' was given up", skill_id()));
}

void ChildSkill::tell_started(const std::string& failure) {
  if (const auto done = std::exchange(when_started_, nullptr)) done(failure);
}

/// The skill has started, for the first time or again.
void ChildSkill::started_child(const Json& head) {
  const auto failure = head.at("failure").get<std::string>();
  if (!failure.empty()) {
    if (when_started_) return tell_started(failure);
    return kill("it refused to start: " + failure);
  }
  patience_.reset();
  const Json& can = head.at("abilities");
  abilities_.fallback = can.at("fallback").get<bool>();
  abilities_.converse = can.at("converse").get<bool>();
  abilities_.questions = can.at("questions").get<bool>();
  abilities_.stop = can.at("stop").get<bool>();
  intents_ = head.at("intents").get<std::vector<std::string>>();
  auto wires = head.at("messages").get<std::vector<std::string>>();
  const bool as_it_was = wires == wires_;
  wires_ = std::move(wires);
  if (!as_it_was) {
    registrations_.clear();
    for (const auto& wire : wires_) registrations_.push_back(message_from(wire, Json::object()));
  }
  ready_ = true;
  if (when_started_) return tell_started("");
  if (joined_) come_back(as_it_was);
}

/// What it registered is still there, unless it registers something else now.
void ChildSkill::come_back(bool as_it_was) {
  if (!as_it_was) {
    environment_->bus.publish(own_message(topic::kDeregisterSkill));
    environment_->bus.publish(own_message(topic::kDeregisterFallback));
    for (const auto& message : registrations_) environment_->bus.publish(message);
  }
  take_part();
  log_info("skill " + skill_id(), "is back");
}

void ChildSkill::watch_for_answer() {
  if (plan_.jumping || probe_ || !channel_) return;
  probe_ = ++count_;
  send({{"k", frame::kSync}, {"n", *probe_}});
  watch_ = environment_->bus.timers().at(environment_->clock().now() + kAnswerBound, [this] {
    kill(fmt::format("it did not answer within {} s after a turn of it was ended", kAnswerBound.count()));
  });
}

bool ChildSkill::settle() {
  if (!plan_.jumping || !channel_ || settling_) return false;
  const auto now = moment();
  if (!touched_ && settled_at_ == now) return false;
  settling_ = true;
  heard_ = false;
  probe_ = ++count_;
  send({{"k", frame::kSync}, {"n", *probe_}});
  touched_ = false;
  settled_at_ = now;
  const auto until = std::chrono::steady_clock::now() + kSettleBound;
  while (process_ && probe_) {
    const auto channel = channel_;
    const bool came = channel->wait(std::chrono::milliseconds(20));
    if (!process_) break;
    if (std::chrono::steady_clock::now() > until) kill("it did not settle");
    if (came) continue;
    if (const auto how = process_->death()) {
      heard_ = true;
      died(*how);
    }
  }
  settling_ = false;
  return heard_;
}

// ---- what it says

void ChildSkill::take(const Frame& frame) {
  const std::string& kind = frame.kind();
  const Json& head = frame.head;
  if (kind == frame::kIdle) return idle(head);
  heard_ = true;
  if (kind == frame::kStarted) return started_child(head);
  if (kind == frame::kPublish) return publish(frame);
  if (kind == frame::kListen) return listen(head.at("topic").get<std::string>());
  if (kind == frame::kKeep || kind == frame::kHttp || kind == frame::kHttpOff) return requests_->take(frame);
  if (kind == frame::kCount) return count(head);
  if (kind == frame::kDraw) return draw(head);
  if (kind == frame::kUnlisten) {
    listened_.erase(head.at("topic").get<std::string>());
  } else if (kind == frame::kLog) {
    const int level = std::clamp(head.at("level").get<int>(), 0, static_cast<int>(LogLevel::kError));
    log(static_cast<LogLevel>(level), head.at("who").get<std::string>(), head.at("text").get<std::string>());
  } else if (kind == frame::kTold) {
    const auto node = told_.extract(head.at("n").get<std::uint64_t>());
    if (!node.empty()) node.mapped()(head.at("at_once").get<bool>());
  } else if (kind == frame::kDue) {
    next_due_.reset();
    if (head.contains("at_ns"))
      next_due_ = Clock::Time(std::chrono::nanoseconds(head.at("at_ns").get<std::int64_t>()));
  } else {
    turns_->take(frame);
  }
}

/// By the rules for remote skills (W-2, W-4), in the name of this skill alone.
void ChildSkill::publish(const Frame& frame) {
  if (closing_) return;
  SenderPtr sender;
  if (frame.head.contains("from")) sender = senders_.find(frame.head.at("from").get<std::uint64_t>());
  const Message message = message_from(frame.body, Json::object());
  Context context = message.context();
  context.skill_id = skill_id();
  context.sender = std::move(sender);
  const std::string& type = message.type();
  const topic::Speaker speaker = topic::speaker_of(type);
  const bool is_ours = speaker == topic::Speaker::kCore && !type.starts_with("parley.");
  const bool reports = speaker == topic::Speaker::kReportsStart || speaker == topic::Speaker::kReportsEnd;
  const bool answers_for_another =
      speaker == topic::Speaker::kPolledSkill && message.text("skill_id") != skill_id();
  if (is_ours || reports || answers_for_another)
    return log_warning("skill " + skill_id(), fmt::format("dropped '{}' of its process: {}", type,
                                                          answers_for_another ? "it answers for another skill"
                                                                              : "only the core says this"));
  environment_->bus.publish(message.with_context(std::move(context)));
}

void ChildSkill::listen(const std::string& pattern) {
  if (listened_.contains(pattern)) return;
  auto forward = [this, pattern](const Message& message) {
    const std::uint64_t number = environment_->bus.published();
    if (std::exchange(forwarded_, number) == number) return;  // it listens to two patterns that fit
    Json head = {{"k", frame::kMessage}, {"topic", pattern}};
    senders_.note(message.context().sender);
    put_sender(head, message);
    send(head, message.wire());
  };
  listened_.emplace(pattern, environment_->bus.subscribe(pattern, std::move(forward)));
}

/// What is counted in the child of its skill.
void ChildSkill::count(const Json& head) const {
  const auto name = head.at("name").get<std::string>();
  const auto labels = head.at("labels").get<std::map<std::string, std::string>>();
  const auto whose = labels.find("skill");
  if (!name.starts_with("parley_") || whose == labels.end() || whose->second != skill_id()) return;
  environment_->counters.counter(name, Counters::Labels(labels.begin(), labels.end()))
      .add(head.at("by").get<std::uint64_t>());
}

void ChildSkill::draw(const Json& head) {
  const auto count = head.at("count").get<std::size_t>();
  const std::size_t number = environment_->random && count > 0 ? environment_->random(count) : 0;
  send({{"k", frame::kDrawn}, {"number", number}});
}

void ChildSkill::idle(const Json& head) {
  if (probe_ != head.at("n").get<std::uint64_t>()) return;
  probe_.reset();
  watch_.reset();
  mirror_.reset();
  if (!plan_.jumping || !head.contains("next_ns")) return;
  // The clock stops there, and the child is told.
  const Clock::Time next(std::chrono::nanoseconds(head.at("next_ns").get<std::int64_t>()));
  mirror_ = environment_->bus.timers().at(next, [] {});
}

}  // namespace parley::child
