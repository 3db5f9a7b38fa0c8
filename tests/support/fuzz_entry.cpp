// What libFuzzer calls.
#include <cstddef>
#include <cstdint>

#include "message/log.hpp"
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  parley::set_log_target("/dev/null", false);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  parley::testing::fuzz(
      std::string_view(reinterpret_cast<const char*>(data), size));  // NOLINT: bytes are text here
  return 0;
}
