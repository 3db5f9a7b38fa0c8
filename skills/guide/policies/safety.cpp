#include "../policy.hpp"

namespace parley::guide {

std::optional<Outcome> safety(const State& state, const Heard& heard, const World& world) {
  if (heard.text.empty() || !world.mentions("danger", heard.text)) return std::nullopt;
  State closed = state;
  closed.phase = Phase::kClosing;
  closed.status = Status::kClosed;
  Reply reply = saying("dangerous");
  reply.close = true;
  return answer(std::move(closed), std::move(reply));
}

bool is_safe(const std::string& text, const World& world) {
  return !world.mentions("danger", text) && !world.mentions("stop_words", text);
}

}  // namespace parley::guide
