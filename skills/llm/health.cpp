#include "health.hpp"

#include <utility>

namespace parley::llm {

void Health::begin(const HttpRequest& request) {
  if (!check_) check_ = std::make_unique<HttpExchange>(request, [](std::string_view) {});
}

bool Health::step(std::chrono::milliseconds wait) {
  if (!check_ || check_->step(wait)) return false;
  const auto over = std::move(check_);
  if (!over->failure().empty()) return is_down(over->failure());
  // A server that has no list of models is there all the same.
  const long status = over->status();
  if ((status >= 200 && status < 300) || status == 404 || status == 405) return is_up();
  return is_down("HTTP status " + std::to_string(status));
}

bool Health::change(State state, std::string why) {
  reason_ = std::move(why);
  return std::exchange(state_, state) != state;
}

}  // namespace parley::llm
