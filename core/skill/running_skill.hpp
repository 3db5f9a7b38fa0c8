#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <parley/clock.hpp>
#include <parley/locale.hpp>
#include <parley/message.hpp>
#include <parley/settings.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "turn/handler_host.hpp"

namespace parley {

/// What a skill takes part in beside its intents.
struct SkillAbilities {
  bool fallback = false, converse = false, questions = false, stop = false;
  bool operator==(const SkillAbilities&) const = default;
};

/// One version of a skill that runs, in this process or in a child of it. Its functions are called on the
/// loop.
class RunningSkill {
 public:
  virtual ~RunningSkill() = default;

  virtual const std::string& skill_id() const noexcept = 0;
  /// Its own folder: where its `locale/` and data are.
  virtual std::string folder() const = 0;
  virtual const LocaleResources& locale() const noexcept = 0;
  /// "here" or "process".
  virtual std::string_view placement() const noexcept { return "here"; }
  /// "starting", "running"; of one in a child also "restarting" and "given_up".
  virtual std::string_view state() const noexcept { return started() ? "running" : "starting"; }

  /// Starts the skill, then calls back with what went wrong (empty: nothing).
  virtual void start(std::function<void(std::string failure)> done) = 0;
  /// How long that may take.
  virtual std::chrono::seconds start_bound() const noexcept { return std::chrono::seconds(10); }
  /// What it registers with join(), once start() went well.
  virtual std::vector<Message> registrations() const = 0;
  /// From here on the skill takes part: it hears, its timers go, and what it registered is on the bus. Once,
  /// after start() went well.
  virtual void join() = 0;
  virtual bool started() const noexcept = 0;
  /// Whether what is dispatched to it is run, even if only after it is back.
  virtual bool speaks() const noexcept { return started(); }
  virtual SkillAbilities abilities() const = 0;
  /// From here on a successor, which joins in the same step and can do `after`, takes part in its stead: only
  /// the turns that it has begun go on. Calls back when the last of them is over.
  virtual void hand_over(const SkillAbilities& after, std::function<void()> idle) = 0;
  /// From here on nobody speaks for the skill: in one step all it registered goes. Its questions to the user
  /// end as cancelled; the turns that it has begun go on. Calls back when the last of them is over.
  virtual void retire(std::function<void()> idle) = 0;
  virtual bool has_intent(const std::string& name) const = 0;
  /// True once none of the skill's code runs or is referenced, even if it stopped late.
  virtual bool gone() const noexcept = 0;
  /// When the first of its at() calls back; nothing: none does.
  virtual std::optional<Clock::Time> next_due() const = 0;

  virtual void run(HandlerCall call) = 0;
  virtual void cancel(const std::string& utterance_id) = 0;
  /// Reads a language that is spoken from now on (AwakeLanguages), says what is wrong in it, and registers
  /// its intents in it, unless it has.
  /// @param done  called on the loop, behind what it registers; at once by one that registers all from the
  ///              start
  virtual void wake(const std::string& /*lang*/, std::function<void()> done) { done(); }
  /// From the strand's next piece of work on.
  /// @param told  called on the loop: whether that is all there is to it. False: it read them as it started,
  ///              and did not read them again when it was told
  virtual void change_settings(Settings settings, std::function<void(bool at_once)> told) = 0;

  /// Ends everything: deregisters, cancels and drains handlers, stops and destroys the skill. Calls
  /// back on the loop: true when nothing of the skill's code runs or is held any more, false when it
  /// did not come to an end within `patience` (it must stay loaded then).
  virtual void shut_down(Clock::Time::duration patience, std::function<void(bool gone)> done) = 0;

  /// With a clock that jumps: waits until the skill has done all that it can do at this time. Whether
  /// anything came of it.
  virtual bool settle() { return false; }
};

}  // namespace parley
