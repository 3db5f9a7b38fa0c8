#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "child/channel.hpp"
#include "runtime/http.hpp"
#include "runtime/scope.hpp"
#include "skill/skill_keeping.hpp"
#include "turn/turn_state.hpp"

namespace parley::child {

/// Does for the skill of a child what only the core can: keeps things for it, and asks servers. On the loop.
class ChildRequests : public std::enable_shared_from_this<ChildRequests> {
 public:
  using Send = std::function<void(const Json& head, std::string_view body)>;

  ChildRequests(std::shared_ptr<const TurnEnvironment> environment, std::shared_ptr<SkillKeeping> keeping,
                HttpTransport& http, Send send)
      : environment_(std::move(environment)),
        keeping_(std::move(keeping)),
        http_(http),
        send_(std::move(send)) {}

  /// A frame of kKeep, kHttp or kHttpOff.
  void take(const Frame& frame);
  /// The child has gone: the results of its requests are not needed any more.
  void drop();
  /// Calls back when the last is over.
  void close(std::function<void()> then);

 private:
  struct Exchange {
    Exchange(std::shared_ptr<HttpExchange> what, std::shared_ptr<Job> wait)
        : exchange(std::move(what)), job(std::move(wait)) {}
    std::shared_ptr<HttpExchange> exchange;
    std::shared_ptr<Job> job;
  };
  static Task<> keep(std::shared_ptr<ChildRequests> self, std::uint64_t child, Frame frame);
  Task<Frame> kept(const Frame* frame);
  void begin_http(const Frame& frame);
  static Task<> read_http(std::shared_ptr<ChildRequests> self, std::uint64_t n,
                          std::shared_ptr<HttpExchange> exchange);

  const std::shared_ptr<const TurnEnvironment> environment_;
  const std::shared_ptr<SkillKeeping> keeping_;
  HttpTransport& http_;
  const Send send_;
  std::uint64_t children_ = 0;  ///< That have gone.
  std::map<std::uint64_t, Exchange> exchanges_;
  Scope scope_;
};

}  // namespace parley::child
