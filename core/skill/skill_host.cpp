#include "skill/skill_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley {
namespace {

constexpr std::chrono::seconds kStartBound(10);
constexpr std::chrono::seconds kStopBound(2);

}  // namespace

struct SkillHost::Entry {
  SkillRunOptions options;
  std::unique_ptr<Workers> own;  // before the skill: its thread outlives what runs on it
  std::shared_ptr<HostedSkill> skill;
  Timer start_bound;
};

SkillHost::SkillHost(Bus& bus, Counters& counters, boost::asio::any_io_executor loop, Workers& workers,
                     HttpTransport& http, std::shared_ptr<Lasting> lasting, bool threads)
    : bus_(bus),
      counters_(counters),
      loop_(std::move(loop)),
      workers_(workers),
      http_(http),
      lasting_(std::move(lasting)),
      threads_(threads),
      examples_(
          bus.subscribe(topic::kListExamples, [this](const Message& query) { answer_examples(query); })) {}

void SkillHost::answer_examples(const Message& query) const {
  const std::string lang = tag_or_nothing(query.text("lang"));
  const auto& session = query.context().session;
  Json examples = Json::object();
  for (const auto& [id, entry] : skills_) {
    if (!entry->skill->started() || (session && session->blacklists_skill(id))) continue;
    const auto* const phrases = entry->skill->locale().vocabulary(lang, "examples");
    if (phrases != nullptr) examples[id] = *phrases;
  }
  bus_.publish(query.response({{"examples", std::move(examples)}}));
}

SkillHost::~SkillHost() {
  // A thread may still be inside these: they are left as they are.
  for (auto& entry : leaving_) {
    if (!entry->skill->gone()) static_cast<void>(entry.release());
  }
}

void SkillHost::change_settings(const std::string& skill_id, Settings settings) {
  const auto found = skills_.find(skill_id);
  if (found != skills_.end()) found->second->skill->change_settings(std::move(settings));
}

std::map<std::string, Clock::Time> SkillHost::due() const {
  std::map<std::string, Clock::Time> when;
  for (const auto& [id, entry] : skills_) {
    if (const auto next = entry->skill->next_due()) when.emplace(id, *next);
  }
  return when;
}

bool SkillHost::has_stuck() const {
  return std::any_of(leaving_.begin(), leaving_.end(),
                     [](const auto& entry) { return !entry->skill->gone(); });
}

std::shared_ptr<boost::asio::io_context> SkillHost::context_for(Entry& entry) {
  if (!entry.options.own_thread || !threads_) return workers_.share_context();
  entry.own = std::make_unique<Workers>(1);
  return entry.own->share_context();
}

void SkillHost::add(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
                    std::filesystem::path folder, Settings settings, SkillRunOptions options,
                    std::function<void(std::string, bool)> done) {
  const std::string id = environment->owner;
  auto entry = std::make_unique<Entry>();
  entry->options = options;
  entry->skill = std::make_shared<HostedSkill>(std::move(environment), std::move(skill), std::move(folder),
                                               std::move(settings), context_for(*entry),
                                               SkillServices(workers_.executor(), http_, lasting_));
  auto answered = std::make_shared<bool>(false);
  auto once = [this, id, answered, done = std::move(done)](const std::string& failure) {
    if (std::exchange(*answered, true)) return;
    const auto found = skills_.find(id);
    if (found != skills_.end()) found->second->start_bound.reset();
    if (failure.empty()) {
      done(failure, false);
    } else {
      remove(id, [done, failure](bool gone) { done(failure, !gone); });
    }
  };
  entry->start_bound = bus_.timers().at(bus_.timers().clock().now() + kStartBound, [once] {
    once(fmt::format("its start() did not return within {} s", kStartBound.count()));
  });
  const auto hosted = entry->skill;
  skills_.insert_or_assign(id, std::move(entry));
  hosted->start(once);
}

void SkillHost::remove(const std::string& skill_id, std::function<void(bool)> done) {
  auto node = skills_.extract(skill_id);
  if (node.empty()) {
    done(true);
    return;
  }
  Entry* const entry = node.mapped().get();
  entry->start_bound.reset();
  leaving_.push_back(std::move(node.mapped()));
  entry->skill->shut_down(kStopBound, [this, entry, id = skill_id, done = std::move(done)](bool gone) {
    if (gone) {
      std::erase_if(leaving_, [&](const auto& one) { return one.get() == entry; });
    } else {
      counters_.counter("parley_skills_stuck_total", {{"skill", id}}).add();
      log_error("skill " + id,
                fmt::format("did not come to an end within {} s: its code stays loaded and its thread "
                            "is left behind until the process ends",
                            kStopBound.count()));
    }
    done(gone);
  });
}

std::vector<std::string> SkillHost::ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : skills_) ids.push_back(id);
  return ids;
}

const HostedSkill* SkillHost::find(const std::string& skill_id) const {
  const auto found = skills_.find(skill_id);
  return found == skills_.end() ? nullptr : found->second->skill.get();
}

bool SkillHost::hosts(const std::string& skill_id) const {
  const HostedSkill* skill = find(skill_id);
  return skill != nullptr && skill->started();
}

void SkillHost::run(HandlerCall call) {
  const auto found = skills_.find(call.dispatch.context().skill_id);
  if (found != skills_.end()) found->second->skill->run(std::move(call));
}

void SkillHost::cancel(const std::string& skill_id, const std::string& utterance_id) {
  const auto found = skills_.find(skill_id);
  if (found != skills_.end()) found->second->skill->cancel(utterance_id);
}

std::chrono::milliseconds SkillHost::handler_timeout(const std::string& skill_id) const {
  const auto found = skills_.find(skill_id);
  return found == skills_.end() ? std::chrono::milliseconds(60'000) : found->second->options.handler_timeout;
}

}  // namespace parley
