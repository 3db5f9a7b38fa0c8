#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bus/bus.hpp"
#include "runtime/cell.hpp"

namespace parley {
namespace {

/// One poll under way. Everything happens on the loop.
class Poll {
 public:
  Poll(Bus& bus, PollRequest request)
      : bus_(bus), request_(std::move(request)), began_(bus.timers().clock().now()) {}

  void begin() {
    for (const auto& skill : request_.expected) {
      if (bus_.presence().of(skill) != Presence::kNone) {
        waiting_.insert(skill);
      } else {
        result_.departed.push_back(skill);
      }
    }
    for (const auto& topic : request_.answer_topics) {
      subscriptions_.push_back(bus_.subscribe(topic, [this](const Message& answer) { heard(answer); }));
    }
    for (const auto& topic : request_.farewell_topics) {
      subscriptions_.push_back(bus_.subscribe(topic, [this](const Message& farewell) {
        const std::string skill = farewell.text("skill_id");
        if (waiting_.contains(skill) && request_.has_left(skill)) left(skill);
      }));
    }
    subscriptions_.push_back(bus_.presence().on_leave([this](const std::string& skill) { left(skill); }));
    if (nobody_left()) {
      finish();
      return;
    }
    timer_ = bus_.timers().at(began_ + request_.timeout, [this] {
      result_.timed_out = true;
      result_.silent.assign(waiting_.begin(), waiting_.end());
      finish();
    });
    for (const auto& question : request_.questions) bus_.publish(question);
  }

  std::shared_ptr<Cell<bool>> done() { return done_; }
  PollResult take() { return std::move(result_); }

 private:
  bool belongs(const Message& answer) const {
    const Message& question = request_.questions.front();
    if (answer.session_id() != question.session_id()) return false;
    const auto& theirs = answer.context().utterance_id;
    const auto& ours = question.context().utterance_id;
    return theirs.empty() || ours.empty() || theirs == ours;
  }

  void heard(const Message& answer) {
    if (finished_ || !belongs(answer)) return;
    const PollVerdict verdict = request_.judge ? request_.judge(answer) : PollVerdict::kKeep;
    if (verdict == PollVerdict::kIgnore) return;
    result_.answers.emplace_back(answer, bus_.timers().clock().now() - began_);
    waiting_.erase(answer.text("skill_id"));
    if (verdict == PollVerdict::kClose || nobody_left()) finish();
  }

  void left(const std::string& skill) {
    if (waiting_.erase(skill) == 0) return;
    result_.departed.push_back(skill);
    if (nobody_left()) finish();
  }

  bool nobody_left() const { return !request_.expected.empty() && waiting_.empty(); }

  void finish() {
    if (finished_) return;
    finished_ = true;
    result_.took = bus_.timers().clock().now() - began_;
    timer_.reset();
    done_->set(true);
  }

  Bus& bus_;
  PollRequest request_;
  Clock::Time began_;
  PollResult result_;
  std::set<std::string, std::less<>> waiting_;
  bool finished_ = false;
  std::shared_ptr<Cell<bool>> done_ = std::make_shared<Cell<bool>>();
  Timer timer_;
  std::vector<Subscription> subscriptions_;  // last: silent before the rest dies
};

}  // namespace

PollRequest::PollRequest(Message question, std::string answer_topic, Duration bound)
    : questions{std::move(question)}, answer_topics{std::move(answer_topic)}, timeout(bound) {}

Task<PollResult> Bus::poll(PollRequest request) {
  // Owned by this frame alone: abandoning the frame withdraws timer and subscriptions.
  const auto poll = std::make_unique<Poll>(*this, std::move(request));
  poll->begin();
  co_await Cell<bool>::wait(poll->done());
  co_return poll->take();
}

}  // namespace parley
