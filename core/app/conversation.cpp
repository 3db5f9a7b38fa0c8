#include "app/conversation.hpp"

#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <random>

#include "app/assistant.hpp"

namespace parley {
namespace {

std::string fresh_utterance_id() {
  static const std::string prefix = [] {
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
  }();
  static std::atomic<std::uint64_t> count{0};
  return fmt::format("{}.{}", prefix, ++count);
}

/// Follows one turn on the bus. Keeps itself alive until it has reported.
class Follower : public std::enable_shared_from_this<Follower> {
 public:
  Follower(Assistant& assistant, const TurnInput& input, std::function<void(TurnResult)> done)
      : assistant_(assistant), wants_trace_(input.trace), done_(std::move(done)) {
    result_.utterance_id = fresh_utterance_id();
  }

  void begin(TurnInput input) {
    hear("ovos.intent.matched", &Follower::matched);
    hear("ovos.utterance.speak", &Follower::spoken);
    hear("ovos.intent.handler.complete", &Follower::completed);
    hear("ovos.intent.handler.error", &Follower::failed);
    hear("ovos.utterance.handled", &Follower::handled);
    if (wants_trace_) hear("parley.turn.trace", &Follower::traced);
    Json data = {{"utterances", std::move(input.utterances)}};
    if (!input.lang.empty()) data["lang"] = input.lang;
    Context context;
    context.source = "parley.client";
    context.session = std::move(input.session);
    context.utterance_id = result_.utterance_id;
    assistant_.bus().publish(Message("ovos.utterance.handle", std::move(data), std::move(context)));
  }

 private:
  void hear(const std::string& topic, void (Follower::*callback)(const Message&)) {
    subscriptions_.push_back(
        assistant_.bus().subscribe(topic, [self = shared_from_this(), callback](const Message& message) {
          if (message.context().utterance_id == self->result_.utterance_id) ((*self).*callback)(message);
        }));
  }

  void matched(const Message& message) {
    result_.pipeline_id = message.text("pipeline_id");
    result_.skill_id = message.text("skill_id");
    result_.intent_name = message.text("intent_name");
  }

  void spoken(const Message& message) {
    if (result_.session) return;  // after the turn: somebody else's to show
    result_.speech.emplace_back(message.text("utterance"), message.text("lang"));
    const auto listen = message.data().find("listen");
    result_.listen = listen != message.data().end() && listen->is_boolean() && listen->get<bool>();
  }

  void completed(const Message&) { result_.status = TurnStatus::kAnswered; }

  void failed(const Message& message) {
    result_.error = message.text("exception");
    result_.status = result_.error == "cancelled" ? TurnStatus::kCancelled : TurnStatus::kError;
  }

  void handled(const Message& message) {
    result_.session = message.context().session;
    result_.session_id = message.session_id();
    if (!wants_trace_) report();
  }

  void traced(const Message& message) {
    result_.trace = std::make_shared<const Json>(message.data());
    for (const auto& step : message.data().at("steps")) {
      if (step.at("kind") == "match") result_.pipeline_entry = step.at("subject");
    }
    report();
  }

  void report() {
    const auto self = shared_from_this();
    subscriptions_.clear();
    done_(std::move(result_));
  }

  Assistant& assistant_;
  bool wants_trace_;
  std::function<void(TurnResult)> done_;
  TurnResult result_;
  std::vector<Subscription> subscriptions_;
};

}  // namespace

TurnResult::TurnResult() = default;

std::string_view to_string(TurnStatus status) noexcept {
  switch (status) {
    case TurnStatus::kAnswered:
      return "answered";
    case TurnStatus::kUnmatched:
      return "unmatched";
    case TurnStatus::kError:
      return "error";
    case TurnStatus::kCancelled:
      return "cancelled";
  }
  return "error";
}

std::string TurnResult::speech_text() const {
  std::string text;
  for (const auto& one : speech) {
    if (!text.empty()) text += ' ';
    text += one.utterance;
  }
  return text;
}

void converse(Assistant& assistant, TurnInput input, std::function<void(TurnResult)> done) {
  const auto follower = std::make_shared<Follower>(assistant, input, std::move(done));
  follower->begin(std::move(input));
}

}  // namespace parley
