#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace parley::testing {

/// A little HTTP server of a test: on loopback, on a port of its own, one thread a connection, one request a
/// connection.
class HttpServer {
 public:
  struct Request {
    Request() = default;
    std::string method, path, head, body;
  };

  /// What an answer is written to.
  class Connection {
   public:
    explicit Connection(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

    /// A whole answer.
    /// @param more  further lines of its head, each with its line end
    void reply(int status, const std::string& body, const std::string& more = {}) {
      write("HTTP/1.1 " + std::to_string(status) + " So\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n" + more + "Connection: close\r\n\r\n" + body);
    }
    /// The head of an answer that comes in pieces and ends with the connection.
    void begin() { write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"); }
    void write(const std::string& bytes) {
      boost::system::error_code ignored;
      boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
    }
    /// Waits until the client has closed.
    void wait_for_close() {
      boost::system::error_code closed;
      char byte = 0;
      while (!closed) boost::asio::read(socket_, boost::asio::buffer(&byte, 1), closed);
    }
    Request read() {
      Request request;
      boost::system::error_code failed;
      std::string bytes;
      const auto head =
          boost::asio::read_until(socket_, boost::asio::dynamic_buffer(bytes), "\r\n\r\n", failed);
      if (failed) return request;
      request.head = bytes.substr(0, head);
      request.body = bytes.substr(head);
      const auto path = request.head.find(' ') + 1;
      request.method = request.head.substr(0, path - 1);
      request.path = request.head.substr(path, request.head.find(' ', path) - path);
      constexpr std::string_view kLength = "Content-Length: ";
      const auto length = request.head.find(kLength);
      if (length == std::string::npos) return request;
      const auto size = static_cast<std::size_t>(std::atol(request.head.c_str() + length + kLength.size()));
      if (request.body.size() < size) {
        std::string rest(size - request.body.size(), '\0');
        boost::asio::read(socket_, boost::asio::buffer(rest), failed);
        request.body += rest;
      }
      return request;
    }

   private:
    boost::asio::ip::tcp::socket socket_;
  };
  using Answer = std::function<void(const Request&, Connection&)>;

  /// @param answer  called on a thread of the server
  explicit HttpServer(Answer answer)
      : answer_(std::move(answer)),
        acceptor_(context_, {boost::asio::ip::make_address("127.0.0.1"), 0}),
        port_(acceptor_.local_endpoint().port()),
        thread_([this] { accept(); }) {}
  ~HttpServer() { stop(); }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  /// Takes no more connections and waits for those there are; the port is free then.
  void stop() {
    if (stopping_.exchange(true)) return;
    boost::asio::ip::tcp::socket wake(context_);
    boost::system::error_code ignored;
    wake.connect({boost::asio::ip::make_address("127.0.0.1"), port_}, ignored);
    thread_.join();
    for (auto& one : connections_) one.join();
    acceptor_.close(ignored);
  }

  /// What was asked for so far.
  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void accept() {
    while (!stopping_) {
      boost::system::error_code failed;
      boost::asio::ip::tcp::socket socket(context_);
      acceptor_.accept(socket, failed);
      if (stopping_ || failed) return;
      connections_.emplace_back(
          [this, taken = std::make_shared<Connection>(std::move(socket))] { serve(*taken); });
    }
  }
  void serve(Connection& connection) {
    const Request request = connection.read();
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    answer_(request, connection);
  }

  Answer answer_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  const unsigned short port_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<std::thread> connections_;
  std::thread thread_;  // last: uses all of the above
};

}  // namespace parley::testing
