#pragma once

#include <boost/asio/io_context.hpp>
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

/// The skills of this process. On the loop's thread.
class SkillHost final : public HandlerHost {
 public:
  SkillHost(Bus& bus, Counters& counters, boost::asio::any_io_executor loop, Workers& workers,
            HttpTransport& http, std::shared_ptr<Lasting> lasting, bool threads);
  ~SkillHost() override;

  /// Takes a skill and starts it; calls back with what went wrong (empty: nothing, it is running).
  /// A start() that takes longer than ten seconds is a refusal. A refused skill is gone when this calls
  /// back, unless `stuck` says that its code still runs.
  void add(std::shared_ptr<const TurnEnvironment> environment, std::unique_ptr<Skill> skill,
           std::filesystem::path folder, Settings settings, SkillRunOptions options,
           std::function<void(std::string failure, bool stuck)> done);

  /// Unloads one; calls back with true when nothing of its code is left anywhere, false when it is stuck
  /// and must stay mapped, which is also logged. Unknown: true.
  void remove(const std::string& skill_id, std::function<void(bool gone)> done);

  /// Gives a running skill other settings, which it is told of. Unknown: nothing happens.
  void change_settings(const std::string& skill_id, Settings settings);

  /// Whether code of a removed skill still runs somewhere.
  bool has_stuck() const;

  std::vector<std::string> ids() const;
  /// The skills that something is due of (Skill::at), and when first.
  std::map<std::string, Clock::Time> due() const;
  const HostedSkill* find(const std::string& skill_id) const;

  bool hosts(const std::string& skill_id) const override;
  void run(HandlerCall call) override;
  void cancel(const std::string& skill_id, const std::string& utterance_id) override;
  std::chrono::milliseconds handler_timeout(const std::string& skill_id) const override;

 private:
  struct Entry;
  std::shared_ptr<boost::asio::io_context> context_for(Entry& entry);
  /// Tells the examples of what can be asked of each skill (`examples.voc`), without those the session
  /// denies.
  void answer_examples(const Message& query) const;

  Bus& bus_;
  Counters& counters_;
  boost::asio::any_io_executor loop_;
  Workers& workers_;
  HttpTransport& http_;
  std::shared_ptr<Lasting> lasting_;
  bool threads_;
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> skills_;
  std::vector<std::unique_ptr<Entry>> leaving_;  ///< Shutting down, or stuck.
  Subscription examples_;
};

}  // namespace parley
