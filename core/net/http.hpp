#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/client.hpp"
#include "net/url.hpp"

namespace parley::net {

/// A request as the endpoints see it.
struct HttpRequest {
  HttpRequest() = default;
  std::string method;  ///< In upper case; a HEAD comes as GET.
  Target target;
  std::string body;
  std::string accept;         ///< The header `Accept`; empty: anything.
  std::string if_none_match;  ///< The header of that name; empty: there was none.
  ClientPtr client;           ///< The client that asks; never null.
};

struct HttpReply {
  explicit HttpReply(unsigned code) : status(code) {}
  unsigned status;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

HttpReply json_reply(const nlohmann::json& body, unsigned status = 200);

/// `{"error": {"code", "message"}}`.
/// @param code      for programs, e.g. "bad_request"
/// @param sentence  for people: what is wrong and what to do
HttpReply error_reply(unsigned status, std::string_view code, std::string_view sentence);

/// The endpoints. Called on the gateway's thread; `reply` may be called from any, once.
class HttpEndpoints {
 public:
  virtual void answer(HttpRequest request, std::function<void(HttpReply)> reply) = 0;
  /// Whether anybody may have what is at that path, without a token and before the server is ready.
  virtual bool is_public(std::string_view path) const = 0;

 protected:
  ~HttpEndpoints() = default;
};

}  // namespace parley::net
