#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/language_model.hpp>
#include <parley/stage.hpp>
#include <utility>

#include "question.hpp"

namespace parley::intent_llm {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestUtterance = 2'000;                 // bytes
constexpr std::size_t kLongestAnswer = std::size_t{128} << 10U;  // bytes

/// Lets a language model choose between the registered intents what nobody else took. What it chooses is
/// held against everything that holds for other entries, and against what the user said.
class IntentLlm final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Lets a language model behind an OpenAI-compatible endpoint choose an intent for what no other entry "
      "took. Without 'url' it stays out of it.";
  static constexpr std::array kOptions{
      Option::text("url", "",
                   "Base of the endpoint, such as http://localhost:11434/v1. With it the entry is in the "
                   "default pipeline; name it in one of your own behind 'intent_low'."),
      Option::text("model", "", "The model's name on the server; empty: the server chooses."),
      Option::text("key_variable", "", "The environment variable that holds the key; empty: no key is sent."),
      Option::text("key_file", "", "The file whose first line is the key, instead."),
      Option::duration("timeout", "5s", 100ms, 1min, "How long the user waits for the model at most.")
          .part_of_match(),
      Option::integer("max_tools", "64", 1, 512,
                      "The most intents offered at a time; of more, those most like what was said."),
      Option::integer("max_tokens", "400", 1, 1'000'000, "The longest reply of the model, in tokens."),
      Option::size("history", "2000", 0, 1'000'000, "How much of what was said before is sent along."),
      Option::integer("requests_per_client", "4", 1, 1000,
                      "Requests at a time for one connection; further ones are not made."),
      Option::duration("retry_after", "30s", 1s, 24h,
                       "How long the endpoint is left alone after it failed.")};
  static constexpr std::array kEntries{DefaultEntry("intent_llm", 950, "{}", "url")};

  void start() override {
    const std::string url = text("url");
    if (url.empty()) return;
    endpoint_.emplace(url, text("model"), model_key(text("key_variable"), text("key_file")));
    history_.emplace(static_cast<std::size_t>(number("history")));
    const auto hear = [this](const Message& message) { history_->hear(message); };
    context().on("ovos.intent.matched", hear);
    context().on("ovos.utterance.speak", hear);
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    const std::string reason = reason_to_decline(request);
    if (reason.empty()) return {};
    request.trace().note(reason);
    return QuickAnswer(std::nullopt);
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    const Place place(*this, request.message().context().sender);
    const std::shared_ptr<Question> question = question_of(request);
    std::function<void()> putting_together = [question] { question->put_together(); };
    co_await context().run_blocking(std::move(putting_together));
    if (question->offer.tools.empty()) {
      request.trace().note("there is no intent to choose from");
      co_return std::nullopt;
    }
    const auto asked = context().clock().now();
    HttpRequest chat = chat_of(*question);
    const Result<HttpResponse> answer = co_await context().http(request, std::move(chat));
    question->failure = answer ? problem_of(*answer) : answer.error().message;
    if (answer) question->answer = answer->body;
    std::function<void()> reading = [question] { question->read(); };
    if (question->failure.empty()) co_await context().run_blocking(std::move(reading));
    co_return conclude(request, *question, context().clock().now() - asked);
  }

 private:
  std::string text(const char* option) const { return context().options().at(option).get<std::string>(); }
  std::int64_t number(const char* option) const { return context().options().at(option).get<std::int64_t>(); }

  /// Empty: the model is asked.
  std::string reason_to_decline(const MatchRequest& request) const {
    if (!endpoint_) return "no 'url' is set: there is no model to ask";
    if (context().clock().now() < left_alone_until_) return "the endpoint failed lately: " + health_.reason();
    if (request.utterance().size() > kLongestUtterance) return "too long for the model";
    const SenderPtr& client = request.message().context().sender;
    const auto taken = taken_.find(client);
    if (client && taken != taken_.end() && taken->second >= number("requests_per_client"))
      return "its client has as many requests under way as it may have";
    return {};
  }

