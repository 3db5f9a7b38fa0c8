#include "turn/questions.hpp"

namespace parley {

void Questions::open(const SessionId& session_id, const std::string& skill_id, HeardCell cell) {
  const auto found = open_.find(session_id);
  if (found != open_.end()) found->second.cell->set(Heard(AskEnd::kReplaced));
  open_.insert_or_assign(session_id, Question(skill_id, std::move(cell)));
}

HeardCell Questions::take(const SessionId& session_id, const std::string& skill_id) {
  const auto found = open_.find(session_id);
  if (found == open_.end() || found->second.skill_id != skill_id) return nullptr;
  auto cell = std::move(found->second.cell);
  open_.erase(found);
  return cell;
}

void Questions::close(const SessionId& session_id, const HeardCell& cell) {
  const auto found = open_.find(session_id);
  if (found != open_.end() && found->second.cell == cell) open_.erase(found);
}

}  // namespace parley
