#pragma once

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "host.hpp"

namespace parley::command {

/// An assistant with a thread of its own, for those who have the terminal to attend to.
class Backend {
 public:
  /// Returns when the assistant is ready. @throws what its start throws
  explicit Backend(Setup setup);
  ~Backend();  ///< Ends it and waits for that.
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// Runs something on the assistant's thread, some time.
  void post(std::function<void(Assistant&)> work);

  /// Runs something on the assistant's thread and waits for what it gives or throws.
  template <class Work>
  auto ask(Work work) {
    using Answer = decltype(work(std::declval<Assistant&>()));
    auto task = std::make_shared<std::packaged_task<Answer(Assistant&)>>(std::move(work));
    auto answer = task->get_future();
    post([task](Assistant& assistant) { (*task)(assistant); });
    return answer.get();
  }

 private:
  void run(Setup setup, std::promise<void> ready);

  Assistant* assistant_ = nullptr;  ///< Set before the constructor returns, alive until the thread ends.
  std::thread thread_;
};

}  // namespace parley::command
