#include "served.hpp"

#include <future>
#include <utility>

#include "bench_skill.hpp"
#include "prepared.hpp"
#include "serve/serving.hpp"

namespace parley::bench {

Served::Served(std::vector<std::string> settings) {
  settings.insert(settings.begin(), {"gateway.port=0", "gateway.max_connections=4096"});
  std::promise<void> started;
  thread_ = std::thread([this, &started, settings = std::move(settings)]() mutable {
    run(std::move(settings), [&started](const std::exception_ptr& failure) {
      failure ? started.set_exception(failure) : started.set_value();
    });
  });
  try {
    started.get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

Served::~Served() {
  assistant_->stop_running();
  thread_.join();
}

void Served::post(std::function<void(Assistant&)> work) {
  assistant_->post([this, work = std::move(work)] { work(*assistant_); });
}

void Served::run(std::vector<std::string> settings, std::function<void(std::exception_ptr)> ready) {
  try {
    const auto assistant = make_assistant(std::move(settings));
    assistant->add_skill(kBenchSkill, make_bench_skill(), bench_skill_folder());
    Serving serving(*assistant);
    serving.open();
    start(*assistant);
    serving.set_ready();
    port_ = serving.port();
    assistant_ = assistant.get();
    ready(nullptr);
    assistant->run();
    serving.close();
    assistant->stop();
  } catch (...) {
    if (assistant_ == nullptr) ready(std::current_exception());
  }
}

}  // namespace parley::bench
