#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/workers.hpp"
#include "skill/hosted_skill.hpp"
#include "turn/handler_host.hpp"

namespace parley {

/// How one skill is to run.
struct SkillRunOptions {
  SkillRunOptions() = default;
  bool own_thread = false;
  std::chrono::milliseconds handler_timeout{60'000};
};

/// The skills of this process, those in a child of it included. On the loop's thread.
class SkillHost final : public HandlerHost {
 public:
  SkillHost(Bus& bus, Counters& counters, boost::asio::any_io_executor loop, Workers& workers,
            HttpTransport& http, std::shared_ptr<SkillKeeping> keeping, bool threads);
  ~SkillHost() override;

  using Started = std::function<void(std::string failure, bool stuck)>;
  /// Takes a skill and starts it; calls back with what went wrong (empty: nothing, it is running).
  /// A start() that takes longer than ten seconds is a refusal. A refused skill is gone when this calls
  /// back, unless `stuck` says that its code still runs.
  void add(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
           std::filesystem::path folder, Settings settings, SkillRunOptions options, Started done);
  /// The same of one that was made already.
  void add(std::shared_ptr<RunningSkill> skill, SkillRunOptions options, Started done);

  /// Takes the place of one that runs. Starts it beside that; once it has started, `announce` is given what
  /// it registers, and in the step in which that calls back it takes part instead of the other, which ends
  /// when the last turn it has begun is over. Of one skill at most kMostVersions live: the turns of the
  /// oldest are ended.
  struct Successor {
    std::shared_ptr<const TurnEnvironment> environment;
    std::unique_ptr<Skill> skill;
    std::filesystem::path folder;
    Settings settings;
    SkillRunOptions options;
    std::shared_ptr<RunningSkill> made;  ///< In place of `skill`, which is null then.
    std::function<void(std::vector<Message> registrations, std::function<void()> then)> announce;
    Started started;                             ///< As of add(). On a failure the other goes on.
    std::function<void(bool gone)> other_ended;  ///< As of remove(); later, and only if it was replaced.
  };
  static constexpr std::size_t kMostVersions = 4;
  /// @param successor  of a skill that runs, and has no other successor that is being started
  void replace(Successor successor);
  /// How many versions of a skill are being shut down, or are stuck.
  std::size_t unending(const std::string& skill_id) const;

  /// Unloads one, every version of it; calls back with true when nothing of its code is left anywhere, false
  /// when it is stuck and must stay mapped, which is also logged. Unknown: true.
  void remove(const std::string& skill_id, std::function<void(bool gone)> done);

  /// Takes a running skill out: from here on nobody speaks for it. It is shut down when the last turn that it
  /// has begun is over; `gone` is as of remove(), and comes then. False: no such skill runs.
  bool retire(const std::string& skill_id, std::function<void(bool gone)> ended);

  /// Gives a running skill other settings, which it is told of. Unknown: nothing happens.
  /// @param told  as of RunningSkill::change_settings()
  void change_settings(const std::string& skill_id, Settings settings,
                       std::function<void(bool at_once)> told);

  /// Has every skill register its intents in a language, those that are being started as well; calls back
  /// when all have.
  void wake(const std::string& lang, std::function<void()> done);

  /// Whether code of a removed skill still runs somewhere.
  bool has_stuck() const;

  /// Those that run, and those whose last turns go on.
  std::vector<std::string> ids() const;
  /// The skills that something is due of (Skill::at), and when first.
  std::map<std::string, Clock::Time> due() const;
  const RunningSkill* find(const std::string& skill_id) const;

  /// With a clock that jumps, see RunningSkill::settle().
  bool settle();

  bool hosts(const std::string& skill_id) const override;
  void run(HandlerCall call) override;
  void cancel(const std::string& skill_id, const std::string& utterance_id) override;
  std::chrono::milliseconds handler_timeout(const std::string& skill_id) const override;

 private:
  struct Entry;
  using EntryPtr = std::unique_ptr<Entry>;
  SkillPlace place_for(Entry& entry);
  static EntryPtr make(std::shared_ptr<RunningSkill> skill, SkillRunOptions options);
  EntryPtr make(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
                std::filesystem::path folder, Settings settings, SkillRunOptions options);
  void begin(EntryPtr entry, Started done);
  /// Calls back with how starting it went, once.
  void start(Entry& entry, std::function<void(std::string failure)> done);
  /// The successor has started, and what it registers is known: it takes over.
  void take_over(const std::string& skill_id, std::function<void(bool gone)> other_ended);
  /// Ends the turns of the oldest versions, as far as there are too many.
  void bound_versions(const std::string& skill_id);
  void end_replaced(const Entry* which, std::function<void(bool gone)> then);
  void end_and_tell(EntryPtr entry, std::function<void(bool gone)> then);
  /// Shuts one down that is in none of the lists any more.
  void end(EntryPtr entry, std::function<void(bool gone)> done);
  /// Tells the examples of what can be asked of each skill (`examples.voc`), without those the session
  /// denies.
  void answer_examples(const Message& query) const;

  Bus& bus_;
  Counters& counters_;
  boost::asio::any_io_executor loop_;
  Workers& workers_;
  HttpTransport& http_;
  std::shared_ptr<SkillKeeping> keeping_;
  bool threads_;
  std::map<std::string, EntryPtr, std::less<>> skills_;
  std::map<std::string, EntryPtr, std::less<>> successors_;  ///< Being started.
  std::vector<EntryPtr> replaced_;                           ///< Finish their turns; the oldest first.
  std::vector<EntryPtr> leaving_;                            ///< Shutting down, or stuck.
  Subscription examples_;
};

}  // namespace parley
