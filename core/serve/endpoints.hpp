#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "net/gateway.hpp"
#include "net/http.hpp"
#include "net/remote_skills.hpp"
#include "runtime/timers.hpp"
#include "serve/api.hpp"
#include "serve/connection_endpoints.hpp"
#include "serve/console.hpp"

namespace parley {

/// What is answered over HTTP: one turn on `POST /run`, and what the assistant consists of.
class Endpoints final : public net::HttpEndpoints {
 public:
  /// @param unready  why nothing is served; empty: everything is. From any thread.
  /// @param connections  lists them. From any thread.
  /// What it is given must outlive it.
  Endpoints(Assistant& assistant, net::RemoteSkills& skills, std::function<std::string()> unready,
            ListConnections connections);
  ~Endpoints();
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  /// Adds endpoints that are written elsewhere; before the first request.
  void add(api::Endpoints more);

  void answer(net::HttpRequest request, std::function<void(net::HttpReply)> reply) override;
  bool is_public(std::string_view path) const override;
  /// Whether the console is there. From any thread.
  void set_console(bool is_on) { console_.enable(is_on); }

 private:
  using Reply = std::function<void(net::HttpReply)>;
  using Handle = void (Endpoints::*)(const net::HttpRequest&, const Reply&);
  struct Endpoint {
    std::string_view method, path;
    bool talks;  ///< It needs the right to talk; the others any right at all (K-4).
    Handle handle;
  };
  static std::span<const Endpoint> all();

  /// Runs on the loop what may be run at all: the grant has been asked.
  void run(std::function<void()> handle, const Reply& reply);
  void answer_with(const api::Endpoint& endpoint, net::HttpRequest request, const Reply& reply);
  /// Nothing is done at that path, or not with that method.
  net::HttpReply refusal_of(const net::HttpRequest& request) const;
  const api::Endpoint* added_for(const net::HttpRequest& request) const;

  using SessionKey = std::pair<std::string, std::string>;  ///< Owner and id.
  /// A turn of `POST /run` that is under way.
  struct Run {
    net::ClientPtr client;
    std::string session_id;
    std::int64_t began = 0;     ///< Unix milliseconds.
    bool closes = false;        ///< The session ends with it.
    bool is_forgotten = false;  ///< Its session was forgotten meanwhile: it is not kept again.
  };

  // On the loop.
  void run_turn(const net::HttpRequest& request, const Reply& reply);
  /// @param closes  the session ends with this turn
  void begin_turn(TurnInput input, bool closes, const net::ClientPtr& client, const Reply& reply);
  /// For `/last_response`.
  void remember(const TurnResult& result, const Run& run);
  /// Keeps what a turn left of its session, then replies.
  void reply_and_keep(const TurnResult& result, const Run& run, const Reply& reply);
  std::int64_t now() const;
  void explain(const net::HttpRequest& request, const Reply& reply);
  void last_response(const net::HttpRequest& request, const Reply& reply);
  void metrics(const net::HttpRequest& request, const Reply& reply);
  void pipeline(const net::HttpRequest& request, const Reply& reply);
  void skills(const net::HttpRequest& request, const Reply& reply);
  void intents(const net::HttpRequest& request, const Reply& reply);
  void me(const net::HttpRequest& request, const Reply& reply);
  void openapi(const net::HttpRequest& request, const Reply& reply);
  void default_session(const net::HttpRequest& request, const Reply& reply);
  // On the gateway's thread: it has to answer when the loop does not.
  void health(const net::HttpRequest& request, const Reply& reply);

  /// A session in which a handler waits for the answer to its question: what it then says belongs to the
  /// call that brings it.
  struct Talk {
    std::shared_ptr<Conversation> conversation;
    std::uint64_t number = 0;  ///< In the order in which they began to wait.
    std::string whose;         ///< The owner of a token or an address: whose share it takes (W-5).
    Timer over;
  };
  void keep_talk(const std::shared_ptr<Conversation>& conversation, const TurnResult& result,
                 const net::ClientPtr& client);
  void make_room_for_talk(const std::string& whose);
  /// What was kept of sessions that have ended goes.
  void drop_ended(const ForgetWhat& which, bool is_forgotten);

  Assistant& assistant_;
  net::RemoteSkills& remote_;
  api::Endpoints added_;
  Console console_;
  std::function<std::string()> unready_;
  ListConnections connections_;
  std::map<SessionKey, Talk> talks_;
  std::map<std::uint64_t, Run> runs_;  ///< By number.
  std::uint64_t run_count_ = 0;
  std::uint64_t talk_count_ = 0;
  std::string last_owner_;
  std::optional<Json> last_;  ///< What the latest turn of `POST /run` was answered with.
  /// What is posted to the loop may come to run when this is gone.
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley
