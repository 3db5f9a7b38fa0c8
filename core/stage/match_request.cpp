#include <nlohmann/json.hpp>
#include <parley/stage.hpp>

namespace parley {

const std::vector<std::string>& MatchRequest::utterances() const noexcept {
  return state_->utterances;
}
const std::string& MatchRequest::lang() const noexcept {
  return state_->lang;
}
const SessionPtr& MatchRequest::session_ptr() const noexcept {
  return state_->message.context().session;
}
const Json& MatchRequest::options() const noexcept {
  return *options_;
}
const Message& MatchRequest::message() const noexcept {
  return state_->message;
}
const Trace& MatchRequest::trace() const noexcept {
  return state_->trace;
}

MatchRequest::MatchRequest(std::shared_ptr<const State> state, std::string entry,
                           std::shared_ptr<const Json> options)
    : state_(std::move(state)), entry_(std::move(entry)), options_(std::move(options)) {}

MatchRequest MatchRequest::about(std::string utterance) const {
  auto state =
      std::make_shared<State>(std::vector<std::string>{std::move(utterance)}, lang(), message(), Trace());
  return MatchRequest(std::move(state), entry_, options_);
}

MatchRequest MatchRequest::as_seen_by(std::string entry, std::shared_ptr<const Json> options) const {
  return MatchRequest(state_, std::move(entry), std::move(options));
}

}  // namespace parley
