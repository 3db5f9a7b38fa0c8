#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "child/channel.hpp"
#include "child/child_requests.hpp"
#include "child/child_turns.hpp"
#include "child/group.hpp"
#include "child/plan.hpp"
#include "child/process.hpp"
#include "child/senders.hpp"
#include "skill/running_skill.hpp"

namespace parley::child {

/// What the skills in children of one assistant share.
struct ChildServices {
  ChildServices(std::filesystem::path the_program, HttpTransport& the_http,
                std::shared_ptr<SkillKeeping> keeps)
      : program(std::move(the_program)), http(the_http), keeping(std::move(keeps)) {}
  std::filesystem::path program;  ///< `parley`.
  HttpTransport& http;
  std::shared_ptr<SkillKeeping> keeping;
};

/// A skill in a child of this process. When the child dies, the turns it had end, and it is started again: at
/// once, then after longer and longer waits; no more when it has died kMostDeaths times within kPeriod. What
/// the skill has registered stays while it is being started again; turns that come meanwhile wait for it.
class ChildSkill final : public RunningSkill, public std::enable_shared_from_this<ChildSkill> {
 public:
  static constexpr std::size_t kMostDeaths = 5;
  static constexpr std::chrono::minutes kPeriod{10};

  /// @param plan  what to run; its clock is taken from `environment`
  ChildSkill(std::shared_ptr<const TurnEnvironment> environment, Plan plan, ChildServices services);
  ~ChildSkill() override;

  const std::string& skill_id() const noexcept override { return environment_->owner; }
  std::string folder() const override { return plan_.folder.string(); }
  const LocaleResources& locale() const noexcept override { return environment_->locale; }
  std::string_view placement() const noexcept override { return "process"; }
  std::string_view state() const noexcept override;

  void start(std::function<void(std::string failure)> done) override;
  /// With the start of its process, which all others' may hold up when parley starts.
  std::chrono::seconds start_bound() const noexcept override { return std::chrono::seconds(30); }
  std::vector<Message> registrations() const override { return registrations_; }
  void join() override;
  bool started() const noexcept override { return joined_; }
  bool speaks() const noexcept override { return joined_ && !given_up_; }
  SkillAbilities abilities() const override { return abilities_; }
  void hand_over(const SkillAbilities& after, std::function<void()> idle) override;
  void retire(std::function<void()> idle) override;
  bool has_intent(const std::string& name) const override;
  bool gone() const noexcept override { return gone_; }
  std::optional<Clock::Time> next_due() const override { return next_due_; }

  void run(HandlerCall call) override;
  void cancel(const std::string& utterance_id) override;
  void change_settings(Settings settings, std::function<void(bool at_once)> told) override;
  void shut_down(Clock::Time::duration patience, std::function<void(bool gone)> done) override;
  bool settle() override;

 private:
  // The child's life.
  /// @throws std::system_error
  void spawn();
  void put_into_group();
  void died(const Death& how);
  void came_down(const std::string& failure);
  /// Of a child that misbehaves: it dies, and is said to have done so because of this.
  void kill(std::string because);
  /// The first start went wrong, or went well (empty).
  void tell_started(const std::string& failure);
  void come_back(bool as_it_was);
  void start_again();
  void give_up();
  void forget_child();
  void send(const Json& head, std::string_view body = {});
  void draw(const Json& head);
  std::pair<std::int64_t, std::int64_t> moment() const;
  /// Kills a child that does not answer after a handler of it was cancelled.
  void watch_for_answer();

  void take(const Frame& frame);
  void started_child(const Json& head);
  void publish(const Frame& frame);
  void listen(const std::string& pattern);
  void count(const Json& head) const;
  void idle(const Json& head);

  Message own_message(std::string type) const;
  void take_part();
  void withdraw();
  void leave();
  void tell_if_idle();
  void finish();

  const std::shared_ptr<const TurnEnvironment> environment_;
  Plan plan_;
  const ChildServices services_;
  std::unique_ptr<Group> group_;  ///< Before the process: it can go once that has.
  std::unique_ptr<Process> process_;
  std::shared_ptr<Channel> channel_;
  Senders senders_;
  std::shared_ptr<ChildTurns> turns_;
  std::shared_ptr<ChildRequests> requests_;
  std::string killed_because_;

  std::function<void(std::string)> when_started_;
  std::vector<std::string> wires_;  ///< What it registers, as it came.
  std::vector<Message> registrations_;
  SkillAbilities abilities_;
  std::vector<std::string> intents_;
  bool ready_ = false;  ///< The child has started the skill.
  bool joined_ = false, aside_ = false, closing_ = false, given_up_ = false, gone_ = false;
  std::function<void()> idle_;      ///< Of hand_over() and retire().
  std::function<void(bool)> shut_;  ///< Of shut_down().
  std::deque<Clock::Time> deaths_;
  Timer again_, patience_, mirror_, watch_;
  std::optional<Clock::Time> next_due_;

  std::map<std::string, Subscription, std::less<>> listened_;
  std::uint64_t forwarded_ = 0;  ///< The latest message that it was given, by the bus's count.
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, std::function<void(bool)>> told_;
  std::optional<std::uint64_t> probe_;  ///< An answer is being waited for.

  // With a clock that jumps.
  bool touched_ = false;  ///< Something was sent since it was last settled.
  bool settling_ = false, heard_ = false;
  using Moment = std::pair<std::int64_t, std::int64_t>;  ///< Of both its faces, in nanoseconds.
  std::optional<Moment> told_time_, settled_at_;
};

}  // namespace parley::child
