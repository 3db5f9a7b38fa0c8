#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cell.hpp"
#include "runtime/counters.hpp"
#include "support/end_to_end.hpp"

namespace parley::testing {

inline constexpr const char* kQuestion = "what is the capital of france";

/// Skills of the test answer as it tells them to; a stage before the contest does what it is told.
class Quiz : public EndToEnd {
 public:
  explicit Quiz(Time time = Time::kJumping) : EndToEnd(time) {
    config.pipeline = {"upstream", "common_query", "fallback_low"};
  }

  /// A skill of this process that takes `latency` to answer; no text: it has none after all.
  void knows(const std::string& id, const std::string& text, double conf, Duration latency = Duration::zero(),
             bool says_latency = true) {
    skill(id, [this, id, text, conf, latency, says_latency](LambdaSkill& skill) {
      skill.on_question(
          [this, id, latency, says_latency](const Query& query) {
            claimed.push_back(id + ": " + query.utterances.front() + " in " + query.lang);
            return std::optional(QuestionClaim(says_latency ? latency : Duration(0)));
          },
          [this, text, conf, latency](Query) { return answer(text, conf, latency); });
    });
  }
  Task<std::optional<QuestionAnswer>> answer(std::string text, double conf, Duration latency) {
    ++started;
    const auto until = assistant().clock().now() + latency;
    const auto cell = std::make_shared<Cell<bool>>();
    const Timer timer = assistant().bus().timers().at(until, [cell] { cell->set(true); });
    if (latency > Duration::zero()) co_await Cell<bool>::wait(cell);
    if (text.empty()) co_return std::nullopt;
    co_return QuestionAnswer(text, conf);
  }
  /// A skill on a connection: what it says to the ping and to the request for its answer.
  void remote(const std::string& id, Json pong, Json response) {
    assistant().bus().presence().arrive(id, Presence::kRemote);
    on("ovos.common_query.ping", [this, pong](const Message& ping) {
      if (!pong.is_null()) assistant().bus().publish(ping.reply("ovos.common_query.pong", pong));
    });
    on(id + ":common_query", [this, id, response](const Message& request) {
      if (!response.is_null())
        assistant().bus().publish(request.reply(id + ".common_query.response", response));
    });
  }
  /// A remote skill that answers the question as it should.
  void remote_knows(const std::string& id, const std::string& text, double conf) {
    remote(id, {{"utterance", kQuestion}, {"skill_id", id}, {"can_answer", true}, {"latency_ms", 0}},
           {{"utterance", kQuestion}, {"skill_id", id}, {"answer", text}, {"conf", conf}});
  }
  void on(const std::string& topic, std::function<void(const Message&)> callback) {
    hooks_.push_back(assistant().bus().subscribe(topic, std::move(callback)));
  }

  Assistant& start() {
    auto stage =
        std::make_unique<LambdaStage>([this](MatchRequest request) { return upstream(std::move(request)); });
    before_ = stage.get();
    make().add_stage("upstream", std::move(stage));
    assistant().start();
    return assistant();
  }
  Task<std::optional<Match>> upstream(MatchRequest request) {
    if (thinks > Duration::zero()) co_await before_->services().sleep(thinks);
    co_return claims ? claims(request) : std::nullopt;
  }

  Duration elapsed() { return assistant().clock().now() - Clock::Time(std::chrono::hours(1)); }

  Names claimed;
  int started = 0;
  Duration thinks{};  ///< How long the stage before the contest takes.
  Answer claims;      ///< What it then says; none: it declines.

 private:
  std::vector<Subscription> hooks_;
  LambdaStage* before_ = nullptr;
};

}  // namespace parley::testing
