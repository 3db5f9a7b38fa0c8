#include "app/skill_evidence.hpp"

#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <string>
#include <utility>

#include "evidence/asking.hpp"
#include "message/topics.hpp"
#include "session/session.hpp"
#include "store/lasting.hpp"
#include "store/schedule_table.hpp"

namespace parley {
namespace {

/// What is the owner's of the turn. A query or an event may name the turn's own session alone; turns are
/// those of sessions that whoever speaks may see.
evidence::Caller caller_of(const Message& request) {
  evidence::Caller caller;
  const auto& sender = request.context().sender;
  caller.owner = request.owner();
  caller.is_free = false;
  if (request.type() == topic::kEvidenceQuery || request.type() == topic::kEvidenceIngest) {
    caller.allows_session = [own = request.session_id()](const std::string& id) { return id == own; };
  } else if (sender) {
    caller.allows_session = [sender](const std::string& id) { return sender->may_see(id); };
  }
  return caller;
}

std::string lang_of(const Message& request, const Config& config) {
  const auto& session = request.context().session;
  return session && session->lang ? *session->lang : config.language.default_tag;
}

}  // namespace

SkillEvidence::SkillEvidence(std::shared_ptr<Lasting> lasting, Bus& bus, const Clock& clock,
                             const Config& config, std::string zone, Post post,
                             evidence::QuestionVectors* questions)
    : lasting_(std::move(lasting)),
      bus_(bus),
      clock_(clock),
      config_(config),
      zone_(std::move(zone)),
      post_(std::move(post)),
      questions_(questions) {}

void SkillEvidence::start() {
  for (const std::string_view topic : topic::kEvidenceRequests)
    subscriptions_.push_back(
        bus_.subscribe(std::string(topic), [this](const Message& request) { take(request); }));
}

void SkillEvidence::stop() {
  subscriptions_.clear();
}

void SkillEvidence::take(const Message& request) {
  evidence::Told told = [this, request, post = post_, alive = std::weak_ptr(alive_)](Json data, unsigned) {
    post([this, request, alive, data = std::move(data)] {
      if (alive.expired()) return;
      const Message response = request.response(data);
      Context context = response.context();
      context.sender = nullptr;  // whose turn it is did not ask
      bus_.publish(response.with_context(std::move(context)));
    });
  };
  evidence::answer(evidence::Source(lasting_, config_.evidence.enabled, questions_), request,
                   caller_of(request),
                   evidence::wording_at(clock_.wall(), zone_of(request.context().session.get(), zone_),
                                        lang_of(request, config_)),
                   to_milliseconds(clock_.wall()), std::move(told));
}

}  // namespace parley
