#include "runtime/http.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace parley {

std::string shown_url(const std::string& url) {
  std::string text = url.substr(0, url.find_first_of("?#"));
  const auto scheme = text.find("://");
  const auto host = scheme == std::string::npos ? 0 : scheme + 3;
  const auto at = text.rfind('@', text.find('/', host));
  if (at != std::string::npos && at >= host) text.erase(host, at + 1 - host);
  return text;
}

void HttpExchange::set_head(int status, std::map<std::string, std::string> headers) {
  const std::lock_guard lock(mutex_);
  head_.status = status;
  head_.headers = std::move(headers);
}

bool HttpExchange::add(std::string_view piece) {
  Arrival waiting;
  bool too_long = false;
  {
    const std::lock_guard lock(mutex_);
    if (over_ || abandoned_) return false;
    too_long = piece.size() > request.most_bytes - bytes_;
    if (!too_long) {
      bytes_ += piece.size();
      pending_ += piece;
      waiting = std::exchange(waiting_, nullptr);
    }
  }
  if (too_long) {
    end(fmt::format("the answer is longer than {} bytes", request.most_bytes));
    return false;
  }
  announce(std::move(waiting));
  return true;
}

void HttpExchange::end(const std::string& problem) {
  Arrival waiting;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(over_, true)) return;
    if (!problem.empty())
      failure_ = fmt::format("{} {}: {}", request.method, shown_url(request.url), problem);
    waiting = std::exchange(waiting_, nullptr);
  }
  announce(std::move(waiting));
}

bool HttpExchange::is_abandoned() const {
  const std::lock_guard lock(mutex_);
  return abandoned_;
}

void HttpExchange::when_abandoned(std::function<void()> callback) {
  {
    const std::lock_guard lock(mutex_);
    if (!abandoned_) {
      when_abandoned_ = std::move(callback);
      return;
    }
  }
  callback();
}

void HttpExchange::abandon() {
  std::function<void()> callback;
  {
    const std::lock_guard lock(mutex_);
    if (over_ || std::exchange(abandoned_, true)) return;
    callback = std::exchange(when_abandoned_, nullptr);
  }
  if (callback) callback();
}

void HttpExchange::announce(Arrival waiting) {
  if (waiting) waiting->set(true);
}

HttpExchange::Arrival HttpExchange::arrival() {
  const std::lock_guard lock(mutex_);
  if (over_ || !pending_.empty()) return nullptr;
  waiting_ = std::make_shared<Cell<bool>>();
  return waiting_;
}

std::optional<std::string> HttpExchange::take() {
  const std::lock_guard lock(mutex_);
  if (pending_.empty()) return std::nullopt;
  return std::exchange(pending_, {});
}

Task<std::optional<std::string>> HttpExchange::next(std::shared_ptr<HttpExchange> self) {
  if (const Arrival arrival = self->arrival()) co_await Cell<bool>::wait(arrival);
  co_return self->take();
}

HttpResponse HttpExchange::head() const {
  const std::lock_guard lock(mutex_);
  return head_;
}

std::string HttpExchange::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

HttpStream::HttpStream(std::shared_ptr<HttpExchange> exchange) : exchange_(std::move(exchange)) {}
HttpStream::~HttpStream() {
  if (exchange_) exchange_->abandon();
}
HttpStream::HttpStream(HttpStream&&) noexcept = default;
HttpStream& HttpStream::operator=(HttpStream&& other) noexcept {
  std::swap(exchange_, other.exchange_);
  return *this;
}

Task<std::optional<std::string>> HttpStream::next() {
  return HttpExchange::next(exchange_);
}
int HttpStream::status() const {
  return exchange_->head().status;
}
std::string HttpStream::failure() const {
  return exchange_->failure();
}
HttpResponse HttpStream::head() const {
  return exchange_->head();
}

HttpStream open_stream(HttpTransport& transport, const std::string& owner, HttpRequest request) {
  auto exchange = std::make_shared<HttpExchange>(std::move(request));
  transport.begin(owner, exchange);
  return HttpStream(std::move(exchange));
}

Task<Result<HttpResponse>> whole_answer(HttpStream stream) {
  std::string body;
  while (const auto piece = co_await stream.next()) body += *piece;
  if (std::string failure = stream.failure(); !failure.empty()) co_return Error(std::move(failure));
  HttpResponse response = stream.head();
  response.body = std::move(body);
  co_return response;
}

std::string problem_of(const HttpRequest& request) {
  constexpr std::array kMethods{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};
  if (std::find(kMethods.begin(), kMethods.end(), request.method) == kMethods.end())
    return "the method must be GET, POST, PUT, PATCH, DELETE or HEAD";
  if (!request.url.starts_with("http://") && !request.url.starts_with("https://"))
    return "the url must begin with http:// or https://";
  if (request.timeout < std::chrono::milliseconds(1) || request.timeout > std::chrono::hours(1))
    return "the timeout must be from 1 ms to 1 hour";
  if (request.silence <= Duration::zero()) return "the time of silence must be more than zero";
  if (request.redirections < 0) return "the number of redirections must be 0 or more";
  constexpr std::string_view kForbidden("\r\n\0", 3);
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || name.find_first_of(": ") != std::string::npos ||
        (name + value).find_first_of(kForbidden) != std::string::npos)
      return fmt::format("the header '{}' can't be sent: a name is one word, and neither has line ends",
                         name);
  }
  return {};
}

void GivenAnswers::give(const std::string& method, const std::string& url, int status, std::string body) {
  const std::lock_guard lock(mutex_);
  answers_.insert_or_assign({method, url}, std::pair(status, std::move(body)));
}

void GivenAnswers::begin(const std::string&, std::shared_ptr<HttpExchange> exchange) {
  const HttpRequest& asked = exchange->request;
  if (const std::string problem = problem_of(asked); !problem.empty()) return exchange->end(problem);
  std::optional<std::pair<int, std::string>> answer;
  {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find({asked.method, asked.url});
    if (found != answers_.end()) answer = found->second;
  }
  if (!answer) {
    return exchange->end(
        fmt::format("nothing is sent here, and no answer to it is given; in a dialogue script: "
                    "~ {} {} → 200 FILE",
                    asked.method, asked.url));
  }
  exchange->set_head(answer->first, {});
  if (exchange->add(answer->second)) exchange->end({});
}

}  // namespace parley
