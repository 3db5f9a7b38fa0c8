#include <array>
#include <nlohmann/json.hpp>
#include <parley/phrases.hpp>
#include <parley/stage.hpp>

namespace {

/// Claims what is in locale/<lang>/question.voc, and answers it itself.
class MyStage final : public parley::Stage {
 public:
  static constexpr const char* kAbout = "Answers when somebody asks what my stage says.";
  // What the configuration may set under stages.my_stage.
  static constexpr std::array kOptions{
      parley::Option::flag("within", "false", "Also when more is said than the question.")};
  // Where it is asked: its entries with their places among those of the other stages.
  static constexpr std::array kEntries{parley::DefaultEntry("my_stage", 350)};

  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest request) override {
    const auto said = parley::words(request.utterance(), request.lang());
    const bool within = context().options().at("within").get<bool>();
    const auto& locale = context().locale();
    const bool is_mine = within ? locale.vocabulary_occurs(request.lang(), "question", said)
                                : locale.vocabulary_equals(request.lang(), "question", said);
    if (!is_mine) co_return std::nullopt;
    co_return parley::Match(context().pipeline_id(), "answer", request.lang(), request.utterance());
  }

  parley::Task<> handle(parley::Turn turn) override {
    turn.speak_dialog("answer");
    co_return;
  }
};

}  // namespace

PARLEY_STAGE(MyStage)
