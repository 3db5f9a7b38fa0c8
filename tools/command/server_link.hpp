#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace parley::command {

/// How a running `parley serve` is reached.
struct ServerOptions {
  ServerOptions() = default;
  std::string url;    ///< `--server`, such as http://localhost:8181; empty: the file is read.
  std::string token;  ///< `--token`.
};

/// Asks a running server, one request at a time.
class ServerLink {
 public:
  explicit ServerLink(ServerOptions options) : options_(std::move(options)) {}

  /// @param target  with its query, percent-encoded
  /// @param fields  put behind it, encoded; those that are empty are left out
  /// @throws std::runtime_error with what the server says is wrong, or why it can't be asked
  nlohmann::json get(const std::string& target,
                     const std::vector<std::pair<std::string, std::string>>& fields = {});
  /// @param accept  the kind of text that is wanted
  std::string get_text(const std::string& target, const std::string& accept);
  nlohmann::json post(const std::string& target, const nlohmann::json& body);

  /// A text as a part of a path or of a query.
  static std::string encoded(const std::string& text);

 private:
  std::string ask(const std::string& method, const std::string& target, std::string body,
                  const std::string& accept);
  const ServerOptions options_;
};

}  // namespace parley::command
