#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/http.hpp>
#include <parley/language_model.hpp>
#include <parley/locale.hpp>
#include <parley/skill.hpp>

#include "chat.hpp"
#include "reply_stream.hpp"
#include "sentences.hpp"

namespace parley::llm {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kHealthPatience(5);
/// Of a whole reply: the turn it belongs to ends before.
constexpr std::chrono::hours kReplyBound(1);

/// Talks about anything, by way of a language model behind an OpenAI-compatible endpoint.
class Llm final : public Skill {
 public:
  static constexpr const char* kAbout =
      "Talks about anything, by way of a language model behind an OpenAI-compatible endpoint.";
  static constexpr std::array kSettings{
      Option::text(
          "url", "",
          "Base of the endpoint, such as http://localhost:11434/v1; empty: the skill takes nothing."),
      Option::text("model", "", "The model's name on the server; empty: the server chooses."),
      Option::text("key_variable", "", "The environment variable that holds the key; empty: no key is sent."),
      Option::text("key_file", "", "The file whose first line is the key, instead."),
      Option::integer("max_tokens", "400", 1, 1'000'000, "The longest reply of the model, in tokens."),
      Option::size("history", "4000", 0, 1'000'000, "How much of what was said before is sent along."),
      Option::duration("patience", "30s", 1s, 1h, "The silence after which the endpoint counts as down."),
      Option::integer("requests_per_client", "4", 1, 1000,
                      "Requests at a time for one connection; further ones wait."),
      Option::duration("health_every", "30s", 1s, 24h, "How often to check whether the endpoint is there.")};

  void start() override {
    const std::string& url = settings().text("url");
    if (url.empty()) return;
    endpoint_.emplace(url, settings().text("model"),
                      model_key(settings().text("key_variable"), settings().text("key_file")));
    history_.emplace(static_cast<std::size_t>(settings().integer("history")));
    on_fallback(90, &Llm::can_answer, &Llm::answer);
    on_intent("ask", &Llm::answer);
    on_event("ovos.intent.matched", [this](const Message& matched) { history_->hear(matched); });
    on_event("ovos.utterance.speak", [this](const Message& speech) { history_->hear(speech); });
    every(settings().duration("health_every"), &Llm::check_health);
    at(clock().wall(), &Llm::check_health);
  }

 private:
  // ---- whether it is there

  Task<> check_health() {
    if (!taken_.empty()) co_return;  // turns that are under way tell
    HttpRequest models = endpoint_->models();
    models.timeout = kHealthPatience;
    const Result<HttpResponse> answer = co_await http(std::move(models));
    if (health_.is_as(answer)) tell_health();
  }

  void tell_health() {
    if (health_.state() == ModelHealth::State::kUp) {
      log(LogLevel::kInfo, endpoint_->url() + " answers");
    } else {
      log(LogLevel::kWarning, endpoint_->url() + " does not answer as it should: " + health_.reason() +
                                  "; until it does, others are asked");
    }
  }

  bool can_answer(const Query&) { return health_.state() == ModelHealth::State::kUp; }

  // ---- a turn

  Json request_body(const Turn& turn) const {
    const std::string* const prompt = locale().prompt(turn.lang(), "system");
    const std::string system =
        prompt == nullptr ? std::string() : fill_prompt(*prompt, {{"lang", turn.lang()}});
    // Of "ask the language model …" it is what comes behind; a fallback takes the whole.
    return chat_request(system, history_->before(turn.message()), turn.slot("question").value_or(turn.text()),
                        settings().integer("max_tokens"));
  }

  /// One of a client's requests, as long as it lives; then who waits for room looks again.
  class Place {
   public:
    Place(Llm& skill, SenderPtr client) : skill_(skill), client_(std::move(client)) {
      ++skill_.taken_[client_];
    }
    ~Place() {
      if (--skill_.taken_[client_] == 0) skill_.taken_.erase(client_);
      for (const auto& one : std::exchange(skill_.waiting_, {})) one->notify();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Llm& skill_;
    SenderPtr client_;
  };

  bool has_room(const SenderPtr& client) const {
    const auto found = taken_.find(client);
    return !client || found == taken_.end() || found->second < settings().integer("requests_per_client");
  }

  Task<> answer(Turn turn) {
    const SenderPtr client = turn.message().context().sender;
    while (!has_room(client)) {
      const auto freed = waiting_.emplace_back(make_wakeup());
      co_await freed->wait_until(clock().now() + turn.remaining());
    }
    const Place place(*this, client);
    HttpRequest chat = endpoint_->chat(request_body(turn));
    chat.timeout = kReplyBound;
    chat.silence = settings().duration("patience");
    HttpStream stream = http_stream(std::move(chat));
    ReplyStream reply;
    Sentences sentences;
    bool spoke = false;
    while (const auto piece = co_await stream.next()) {
      sentences.add(reply.add(*piece));
      spoke = speak_whole(turn, sentences) || spoke;
      if (reply.done() || !reply.error().empty()) break;
    }
    sentences.add(reply.finish());
    spoke = speak_whole(turn, sentences) || spoke;
    if (std::string last = sentences.rest(); !last.empty()) {
      turn.speak(std::move(last));
      spoke = true;
    }
    conclude(turn, failure_of(stream, reply), spoke);
  }

  static bool speak_whole(Turn& turn, Sentences& sentences) {
    bool spoke = false;
    while (auto sentence = sentences.next()) {
      turn.speak(std::move(*sentence));
      spoke = true;
    }
    return spoke;
  }

  static std::string failure_of(const HttpStream& stream, const ReplyStream& reply) {
    if (std::string failure = stream.failure(); !failure.empty()) return failure;
    if (stream.status() != 200)
      return "HTTP status " + std::to_string(stream.status()) +
             (reply.error().empty() ? "" : ": " + reply.error());
    return reply.error();
  }

  /// Says aloud what went wrong: a turn that was promised an answer does not end in silence.
  void conclude(Turn& turn, const std::string& failure, bool spoke) {
    if (failure.empty()) {
      health_.is_up();
      if (!spoke) turn.speak_dialog("no_words");
      return;
    }
    turn.trace().note("the endpoint failed: " + failure);
    if (health_.is_down(failure)) tell_health();
    turn.speak_dialog(spoke ? "cut_short" : "unreachable");
  }

  std::optional<ModelEndpoint> endpoint_;  ///< Nothing: it stays out of it.
  std::optional<TalkHistory> history_;
  std::map<SenderPtr, std::int64_t> taken_;       ///< Requests under way, by client.
  std::vector<std::shared_ptr<Wakeup>> waiting_;  ///< Turns whose client has no room for another request.
  ModelHealth health_;
};

}  // namespace
}  // namespace parley::llm

PARLEY_SKILL(parley::llm::Llm, "llm.parley")
