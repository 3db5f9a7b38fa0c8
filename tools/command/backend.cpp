#include "backend.hpp"

#include "runtime/crash_report.hpp"

namespace parley::command {

Backend::Backend(Setup setup) {
  std::promise<void> ready;
  auto started = ready.get_future();
  thread_ = std::thread([this, setup = std::move(setup), ready = std::move(ready)]() mutable {
    run(std::move(setup), std::move(ready));
  });
  try {
    started.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

Backend::~Backend() {
  assistant_->stop_running();
  thread_.join();
}

void Backend::run(Setup setup, std::promise<void> ready) {
  try {
    Assistant assistant(std::move(setup.config), std::move(setup.options));
    assistant.start();
    report_exits();
    assistant_ = &assistant;
    ready.set_value();
    assistant.run();
    assistant.stop();
  } catch (...) {
    // After it was ready there is nobody to tell; the log has it.
    if (assistant_ == nullptr) ready.set_exception(std::current_exception());
  }
}

void Backend::post(std::function<void(Assistant&)> work) {
  assistant_->post([work = std::move(work), assistant = assistant_] { work(*assistant); });
}

}  // namespace parley::command
