#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <parley/http.hpp>
#include <parley/json.hpp>
#include <parley/message.hpp>
#include <parley/result.hpp>
#include <parley/session_key.hpp>
#include <string>
#include <utility>
#include <vector>

// Shared by stages and skills that talk to a language model behind an OpenAI-compatible endpoint.

namespace parley {

/// The address of a language model. A value.
class ModelEndpoint {
 public:
  /// @param url    the base, such as http://localhost:11434/v1
  /// @param model  its name there; empty: the server chooses
  /// @param key    empty: none is sent
  /// @throws std::invalid_argument when the url is neither http nor https
  ModelEndpoint(std::string url, std::string model, std::string key);

  const std::string& url() const noexcept { return url_; }
  /// A chat completion: `body` without the model's name.
  HttpRequest chat(Json body) const;
  /// Asks for vectors of texts: `body` without the model's name.
  HttpRequest embeddings(Json body) const;
  /// Asks which models the server has; used to see whether the server is up.
  HttpRequest models() const;

 private:
  HttpRequest post(const char* path, Json body) const;
  HttpRequest with_key(HttpRequest request) const;

  std::string url_, model_, key_;
};

/// The key of an endpoint, from an environment variable or the first line of a file; empty when neither is
/// named. @throws std::runtime_error naming the option when both are named, or the key can't be read
std::string model_key(const std::string& variable, const std::string& file);

/// The `message` or `delta` of the first choice of a chat completion; null when it has none. Fails with the
/// error that the server reports. Safe with JSON of any shape.
Result<Json> chat_part(const Json& reply);

/// Whether an endpoint answers, as far as is known.
class ModelHealth {
 public:
  enum class State : std::uint8_t { kUnknown, kUp, kDown };

  State state() const noexcept { return state_; }
  /// Why the endpoint is down.
  const std::string& reason() const noexcept { return reason_; }

  /// Takes the answer to models(); returns whether the state changed.
  bool is_as(const Result<HttpResponse>& models);
  /// Takes what a turn found out; returns whether the state changed, as is_down() does.
  bool is_up() { return change(State::kUp, {}); }
  bool is_down(std::string why) { return change(State::kDown, std::move(why)); }

 private:
  bool change(State state, std::string why);

  State state_ = State::kUnknown;
  std::string reason_;
};

/// One thing that was said.
struct TalkLine {
  TalkLine(std::string turn, bool user, std::string words)
      : utterance_id(std::move(turn)), by_user(user), text(std::move(words)) {}
  std::string utterance_id;
  bool by_user;  ///< Else by the assistant, whichever skill spoke.
  std::string text;
};

/// What the user and all skills said lately in each session, within a budget. Keeps kMostOfOwner sessions of
/// an owner; of more, the one that was quiet for longest is forgotten.
class TalkHistory {
 public:
  static constexpr std::size_t kMostOfOwner = 64;

  /// @param budget  bytes of text per session; the oldest goes first
  explicit TalkHistory(std::size_t budget) : budget_(budget) {}

  /// Adds what an `ovos.intent.matched` or `ovos.utterance.speak` says; ignores other messages.
  void hear(const Message& message);
  void add(const SessionKey& session, TalkLine line);
  /// What was said in the session, oldest first, without the lines of that turn.
  std::vector<TalkLine> before(const SessionKey& session, const std::string& utterance_id) const;
  std::vector<TalkLine> before(const Message& turn) const {
    return before(turn.session_key(), turn.context().utterance_id);
  }
  std::size_t sessions() const noexcept { return talks_.size(); }

 private:
  struct Talk {
    Talk() = default;
    std::deque<TalkLine> lines;
    std::size_t size = 0;    ///< Bytes.
    std::uint64_t used = 0;  ///< The higher, the more recent.
  };

  SessionKey session_of_speech(const Message& speech) const;
  void make_room(const std::string& owner);

  std::size_t budget_;
  std::uint64_t uses_ = 0;
  std::map<SessionKey, Talk> talks_;
};

}  // namespace parley
