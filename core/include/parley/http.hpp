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

/// A request of a skill or a stage to a server. Only http and https; certificates are checked.
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
  /// For the whole exchange, including the wait for a free place and redirections; 1 ms to 1 hour.
  Duration timeout = std::chrono::seconds(30);
  /// The longest time without any data from the server; rounded up to whole seconds.
  Duration silence = std::chrono::seconds(30);
  /// An answer whose body, unpacked, is longer than this is a failure.
  std::size_t most_bytes = std::size_t{8} << 20U;
  int redirections = 5;  ///< How many are followed; more are a failure.
};

/// What a server answered, whatever its status.
struct HttpResponse {
  HttpResponse() = default;
  bool ok() const noexcept { return status >= 200 && status < 300; }

  int status = 0;
  std::map<std::string, std::string> headers;  ///< Names in lower case; of several with one name the last.
  std::string body;
};

/// An answer that is read while it arrives. Destroying it ends the exchange. Use it on the skill's strand.
class HttpStream {
 public:
  explicit HttpStream(std::shared_ptr<HttpExchange> exchange);
  ~HttpStream();
  HttpStream(HttpStream&&) noexcept;
  HttpStream& operator=(HttpStream&&) noexcept;

  /// Waits for the next piece of the body: what has arrived since the last one, cut anywhere. Nothing: the
  /// answer is over, and failure() tells whether it is complete. One wait at a time. @throws Cancelled
  Task<std::optional<std::string>> next();
  /// The status of the answer; 0 before the first piece or the end.
  int status() const;
  /// What went wrong in the network; empty: nothing. Call it after the end.
  std::string failure() const;
  /// The status and headers of the answer, without its body. Call it after the first piece, or the end.
  HttpResponse head() const;

 private:
  std::shared_ptr<HttpExchange> exchange_;
};

}  // namespace parley
