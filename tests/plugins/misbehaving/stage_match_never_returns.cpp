#include <chrono>
#include <parley/stage.hpp>

namespace {

class MatchNeverReturns final : public parley::Stage {
 public:
  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest /*request*/) override {
    for (;;) co_await context().sleep(std::chrono::hours(24));
  }
};

}  // namespace

PARLEY_STAGE(MatchNeverReturns)
