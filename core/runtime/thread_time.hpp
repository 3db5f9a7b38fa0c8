#pragma once

#include <sys/types.h>

#include <chrono>

namespace parley {

/// How long a thread of this process has run on a processor. Zero when it is gone.
/// @param thread  as gettid() gives it
std::chrono::nanoseconds processor_time(pid_t thread) noexcept;

/// Whether it runs, or would if a processor were free; not while it waits for something else.
bool is_runnable(pid_t thread);

}  // namespace parley
