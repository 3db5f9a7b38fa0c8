#include "server_link.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <parley/json.hpp>
#include <stdexcept>

#include "runtime/http_client.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

struct Answered {
  int status = 0;
  std::string body, failure;
};

Task<> read_all(std::shared_ptr<HttpExchange> exchange, std::shared_ptr<Answered> into) {
  while (auto piece = co_await HttpExchange::next(exchange)) into->body += *piece;
  into->status = exchange->head().status;
  into->failure = exchange->failure();
}

}  // namespace

std::string ServerLink::encoded(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string result;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string ServerLink::ask(const std::string& method, const std::string& target, std::string body,
                            const std::string& accept) {
  std::string url = options_.url;
  while (url.ends_with('/')) url.pop_back();
  HttpRequest request(method, url + target);
  request.body = std::move(body);
  request.headers.emplace_back("Accept", accept);
  if (!request.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  if (!options_.token.empty()) request.headers.emplace_back("Authorization", "Bearer " + options_.token);
  if (const std::string problem = problem_of(request); !problem.empty())
    throw std::runtime_error(fmt::format("--server {}: {}", in_quotes(options_.url), problem));

  const auto answered = std::make_shared<Answered>();
  const auto exchange = std::make_shared<HttpExchange>(std::move(request));
  HttpClient client;
  client.begin("parley", exchange);
  boost::asio::io_context io;
  auto work = boost::asio::make_work_guard(io);
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, read_all(exchange, answered), [&](std::exception_ptr error) {
    thrown = std::move(error);
    work.reset();
  });
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  if (!answered->failure.empty())
    throw std::runtime_error(
        fmt::format("{} can't be asked: {}; is `parley serve` running there?", url, answered->failure));
  if (answered->status < 400) return std::move(answered->body);
  const auto told = parse_json(answered->body);
  const bool explains = told && told->is_object() && told->contains("error") && told->at("error").is_object();
  throw std::runtime_error(fmt::format(
      "{} answers {}: {}", url, answered->status,
      one_line(explains ? told->at("error").value("message", "") : answered->body.substr(0, 200))));
}

nlohmann::json ServerLink::get(const std::string& target,
                               const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string query;
  for (const auto& [name, value] : fields) {
    if (!value.empty()) query += fmt::format("{}{}={}", query.empty() ? "?" : "&", name, encoded(value));
  }
  auto parsed = parse_json(ask("GET", target + query, "", "application/json"));
  if (!parsed)
    throw std::runtime_error(
        fmt::format("{} does not answer in JSON: {}", options_.url, parsed.error().message));
  return std::move(*parsed);
}

std::string ServerLink::get_text(const std::string& target, const std::string& accept) {
  return ask("GET", target, "", accept);
}

nlohmann::json ServerLink::post(const std::string& target, const nlohmann::json& body) {
  auto parsed = parse_json(ask("POST", target, body.dump(), "application/json"));
  if (!parsed)
    throw std::runtime_error(
        fmt::format("{} does not answer in JSON: {}", options_.url, parsed.error().message));
  return std::move(*parsed);
}

}  // namespace parley::command
