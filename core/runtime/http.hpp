#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <parley/http.hpp>
#include <parley/result.hpp>
#include <string>
#include <string_view>

#include "runtime/cell.hpp"

namespace parley {

/// One request and what comes of it: filled by a transport, on any thread, and read by one coroutine.
class HttpExchange {
 public:
  explicit HttpExchange(HttpRequest what) : request(std::move(what)) {}
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const HttpRequest request;

  // The transport's side.

  /// Before the first piece.
  void set_head(int status, std::map<std::string, std::string> headers);
  /// False: nothing more is wanted. It was let go, or has failed because the body is too long.
  bool add(std::string_view piece);
  /// The first call counts. @param problem  what went wrong, without saying of which request; empty: nothing
  void end(const std::string& problem);
  /// The reader has lost interest in the answer.
  bool is_abandoned() const;
  /// Called once when it is abandoned, on the reader's thread; at once when it is already.
  void when_abandoned(std::function<void()> callback);

  // The reader's side.

  /// See HttpStream::next().
  static Task<std::optional<std::string>> next(std::shared_ptr<HttpExchange> self);
  HttpResponse head() const;
  std::string failure() const;
  void abandon();

 private:
  using Arrival = std::shared_ptr<Cell<bool>>;
  /// What may be waited for now; null: there is something to read, or the end.
  Arrival arrival();
  std::optional<std::string> take();
  void announce(Arrival waiting);

  mutable std::mutex mutex_;
  HttpResponse head_;
  std::string pending_;
  std::size_t bytes_ = 0;
  bool over_ = false, abandoned_ = false;
  std::string failure_;
  Arrival waiting_;
  std::function<void()> when_abandoned_;
};

/// How requests reach servers. Safe to use from any thread.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  /// Begins it as soon as there is a place. @param owner  whose places it takes, a skill_id
  virtual void begin(const std::string& owner, std::shared_ptr<HttpExchange> exchange) = 0;
};

/// Exchanges of one owner that go on at a time.
inline constexpr std::size_t kHttpPlaces = 16;

/// Begins a request for that owner.
HttpStream open_stream(HttpTransport& transport, const std::string& owner, HttpRequest request);
/// The whole answer. @return what went wrong, where there is none. @throws Cancelled
Task<Result<HttpResponse>> whole_answer(HttpStream stream);

/// A URL as it may be told: without what may be secret, the query and the user's name and password.
std::string shown_url(const std::string& url);

/// Why it can't be sent, naming what is wrong with it; empty: it can.
std::string problem_of(const HttpRequest& request);

/// Answers that were given beforehand, for dialogue scripts and tests: nothing is sent.
class GivenAnswers final : public HttpTransport {
 public:
  /// From now on, each time. @param url  as the request has it
  void give(const std::string& method, const std::string& url, int status, std::string body);
  void begin(const std::string& owner, std::shared_ptr<HttpExchange> exchange) override;

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::pair<int, std::string>> answers_;
};

}  // namespace parley
