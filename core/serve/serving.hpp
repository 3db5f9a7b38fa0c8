#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/assistant.hpp"

namespace parley {

/// What `parley serve` would refuse of a gateway, port and address of this machine aside: its tokens and its
/// certificate.
std::vector<Problem> gateway_problems(const net::GatewaySettings& gateway, const std::filesystem::path& base);

/// The gateway of an assistant: clients, remote skills and HTTP. On the loop's thread.
class Serving {
 public:
  /// Before Assistant::start(). The assistant must outlive it.
  /// @param base  where relative files of `gateway` begin: the folder of the configuration
  explicit Serving(Assistant& assistant, std::filesystem::path base = {});
  /// Ends what drain() did not.
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  /// Listens; all but `/health` is refused until set_ready().
  /// @throws std::runtime_error when it can't, or when the address is not safe to listen on
  void open();
  /// Takes over what of another configuration can change while it runs, and reads the tokens and the
  /// certificate again; connections that are open go on as they are.
  /// @returns the changed keys that take effect with the next start only
  /// @throws ConfigError, std::runtime_error with what is wrong; then everything stays as it was
  /// @param layers  what it was put together from; nothing: it is all there is
  std::vector<std::string> reload(const Config& fresh, std::optional<Layers> layers = std::nullopt);
  /// After Assistant::start(). In a cluster it is ready once that is joined; failure() says why that is not
  /// possible.
  void set_ready();

  /// Takes nothing new and lets running turns finish, for no longer than `gateway.drain_timeout`; calls
  /// back from the loop, which must run meanwhile.
  void drain(std::function<void()> done);
  /// Says goodbye to clients and ends; waits for that.
  void close();
  /// Why it can't go on, if that is so: the loop was ended for it.
  const std::string& failure() const noexcept;

  /// Where it listens, e.g. "127.0.0.1:8181".
  std::string address() const;
  unsigned short port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley
