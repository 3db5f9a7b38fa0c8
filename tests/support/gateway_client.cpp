#include "support/gateway_client.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <stdexcept>
#include <vector>

namespace parley::testing {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http_ = beast::http;
using tcp = asio::ip::tcp;
using Failure = boost::system::error_code;

constexpr std::chrono::seconds kPatience(30);

/// Runs one operation to its end.
template <class Begin>
Failure finish(asio::io_context& context, const std::string& what, Begin begin) {
  Failure result = asio::error::would_block;
  begin([&result](const Failure& failed, auto&&...) { result = failed; });
  context.restart();
  context.run_for(kPatience);
  if (result == asio::error::would_block) throw std::runtime_error(what + ": nothing came in half a minute");
  return result;
}

void check(const Failure& failed, const std::string& what) {
  if (failed) throw std::runtime_error(what + ": " + failed.message());
}

void connect(tcp::socket& socket, unsigned short port) {
  socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port));
  socket.set_option(tcp::no_delay(true));
}

}  // namespace

struct CoreClient::Inside {
  asio::io_context context;
  beast::websocket::stream<tcp::socket> socket{context};
  beast::flat_buffer buffer;
  int marks = 0;
};

CoreClient::CoreClient(unsigned short port, const std::string& target, const Headers& headers)
    : inside_(std::make_unique<Inside>()) {
  auto& socket = inside_->socket;
  connect(socket.next_layer(), port);
  socket.read_message_max(std::size_t{64} << 20U);
  socket.set_option(beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
    for (const auto& [name, value] : headers) request.set(name, value);
  }));
  beast::websocket::response_type response;
  const Failure failed = finish(inside_->context, "the handshake", [&](auto handler) {
    socket.async_handshake(response, fmt::format("127.0.0.1:{}", port), target, std::move(handler));
  });
  if (failed == beast::websocket::error::upgrade_declined)
    throw std::runtime_error(fmt::format("refused with {}", response.result_int()));
  check(failed, "the handshake");
}

CoreClient::~CoreClient() = default;
CoreClient::CoreClient(CoreClient&& other) noexcept = default;

void CoreClient::send(const std::string& type, const Json& data, const Json& context) {
  send(Json{{"type", type}, {"data", data}, {"context", context}});
}

void CoreClient::send_text(const std::string& text) {
  inside_->socket.text(true);
  inside_->socket.write(asio::buffer(text));
}

void CoreClient::send_binary(const std::string& bytes) {
  inside_->socket.binary(true);
  inside_->socket.write(asio::buffer(bytes));
}

void CoreClient::send_raw(const std::string& bytes) {
  asio::write(inside_->socket.next_layer(), asio::buffer(bytes));
}

Json CoreClient::receive() {
  inside_->buffer.consume(inside_->buffer.size());
  check(finish(inside_->context, "receiving",
               [&](auto handler) { inside_->socket.async_read(inside_->buffer, std::move(handler)); }),
        "receiving");
  return Json::parse(beast::buffers_to_string(inside_->buffer.cdata()));
}

Json CoreClient::receive(const std::string& topic) {
  for (;;) {
    Json message = receive();
    if (message.at("type") == topic) return message;
    passed.push_back(std::move(message));
  }
}

void CoreClient::catch_up() {
  // Twice: what the loop had the gateway log before it said the first one is logged before the second.
  for (int round = 0; round < 2; ++round) hear_mark();
}

void CoreClient::hear_mark() {
  const int mark = ++inside_->marks;
  send("test.mark", {{"mark", mark}, {"of", reinterpret_cast<std::uintptr_t>(this)}});
  for (;;) {
    Json message = receive();
    const Json& data = message.at("data");
    if (message.at("type") == "test.mark" && data.at("mark") == mark &&
        data.at("of") == reinterpret_cast<std::uintptr_t>(this))
      return;
    passed.push_back(std::move(message));
  }
}

std::size_t CoreClient::count(std::string_view topic) const {
  return static_cast<std::size_t>(std::count_if(
      passed.begin(), passed.end(), [&](const Json& message) { return message.at("type") == topic; }));
}

int CoreClient::closed() {
  for (;;) {
    inside_->buffer.consume(inside_->buffer.size());
    const Failure failed = finish(inside_->context, "the end", [&](auto handler) {
      inside_->socket.async_read(inside_->buffer, std::move(handler));
    });
    if (failed) return inside_->socket.reason().code;
  }
}

void CoreClient::close() {
  finish(inside_->context, "the goodbye", [&](auto handler) {
    inside_->socket.async_close(beast::websocket::close_code::normal, std::move(handler));
  });
}

void CoreClient::drop() {
  inside_->socket.next_layer().close();
}

HttpAnswer http(unsigned short port, const std::string& method, const std::string& target,
                const std::string& body, const Headers& headers) {
  asio::io_context context;
  tcp::socket socket(context);
  connect(socket, port);
  http_::request<http_::string_body> request;
  request.method_string(method);
  request.target(target);
  request.set(http_::field::host, fmt::format("127.0.0.1:{}", port));
  request.set(http_::field::connection, "close");
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = body;
  request.prepare_payload();
  Failure ignored;  // who is refused may find the connection closed already
  http_::write(socket, request, ignored);
  beast::flat_buffer buffer;
  http_::response_parser<http_::string_body> parser;
  if (method == "HEAD") parser.skip(true);
  check(finish(context, "the answer",
               [&](auto handler) { http_::async_read(socket, buffer, parser, std::move(handler)); }),
        "the answer");
  HttpAnswer answer;
  answer.status = static_cast<int>(parser.get().result_int());
  for (const auto& field : parser.get())
    answer.headers[std::string(field.name_string())] = std::string(field.value());
  answer.body = parser.get().body();
  return answer;
}

std::string raw_exchange(unsigned short port, const std::string& bytes) {
  asio::io_context context;
  tcp::socket socket(context);
  connect(socket, port);
  Failure ignored;
  asio::write(socket, asio::buffer(bytes), ignored);
  std::string answer;
  finish(context, "the answer", [&](auto handler) {
    asio::async_read(socket, asio::dynamic_buffer(answer), asio::transfer_all(), std::move(handler));
  });
  return answer;
}

struct Crowd::Inside {
  asio::io_context context;
  std::vector<tcp::socket> sockets;
};

Crowd::Crowd(unsigned short port, std::size_t count) : inside_(std::make_unique<Inside>()) {
  rlimit limit{};  // often lower than what may be had
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  for (std::size_t i = 0; i < count; ++i)
    inside_->sockets.emplace_back(inside_->context).connect({asio::ip::address_v4::loopback(), port});
}
Crowd::~Crowd() = default;
Crowd::Crowd(Crowd&& other) noexcept = default;

struct IdleSocket::Inside {
  asio::io_context context;
  tcp::socket socket{context};
};

IdleSocket::IdleSocket(unsigned short port) : inside_(std::make_unique<Inside>()) {
  connect(inside_->socket, port);
}
IdleSocket::~IdleSocket() = default;
IdleSocket::IdleSocket(IdleSocket&& other) noexcept = default;

}  // namespace parley::testing
