#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/language_waker.hpp"
#include "registry/registry.hpp"
#include "runtime/timers.hpp"
#include "skill/skill_host.hpp"
#include "turn/awake_languages.hpp"

namespace parley {

/// Lets the languages of the configuration sleep until somebody speaks them. Reading one takes a quarter of a
/// second, in which others are answered; a sleeping one costs neither time nor memory.
class LanguageWaking final : public LanguageWaker {
 public:
  /// @param enabled  BCP-47 tags
  LanguageWaking(SkillHost& skills, IntentRegistry& registry, Timers& timers,
                 std::vector<std::string> enabled);

  /// From here on all sleep but one; before skills are loaded.
  void sleep_but(const std::string& lang);
  /// Null: nothing sleeps.
  const std::shared_ptr<AwakeLanguages>& awake() const noexcept { return awake_; }

  bool is_awake(const std::string& lang) const override;
  void wake(const std::string& lang, std::function<void()> done) override;
  /// All that are enabled; calls back at once where nothing sleeps.
  void wake_all(std::function<void()> done);

 private:
  struct Waking {
    std::vector<std::function<void()>> waiting;
    Timer bound;
  };

  void woken(const std::string& primary);

  SkillHost& skills_;
  IntentRegistry& registry_;
  Timers& timers_;
  const std::vector<std::string> enabled_;
  std::shared_ptr<AwakeLanguages> awake_;
  std::map<std::string, Waking> waking_;  ///< By primary language.
};

}  // namespace parley
