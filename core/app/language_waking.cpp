#include "app/language_waking.hpp"

#include <utility>

#include "runtime/nth_call.hpp"

namespace parley {
namespace {

/// Who speaks does not wait longer for a skill that is stuck; what it registers later counts then.
constexpr std::chrono::seconds kLongestWaking(10);

}  // namespace

LanguageWaking::LanguageWaking(SkillHost& skills, IntentRegistry& registry, Timers& timers,
                               std::vector<std::string> enabled)
    : skills_(skills), registry_(registry), timers_(timers), enabled_(std::move(enabled)) {}

void LanguageWaking::sleep_but(const std::string& lang) {
  awake_ = std::make_shared<AwakeLanguages>();
  awake_->add(lang);
}

bool LanguageWaking::is_awake(const std::string& lang) const {
  return !awake_ || (awake_->has(lang) && !waking_.contains(primary_language(lang)));
}

void LanguageWaking::wake(const std::string& lang, std::function<void()> done) {
  if (is_awake(lang)) return done();
  const std::string primary = primary_language(lang);
  Waking& waking = waking_[primary];
  waking.waiting.push_back(std::move(done));
  if (!awake_->add(lang)) return;  // it is being woken
  waking.bound = timers_.at(timers_.clock().now() + kLongestWaking, [this, primary] { woken(primary); });
  skills_.wake(lang,
               [this, primary] { registry_.when_read(skills_.ids(), [this, primary] { woken(primary); }); });
}

void LanguageWaking::woken(const std::string& primary) {
  auto node = waking_.extract(primary);
  if (node.empty()) return;  // after the bound
  for (const auto& done : node.mapped().waiting) done();
}

void LanguageWaking::wake_all(std::function<void()> done) {
  const auto one_is = at_call(enabled_.size() + 1, std::move(done));
  for (const auto& lang : enabled_) wake(lang, one_is);
  one_is();
}

}  // namespace parley
