#include "net/http.hpp"

#include <nlohmann/json.hpp>

namespace parley::net {

HttpReply json_reply(const nlohmann::json& body, unsigned status) {
  HttpReply reply(status);
  reply.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return reply;
}

HttpReply error_reply(unsigned status, std::string_view code, std::string_view sentence) {
  return json_reply({{"error", {{"code", code}, {"message", sentence}}}}, status);
}

}  // namespace parley::net
