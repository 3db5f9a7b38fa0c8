#include <algorithm>
#include <parley/utterance_words.hpp>
#include <string>
#include <utility>

#include "memory.hpp"
#include "why.hpp"

// What was asked about something, lately: "what was it I asked you about Mumbai".
namespace parley::memory {
namespace {

constexpr std::int64_t kMostRecalled = 60;
constexpr std::size_t kSaid = 4;      ///< What a word counts that was said,
constexpr std::size_t kAnswered = 2;  ///< what one that was answered,
constexpr std::size_t kKind = 1;      ///< and what a skill of that kind.

}  // namespace

Memory::Recall Memory::recall_in(const Turn& turn) const {
  const std::string& lang = turn.lang();
  const UtteranceWords said(turn.text(), lang, locale());
  Recall recall;
  recall.is_first = said.find("recall_first").has_value();
  const auto topic_from = [&](std::size_t begin) {
    std::string words;
    for (std::size_t at = begin; at < said.size(); ++at) {
      const WordRun word(at, at + 1);
      if (!said.is("recall_little", word)) words += std::string(said.surface_of(word)) + ' ';
    }
    return questions_->topic(words, lang);
  };
  if (const auto about = said.find("recall_about")) recall.topic = topic_from(about->end);
  recall.is_named = !recall.topic.empty();
  if (!recall.is_named) recall.topic = topic_from(0);  // "which capital did I ask you about"
  return recall;
}

std::size_t Memory::likeness(const Json& before, const Recall& recall, const std::string& lang) const {
  std::size_t likeness = kSaid * questions_->count_in(before.value("said", ""), recall.topic, lang);
  // "The sum I asked about" says what kind of question it was, and not what the answer had: "it sums up".
  std::vector<std::string> named = recall.topic;
  std::erase_if(named, [&](const std::string& word) { return !questions_->kind_of(word, lang).empty(); });
  for (const auto& answer : before.value("answers", Json::array()))
    likeness += kAnswered * questions_->count_in(text_at(answer, "text"), named, lang);
  for (const std::string& word : recall.topic) {
    const std::string kind = questions_->kind_of(word, lang);
    if (!kind.empty() && before.value("skill", "").starts_with(kind)) likeness += kKind;
  }
  return likeness;
}

Task<std::string> Memory::skill_of(Message from, Json before) {
  // Questions are answered in nobody's name: the trace says who won.
  if (before.value("intent_name", "") != "common_query") co_return before.value("skill_id", "");
  Json which = {{"utterance_id", before.value("utterance_id", "")}};
  const auto found = co_await ask_core(std::move(from), "parley.turn.get", std::move(which));
  const Json whole = found ? found->value("turn", before) : before;
  co_return reason_of(whole, before.value("lang", "")).skill;
}

Task<bool> Memory::is_recalled(Turn turn) {
  const Recall recall = recall_in(turn);
  if (recall.topic.empty() && !recall.is_first) co_return false;
  Json which = {{"session_id", turn.session_id()}, {"limit", kMostRecalled}};
  const auto list = co_await ask_core(turn.message(), "parley.turn.list", std::move(which));
  Json turns = list ? list->value("turns", Json::array()) : Json::array();
  const bool names_kind = std::any_of(recall.topic.begin(), recall.topic.end(), [&](const std::string& word) {
    return !questions_->kind_of(word, turn.lang()).empty();
  });
  std::string best;
  std::size_t most = 0;
  for (Json& before : turns) {
    if (names_kind) {
      Json one = before;
      before["skill"] = co_await skill_of(turn.message(), std::move(one));
    }
    const std::string said = before.value("said", "");
    const bool is_this = before.value("utterance_id", "") == turn.utterance_id();
    if (is_this || said.empty() || mentions("i_asked", said, turn.lang())) continue;
    const std::size_t like = recall.topic.empty() ? 1 : likeness(before, recall, turn.lang());
    const bool is_better = recall.is_first ? like > most : like >= most;
    if (like == 0 || !is_better) continue;
    best = said;
    most = like;
  }
  if (best.empty() && !recall.is_named) co_return false;
  if (best.empty()) turn.speak_dialog("asked_nothing");
  if (!best.empty()) turn.speak_dialog("asked", {{"said", turn.dialog("quoted", {{"said", best}})}});
  co_return true;
}

}  // namespace parley::memory
