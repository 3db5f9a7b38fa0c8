#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace parley::net {

/// Where the gateway listens, and what it grants anybody (W-5).
struct GatewaySettings {
  GatewaySettings() = default;
  std::string listen = "127.0.0.1";                   ///< An IP address.
  unsigned short port = 0;                            ///< 0: any free one.
  std::size_t max_frame = std::size_t{1} << 20U;      ///< Bytes of a message or an HTTP body.
  std::size_t max_queue = std::size_t{4} << 20U;      ///< Bytes waiting for one client.
  std::size_t max_connections = 1024;                 ///< More are refused with HTTP 503.
  std::chrono::milliseconds ping_interval{30'000};    ///< Clients silent for twice that are disconnected.
  std::chrono::milliseconds request_timeout{10'000};  ///< For the head and body of one HTTP request.
  std::vector<std::string> allowed_origins;           ///< Of browsers, beside the server's own.
  std::vector<std::string> allowed_hosts;             ///< Names it is asked for by, beside addresses.
  std::size_t max_registrations = 4096;               ///< Of one connection; more are refused.
  std::size_t max_skills = 256;                       ///< That one connection speaks for.
  bool older_names = false;  ///< Understand and send those of the OVOS world too (W-6).
  std::vector<std::string>
      entries;  ///< Of the pipeline, those that there are: for sessions of older clients.
  std::string certificate, private_key;  ///< PEM files; empty: no TLS.
};

}  // namespace parley::net
