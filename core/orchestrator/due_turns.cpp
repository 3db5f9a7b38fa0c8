#include "orchestrator/due_turns.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "bus/bus.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"
#include "session/session.hpp"

namespace parley {

void DueTurns::run(Message dispatch, std::function<void()> ended) {
  if (is_default_session(dispatch.session_id()))
    dispatch = dispatch.with_session(owner_.sessions().current());
  const std::string id = dispatch.context().utterance_id;
  const HandlerReport report(dispatch.context().skill_id, reserved::kDue);
  running_.insert_or_assign(id, Running(dispatch, std::move(ended)));
  owner_.bus().publish(dispatch);
  owner_.bus().publish(dispatch.forward(topic::kHandlerStart, report.to_json()));
  start(id);
}

void DueTurns::start(const std::string& id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;  // stopped by somebody who heard of it
  Running& running = found->second;
  const std::string& skill_id = running.dispatch.context().skill_id;
  HandlerHost* const host = owner_.host_of(skill_id);
  if (host == nullptr) return finish(id, HandlerEnd(fmt::format("nobody hosts the skill '{}'", skill_id)));
  const auto span = host->handler_timeout(skill_id);
  running.bound = std::make_shared<HandlerBound>(
      owner_.timers(), span,
      [this, id, span] {
        cut_short(id, fmt::format("timeout: the handler did not end within {} ms", span.count()));
      },
      [](bool) {});
  HandlerCall call(running.dispatch, reserved::kDue, running.bound, Trace(),
                   [this, id](HandlerEnd end) { finish(id, std::move(end)); });
  call.sessions = &owner_.sessions();
  host->run(std::move(call));
}

void DueTurns::cut_short(const std::string& id, const std::string& why) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  const std::string skill_id = found->second.dispatch.context().skill_id;
  owner_.cancel_handler(skill_id, id);
  finish(id, HandlerEnd(why));
}

bool DueTurns::stop(const std::string& session_id, const std::string& skill_id) {
  std::vector<std::string> ids;
  for (const auto& [id, running] : running_) {
    const Context& context = running.dispatch.context();
    if (running.dispatch.session_id() == session_id && (skill_id.empty() || skill_id == context.skill_id))
      ids.push_back(id);
  }
  for (const auto& id : ids) cut_short(id, "cancelled: stopped");
  return !ids.empty();
}

void DueTurns::finish(const std::string& id, HandlerEnd end) {
  auto node = running_.extract(id);
  if (node.empty()) return;
  Running& running = node.mapped();
  if (running.bound) running.bound->end();
  retired_ = std::move(running.bound);
  const Message& dispatch = running.dispatch;
  HandlerReport report(dispatch.context().skill_id, reserved::kDue);
  Message closing = dispatch;
  if (is_default_session(dispatch.session_id())) {
    const Session& before = end.base ? *end.base : *dispatch.context().session;
    if (end.session && !owner_.sessions().change(before, *end.session)) {
      log_warning("session",
                  fmt::format("what '{}' changed when it was due makes the session too large: ignored",
                              report.skill_id));
    }
    closing = closing.with_session(owner_.sessions().current());
  } else if (end.session) {
    closing = closing.with_session(end.session);
  }
  report.exception = end.exception;
  owner_.bus().publish(
      closing.forward(end.exception ? topic::kHandlerError : topic::kHandlerComplete, report.to_json()));
  if (end.then) end.then();
  running.ended();
}

}  // namespace parley
