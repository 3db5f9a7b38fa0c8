#include "chat_server.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace parley::llm::testing {

void ChatServer::Connection::say(const std::string& text) {
  using Json = nlohmann::json;
  const Json delta = Json::object({{"delta", Json::object({{"content", text}})}});
  const Json event = Json::object({{"choices", Json::array({delta})}});
  write("data: " + event.dump() + "\n\n");
}

ChatServer::Request ChatServer::Connection::read() {
  Request request;
  boost::system::error_code failed;
  std::string bytes;
  const auto head = boost::asio::read_until(socket_, boost::asio::dynamic_buffer(bytes), "\r\n\r\n", failed);
  if (failed) return request;
  request.head = bytes.substr(0, head);
  request.body = bytes.substr(head);
  const auto path = request.head.find(' ') + 1;
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

}  // namespace parley::llm::testing
