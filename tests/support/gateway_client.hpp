#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::testing {

using Json = nlohmann::json;
using Headers = std::map<std::string, std::string>;

/// A WebSocket client of `/core`. Whatever it waits for comes within half a minute, or it throws.
class CoreClient {
 public:
  /// @throws std::runtime_error with the status of the refusal
  explicit CoreClient(unsigned short port, const std::string& target = "/core", const Headers& headers = {});
  ~CoreClient();
  CoreClient(CoreClient&& other) noexcept;

  void send(const Json& message) { send_text(message.dump()); }
  void send(const std::string& type, const Json& data, const Json& context = Json::object());
  void send_text(const std::string& text);
  void send_binary(const std::string& bytes);
  /// Bytes as they are, whatever the WebSocket protocol says to them.
  void send_raw(const std::string& bytes);

  /// The next message.
  Json receive();
  /// The next one of that topic; those before it are in `passed`.
  Json receive(const std::string& topic);
  /// Sends a message of its own and waits for it to come back: what was to come before that is in `passed`.
  void catch_up();
  std::vector<Json> passed;
  std::size_t count(std::string_view topic) const;

  /// Waits for the server to end the connection; gives the code of its close frame, 0 when there was none.
  int closed();
  void close();  ///< Says goodbye.
  void drop();   ///< Goes without a word.

 private:
  /// Sends a message that comes back to it, and takes all that comes before.
  void hear_mark();
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

struct HttpAnswer {
  HttpAnswer() = default;
  int status = 0;
  Headers headers;
  std::string body;
  Json json() const { return Json::parse(body); }
};

/// One request on a connection of its own.
HttpAnswer http(unsigned short port, const std::string& method, const std::string& target,
                const std::string& body = {}, const Headers& headers = {});

/// Sends bytes and gives what comes back until the server ends the connection.
std::string raw_exchange(unsigned short port, const std::string& bytes);

/// Many connections that never say anything.
class Crowd {
 public:
  Crowd(unsigned short port, std::size_t count);
  ~Crowd();
  Crowd(Crowd&& other) noexcept;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// A connection that never says anything, or never reads.
class IdleSocket {
 public:
  explicit IdleSocket(unsigned short port);
  ~IdleSocket();
  IdleSocket(IdleSocket&& other) noexcept;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace parley::testing
