#pragma once

#include <functional>
#include <memory>
#include <parley/message.hpp>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "config/config.hpp"

namespace parley {

class Clock;
struct Lasting;
namespace evidence {
class QuestionVectors;
}

/// Answers what skills of this process ask of the evidence on the bus, topic::kEvidenceQuery and its like
/// (K-6): a skill sees what the owner of its turn may see. On the loop's thread.
class SkillEvidence {
 public:
  /// Runs something on the loop, from any thread.
  using Post = std::function<void(std::function<void()>)>;

  /// @param zone       of those whose session has none
  /// @param questions  null: they have no vectors
  SkillEvidence(std::shared_ptr<Lasting> lasting, Bus& bus, const Clock& clock, const Config& config,
                std::string zone, Post post, evidence::QuestionVectors* questions);

  /// From here on.
  void start();
  void stop();

 private:
  void take(const Message& request);

  const std::shared_ptr<Lasting> lasting_;
  Bus& bus_;
  const Clock& clock_;
  const Config& config_;
  const std::string zone_;
  const Post post_;
  evidence::QuestionVectors* const questions_;
  std::vector<Subscription> subscriptions_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace parley
