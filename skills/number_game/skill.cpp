#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/locale.hpp>
#include <parley/offers.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "game.hpp"
#include "player_words.hpp"

namespace parley::number_game {
namespace {

/// Sessions that are remembered, with their game.
constexpr std::size_t kMostGames = 1000;
/// Words beside which one may still tell what is meant; of more, none may be of other matters.
constexpr std::ptrdiff_t kFewWords = 12, kMostWords = 24;

/// Thinks of a number and has it guessed. While a game is on, guesses come through converse, so that
/// everything else said meanwhile goes where it belongs.
class NumberGame final : public Skill {
 public:
  static constexpr const char* kAbout = "Guess the number.";
  static constexpr std::array kSettings{
      Option::integer("highest", "100", 10, 1'000'000, "The secret number is from 1 to this.")};

  void start() override {
    on_intent("play", &NumberGame::play);
    // "I'm bored, pick a number and I'll find it": wherever these words stand.
    on_keywords("think_of_one", keywords().require("think_number").require("guessing"), &NumberGame::play);
    on_intent("best", &NumberGame::best);
    on_converse(&NumberGame::takes, &NumberGame::go_on);
    on_stop(
        [this](const SessionKey& session) {
          const bool was_offered = offers_.forget(session);
          return games_.forget(session) || was_offered;
        },
        [this](const SessionKey& session) {
          return game_of(session) != nullptr || offers_.is_made(session, clock().now());
        });
  }

 private:
  Task<> play(Turn turn) {
    if (game_of(turn.session_key()) == nullptr) co_return new_game(turn);
    co_return offers_.make(turn, Offer::kStartOver, "start_over", clock().now());
  }

  void new_game(Turn turn) {
    const std::int64_t highest = settings().integer("highest");
    const auto number = static_cast<std::int64_t>(random(static_cast<std::size_t>(highest))) + 1;
    offers_.forget(turn.session_key());
    games_.note(turn.message(), Game(number), clock().now());
    say_and_listen(turn, "start", {{"highest", std::to_string(highest)}});
  }

  Task<> best(Turn turn) {
    const int guesses = guesses_in(co_await storage(StorageScope::kOwner, turn).get(best_key()));
    if (guesses == 0) co_return turn.speak_dialog("no_best");
    if (guesses == 1) co_return turn.speak_dialog("best_at_once");
    turn.speak_dialog("best", {{"guesses", std::to_string(guesses)}});
  }

  /// Games of different ranges can't be compared.
  std::string best_key() const { return "best/" + std::to_string(settings().integer("highest")); }

  /// What is kept of the best game; 0: nothing.
  static int guesses_in(const std::optional<Json>& kept) {
    return kept && kept->is_number_integer() ? kept->get<int>() : 0;
  }

  // ---- while a game is on

  ConverseAnswer takes(const Query& query) {
    const Offer* const open = offers_.open(query, skill_id(), clock().now());
    if (open != nullptr && answer_to(*open, query.utterances.front(), query.lang)) return true;
    if (game_of(query.session_key()) == nullptr) return false;
    const std::string said = heard(query.lang).as_written(query.utterances.front());
    return words().guess(said, query.lang) || words().comparison(said, query.lang) ||
           asked(said, query.lang).has_value() || words().guess_within(said, query.lang);
  }

  /// What is said during a game beside guesses, by the vocabulary that has it.
  enum class Asked {
    kHint,
    kGiveUp,
    kClose,
    kDirection,
    kCount,
    kLeft,
    kRange,
    kEven,
    kOdd,
    kLast,
    kGuessed,
    kResume,
    kRules
  };

  std::optional<Asked> asked(const std::string& said, const std::string& lang) const {
    constexpr std::array<std::pair<const char*, Asked>, 11> kAsked{{{"hint", Asked::kHint},
                                                                    {"give_up", Asked::kGiveUp},
                                                                    {"close", Asked::kClose},
                                                                    {"direction", Asked::kDirection},
                                                                    {"count", Asked::kCount},
                                                                    {"guesses_left", Asked::kLeft},
                                                                    {"range", Asked::kRange},
                                                                    {"even", Asked::kEven},
                                                                    {"odd", Asked::kOdd},
                                                                    {"last_guess", Asked::kLast},
                                                                    {"rules", Asked::kRules}}};
    for (const auto& [vocabulary, what] : kAsked) {
      if (says(vocabulary, said, lang)) return what;
    }
    // "I'm stuck, I could do with a clue": what else is said does not matter, as long as it isn't much.
    const auto spaces = std::ranges::count(said, ' ');
    if (spaces >= kMostWords || (spaces >= kFewWords && words().is_of_other_matters(said, lang)))
      return std::nullopt;
    if (mentions("numbers_guessed", said, lang)) return Asked::kGuessed;
    const bool has_guess = words().guess_within(said, lang).has_value();
    if (mentions("give_up_word", said, lang) && !has_guess) return Asked::kGiveUp;
    if (mentions("hint_word", said, lang)) return Asked::kHint;
    if (mentions("count_word", said, lang)) return Asked::kCount;
    if (mentions("resume", said, lang) && !has_guess) return Asked::kResume;
    return std::nullopt;
  }

