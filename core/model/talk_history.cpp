#include <algorithm>
#include <parley/language_model.hpp>

#include "message/topics.hpp"

namespace parley {

void TalkHistory::hear(const Message& message) {
  const bool by_user = message.type() == topic::kMatched;
  if (!by_user && message.type() != topic::kSpeak) return;
  std::string text = message.text("utterance");
  if (text.empty()) return;
  add(by_user ? message.session_key() : session_of_speech(message),
      TalkLine(message.context().utterance_id, by_user, std::move(text)));
}

/// A skill at the other end of a connection speaks for that connection, in the turn of somebody else.
SessionKey TalkHistory::session_of_speech(const Message& speech) const {
  const std::string& turn = speech.context().utterance_id;
  const auto has_turn = [&turn](const auto& talk) {
    const auto& lines = talk.second.lines;
    return std::any_of(lines.rbegin(), lines.rend(),
                       [&turn](const TalkLine& line) { return line.by_user && line.utterance_id == turn; });
  };
  SessionKey key = speech.session_key();
  if (turn.empty()) return key;
  const auto own = talks_.find(key);
  if (own != talks_.end() && has_turn(*own)) return key;
  const auto other = std::find_if(talks_.begin(), talks_.end(), has_turn);
  return other == talks_.end() ? key : other->first;
}

void TalkHistory::add(const SessionKey& session, TalkLine line) {
  if (!talks_.contains(session)) make_room(session.owner);
  Talk& talk = talks_[session];
  talk.used = ++uses_;
  talk.size += line.text.size();
  talk.lines.push_back(std::move(line));
  while (!talk.lines.empty() && talk.size > budget_) {
    talk.size -= talk.lines.front().text.size();
    talk.lines.pop_front();
  }
}

void TalkHistory::make_room(const std::string& owner) {
  const auto first = talks_.lower_bound(SessionKey(owner, ""));
  const auto last =
      std::find_if(first, talks_.end(), [&](const auto& one) { return one.first.owner != owner; });
  if (static_cast<std::size_t>(std::distance(first, last)) < kMostOfOwner) return;
  talks_.erase(std::min_element(first, last,
                                [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

std::vector<TalkLine> TalkHistory::before(const SessionKey& session, const std::string& utterance_id) const {
  std::vector<TalkLine> said;
  const auto talk = talks_.find(session);
  if (talk == talks_.end()) return said;
  std::copy_if(talk->second.lines.begin(), talk->second.lines.end(), std::back_inserter(said),
               [&](const TalkLine& one) { return one.utterance_id != utterance_id; });
  return said;
}

}  // namespace parley
