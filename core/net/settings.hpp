#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace parley::net {

/// Who is understood that speaks as before the OVOS specifications (W-6). kAuto: everybody on a loopback
/// address, else nobody.
enum class Compat { kAuto, kNone, kOvos };

/// The section `gateway` of the configuration: where it listens, and what it grants anybody (W-5). Its option
/// table says what the keys mean, and their defaults.
struct GatewaySettings {
  GatewaySettings() = default;
  std::string listen;       ///< An IP address.
  int port{};               ///< 0: any free one.
  std::size_t max_frame{};  ///< Bytes of a message or an HTTP body.
  std::size_t max_queue{};  ///< Bytes waiting for one client.
  std::size_t max_connections{};
  std::chrono::milliseconds ping_interval{};    ///< Clients silent for twice that are disconnected.
  std::chrono::milliseconds request_timeout{};  ///< For the head and body of one HTTP request.
  std::chrono::milliseconds drain_timeout{};    ///< For running turns, at the end.
  bool console{};                               ///< The page at `/`.
  std::vector<std::string> allowed_origins;     ///< Of browsers, beside the server's own.
  std::vector<std::string> allowed_hosts;       ///< Names it is asked for by, beside addresses.
  std::size_t max_registrations{};              ///< Of one connection; more are refused.
  std::size_t max_skills{};                     ///< That one connection speaks for.
  Compat compat{};
  std::string tokens;                    ///< A file; empty: no token is needed.
  std::string certificate, private_key;  ///< PEM files; empty: no TLS, and the certificate's file.

  /// Whether older names are understood and sent.
  bool understands_older() const;
  bool operator==(const GatewaySettings&) const = default;
};

}  // namespace parley::net
