#pragma once

#include <pthread.h>

namespace parley {

/// What `top -H` and debuggers call this thread. @param name  at most 15 bytes
inline void name_thread(const char* name) noexcept {
  ::pthread_setname_np(::pthread_self(), name);
}

}  // namespace parley
