#include "runtime/posting.hpp"

namespace parley {

// Out of line: one for all shared objects.
std::shared_mutex& Posting::mutex() {
  static std::shared_mutex mutex;
  return mutex;
}

}  // namespace parley
