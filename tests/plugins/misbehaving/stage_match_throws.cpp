#include <parley/stage.hpp>
#include <stdexcept>

namespace {

/// Its type and its destructor are code of the plugin.
class NoIdea final : public std::runtime_error {
 public:
  NoIdea() : std::runtime_error("no idea what that means") {}
};

class MatchThrows final : public parley::Stage {
 public:
  parley::Task<std::optional<parley::Match>> match(parley::MatchRequest request) override {
    if (request.utterance().empty()) co_return std::nullopt;
    throw NoIdea();
  }
};

}  // namespace

PARLEY_STAGE(MatchThrows)