  Task<> go_on(Turn turn) {
    Game* const game = game_of(turn.session_key());
    if (const auto open = offers_.take(turn.session_key(), clock().now())) {
      const auto wanted = answer_to(*open, turn.text(), turn.lang());
      if (wanted) co_return answer_offer(turn, *open, *wanted);
    }
    if (game == nullptr) co_return;
    const std::string said = heard(turn.lang()).as_written(turn.text());
    if (const auto guess = words().guess(said, turn.lang())) {
      co_await take(turn, *guess);
    } else if (const auto compared = words().comparison(said, turn.lang())) {
      tell_whether(turn, *game, compared->holds_for(game->number()));
    } else if (const auto what = asked(said, turn.lang()); what == Asked::kGiveUp) {
      co_await give_up(turn);
    } else if (what) {
      tell(turn, *game, *what);
    } else if (const auto within = words().guess_within(said, turn.lang())) {
      co_await take(turn, *within);
    }
  }

  Task<> take(Turn turn, std::int64_t guess) {
    if (!judge(turn, *game_of(turn.session_key()), guess)) co_return;
    co_await win(turn);
    offers_.make(turn, Offer::kAnother, "play_again", clock().now());
  }

  void tell(Turn turn, Game& game, Asked what) {
    const std::string highest = std::to_string(settings().integer("highest"));
    switch (what) {
      case Asked::kHint:
        return give_hint(turn, game);
      case Asked::kEven:
      case Asked::kOdd:
        game.spend();
        return say_and_listen(turn, game.number() % 2 == 0 ? "hint_even" : "hint_odd");
      case Asked::kCount:
        return tell_count(turn, game);
      case Asked::kLeft:
        return say_and_listen(turn, "guesses_left");
      case Asked::kRange:
        return say_and_listen(turn, "out_of_range", {{"highest", highest}});
      case Asked::kRules:
        return say_and_listen(turn, "rules", {{"highest", highest}});
      case Asked::kResume:
        return say_and_listen(turn, "go_on");
      default:
        break;
    }
    if (game.last_guesses().empty()) return say_and_listen(turn, "no_guess");
    if (what == Asked::kGuessed) return tell_guessed(turn, game);
    const std::int64_t last = game.last_guesses().back();
    const Slots slots{{"guess", std::to_string(last)}};
    if (what == Asked::kLast) return say_and_listen(turn, "last_guess", slots);
    if (what == Asked::kDirection)
      return say_and_listen(turn, game.number() > last ? "higher" : "lower", slots);
    tell_distance(turn, game, last);
  }

  /// The numbers that were guessed, in order; of many, the last ones.
  static void tell_guessed(Turn turn, const Game& game) {
    std::string numbers;
    for (const auto guess : game.last_guesses()) {
      if (!numbers.empty()) numbers += ", ";
      numbers += std::to_string(guess);
    }
    const bool is_all = game.guesses() - game.told() == std::ssize(game.last_guesses());
    say_and_listen(turn, is_all ? "guessed" : "guessed_last", {{"guesses", numbers}});
  }

  /// How close the last guess was, which counts as one more.
  void tell_distance(Turn turn, Game& game, std::int64_t last) {
    constexpr std::int64_t kHot = 20, kWarm = 7;  // of so many parts of the range
    const std::int64_t away = std::abs(game.number() - last);
    const std::int64_t highest = settings().integer("highest");
    game.spend();
    say_and_listen(turn,
                   away * kHot <= highest    ? "hot"
                   : away * kWarm <= highest ? "warm"
                                             : "cold",
                   {{"guess", std::to_string(last)}});
  }

  static void tell_whether(Turn turn, Game& game, bool so) {
    game.spend();
    say_and_listen(turn, so ? "it_is" : "it_is_not");
  }

  /// Answers a guess; gives whether the game is won.
  bool judge(Turn turn, Game& game, std::int64_t guess) {
    const std::int64_t highest = settings().integer("highest");
    if (guess < 1 || guess > highest) {
      say_and_listen(turn, "out_of_range", {{"highest", std::to_string(highest)}});
      return false;
    }
    const Verdict verdict = game.guess(guess);
    if (verdict == Verdict::kRight) return true;
    say_and_listen(turn, verdict == Verdict::kHigher ? "higher" : "lower",
                   {{"guess", std::to_string(guess)}});
    return false;
  }

  Task<> win(Turn turn) {
    const Game game = *game_of(turn.session_key());
    games_.forget(turn.session_key());
    const int guesses = game.guesses();
    const auto before = std::make_shared<int>(0);
    const Storage::Edit edit = [before, guesses](std::optional<Json> kept) -> std::optional<Json> {
      *before = guesses_in(kept);
      return *before > 0 && *before <= guesses ? *before : guesses;
    };
    try {
      co_await storage(StorageScope::kOwner, turn).change(best_key(), edit);
    } catch (const StorageError& error) {
      log(LogLevel::kError, error.what());
    }
    const std::string dialog = guesses == 1 ? "won_at_once" : guesses < *before ? "won_record" : "won";
    turn.speak_dialog(dialog,
                      {{"number", std::to_string(game.number())}, {"guesses", std::to_string(guesses)}});
  }

