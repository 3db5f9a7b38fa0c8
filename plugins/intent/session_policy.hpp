#pragma once

#include <parley/clock.hpp>
#include <parley/registry.hpp>
#include <parley/session.hpp>

#include "match/matcher.hpp"

namespace parley::intent {

/// What one session allows, at one moment. Refers to what it is given.
class SessionPolicy final : public Policy {
 public:
  /// @param now  Unix seconds (S-7)
  SessionPolicy(const Registry& registry, const Session& session, double now)
      : registry_(registry), session_(session), now_(now) {}

  bool sees(const std::string& session_id) const override;
  Veto veto(const IntentRegistration& intent) const override;
  std::int64_t recency(const IntentRegistration& intent) const override;
  std::optional<std::string> context_value(const IntentRegistration& intent,
                                           const std::string& slot) const override;

 private:
  const Registry& registry_;
  const Session& session_;
  double now_;
};

}  // namespace parley::intent
