#include <parley/stage.hpp>
#include <stdexcept>

namespace {

class StartThrows final : public parley::Stage {
 public:
  void start() override { throw std::runtime_error("no model to start with"); }

  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest /*request*/) override {
    co_return std::nullopt;
  }
};

}  // namespace

PARLEY_STAGE(StartThrows)