  /// Of what was told, people would not say that they guessed it.
  void tell_count(Turn turn, const Game& game) {
    const std::string all = std::to_string(game.guesses());
    if (game.told() > 0)
      return say_and_listen(turn, "guess_count_told",
                            {{"guesses", all}, {"guessed", std::to_string(game.guesses() - game.told())}});
    if (game.guesses() == 1) return say_and_listen(turn, "guess_count_one");
    say_and_listen(turn, "guess_count", {{"guesses", all}});
  }

  void give_hint(Turn turn, Game& game) {
    const auto hint = game.hint();
    const std::int64_t number = game.number();
    if (!hint) return say_and_listen(turn, "no_more_hints");
    switch (*hint) {
      case Hint::kParity:
        return say_and_listen(turn, number % 2 == 0 ? "hint_even" : "hint_odd");
      case Hint::kThree:
        return say_and_listen(turn, number % 3 == 0 ? "hint_three" : "hint_not_three");
      case Hint::kLastDigit:
        return say_and_listen(turn, "hint_last_digit", {{"digit", std::to_string(number % 10)}});
    }
  }

  Task<> give_up(Turn turn) {
    bool wants_another = false;
    if (!mentions("reveal", turn.text(), turn.lang())) {
      const auto sure = co_await ask_whether_sure(turn);
      if (sure.end() == AskEnd::kReplaced || game_of(turn.session_key()) == nullptr) co_return;
      if (!sure || *sure == Sure::kNo) co_return say_and_listen(turn, "go_on");
      wants_another = *sure == Sure::kAnother;
    }
    const Game* const game = game_of(turn.session_key());
    turn.speak_dialog("gave_up", {{"number", std::to_string(game->number())}});
    games_.forget(turn.session_key());
    if (wants_another) co_return new_game(turn);
    offers_.make(turn, Offer::kAnother, "play_again", clock().now());
  }

  /// What answers the question whether somebody gives up.
  enum class Sure { kYes, kNo, kAnother };

  /// "Yes", but also "tell me already", or "another round" at once.
  Task<Reply<Sure>> ask_whether_sure(Turn turn) {
    const auto read = [this](const std::string& said, const std::string& lang) -> std::optional<Sure> {
      if (says("yes", said, lang)) return Sure::kYes;
      if (says("no", said, lang)) return Sure::kNo;
      if (mentions("another_round", said, lang)) return Sure::kAnother;
      if (asked(said, lang) == Asked::kGiveUp || mentions("reveal", said, lang)) return Sure::kYes;
      return std::nullopt;
    };
    co_return co_await turn.ask("really", read);
  }

  /// What was offered and may be answered with yes or no.
  enum class Offer { kAnother, kStartOver };

  /// What is said to an offer: yes or no, right behind it.
  std::optional<bool> answer_to(Offer what, const std::string& said, const std::string& lang) const {
    constexpr std::size_t kMostOfAnswer = 4;
    if (says("yes", said, lang)) return true;
    if (says("no", said, lang) || says("cancel", said, lang)) return false;
    const auto all = parley::words(said, lang);
    if (all.size() > kMostOfAnswer) return std::nullopt;
    if (mentions("another_round", said, lang)) return true;
    // "Yes mum, I'm coming" must not cost anybody a game that is on.
    if (what == Offer::kStartOver) return std::nullopt;
    for (std::size_t n = 1; n < all.size(); ++n) {
      const std::string front(surface(said, std::span(all).first(n)));
      if (says("yes", front, lang)) return true;
      if (says("no", front, lang)) return false;
    }
    return std::nullopt;
  }

  void answer_offer(Turn turn, Offer what, bool wanted) {
    if (wanted) return new_game(turn);
    if (what == Offer::kStartOver) return say_and_listen(turn, "go_on");
    turn.speak_dialog("goodbye");
  }

  /// For what a player will answer: the client may open the microphone.
  static void say_and_listen(Turn turn, const std::string& dialog, Slots slots = {}) {
    SpeakOptions options;
    options.listen = true;
    turn.speak_dialog(dialog, std::move(slots), options);
  }

  Game* game_of(const SessionKey& session) { return games_.find(session, clock().now()); }

  PlayerWords words() const { return PlayerWords(locale()); }

  /// Numbers as they are said elsewhere: "nonante". Put together when first needed.
  const SpokenForms& heard(const std::string& lang) {
    auto& known = heard_[lang];
    if (!known) known = std::make_unique<const SpokenForms>(locale(), lang, "heard");
    return *known;
  }

  std::map<std::string, std::unique_ptr<const SpokenForms>, std::less<>> heard_;
  SessionMemory<Game> games_{kMostGames};
  Offers<Offer> offers_{kMostGames};
};

}  // namespace
}  // namespace parley::number_game

PARLEY_SKILL(parley::number_game::NumberGame, "number_game.parley")
