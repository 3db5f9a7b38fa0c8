#include "health.hpp"

#include <utility>

namespace parley::llm {

bool Health::is_as(const Result<HttpResponse>& models) {
  if (!models) return is_down(models.error().message);
  // A server that has no list of models is there all the same.
  if (models->ok() || models->status == 404 || models->status == 405) return is_up();
  return is_down("HTTP status " + std::to_string(models->status));
}

bool Health::change(State state, std::string why) {
  reason_ = std::move(why);
  return std::exchange(state_, state) != state;
}

}  // namespace parley::llm
