#include "turn/questions.hpp"

namespace parley {

void Questions::open(const SessionPtr& session, const std::string& skill_id, HeardCell cell,
                     CheckAnswer check) {
  const auto found = open_.find(session->session_id);
  if (found != open_.end()) {
    Heard replaced(AskEnd::kReplaced);
    replaced.session = session;
    found->second.cell->set(std::move(replaced));
  }
  open_.insert_or_assign(session->session_id, Question(skill_id, std::move(cell), std::move(check)));
}

CheckAnswer Questions::check_of(const SessionId& session_id, const std::string& skill_id) const {
  const auto found = open_.find(session_id);
  return found == open_.end() || found->second.skill_id != skill_id ? nullptr : found->second.check;
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
