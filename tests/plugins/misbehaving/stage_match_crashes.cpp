#include <cstdlib>
#include <parley/stage.hpp>

namespace {

class MatchCrashes final : public parley::Stage {
 public:
  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest request) override {
    co_await context().sleep(std::chrono::milliseconds(5));
    if (request.utterance() == "go on") co_return std::nullopt;
    std::abort();
  }
};

}  // namespace

PARLEY_STAGE(MatchCrashes)
