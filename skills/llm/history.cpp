#include "history.hpp"

#include <algorithm>

namespace parley::llm {
namespace {

constexpr std::size_t kMostSessions = 64;

}  // namespace

void History::add(const std::string& session_id, Said said) {
  Talk& talk = talks_[session_id];
  talk.used = ++uses_;
  talk.size += said.text.size();
  talk.said.push_back(std::move(said));
  while (!talk.said.empty() && talk.size > budget_) {
    talk.size -= talk.said.front().text.size();
    talk.said.pop_front();
  }
  if (talks_.size() <= kMostSessions) return;
  talks_.erase(std::min_element(talks_.begin(), talks_.end(),
                                [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

std::vector<Said> History::before(const std::string& session_id, const std::string& utterance_id) const {
  std::vector<Said> said;
  const auto talk = talks_.find(session_id);
  if (talk == talks_.end()) return said;
  std::copy_if(talk->second.said.begin(), talk->second.said.end(), std::back_inserter(said),
               [&](const Said& one) { return one.utterance_id != utterance_id; });
  return said;
}

}  // namespace parley::llm
