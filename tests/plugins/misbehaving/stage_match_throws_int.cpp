#include <parley/stage.hpp>

namespace {

/// No coroutine: throws before there is anything to await.
class MatchThrowsInt final : public parley::Stage {
 public:
  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest /*request*/) override { throw 42; }
};

}  // namespace

PARLEY_STAGE(MatchThrowsInt)
