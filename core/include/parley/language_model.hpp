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
#include <string>
#include <utility>
#include <vector>

// What stages and skills have in common that speak to a language model behind an OpenAI-compatible endpoint.

namespace parley {

/// Where a model is. A value.
class ModelEndpoint {
 public:
  /// @param url    the base, such as http://localhost:11434/v1
  /// @param model  its name there; empty: what the server takes by itself
  /// @param key    empty: none is sent
  /// @throws std::invalid_argument when the url is neither http nor https
  ModelEndpoint(std::string url, std::string model, std::string key);

  const std::string& url() const noexcept { return url_; }
  /// A chat completion: `body` without the model's name.
  HttpRequest chat(Json body) const;
  /// The models that the server has: to see whether it is there.
  HttpRequest models() const;

 private:
  HttpRequest with_key(HttpRequest request) const;

  std::string url_, model_, key_;
};

/// The key of an endpoint, from an environment variable or the first line of a file; empty where neither is
/// named. @throws std::runtime_error naming the option when both are, or it can't be read
std::string model_key(const std::string& variable, const std::string& file);

/// The `message` or `delta` of the first choice of a chat completion; null where it has none. Fails with what
/// the server says went wrong. Safe with JSON of any shape.
Result<Json> chat_part(const Json& reply);

/// Whether an endpoint answers, as far as is known.
class ModelHealth {
 public:
  enum class State : std::uint8_t { kUnknown, kUp, kDown };

  State state() const noexcept { return state_; }
  /// Why it is down.
  const std::string& reason() const noexcept { return reason_; }

  /// What it said when asked for the models it has; gives whether that is news.
  bool is_as(const Result<HttpResponse>& models);
  /// What a turn found out; gives whether that is news.
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

/// What was said lately in each session, whoever answered, within a budget. An owner has so many sessions;
/// of more, the one that was quiet for longest is forgotten.
class TalkHistory {
 public:
  using Key = std::pair<std::string, std::string>;  ///< Owner and session id: two owners' `me` are two (K-4).
  static constexpr std::size_t kMostOfOwner = 64;

  static Key key_of(const Message& message);

  /// @param budget  bytes of text per session; the oldest goes first
  explicit TalkHistory(std::size_t budget) : budget_(budget) {}

  /// An `ovos.intent.matched` or an `ovos.utterance.speak`; others say nothing.
  void hear(const Message& message);
  void add(const Key& session, TalkLine line);
  /// What was said in the session, oldest first, without what belongs to that turn.
  std::vector<TalkLine> before(const Key& session, const std::string& utterance_id) const;
  std::vector<TalkLine> before(const Message& turn) const {
    return before(key_of(turn), turn.context().utterance_id);
  }
  std::size_t sessions() const noexcept { return talks_.size(); }

 private:
  struct Talk {
    Talk() = default;
    std::deque<TalkLine> lines;
    std::size_t size = 0;    ///< Bytes.
    std::uint64_t used = 0;  ///< The higher, the more recent.
  };

  Key session_of_speech(const Message& speech) const;
  void make_room(const std::string& owner);

  std::size_t budget_;
  std::uint64_t uses_ = 0;
  std::map<Key, Talk> talks_;
};

}  // namespace parley
