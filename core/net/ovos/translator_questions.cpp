// Questions of fact (ovos-wire 7). Older skills say once that they answer some; one question goes to all
// skills of a connection, and each says what it has.
#include <algorithm>
#include <cmath>

#include "message/topics.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net::ovos {
namespace {

constexpr std::size_t kMostMuted = 16;

const std::string& turn_id(const Message& message) {
  return message.context().utterance_id;
}

std::string answer_slot(const Message& matched) {
  const auto slots = matched.data().find("slots");
  if (slots == matched.data().end() || !slots->is_object()) return {};
  const auto answer = slots->find("answer");
  return answer == slots->end() || !answer->is_string() ? std::string() : answer->get<std::string>();
}

/// What the skill would speak by itself.
std::string spoken_in(const Json& callback_data) {
  const Json answer = callback_data.is_object() ? callback_data.value("answer", Json()) : Json();
  return answer.is_string() ? answer.get<std::string>() : std::string();
}

}  // namespace

/// `is_classic_cq` tells that a skill has questions; what else a pong holds is a claim as it is now.
void Translator::pong_question(const Message& message, Said& said) {
  if (!message.data().contains("is_classic_cq")) return say_plain(message, said);
  const std::string skill_id = skill_of(message);
  if (!skill_id.empty()) {
    skills_.at(skill_id).asks = true;
    skills_.at(skill_id).is_classic = message.data().at("is_classic_cq") == true;
  }
  said.dropped = "older";
}

/// What they would say to any ping is known: nobody waits for it.
void Translator::hear_question_ping(const Message& ping, Heard& heard) const {
  for (const auto& [skill_id, skill] : skills_) {
    if (!skill.is_older) continue;
    const Message reply = ping.reply(
        topic::kQuestionPong,
        {{"skill_id", skill_id}, {"utterance", ping.text("utterance")}, {"can_answer", skill.asks}});
    Context context = reply.context();
    context.skill_id = skill_id;
    heard.passed.push_back(reply.with_context(std::move(context)));
  }
}

void Translator::hear_question(const Message& dispatch, const std::string& skill_id, Heard& heard) {
  const auto skill = skills_.find(skill_id);
  if (skill == skills_.end() || !skill->second.is_older) return;
  const std::string phrase = dispatch.text("utterance");
  const bool is_put = std::any_of(questions_.begin(), questions_.end(), [&](const Question& one) {
    return turn_id(one.dispatch) == turn_id(dispatch) && one.dispatch.text("utterance") == phrase;
  });
  questions_.emplace_back(skill_id, dispatch);
  if (questions_.size() > kMostQuestions) questions_.pop_front();
  if (!is_put)
    heard.after.push_back(
        dispatch.forward("question:query", {{"phrase", phrase}, {"lang", dispatch.text("lang")}}));
}

void Translator::answer_question(const Message& message, Said& said) {
  const std::string skill_id = message.text("skill_id");
  const std::string phrase = message.text("phrase");
  const auto is_same = [&](const Question& one) {
    return one.dispatch.text("utterance") == phrase &&
           (turn_id(message).empty() || turn_id(message) == turn_id(one.dispatch));
  };
  if (std::none_of(questions_.begin(), questions_.end(), is_same)) {
    say_of_family(message, said);  // somebody else has asked
    return;
  }
  const auto asked = std::find_if(questions_.begin(), questions_.end(), [&](const Question& one) {
    return !one.is_over && one.skill_id == skill_id && is_same(one);
  });
  const std::string answer = message.text("answer");
  const auto searching = message.data().find("searching");
  const bool goes_on = searching != message.data().end() && *searching == true;
  if (asked == questions_.end() || (answer.empty() && goes_on)) {
    said.dropped = "older";
    return;
  }
  asked->is_over = true;
  asked->answer = answer;
  Json data = {{"skill_id", skill_id}, {"utterance", phrase}};
  if (!answer.empty()) {
    const auto conf = message.data().find("conf");
    const double sure = conf != message.data().end() && conf->is_number() ? conf->get<double>() : 0.0;
    data["answer"] = answer;
    data["conf"] = std::isfinite(sure) ? std::clamp(sure, 0.0, 1.0) : 0.0;
    const auto callback = message.data().find("callback_data");
    if (callback != message.data().end()) asked->callback_data = *callback;
  }
  const Message reply = asked->dispatch.reply(topic::question_answer(skill_id), std::move(data));
  Context context = reply.context();
  context.skill_id = skill_id;
  context.sender = message.context().sender;
  said.passed.push_back(reply.with_context(std::move(context)));
}

/// The stage speaks the answer; the skill that gave it is told that it has won, for whatever it does then.
/// Its own speaking of the answer is left out (7.3).
void Translator::hear_match(const Message& matched, Heard& heard) {
  if (matched.text("intent_name") != reserved::kQuestion) return;
  const std::string answer = answer_slot(matched);
  const auto won = std::find_if(questions_.begin(), questions_.end(), [&](const Question& one) {
    return !one.answer.empty() && one.answer == answer && turn_id(one.dispatch) == turn_id(matched);
  });
  if (won != questions_.end()) {
    Json data = {{"phrase", won->dispatch.text("utterance")},
                 {"answer", answer},
                 {"callback_data", won->callback_data},
                 {"lang", won->dispatch.text("lang")},
                 {"skill_id", won->skill_id}};
    const auto skill = skills_.find(won->skill_id);
    const bool is_classic = skill != skills_.end() && skill->second.is_classic;
    heard.after.push_back(won->dispatch.forward(
        is_classic ? "question:action" : "question:action." + won->skill_id, std::move(data)));
    muted_.emplace_back(turn_id(matched), answer, spoken_in(won->callback_data));
    if (muted_.size() > kMostMuted) muted_.pop_front();
  }
  std::erase_if(questions_, [&](const Question& one) { return turn_id(one.dispatch) == turn_id(matched); });
}

bool Translator::is_muted(const Message& speech) {
  const auto found = std::find_if(muted_.begin(), muted_.end(), [&](const Muted& one) {
    const std::string said = speech.text("utterance");
    return one.utterance_id == turn_id(speech) && (one.answer == said || one.callback_answer == said);
  });
  if (found == muted_.end()) return false;
  muted_.erase(found);
  return true;
}

}  // namespace parley::net::ovos
