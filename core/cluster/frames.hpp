#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>

#include "net/client.hpp"
#include "net/listening.hpp"

namespace parley::cluster {

/// What instances tell each other: a head, and a message where there is one.
struct Frame {
  explicit Frame(Json what) : head(std::move(what)) {}
  /// `{k: kind, …}`.
  Json head;
  std::string_view message;  ///< As JSON text; empty: there is none.

  std::string kind() const { return text("k"); }
  std::string text(const char* key) const;
  std::uint64_t number(const char* key) const;
  bool flag(const char* key) const;

  static std::optional<Frame> read(std::string_view text);
};

/// An object from a text of others; null: it is none.
Json object_of(std::string_view text);

std::string frame(const Json& head);
std::string frame(const Json& head, const Message& message);

/// A connection, as other instances have to know it: its number, who it is, and what its grant says of what
/// they decide.
Json describe(const net::Client& client);
/// The same connection, for another instance. Nothing: it is no description.
/// @param number  what it is called there
net::ClientPtr described(const Json& description, std::uint64_t number);

/// What a connection listens to.
Json describe(std::uint64_t client, const net::Listening& listening);
net::Listening listening_of(const Frame& frame);

/// Numbers of clients that are connected elsewhere.
inline constexpr std::uint64_t kElsewhere = std::uint64_t{1} << 63U;
inline bool is_elsewhere(const SenderPtr& sender) {
  return sender != nullptr && sender->id >= kElsewhere;
}

}  // namespace parley::cluster
