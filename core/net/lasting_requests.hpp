#pragma once

#include <functional>
#include <memory>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <string>
#include <utility>

#include "store/lasting.hpp"

namespace parley::net {

/// Answers what skills at the other end of a connection ask of the store: `parley.storage.*` and
/// `parley.schedule.*` (K-2, K-3); and what clients ask about their sessions, `parley.session.*` (K-5). A
/// skill reaches what is its own. On the loop's thread.
class LastingRequests {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Answer = std::function<void(const Message&)>;

  /// What is done about a session; `answer` may be called from any thread.
  using OnSession = std::function<void(const std::string& owner, const std::string& session_id,
                                       std::function<void(Json)> answer)>;
  /// Sets what closes and forgets sessions (K-5); before the first request.
  void set_sessions(OnSession close, OnSession forget) {
    close_ = std::move(close);
    forget_ = std::move(forget);
  }

  /// @param zone    of those whose session has none
  /// @param post    runs something on the loop, from any thread
  /// @param answer  sends to the connection that asked
  LastingRequests(std::shared_ptr<Lasting> lasting, const Clock& clock, std::string zone, Post post,
                  Answer answer);

  /// Sets what answers queries for evidence; without it they get no answer.
  void on_evidence(std::function<void(const Message&)> take) { evidence_ = std::move(take); }

  /// @param request  of topic::is_lasting_request(); its context.skill_id is of whom it comes from (W-3)
  void take(const Message& request);

 private:
  void put_value(const Message& request, bool erases);
  void get_value(const Message& request);
  void all_values(const Message& request);
  void add(const Message& request);
  void cancel(const Message& request);
  void list(const Message& request);
  void end_session(const Message& request, bool forgets);
  /// From any thread.
  std::function<void(Json data)> answers(const Message& request) const;

  const std::shared_ptr<Lasting> lasting_;
  const Clock& clock_;
  const std::string zone_;
  const Post post_;
  const Answer answer_;
  OnSession close_, forget_;
  std::function<void(const Message&)> evidence_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace parley::net
