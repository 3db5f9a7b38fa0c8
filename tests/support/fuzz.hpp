#pragma once

#include <cstdlib>
#include <string_view>

namespace parley::testing {

/// What one input is put to; each program in tests/fuzz defines it. It may do anything but crash, hang, or
/// fail a check.
void fuzz(std::string_view input);

}  // namespace parley::testing

/// What must hold whatever the input.
#define PARLEY_FUZZ_CHECK(condition) \
  do {                               \
    if (!(condition)) std::abort();  \
  } while (false)
