#include "turn/questions.hpp"

#include <fmt/format.h>

#include <parley/language.hpp>

#include "turn/turn_state.hpp"

namespace parley {

void Questions::open(const Message& in, const SessionPtr& session, const std::string& skill_id,
                     HeardCell cell, CheckAnswer check) {
  const auto found = open_.find(in.session_key());
  if (found != open_.end()) {
    Heard replaced(AskEnd::kReplaced);
    replaced.session = session;
    found->second.cell->set(std::move(replaced));
  }
  open_.insert_or_assign(in.session_key(), Question(skill_id, std::move(cell), std::move(check)));
}

CheckAnswer Questions::check_of(const Message& in, const std::string& skill_id) const {
  const auto found = open_.find(in.session_key());
  return found == open_.end() || found->second.skill_id != skill_id ? nullptr : found->second.check;
}

HeardCell Questions::take(const Message& in, const std::string& skill_id) {
  const auto found = open_.find(in.session_key());
  if (found == open_.end() || found->second.skill_id != skill_id) return nullptr;
  auto cell = std::move(found->second.cell);
  open_.erase(found);
  return cell;
}

void Questions::close(const Message& in, const HeardCell& cell) {
  const auto found = open_.find(in.session_key());
  if (found != open_.end() && found->second.cell == cell) open_.erase(found);
}

HandlerEnd deliver_answer(const std::shared_ptr<const TurnEnvironment>& around, const HandlerCall& call) {
  const Message& answer = call.dispatch;
  const std::string& skill_id = answer.context().skill_id;
  HeardCell cell = around->questions->take(answer, skill_id);
  if (!cell) {
    std::make_shared<Turn::State>(around, call)->say_it_failed("forgotten");
    return HandlerEnd(fmt::format("the skill '{}' does not wait for an answer in session '{}' (any more)",
                                  skill_id, answer.session_id()));
  }
  HandlerEnd end;
  // The handler goes on when this turn, which only brought the answer, is over.
  end.then = [cell = std::move(cell),
              heard = Heard(answer.text("utterance"), tag_or_nothing(answer.text("lang")),
                            answer.context().session)] { cell->set(heard); };
  return end;
}

}  // namespace parley
