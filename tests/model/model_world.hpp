#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <parley/turn.hpp>
#include <string>
#include <vector>

#include "model/lifecycle_checker.hpp"
#include "model/program.hpp"
#include "model/remote_party.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {

/// A whole assistant with the real stages but the intent one, whose place takes a stage that does what the
/// dice say, as its skills do. It is used for one program after another.
class ModelWorld {
 public:
  /// What begins so is taken word for word, and is no answer to a question.
  static constexpr const char* kCommand = "do the ";

  /// @param tells  whether every message of a program is printed
  explicit ModelWorld(bool tells = false);
  ~ModelWorld();
  ModelWorld(const ModelWorld&) = delete;
  ModelWorld& operator=(const ModelWorld&) = delete;

  /// Runs a program to its end and gives what went wrong.
  std::vector<std::string> run(const Program& program);
  /// Runs it and ends the assistant in its midst, for good.
  std::vector<std::string> run_and_stop(const Program& program);

 private:
  struct Live;  ///< While it lives, code of a stage or skill runs.

  void make();
  void add_skill(const std::string& id);
  void perform(const Step& step);
  void say(const Step& step, Json data, std::string utterance_id = {});
  void register_in(Dice& dice);
  void nonsense(const Step& step, Dice& dice);
  void sync(Dice& dice);
  void hear(const Message& message);
  void settle();
  void note(bool holds, const std::string& what);
  void check_nothing_left();
  static std::string any_skill(Dice& dice);
  static std::string taker_of(const std::string& command);
  SessionPtr any_session(Dice& dice) const;

  void check_let_go(const Message& matched);

  static Match sequence_of(Match first, Dice& dice);
  static Task<std::optional<Match>> match(ModelWorld* world, MatchRequest request);
  static Task<> handle(ModelWorld* world, Turn turn);
  static Task<> act(ModelWorld* world, Turn turn, int what, std::uint64_t seed);
  static Task<> ask(Turn turn, std::uint64_t seed);
  static Task<> ignore_cancel(Turn turn);
  static Task<std::optional<QuestionAnswer>> answer(ModelWorld* world, std::string who, Query query);

  bool tells_;
  TemporaryFolder folder_;
  LambdaStage* stage_ = nullptr;
  int running_ = 0;
  std::vector<Turn> kept_;
  std::map<std::string, SessionPtr> client_sessions_;  ///< As the clients of the named ones have them.
  std::map<std::string, bool> listened_to_;            ///< Whether somebody does, without a program.
  std::size_t timers_ = 0, intents_ = 0;
  std::optional<LifecycleChecker> checker_;
  std::vector<std::string> faults_;
  std::unique_ptr<Assistant> core_;
  std::unique_ptr<RemoteParty> remote_;
  Subscription tap_;
};

}  // namespace parley::testing
