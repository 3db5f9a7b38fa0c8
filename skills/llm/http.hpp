#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace parley::llm {

/// What to ask of a server.
struct HttpRequest {
  explicit HttpRequest(std::string where) : url(std::move(where)) {}
  std::string url;
  std::string body;  ///< JSON, sent with POST; empty: GET.
  std::string key;   ///< Bearer token; empty: none.
  /// How long nothing may come before it counts as failed.
  std::chrono::seconds patience{30};
};

/// A request under way. Drive it with step(); destroying it closes the connection. One thread at a time.
class HttpExchange {
 public:
  using Receive = std::function<void(std::string_view piece)>;

  /// @param receive  gets the body as it comes, from inside step()
  /// @throws std::runtime_error when it can't even be begun
  HttpExchange(HttpRequest request, Receive receive);
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  /// Goes on with what can be done, waiting up to `wait` for something to do. False once it is over.
  bool step(std::chrono::milliseconds wait);
  /// Why it failed, as far as the network is concerned; empty when the server answered. After the end.
  const std::string& failure() const noexcept;
  /// The HTTP status; 0 before there was one.
  long status() const noexcept;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace parley::llm
