#pragma once

#include <memory>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <string>

#include "net/grant.hpp"

namespace parley::net {

/// A connection that was let in, with what its token grants. Immutable, shared between the threads.
class Client final : public Sender {
 public:
  /// @param from   its address, without the port: connections of one address share what has no better owner
  /// @param token  null: no token is needed here, and everything is allowed
  Client(std::uint64_t number, std::string who, std::string from, GrantPtr token = nullptr);

  bool may_see(std::string_view session_id) const override;

  const std::string address;
  const GrantPtr grant;
};
using ClientPtr = std::shared_ptr<const Client>;

}  // namespace parley::net