  std::shared_ptr<Question> question_of(const MatchRequest& request) const {
    const auto question = std::make_shared<Question>();
    Offer& offer = question->offer;
    offer.utterance = request.utterance();
    offer.lang = request.lang();
    offer.session = request.session_ptr();
    offer.now = unix_seconds(context().clock().wall());
    offer.intents = intents_in_reach(context().registry(), *offer.session, offer.lang, offer.now);
    offer.entities = context().registry().entities();
    offer.most_tools = static_cast<std::size_t>(number("max_tools"));
    const std::string* prompt = context().locale().prompt(offer.lang, "choose");
    if (prompt == nullptr) prompt = context().locale().prompt("en-US", "choose");
    if (prompt != nullptr) question->prompt = fill_prompt(*prompt, {{"lang", offer.lang}});
    question->before = history_->before(request.message());
    question->most_tokens = number("max_tokens");
    question->wall = std::chrono::local_seconds(
        std::chrono::floor<std::chrono::seconds>(context().clock().wall()).time_since_epoch());
    return question;
  }

  HttpRequest chat_of(const Question& question) const {
    HttpRequest chat = endpoint_->chat(question.body);
    chat.timeout = chat.silence = std::chrono::milliseconds(number("timeout"));
    chat.most_bytes = kLongestAnswer;
    chat.redirections = 0;
    return chat;
  }

  static std::string problem_of(const HttpResponse& answer) {
    if (answer.ok()) return {};
    const auto reply = parse_json(answer.body);
    const auto part = reply ? chat_part(*reply) : Result<Json>(Json());
    return "HTTP status " + std::to_string(answer.status) + (part ? "" : ": " + part.error().message);
  }

  std::optional<Match> conclude(const MatchRequest& request, Question& question, Clock::Time::duration took) {
    tell(request.trace(), question, took);
    if (!question.failure.empty()) {
      left_alone_until_ = context().clock().now() + std::chrono::milliseconds(number("retry_after"));
      if (health_.is_down(question.failure)) context().warn("the model can't be asked: " + question.failure);
      context().count("failed");
      return std::nullopt;
    }
    health_.is_up();
    Choice& choice = question.choice;
    if (!choice.refused.empty()) context().count("refused");
    if (choice.parts.empty()) return std::nullopt;
    Match first = std::move(choice.parts.front());
    first.then.assign(std::make_move_iterator(choice.parts.begin() + 1),
                      std::make_move_iterator(choice.parts.end()));
    return first;
  }

  static void tell(const Trace& trace, const Question& question, Clock::Time::duration took) {
    if (!trace) return;
    const auto ms = std::chrono::round<std::chrono::milliseconds>(took).count();
    std::vector<TraceFact> facts{TraceFact("ms", static_cast<double>(ms)),
                                 TraceFact("intents", static_cast<double>(question.offer.tools.size()))};
    if (question.tokens_asked > 0)
      facts.emplace_back("prompt_tokens", static_cast<double>(question.tokens_asked));
    if (question.tokens_answered > 0)
      facts.emplace_back("completion_tokens", static_cast<double>(question.tokens_answered));
    const Choice& choice = question.choice;
    std::string said = !question.failure.empty() ? "could not be asked: " + question.failure
                       : !choice.refused.empty() ? "chose what can't be: " + choice.refused
                       : choice.parts.empty()    ? std::string("chose none")
                                                 : std::string("chose");
    trace.step(TraceKind::kNote, "", "the model " + said, facts);
    if (!choice.refused.empty() && !choice.skill_id.empty())
      trace.veto(choice.skill_id, choice.intent_name, choice.refused);
    for (const Match& part : choice.parts)
      trace.candidate(part.skill_id, part.intent_name, 1,
                      "the model takes \"" + part.utterance + "\" for it");
  }

  /// One of a client's requests, as long as it lives.
  class Place {
   public:
    Place(IntentLlm& stage, SenderPtr client) : stage_(stage), client_(std::move(client)) {
      ++stage_.taken_[client_];
    }
    ~Place() {
      if (--stage_.taken_[client_] == 0) stage_.taken_.erase(client_);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    IntentLlm& stage_;
    SenderPtr client_;
  };

  std::optional<ModelEndpoint> endpoint_;  ///< Nothing: no model is to be asked.
  std::optional<TalkHistory> history_;
  std::map<SenderPtr, std::int64_t> taken_;  ///< Requests under way, by client.
  ModelHealth health_;
  Clock::Time left_alone_until_{};
};

}  // namespace
}  // namespace parley::intent_llm

PARLEY_STAGE(parley::intent_llm::IntentLlm)
