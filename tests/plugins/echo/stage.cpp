#include <parley/stage.hpp>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kStart = "echo ";

/// Takes every utterance that starts with "echo " and says the rest itself.
class Echo final : public parley::Stage {
 public:
  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest request) override {
    if (!request.utterance().starts_with(kStart)) co_return std::nullopt;
    parley::Match match(context().pipeline_id(), "say", request.lang(), request.utterance());
    match.slots["words"] = request.utterance().substr(kStart.size());
    co_return match;
  }

  parley::Task<> handle(parley::Turn turn) override {
    turn.speak(turn.slot("words").value_or("nothing"));
    co_return;
  }
};

}  // namespace

PARLEY_STAGE(Echo)
