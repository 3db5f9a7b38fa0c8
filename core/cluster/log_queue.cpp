#include "cluster/log_queue.hpp"

#include "cluster/shared_text.hpp"

namespace parley::cluster {

OwnEntry::OwnEntry(LoggedTurn turn, const std::string& instance)
    : name(turn, instance),
      owner(std::move(turn.owner)),
      id(std::move(turn.utterance_id)),
      logged(turn.ended),
      text(std::move(turn.json)) {}

OwnEntry::OwnEntry(const ToldEvent& event, const std::string& instance)
    : name(event, instance),
      owner(event.owner),
      id(event.event_id),
      logged(event.time),
      text(SharedRow::of(event).text()) {}

ForgottenObjects OwnEntry::objects() const {
  ForgottenObjects what;
  what.owner = owner;
  if (name.is_event()) {
    what.ids = {id, "mem_" + id};
    what.event_ids = {id};
  } else {
    what.ids = {"mem_" + id};
    what.turns = {id};
  }
  return what;
}

bool LogQueue::has_room_for(const OwnEntry& entry) const {
  const auto found = shares_.find(entry.owner);
  const Share own = found == shares_.end() ? Share() : found->second;
  return own.count + all_.count < most_ && own.bytes + all_.bytes + entry.text.size() <= most_bytes_;
}

void LogQueue::push_back(OwnEntry entry) {
  count(entry, true);
  entries_.push_back(std::move(entry));
}

void LogQueue::push_front(OwnEntry entry) {
  count(entry, true);
  entries_.push_front(std::move(entry));
}

OwnEntry LogQueue::pop_front() {
  OwnEntry entry = std::move(entries_.front());
  entries_.pop_front();
  count(entry, false);
  return entry;
}

void LogQueue::count(const OwnEntry& entry, bool comes) {
  const auto own = shares_.try_emplace(entry.owner).first;
  for (Share* const share : {&all_, &own->second}) {
    if (comes) {
      ++share->count;
      share->bytes += entry.text.size();
    } else {
      --share->count;
      share->bytes -= entry.text.size();
    }
  }
  if (own->second.count == 0) shares_.erase(own);
}

}  // namespace parley::cluster
