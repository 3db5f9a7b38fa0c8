#include <array>
#include <nlohmann/json.hpp>
#include <parley/stage.hpp>

namespace {

using namespace std::chrono_literals;
using parley::Option;

/// A stage of somebody else, with an option of each type: says what it was told when it is asked.
class Options final : public parley::Stage {
 public:
  static constexpr const char* kAbout = "Says what it was told.";
  static constexpr std::array kOptions{
      Option::flag("loud", "false", "Whether it shouts."),
      Option::integer("depth", "3", 1, 9, "How deep it goes."),
      Option::number("weight", "0.5", 0, 1, "How heavy it is."),
      Option::text("greeting", "hello", "What it says first.", parley::TextForm::kNonEmpty),
      Option::word("colour", "red", "red green blue", "What it looks like."),
      Option::duration("pause", "250ms", 1ms, 1min, "How long it rests.").at_most("patience"),
      Option::duration("patience", "12s", 1ms, 10min, "How long it waits.").part_of_match(),
      Option::size("room", "4KiB", 1024, 65536, "What it may hold."),
      Option::list("friends", "[ann, bob]", "Who is with it.", parley::TextForm::kId),
      Option::map("ranks", "{ann.x: 1}", "Who goes first."),
      Option::range("hours", nullptr, "When it is there."),
  };
  static constexpr std::array kEntryOptions{Option::flag("sure", "true", "Whether it is sure.")};
  static constexpr std::array kEntries{parley::DefaultEntry("options_high", 150),
                                       parley::DefaultEntry("options_low", 2000, "{sure: false}")};

  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest request) override {
    if (request.utterance() != "what were you told") co_return std::nullopt;
    co_return parley::Match(context().pipeline_id(), "say", request.lang(), request.utterance());
  }

  parley::Task<> handle(parley::Turn turn) override {
    turn.speak(context().options().dump());
    co_return;
  }
};

}  // namespace

PARLEY_STAGE(Options)
