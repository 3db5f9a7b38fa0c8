#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace parley::net {

/// One connection on `/core`, as the loop's side knows it. Immutable, shared between the threads.
struct Client {
  Client(std::uint64_t number, std::string who) : id(number), name(std::move(who)) {}
  std::uint64_t id;  ///< Never used again for another.
  std::string name;  ///< For the log, e.g. "client 127.0.0.1:51234".
};
using ClientPtr = std::shared_ptr<const Client>;

}  // namespace parley::net
