#include "../policy.hpp"

namespace parley::guide {
namespace {

Outcome close(State state, const std::string& dialog) {
  state.status = Status::kClosed;
  Reply reply = saying(dialog);
  reply.close = true;
  return answer(std::move(state), std::move(reply));
}

}  // namespace

Outcome farewell(State state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (heard.is("leave")) return close(std::move(state), "goodbye");
  if (task != nullptr && heard.text.empty() && heard.meanings.empty()) {
    Reply reply = saying("congratulations", {{"title", task->title}});
    Screen screen;
    screen.title = task->title;
    screen.picture = task->picture;
    reply.screen = std::move(screen);
    reply.offer({"option_previous"});
    return answer(std::move(state), std::move(reply));
  }
  if (task != nullptr && heard.among({"previous", "repeat", "go_on"}) != nullptr)
    return go_to(std::move(state), Phase::kExecuting, Heard::as("repeat"));
  if (heard.is("thanks") || world.says("no", heard.text)) return close(std::move(state), "goodbye");
  if (heard.is("confused")) return answer(std::move(state), saying("help_closing"));
  return unsure(std::move(state), saying("help_closing"));
}

}  // namespace parley::guide
