#include "skill/skill_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/strand.hpp>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <set>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/nth_call.hpp"

namespace parley {
namespace {

constexpr std::chrono::seconds kStopBound(2);

}  // namespace

struct SkillHost::Entry {
  SkillRunOptions options;
  std::unique_ptr<Workers> own;  // before the skill: its thread outlives what runs on it
  std::shared_ptr<RunningSkill> skill;
  Timer start_bound;
  std::function<void(bool gone)> ended;  ///< Of a successor, and of one that was replaced.
};

SkillHost::SkillHost(Bus& bus, Counters& counters, boost::asio::any_io_executor loop, Workers& workers,
                     HttpTransport& http, std::shared_ptr<SkillKeeping> keeping, bool threads)
    : bus_(bus),
      counters_(counters),
      loop_(std::move(loop)),
      workers_(workers),
      http_(http),
      keeping_(std::move(keeping)),
      threads_(threads),
      examples_(
          bus.subscribe(topic::kListExamples, [this](const Message& query) { answer_examples(query); })) {}

void SkillHost::answer_examples(const Message& query) const {
  const std::string lang = tag_or_nothing(query.text("lang"));
  const auto& session = query.context().session;
  Json examples = Json::object();
  for (const auto& [id, entry] : skills_) {
    if (!entry->skill->speaks() || (session && session->blacklists_skill(id))) continue;
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

void SkillHost::change_settings(const std::string& skill_id, Settings settings,
                                std::function<void(bool)> told) {
  const auto found = skills_.find(skill_id);
  if (found != skills_.end()) found->second->skill->change_settings(std::move(settings), std::move(told));
}

void SkillHost::wake(const std::string& lang, std::function<void()> done) {
  const auto one_has = at_call(skills_.size() + successors_.size() + 1, std::move(done));
  for (const auto* const some : {&skills_, &successors_})
    for (const auto& [id, entry] : *some) entry->skill->wake(lang, one_has);
  one_has();
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

SkillPlace SkillHost::place_for(Entry& entry) {
  if (entry.options.own_thread && threads_) entry.own = std::make_unique<Workers>(1);
  Workers& where = entry.own ? *entry.own : workers_;
  return {where.share_context(), boost::asio::make_strand(where.executor())};
}

SkillHost::EntryPtr SkillHost::make(std::shared_ptr<const TurnEnvironment> environment,
                                    std::unique_ptr<Skill> skill, std::filesystem::path folder,
                                    Settings settings, SkillRunOptions options) {
  auto entry = std::make_unique<Entry>();
  entry->options = options;
  entry->skill = std::make_shared<HostedSkill>(std::move(environment), std::move(skill), std::move(folder),
                                               std::move(settings), place_for(*entry),
                                               SkillServices(workers_.executor(), http_, keeping_));
  return entry;
}

SkillHost::EntryPtr SkillHost::make(std::shared_ptr<RunningSkill> skill, SkillRunOptions options) {
  auto entry = std::make_unique<Entry>();
  entry->options = options;
  entry->skill = std::move(skill);
  return entry;
}

void SkillHost::start(Entry& entry, std::function<void(std::string)> done) {
  const auto hosted = entry.skill;  // outlives the entry when it is stuck
  auto once = [answered = std::make_shared<bool>(false), done = std::move(done)](const std::string& failure) {
    if (!std::exchange(*answered, true)) done(failure);
  };
  const auto bound = hosted->start_bound();
  entry.start_bound = bus_.timers().at(bus_.timers().clock().now() + bound, [once, bound] {
    once(fmt::format("its start() did not return within {} s", bound.count()));
  });
  hosted->start(once);
}

void SkillHost::add(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
                    std::filesystem::path folder, Settings settings, SkillRunOptions options, Started done) {
  begin(make(std::move(environment), std::move(skill), std::move(folder), std::move(settings), options),
        std::move(done));
}

void SkillHost::add(std::shared_ptr<RunningSkill> skill, SkillRunOptions options, Started done) {
  begin(make(std::move(skill), options), std::move(done));
}

void SkillHost::begin(EntryPtr entry, Started done) {
  const std::string id = entry->skill->skill_id();
  Entry* const added = skills_.insert_or_assign(id, std::move(entry)).first->second.get();
  start(*added, [this, id, added, done = std::move(done)](const std::string& failure) {
    const auto found = skills_.find(id);
    const bool is_there = found != skills_.end() && found->second.get() == added;
    if (is_there) added->start_bound.reset();
    if (is_there && failure.empty()) added->skill->join();
    if (failure.empty()) return done(failure, false);
    remove(id, [done, failure](bool gone) { done(failure, !gone); });
  });
}

void SkillHost::replace(Successor successor) {
  const std::string id = successor.made ? successor.made->skill_id() : successor.environment->owner;
  auto entry = successor.made
                   ? make(std::move(successor.made), successor.options)
                   : make(std::move(successor.environment), std::move(successor.skill),
                          std::move(successor.folder), std::move(successor.settings), successor.options);
  Entry* const fresh = successors_.insert_or_assign(id, std::move(entry)).first->second.get();
  fresh->ended = [started = successor.started](bool gone) {
    started("was unloaded while it started", !gone);
  };
  const auto is_wanted = [this, id, fresh] {  // it may be unloaded meanwhile
    const auto found = successors_.find(id);
    return found != successors_.end() && found->second.get() == fresh;
  };
  start(*fresh, [this, id, is_wanted, announce = std::move(successor.announce),
                 started = std::move(successor.started),
                 other_ended = std::move(successor.other_ended)](const std::string& failure) {
    if (!is_wanted()) return;
    const auto found = successors_.find(id);
    found->second->start_bound.reset();
    if (!failure.empty()) {
      auto node = successors_.extract(found);
      return end(std::move(node.mapped()), [started, failure](bool gone) { started(failure, !gone); });
    }
    announce(found->second->skill->registrations(), [this, id, is_wanted, started, other_ended] {
      if (!is_wanted()) return;
      take_over(id, other_ended);
      started("", false);
    });
  });
}

void SkillHost::take_over(const std::string& skill_id, std::function<void(bool)> other_ended) {
  auto node = successors_.extract(skill_id);
  EntryPtr& current = skills_.at(skill_id);
  EntryPtr other = std::exchange(current, std::move(node.mapped()));
  const Entry* const which = other.get();
  other->ended = std::move(other_ended);
  const auto hosted = other->skill;
  replaced_.push_back(std::move(other));
  hosted->hand_over(current->skill->abilities(), [this, which] { end_replaced(which, [](bool) {}); });
  current->skill->join();
  bound_versions(skill_id);
}

bool SkillHost::retire(const std::string& skill_id, std::function<void(bool)> ended) {
  const auto found = skills_.find(skill_id);
  if (found == skills_.end() || !found->second->skill->started()) return false;
  auto node = skills_.extract(found);
  EntryPtr entry = std::move(node.mapped());
  const Entry* const which = entry.get();
  entry->ended = std::move(ended);
  const auto hosted = entry->skill;
  replaced_.push_back(std::move(entry));
  hosted->retire([this, which] { end_replaced(which, [](bool) {}); });
  bound_versions(skill_id);
  return true;
}

std::size_t SkillHost::unending(const std::string& skill_id) const {
  return static_cast<std::size_t>(std::count_if(leaving_.begin(), leaving_.end(), [&](const auto& one) {
    return one->skill->skill_id() == skill_id && !one->skill->gone();
  }));
}

void SkillHost::bound_versions(const std::string& skill_id) {
  const auto is_of_it = [&](const auto& one) { return one->skill->skill_id() == skill_id; };
  auto finishing = std::count_if(replaced_.begin(), replaced_.end(), is_of_it);
  for (; finishing >= static_cast<std::ptrdiff_t>(kMostVersions); --finishing)
    end_replaced(std::find_if(replaced_.begin(), replaced_.end(), is_of_it)->get(), [](bool) {});
}

void SkillHost::end_replaced(const Entry* which, std::function<void(bool)> then) {
  const auto found =
      std::find_if(replaced_.begin(), replaced_.end(), [&](const auto& one) { return one.get() == which; });
  if (found == replaced_.end()) return;
  EntryPtr entry = std::move(*found);
  replaced_.erase(found);
  end_and_tell(std::move(entry), std::move(then));
}

void SkillHost::end_and_tell(EntryPtr entry, std::function<void(bool)> then) {
  auto ended = std::exchange(entry->ended, nullptr);
  end(std::move(entry), [ended = std::move(ended), then = std::move(then)](bool gone) {
    ended(gone);
    then(gone);
  });
}

void SkillHost::end(EntryPtr given, std::function<void(bool)> done) {
  Entry* const entry = given.get();
  entry->start_bound.reset();
  leaving_.push_back(std::move(given));
  entry->skill->shut_down(
      kStopBound, [this, entry, id = entry->skill->skill_id(), done = std::move(done)](bool gone) {
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

void SkillHost::remove(const std::string& skill_id, std::function<void(bool)> done) {
  struct Ending {
    std::size_t left = 1;
    bool gone = true;
  };
  const auto ending = std::make_shared<Ending>();
  const auto one_ended = [ending, done = std::move(done)](bool gone) {
    ending->gone = ending->gone && gone;
    if (--ending->left == 0) done(ending->gone);
  };
  std::vector<const Entry*> replaced;
  for (const auto& one : replaced_)
    if (one->skill->skill_id() == skill_id) replaced.push_back(one.get());
  ending->left += replaced.size();
  for (const Entry* const which : replaced) end_replaced(which, one_ended);
  if (auto successor = successors_.extract(skill_id)) {
    ++ending->left;
    end_and_tell(std::move(successor.mapped()), one_ended);
  }
  auto node = skills_.extract(skill_id);
  if (node.empty()) return one_ended(true);
  end(std::move(node.mapped()), one_ended);
}

std::vector<std::string> SkillHost::ids() const {
  std::set<std::string> ids;
  for (const auto& [id, entry] : skills_) ids.insert(id);
  for (const auto& entry : replaced_) ids.insert(entry->skill->skill_id());
  return {ids.begin(), ids.end()};
}

const RunningSkill* SkillHost::find(const std::string& skill_id) const {
  const auto found = skills_.find(skill_id);
  return found == skills_.end() ? nullptr : found->second->skill.get();
}

bool SkillHost::settle() {
  std::vector<std::shared_ptr<RunningSkill>> all;  // one that ends takes itself out
  for (const auto* const some : {&skills_, &successors_})
    for (const auto& [id, entry] : *some) all.push_back(entry->skill);
  for (const auto* const some : {&replaced_, &leaving_})
    for (const auto& entry : *some) all.push_back(entry->skill);
  bool any = false;
  for (const auto& skill : all) any = skill->settle() || any;
  return any;
}

bool SkillHost::hosts(const std::string& skill_id) const {
  const RunningSkill* skill = find(skill_id);
  return skill != nullptr && skill->speaks();
}

void SkillHost::run(HandlerCall call) {
  const std::string& id = call.dispatch.context().skill_id;
  const auto found = skills_.find(id);
  if (found == skills_.end()) return;
  RunningSkill* skill = found->second->skill.get();
  if (!is_reserved(call.intent_name) && !skill->has_intent(call.intent_name)) {
    for (const auto& one : replaced_)  // matched before it was replaced; the latest of them
      if (one->skill->skill_id() == id && one->skill->has_intent(call.intent_name)) skill = one->skill.get();
  }
  skill->run(std::move(call));
}

void SkillHost::cancel(const std::string& skill_id, const std::string& utterance_id) {
  for (const auto& one : replaced_)
    if (one->skill->skill_id() == skill_id) one->skill->cancel(utterance_id);
  const auto found = skills_.find(skill_id);
  if (found != skills_.end()) found->second->skill->cancel(utterance_id);
}

std::chrono::milliseconds SkillHost::handler_timeout(const std::string& skill_id) const {
  const auto found = skills_.find(skill_id);
  return found == skills_.end() ? std::chrono::milliseconds(60'000) : found->second->options.handler_timeout;
}

}  // namespace parley
