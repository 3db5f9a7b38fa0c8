// What stages and skills of a program do.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/model_world.hpp"

namespace parley::testing {

using namespace std::chrono_literals;

struct ModelWorld::Live {
  explicit Live(int& how_many) : count(how_many) { ++count; }
  ~Live() { --count; }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
  int& count;
};

Task<std::optional<Match>> ModelWorld::match(ModelWorld* world, MatchRequest request) {
  const Live live(world->running_);
  if (const auto command = world->stage_->word_for_word(request)) co_return command;
  Dice dice(1, request.utterance() + request.entry());
  Match claim(any_skill(dice), "go", request.lang(), request.utterance());
  claim.corrects = dice.chance(20);
  switch (dice.below(28)) {
    case 0:
      throw std::runtime_error("out of order");
    case 1:
      throw 42;
    case 2:
      co_await world->stage_->services().sleep(24h);
      co_return std::nullopt;
    case 3:
      try {
        co_await world->stage_->services().sleep(24h);
      } catch (const Cancelled&) {
      }
      co_return claim;  // long given up
    case 4:
    case 5:
      co_await world->stage_->services().sleep(dice.between(1, 3500));
      co_return claim;
    case 6:
      claim.skill_id = "two:parts";
      co_return claim;
    case 7:
      claim.updated_session = std::make_shared<const Session>("another");
      co_return claim;
    case 8: {
      auto changed = std::make_shared<Session>(request.session());
      changed->site_id = "moon";
      if (dice.chance(50)) changed->active_handlers.reset();
      claim.updated_session = std::move(changed);
      co_return claim;
    }
    case 9:
      claim.skill_id = "nobody.skill";
      co_return claim;
    case 10:
    case 11:
    case 12:
    case 13:
      co_return std::nullopt;
    case 14:
    case 15:
    case 16:
    case 17:
      co_return sequence_of(std::move(claim), dice);
    default:
      co_return claim;
  }
}

/// Two parts or more, now and then one too many, or one that nobody does. Each says which it is.
Match ModelWorld::sequence_of(Match first, Dice& dice) {
  const std::size_t count = 2 + static_cast<std::size_t>(dice.below(Match::kMostParts));
  const std::string said =
      std::exchange(first.utterance, LifecycleChecker::part_of(first.utterance, 1, count));
  for (std::size_t i = 2; i <= count; ++i) {
    const std::string who = dice.chance(10) ? "nobody.skill" : any_skill(dice);
    first.then.emplace_back(who, "go", first.lang, LifecycleChecker::part_of(said, i, count));
  }
  return first;
}

void ModelWorld::add_skill(const std::string& id) {
  folder_.write(id + "/locale/en-US/go.intent", "go somewhere\n");
  folder_.write(id + "/locale/en-US/question.dialog", "well?\n");
  auto skill = std::make_unique<LambdaSkill>([this, id](LambdaSkill& self) {
    const auto handler = [this](Turn turn) { return handle(this, std::move(turn)); };
    const auto dice = [id](const Query& query, const char* what) {
      return Dice(2, query.utterances.front() + id + what);
    };
    self.on_intent("go", handler);
    if (id == "gamma.skill") return;
    self.on_converse(
        [dice](const Query& query) {
          const int what = dice(query, "converse").below(10);
          if (what == 0) throw std::runtime_error("can't say");
          return what == 1 ? ConverseAnswer::done() : ConverseAnswer(what < 5);
        },
        handler);
    self.on_fallback(
        70, [dice](const Query& query) { return dice(query, "fallback").chance(40); }, handler);
    self.on_question(
        [dice](const Query& query) {
          auto claim = dice(query, "claims");
          return claim.chance(30) ? std::optional<QuestionClaim>(claim.between(0, 3000)) : std::nullopt;
        },
        [this, id](Query query) { return answer(this, id, std::move(query)); });
    self.on_stop([](const SessionKey&) { return true; },
                 [id](const SessionKey& session) { return Dice(3, id + session.session_id).chance(50); });
  });
  core_->add_skill(id, std::move(skill), folder_.path() / id);
}

Task<std::optional<QuestionAnswer>> ModelWorld::answer(ModelWorld* world, std::string who, Query query) {
  const Live live(world->running_);
  Dice dice(4, query.utterances.front() + who);
  if (dice.chance(10)) throw std::runtime_error("the book is gone");
  if (dice.chance(20)) co_return std::nullopt;
  co_return QuestionAnswer("forty-two", dice.below(100) / 100.0);
}

Task<> ModelWorld::handle(ModelWorld* world, Turn turn) {
  const Live live(world->running_);
  Dice dice(5, turn.text() + turn.message().type());
  const int actions = dice.below(5);
  for (int i = 0; i < actions; ++i) {
    const int what = dice.below(17);
    co_await act(world, turn, what, dice.next());
  }
}

Task<> ModelWorld::act(ModelWorld* world, Turn turn, int what, std::uint64_t seed) {
  Dice dice(seed);
  switch (what) {
    case 0:
      throw std::runtime_error("spilt");
    case 1:
      throw 42;
    case 2:
      co_await turn.sleep(24h);
      break;
    case 3:
      co_await ignore_cancel(turn);
      break;
    case 4:
    case 5:
    case 6:
      co_await ask(turn, seed);
      break;
    case 7:
      turn.change_session([](Session& session) {
        session.site_id = "cellar";
        session.intent_context.emplace();
        (*session.intent_context)["seen"].turns_remaining = 2;
      });
      break;
    case 8:
      turn.emit("ovos.session.sync", {{"session", {{"persona_id", "grump"}}}});
      break;
    case 9:
      world->kept_.push_back(turn);
      break;
    case 10:
      if (turn.text().size() < 24)
        turn.emit("ovos.utterance.handle",
                  {{"utterances", {turn.text() + " " + std::to_string(dice.below(9))}}});
      break;
    case 11:
      turn.not_understood();
      break;
    case 12:
    case 13:
      co_await turn.sleep(dice.between(0, 3000));
      break;
    default:
      turn.speak(turn.corrects() ? "so not" : "so be it");
  }
}

Task<> ModelWorld::ask(Turn turn, std::uint64_t seed) {
  Dice dice(seed);
  Slots none;
  AskOptions options;
  options.timeout = dice.between(1, 8000);
  options.retries = dice.below(2);
  switch (dice.below(4)) {
    case 0: {
      const auto agreed = co_await turn.confirm("question", none, options);
      if (agreed.yes()) turn.speak("good");
      break;
    }
    case 1: {
      const auto count = co_await turn.ask("question", SlotType::kNumber, none, options);
      turn.speak(count ? std::to_string(count->number()) : "none");
      break;
    }
    case 2: {
      std::vector<std::string> choices{"beans", "peas"};
      const auto which = co_await turn.choose("question", choices, none, options);
      if (which) turn.speak(choices.at(*which));
      break;
    }
    default: {
      const auto heard = co_await turn.ask("question", none, options);
      turn.speak(heard ? *heard : "nothing");
    }
  }
}

Task<> ModelWorld::ignore_cancel(Turn turn) {
  try {
    co_await turn.sleep(24h);
  } catch (const Cancelled&) {
    turn.speak("nobody may hear this");
  }
}

}  // namespace parley::testing
