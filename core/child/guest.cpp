#include "child/guest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/strand.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "child/frames.hpp"
#include "child/limits.hpp"
#include "language/core_folder.hpp"
#include "runtime/guard.hpp"

namespace parley::child {
namespace {

/// How long it stays awake for what may come: longer while turns follow each other so closely.
constexpr std::chrono::microseconds kAwake(60), kLongAwake(200);
constexpr std::chrono::seconds kLastWords(2);

LocaleResources words_in(const std::filesystem::path& folder, const std::filesystem::path& overrides,
                         const std::vector<std::string>& spoken) {
  LocaleFolders where;
  where.skill = folder;
  where.user = overrides;
  return LocaleResources(where, spoken);  // what is wrong with them was said where it was read first
}

Json names_of(const SkillAbilities& can) {
  return {{"fallback", can.fallback},
          {"converse", can.converse},
          {"questions", can.questions},
          {"stop", can.stop}};
}

}  // namespace

Guest::Guest(int socket) : awake_(kAwake), channel_(std::make_shared<Channel>(loop_.get_executor(), socket)) {
  channel_->listen([this](const Frame& frame) { take(frame); }, [this](const std::string&) { done_ = true; });
  channel_->read_on();
}

Guest::~Guest() {
  log_.reset();
  channel_->close();
}

void Guest::run() {
  while (!done_) {
    if (run_ready() > 0 || done_) continue;
    tell_of_itself();
    if (asked_if_idle_) tell_idle();
    wait();
  }
  // What the skill left running has nobody to end for.
  ::_exit(0);
}

std::size_t Guest::run_ready() {
  std::size_t ran = loop_.poll();
  if (jumping_) ran += timers_->fire_due() + (workers_ ? workers_->context().poll() : 0);
  return ran;
}

void Guest::wait() {
  const auto began = std::chrono::steady_clock::now();
  auto waited = std::chrono::steady_clock::duration::zero();
  bool ran = false;
  for (int round = 1; waited < awake_ && !ran; ++round) {
    ran = loop_.poll_one() > 0;
    if (round % 4 == 0) std::this_thread::yield();
    waited = std::chrono::steady_clock::now() - began;
  }
  if (!ran) {
    loop_.run_one();
    waited = std::chrono::steady_clock::now() - began;
  }
  awake_ = waited < kLongAwake ? kLongAwake : kAwake;
}

void Guest::take(const Frame& frame) {
  const std::string& kind = frame.kind();
  const Json& head = frame.head;
  if (kind == frame::kBegin) return begin(frame);
  if (kind == frame::kSync) return settle(head);
  if (kind == frame::kTime)
    return set_clock(head.at("now_ns").get<std::int64_t>(), head.at("wall_ns").get<std::int64_t>());
  if (!skill_) {
    done_ = kind == frame::kEnd;  // it could not be loaded
    return;
  }
  if (kind == frame::kDispatch) {
    skill_->run(turns_->call_of(frame, *timers_));
  } else if (kind == frame::kMessage) {
    outlet_->receive(head.at("topic").get<std::string>(), message_from(frame.body, head));
  } else if (kind == frame::kHeard) {
    turns_->heard(head);
  } else if (kind == frame::kCheck) {
    turns_->check(head);
  } else if (kind == frame::kKept) {
    keeping_->kept(frame);
  } else if (kind == frame::kHttpPiece || kind == frame::kHttpEnd) {
    http_->came(frame);
  } else if (kind == frame::kCancel) {
    skill_->cancel(head.at("utterance_id").get<std::string>());
  } else if (kind == frame::kJoin) {
    skill_->join();
  } else if (kind == frame::kSettings) {
    change_settings(head);
  } else if (kind == frame::kAside) {
    skill_->hand_over(skill_->abilities(), [] {});
  } else if (kind == frame::kEnd) {
    end();
  }
}

void Guest::set_clock(std::int64_t now_ns, std::int64_t wall_ns) {
  jumping_clock_.advance_to(Clock::Time(std::chrono::nanoseconds(now_ns)));
  jumping_clock_.set_wall(std::chrono::system_clock::time_point(std::chrono::nanoseconds(wall_ns)));
}

void Guest::settle(const Json& head) {
  asked_if_idle_ = head.at("n").get<std::uint64_t>();
  if (!jumping_) tell_idle();  // it is there: that is all that is wanted
}

void Guest::begin(const Frame& frame) {
  const Plan plan = plan_from(frame.head);
  jumping_ = plan.jumping;
  set_clock(plan.now_ns, plan.wall_ns);
  timers_ = jumping_ ? std::make_unique<Timers>(jumping_clock_)
                     : std::make_unique<LoopTimers>(loop_, steady_clock_);
  bus_ = std::make_unique<Bus>(*timers_);
  outlet_ = std::make_unique<Outlet>(loop_, *channel_, *bus_);
  bus_->be_part_of(outlet_.get());
  set_log_level(LogLevel::kOff);
  log_ = std::make_unique<LogListener>(
      [this](LogLevel level, std::string_view who, std::string_view text) {
        outlet_->send_from_anywhere({{"k", frame::kLog},
                                     {"level", static_cast<int>(level)},
                                     {"who", std::string(who)},
                                     {"text", std::string(text)}});
      },
      plan.log_level);
  turns_ = std::make_unique<DistantTurns>(*outlet_);
  keeping_ = std::make_shared<DistantKeeping>(*outlet_);
  http_ = std::make_unique<DistantHttp>(loop_, *outlet_);
  if (const auto failure = failure_of([&] { load(plan); })) tell_started(*failure);
}

void Guest::load(const Plan& plan) {
  LocaleResources own = words_in(plan.folder, plan.overrides, plan.languages);
  auto environment = std::make_shared<TurnEnvironment>(plan.skill_id, *bus_, counters_, loop_.get_executor(),
                                                       std::move(own), plan.zone, &questions_);
  environment->common = words_in(core_folder(), plan.core_overrides, plan.languages);
  environment->speaks_errors = plan.speaks_errors;
  environment->elsewhere = turns_.get();
  if (jumping_) environment->pick = environment->random = [](std::size_t) { return std::size_t{0}; };
  if (plan.draws)
    environment->random = [this](std::size_t count) {
      channel_->send({{"k", frame::kDraw}, {"count", count}});
      return channel_->wait_for(frame::kDrawn).head.at("number").get<std::size_t>();
    };
  for (const auto& what : hold_to(plan.limits))  // nothing of the skill has run, nor are there other threads
    log_warning("skill " + plan.skill_id, "is not held to a limit: " + what);
  workers_ = std::make_unique<Workers>(jumping_ ? 0 : 1);
  library_.emplace(plan.library, PluginKind::kSkill);
  if (library_->name() != plan.skill_id)
    throw PluginError(plan.library, fmt::format("holds the skill '{}' now", library_->name()));
  skill_ = std::make_shared<HostedSkill>(std::move(environment), library_->make_skill(), plan.folder,
                                         Settings(plan.settings),
                                         SkillPlace{nullptr, boost::asio::make_strand(loop_)},
                                         SkillServices(workers_->executor(), *http_, keeping_));
  skill_->start([this](const std::string& failure) { tell_started(failure); });
}

void Guest::tell_started(const std::string& failure) {
  Json head = {{"k", frame::kStarted}, {"failure", failure}};
  if (failure.empty()) {
    head["messages"] = Json::array();
    for (const auto& message : skill_->take_registrations()) head["messages"].push_back(message.wire());
    head["abilities"] = names_of(skill_->abilities());
    head["intents"] = skill_->intents();
  }
  channel_->send(head);
}

void Guest::change_settings(const Json& head) {
  skill_->change_settings(Settings(head.at("values")), [this, n = head.at("n")](bool at_once) {
    channel_->send({{"k", frame::kTold}, {"n", n}, {"at_once", at_once}});
  });
}

void Guest::end() {
  outlet_->mute();
  skill_->shut_down(kLastWords, [this](bool) { done_ = true; });
}

void Guest::tell_of_itself() {
  if (!skill_) return;
  for (const auto& one : counters_.all()) {
    std::uint64_t& told = told_counts_[{one.name, one.labels}];
    if (one.value == told) continue;
    Json labels = Json::object();
    for (const auto& [name, value] : one.labels) labels[name] = value;
    channel_->send(
        {{"k", frame::kCount}, {"name", one.name}, {"labels", std::move(labels)}, {"by", one.value - told}});
    told = one.value;
  }
  const auto due = skill_->next_due();
  if (due == told_due_) return;
  told_due_ = due;
  Json head = {{"k", frame::kDue}};
  if (due) head["at_ns"] = ns_of(*due);
  channel_->send(head);
}

void Guest::tell_idle() {
  Json head = {{"k", frame::kIdle}, {"n", *asked_if_idle_}};
  asked_if_idle_.reset();
  if (const auto next = timers_ ? timers_->next() : std::nullopt) head["next_ns"] = ns_of(*next);
  channel_->send(head);
}

}  // namespace parley::child
