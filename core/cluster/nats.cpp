#include "cluster/nats.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <parley/fingerprint.hpp>
#include <stdexcept>

#include "language/core_folder.hpp"

namespace parley::cluster {
namespace {

constexpr char kLibrary[] = "libparley_nats.so";

}  // namespace

std::unique_ptr<NatsConnection> connect_nats(const ClusterSettings& settings, NatsListener& listener) {
  const auto file = core_folder().parent_path() / kLibrary;
  if (!std::filesystem::exists(file)) {
    throw std::runtime_error(
        fmt::format("cluster.servers is set, and {} is not there: parley was built without NATS; install "
                    "libnats-dev and build it again",
                    file.string()));
  }
  // Never closed: threads of NATS' library may run in it until the process ends.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    throw std::runtime_error(
        fmt::format("cluster.servers is set, and {} can't be loaded ({}); is the package "
                    "libnats3.4 installed?",
                    file.string(), why == nullptr ? "nobody knows why" : why));
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dlsym gives
  const auto connect = reinterpret_cast<NatsConnect>(::dlsym(library, "parley_nats_connect"));
  if (connect == nullptr)
    throw std::runtime_error(
        fmt::format("{} is none of parley's: it has no parley_nats_connect", file.string()));
  std::string failure;
  std::unique_ptr<NatsConnection> connection(connect(kBuildFingerprint, settings, listener, failure));
  if (!connection) {
    throw std::runtime_error(
        fmt::format("no connection to NATS at {}: {}", fmt::join(settings.servers, ", "), failure));
  }
  return connection;
}

}  // namespace parley::cluster
