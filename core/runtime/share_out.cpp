#include "runtime/share_out.hpp"

#include <malloc.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "runtime/guard.hpp"

/// jemalloc's, where the program has it.
extern "C" int mallctl(const char* name, void* old, std::size_t* old_size, void* value, std::size_t size)
    __attribute__((weak));

namespace parley {
namespace {

constexpr std::size_t kMostHelpers = 8;
constexpr std::size_t kMuchMemory = std::size_t{8} << 20U;

/// Posted to helpers, one each; who shares out works itself. More than there are cores would only take time
/// from those who talk: a pool that was busy for long has many threads.
std::size_t helpers_of_this_machine() {
  const std::size_t cores = std::thread::hardware_concurrency();
  return std::min(cores > 1 ? cores - 1 : 0, kMostHelpers);
}

/// What is shared out. A helper that comes late finds `each` gone, whose code may be unloaded by then.
struct Shares {
  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void(std::size_t)>* each = nullptr;
  std::size_t next = 0, count = 0, running = 0;
  std::string failure;

  void work() {
    std::unique_lock lock(mutex);
    while (each != nullptr && next < count && failure.empty()) {
      const std::size_t mine = next++;
      const auto& call = *each;
      ++running;
      lock.unlock();
      const auto failed = failure_of([&] { call(mine); });
      lock.lock();
      --running;
      if (failed && failure.empty()) failure = *failed;
      changed.notify_all();
    }
  }
};

}  // namespace

void share_out(const boost::asio::any_io_executor& helpers, std::size_t count,
               const std::function<void(std::size_t)>& each) {
  const auto shares = std::make_shared<Shares>();
  shares->each = &each;
  shares->count = count;
  for (std::size_t i = 1; i < std::min(count, helpers_of_this_machine() + 1); ++i)
    boost::asio::post(helpers, [shares] { shares->work(); });
  shares->work();
  std::unique_lock lock(shares->mutex);
  shares->each = nullptr;
  shares->changed.wait(lock, [&] { return shares->running == 0; });
  if (!shares->failure.empty()) throw std::runtime_error(shares->failure);
}

void give_back_memory() {
  constexpr const char* kAllArenas = "arena.4096.purge";  // MALLCTL_ARENAS_ALL
  if (mallctl != nullptr) {
    mallctl(kAllArenas, nullptr, nullptr, nullptr, 0);
    return;
  }
#if defined(__GLIBC__)
  // Where malloc() is somebody else's (a sanitizer's, a preloaded one's), the first call sets glibc's own up,
  // and a second one beside it finds it half done.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  if (mallinfo2().fordblks > kMuchMemory) malloc_trim(0);
#endif
}

}  // namespace parley
