#include "memory.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <string_view>
#include <utility>

namespace parley::follow_up {
namespace {

constexpr std::size_t kMostEarlier = 4;
constexpr std::string_view kQuestion = "common_query";
constexpr std::string_view kAnswer = "response";
/// What only a fallback skill takes is mostly what nobody understood.
constexpr std::string_view kFallback = "fallback";
/// After these there is nothing an utterance could leave out.
constexpr std::array<std::string_view, 2> kNoSubject{"converse", "stop"};

/// Nothing: it can't be followed up.
std::optional<Subject> subject_of(const Message& matched) {
  Subject subject;
  subject.skill_id = matched.text("skill_id");
  subject.intent_name = matched.text("intent_name");
  subject.lang = matched.text("lang");
  subject.utterance = matched.text("utterance");
  subject.is_question = subject.intent_name == kQuestion;
  const bool is_own = subject.skill_id == matched.text("pipeline_id");
  const bool has_none =
      std::find(kNoSubject.begin(), kNoSubject.end(), subject.intent_name) != kNoSubject.end();
  if (has_none || is_own != subject.is_question || subject.utterance.size() > Memory::kLongest)
    return std::nullopt;
  const auto slots = matched.data().find("slots");
  if (subject.is_question || slots == matched.data().end() || !slots->is_object()) return subject;
  if (slots->size() > Memory::kMostSlots) return std::nullopt;
  for (const auto& [name, value] : slots->items()) {
    if (!value.is_string()) continue;
    const auto& words = value.get_ref<const std::string&>();
    if (words.size() > Memory::kLongest) return std::nullopt;  // the intent context may have filled it
    subject.slots.emplace(name, words);
  }
  return subject;
}

}  // namespace

void Subject::follow(Subject before) {
  if (!is_question || !before.is_question || before.lang != lang) return;
  earlier = std::move(before.earlier);
  earlier.push_back(std::move(before.utterance));
  if (earlier.size() > kMostEarlier) earlier.erase(earlier.begin());
}

/// The answer to a question of the skill's belongs to what it asked about, whatever was said meanwhile.
void Memory::hear_answer(const Message& matched, Clock::Time now) {
  const auto known = by_session_.find(matched.session_key());
  if (known == by_session_.end()) return;
  Entry& entry = *known->second;
  const std::string skill_id = matched.text("skill_id");
  if (entry.asked && entry.asked->skill_id == skill_id)
    entry.subject = *std::exchange(entry.asked, std::nullopt);
  if (entry.subject.skill_id != skill_id) return;
  entry.when = now;
  const std::string answer = matched.text("utterance");
  std::string& answers = entry.subject.answers;
  if (answers.size() + answer.size() >= kLongest) return answers.clear();
  answers.append(answers.empty() ? "" : " ").append(answer);
}

void Memory::change_subject(Entry& entry, const Message& matched, Subject subject) {
  const auto& session = matched.context().session;
  const auto is_asking = [&](const Subject& one) {
    return session && session->response_mode && session->response_mode->skill_id == one.skill_id &&
           subject.skill_id != one.skill_id;
  };
  if (is_asking(entry.subject)) {
    entry.asked = std::move(entry.subject);
  } else if (entry.asked && !is_asking(*entry.asked)) {
    entry.asked.reset();
  }
  subject.follow(std::move(entry.subject));
  entry.subject = std::move(subject);
}

void Memory::hear(const Message& matched, Clock::Time now) {
  const std::string intent_name = matched.text("intent_name");
  if (intent_name == kAnswer) return hear_answer(matched, now);
  if (intent_name == kFallback) return;
  SessionKey key = matched.session_key();
  const auto known = by_session_.find(key);
  auto subject = subject_of(matched);
  const SenderPtr& sender = matched.context().sender;
  const std::uint64_t who = sender ? sender->id : 0;
  if (subject && known != by_session_.end() && known->second->sender == who) {
    Entry& entry = *known->second;
    entry.when = now;
    change_subject(entry, matched, std::move(*subject));
    entries_.splice(entries_.end(), entries_, known->second);
    return;
  }
  if (known != by_session_.end()) forget(known->second);
  if (!subject) return;
  make_room(who);
  entries_.emplace_back(key, who, now, std::move(*subject));
  by_session_.emplace(std::move(key), std::prev(entries_.end()));
  ++of_sender_[who];
}

const Subject* Memory::of(const Message& message, Clock::Time now) const {
  const auto known = by_session_.find(message.session_key());
  if (known == by_session_.end() || now > known->second->when + kLifetime) return nullptr;
  return &known->second->subject;
}

void Memory::forget(Entries::iterator entry) {
  const auto count = of_sender_.find(entry->sender);
  if (--count->second == 0) of_sender_.erase(count);
  by_session_.erase(entry->key);
  entries_.erase(entry);
}

void Memory::make_room(std::uint64_t sender) {
  const auto count = of_sender_.find(sender);
  if (count != of_sender_.end() && count->second >= kMostOfOne) {
    forget(std::find_if(entries_.begin(), entries_.end(),
                        [sender](const Entry& entry) { return entry.sender == sender; }));
  } else if (entries_.size() >= kMostSessions) {
    forget(entries_.begin());
  }
}

}  // namespace parley::follow_up
