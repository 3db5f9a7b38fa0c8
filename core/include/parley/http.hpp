#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <parley/task.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley {

class HttpExchange;

/// What a skill or a stage asks of a server. Only http and https; certificates are checked.
class HttpRequest {
 public:
  static HttpRequest get(std::string url) { return {"GET", std::move(url)}; }
  static HttpRequest post(std::string url, std::string body, const std::string& type = "application/json") {
    HttpRequest request("POST", std::move(url));
    request.body = std::move(body);
    request.headers.emplace_back("Content-Type", type);
    return request;
  }
  HttpRequest(std::string the_method, std::string where)
      : method(std::move(the_method)), url(std::move(where)) {}

  std::string method;  ///< "GET", "POST", "PUT", "PATCH", "DELETE" or "HEAD".
  std::string url;     ///< With its scheme: `https://…`. A redirection never leads from https to http.
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Names and values, without line ends.
  /// Of the whole exchange, the wait for a free place and redirections included; 1 ms to 1 hour.
  Duration timeout = std::chrono::seconds(30);
  /// The longest time in which nothing may come; rounded up to whole seconds.
  Duration silence = std::chrono::seconds(30);
  /// An answer with a longer body, unpacked, is a failure.
  std::size_t most_bytes = std::size_t{8} << 20U;
  int redirections = 5;  ///< How many are followed; more are a failure.
};

/// What a server answered, whatever its status.
struct HttpResponse {
  HttpResponse() = default;
  bool ok() const noexcept { return status >= 200 && status < 300; }

  int status = 0;
  std::map<std::string, std::string> headers;  ///< Names in lower case; of several alike the last one.
  std::string body;
};

/// An answer that is read while it comes. Letting it go ends the exchange. Use it on the skill's strand.
class HttpStream {
 public:
  explicit HttpStream(std::shared_ptr<HttpExchange> exchange);
  ~HttpStream();
  HttpStream(HttpStream&&) noexcept;
  HttpStream& operator=(HttpStream&&) noexcept;

  /// Waits for the next piece of the body: what has come since the last one, cut anywhere. Nothing: it is
  /// over, and failure() says whether it ended as it should. One wait at a time. @throws Cancelled
  Task<std::optional<std::string>> next();
  /// 0 until the first piece has come, or the end.
  int status() const;
  /// Why it failed as far as the network is concerned; empty: it did not. After the end.
  std::string failure() const;
  /// The status and headers of the answer, without its body. After the first piece, or the end.
  HttpResponse head() const;

 private:
  std::shared_ptr<HttpExchange> exchange_;
};

}  // namespace parley
