#include "net/client.hpp"

namespace parley::net {

Client::Client(std::uint64_t number, std::string who, std::string from, GrantPtr token)
    : Sender(number, std::move(who), token ? token->client : "local"),
      address(std::move(from)),
      grant(std::move(token)) {}

/// What is registered for everybody is nobody's secret.
bool Client::may_see(std::string_view session_id) const {
  return !grant || is_default_session(session_id) || grant->allows_session(session_id);
}

}  // namespace parley::net
