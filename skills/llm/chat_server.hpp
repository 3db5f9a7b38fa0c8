#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace parley::llm::testing {

/// A little HTTP server of a test: on loopback, on a port of its own, one thread a connection.
class ChatServer {
 public:
  struct Request {
    Request() = default;
    std::string path, head, body;
  };

  /// What an answer is written to.
  class Connection {
   public:
    explicit Connection(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

    /// A whole answer.
    void reply(int status, const std::string& body, const std::string& type = "application/json") {
      write("HTTP/1.1 " + std::to_string(status) + " So\r\nContent-Type: " + type +
            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
    }
    /// The head of an answer that comes in events and ends with the connection.
    void begin_events() {
      write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    }
    /// A piece of the model's text, as an event.
    void say(const std::string& text);
    void end_events() { write("data: [DONE]\n\n"); }
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
    Request read();

   private:
    boost::asio::ip::tcp::socket socket_;
  };
  using Answer = std::function<void(const Request&, Connection&)>;

  /// @param answer  what is done about `/v1/chat/completions`, on a thread of the server; there are models
  explicit ChatServer(Answer answer)
      : answer_(std::move(answer)),
        acceptor_(context_, {boost::asio::ip::make_address("127.0.0.1"), 0}),
        port_(acceptor_.local_endpoint().port()),
        thread_([this] { accept(); }) {}
  ~ChatServer() { stop(); }
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

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

  /// What was asked for so far, models included.
  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::vector<Request> chats() const {
    auto all = requests();
    std::erase_if(all, [](const Request& one) { return one.path != "/v1/chat/completions"; });
    return all;
  }
  int models_status = 200;  ///< Set before anybody asks.

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
    if (request.path == "/v1/models") {
      connection.reply(models_status, "{\"data\": []}");
    } else {
      answer_(request, connection);
    }
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

}  // namespace parley::llm::testing
