#include "serve/endpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <parley/json.hpp>
#include <parley/language.hpp>

#include "app/conversation.hpp"
#include "app/inventory.hpp"
#include "app/session_keeper.hpp"
#include "app/turn_json.hpp"
#include "message/codec.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"
#include "net/metrics.hpp"
#include "orchestrator/orchestrator.hpp"
#include "store/session_rows.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

constexpr std::size_t kMostTalks = 256;         ///< Sessions of one owner in which an answer is waited for.
constexpr double kLongestQuestion = 24 * 3600;  ///< Seconds.

using net::error_reply;
using net::HttpReply;
using net::json_reply;

HttpReply bad_request(const std::string& sentence) {
  return error_reply(400, "bad_request", sentence);
}

bool is_blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

/// A string of the body that has to be there and to say something; else what is wrong with it.
Result<std::string> required_text(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end()) return Error(fmt::format("'{}' is missing: it must be a string", key));
  if (!found->is_string()) return Error(fmt::format("'{}' must be a string and is {}", key, kind_of(*found)));
  auto text = found->get<std::string>();
  if (is_blank(text)) return Error(fmt::format("'{}' must not be blank", key));
  return text;
}

/// The session a turn is to be in: the one that was sent, else an empty one of that id.
Result<SessionPtr> session_of(const Json& body, const std::string& id) {
  const auto found = body.find("session");
  if (found == body.end() || found->is_null()) return SessionPtr(std::make_shared<const Session>(id));
  if (!found->is_object())
    return Error(fmt::format("'session' must be an object and is {}", kind_of(*found)));
  std::vector<std::string> spoiled;
  auto session = std::make_shared<Session>(session_from_json(*found, spoiled));
  if (!spoiled.empty()) return Error("'session': " + spoiled.front());
  if (found->contains("session_id") && session->session_id != id) {
    return Error(
        fmt::format("'session' is of '{}' and 'id' says '{}': they must agree", session->session_id, id));
  }
  session->session_id = id;
  return SessionPtr(std::move(session));
}

/// What a body of `POST /run` or `/v1/explain` asks for.
struct AskedTurn {
  explicit AskedTurn(TurnInput what) : input(std::move(what)) {}
  TurnInput input;
  bool goes_on = false;  ///< In the session that is kept, if there is one.
  bool closes = false;   ///< The session ends with it.
};

Result<AskedTurn> turn_from(const std::string& text) {
  const auto read = parse_json(text);
  if (!read) return Error("the body is " + read.error().message);
  const Json& body = *read;
  if (!body.is_object())
    return Error(
        fmt::format("the body must be an object {{id, text, lang?, session?, resume?, close?}} and is {}",
                    kind_of(body)));
  const auto id = required_text(body, "id");
  if (!id) return id.error();
  const auto said = required_text(body, "text");
  if (!said) return said.error();
  TurnInput input(*said);
  if (const auto lang = body.find("lang"); lang != body.end() && !lang->is_null()) {
    if (!lang->is_string() || !is_language_tag(lang->get_ref<const std::string&>()))
      return Error("'lang' must be a language tag such as en-US");
    input.lang = lang->get<std::string>();
  }
  auto session = session_of(body, *id);
  if (!session) return session.error();
  input.session = std::move(session).value();
  AskedTurn asked(std::move(input));
  const auto sent = body.find("session");
  asked.goes_on = sent == body.end() || sent->is_null();
  if (const auto resume = body.find("resume"); resume != body.end()) {
    if (!resume->is_boolean()) return Error("'resume' must be true or false");
    asked.goes_on = asked.goes_on && resume->get<bool>();
  }
  if (const auto close = body.find("close"); close != body.end()) {
    if (!close->is_boolean()) return Error("'close' must be true or false");
    asked.closes = close->get<bool>();
  }
  return asked;
}

/// The same, as far as the client may; nothing: `reply` has been told why not.
std::optional<AskedTurn> admitted_turn(const net::HttpRequest& request,
                                       const std::function<void(HttpReply)>& reply) {
  auto asked = turn_from(request.body);
  if (!asked) {
    reply(bad_request(asked.error().message));
    return std::nullopt;
  }
  TurnInput* const input = &asked->input;
  const auto& grant = request.client->grant;
  if (const auto refusal = net::refusal_of_session(grant, input->session->session_id)) {
    reply(error_reply(403, "session_refused", refusal->text));
    return std::nullopt;
  }
  if (const auto refusal = net::refusal_of_topic(grant, topic::kUtterance)) {
    reply(error_reply(403, "topic_refused", refusal->text));
    return std::nullopt;
  }
  if (grant) input->session = grant->stamped(input->session);
  input->sender = request.client;
  return std::move(asked).value();
}

}  // namespace

Endpoints::Endpoints(Assistant& assistant, net::RemoteSkills& skills, std::function<std::string()> unready,
                     ListConnections connections)
    : assistant_(assistant),
      remote_(skills),
      console_(assistant.config().gateway.console),
      unready_(std::move(unready)),
      connections_(std::move(connections)) {
  assistant_.sessions().on_ended(
      [this](const ForgetWhat& which, bool is_forgotten) { drop_ended(which, is_forgotten); });
}

Endpoints::~Endpoints() {
  assistant_.sessions().on_ended(nullptr);
}

std::int64_t Endpoints::now() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(assistant_.clock().wall().time_since_epoch())
      .count();
}

void Endpoints::drop_ended(const ForgetWhat& which, bool is_forgotten) {
  const auto goes = [&](const std::string& owner, const std::string& id) {
    return (which.owner.empty() || which.owner == owner) &&
           (which.session_id.empty() || which.session_id == id);
  };
  std::erase_if(talks_, [&](const auto& talk) { return goes(talk.first.first, talk.first.second); });
  for (auto& [number, run] : runs_)
    run.is_forgotten = run.is_forgotten || (is_forgotten && goes(run.client->owner, run.session_id));
  if (is_forgotten && last_ && goes(last_owner_, last_->at("id").get_ref<const std::string&>()))
    last_.reset();
}

void Endpoints::health(const net::HttpRequest&, const Reply& reply) {
  const std::string why = unready_();
  reply(why.empty() ? json_reply({{"status", "ready"}}) : error_reply(503, "not_ready", why));
}

void Endpoints::explain(const net::HttpRequest& request, const Reply& reply) {
  auto asked = admitted_turn(request, reply);
  if (!asked) return;
  assistant_.orchestrator().dry_run(
      Conversation::entry_of(std::move(asked->input)), [reply](Result<Json> report) {
        reply(report ? json_reply(*report) : error_reply(503, "not_ready", report.error().message));
      });
}

void Endpoints::run_turn(const net::HttpRequest& request, const Reply& reply) {
  auto asked = admitted_turn(request, reply);
  if (!asked) return;
  const std::string id = asked->input.session->session_id;
  const std::string& owner = request.client->owner;
  Store& store = assistant_.store();
  const bool resumes = asked->goes_on && assistant_.lasting()->rows().lasts() && !is_default_session(id);
  const auto talk = talks_.find(SessionKey(owner, id));
  if (resumes && talk != talks_.end()) {  // the file does not say what is asked
    const SessionPtr& session = talk->second.conversation->session();
    asked->input.session = request.client->grant ? request.client->grant->stamped(session) : session;
  }
  if (!resumes || talk != talks_.end())
    return begin_turn(std::move(asked->input), asked->closes, request.client, reply);
  const auto found = std::make_shared<SessionPtr>();
  store.read([found, owner, id, before = assistant_.sessions().idle_before()](
                 Database& database) { *found = kept_sessions::get(database, owner, id, before); },
             [this, alive = std::weak_ptr(alive_), &assistant = assistant_, found, asked = std::move(*asked),
              client = request.client, reply](const std::string& failure) {
               if (!failure.empty())
                 log_warning("store", failure + "; the turn begins with an empty session");
               assistant.post([this, alive, found, asked, client, reply]() mutable {
                 if (alive.expired()) return;
                 if (*found) asked.input.session = client->grant ? client->grant->stamped(*found) : *found;
                 begin_turn(std::move(asked.input), asked.closes, client, reply);
               });
             });
}

void Endpoints::begin_turn(TurnInput input, bool closes, const net::ClientPtr& client, const Reply& reply) {
  const auto talk = talks_.find({client->owner, input.session->session_id});
  const auto conversation = talk == talks_.end() ? std::make_shared<Conversation>(assistant_, input.session)
                                                 : talk->second.conversation;
  const std::uint64_t number = ++run_count_;
  Run& run = runs_[number];
  run.client = client;
  run.session_id = input.session->session_id;
  run.began = now();
  run.closes = closes;
  conversation->say(std::move(input), [this, alive = std::weak_ptr(alive_), conversation, number,
                                       reply](const TurnResult& result) {
    if (alive.expired()) return reply(json_reply(to_json(result)));
    const auto node = runs_.extract(number);
    remember(result, node.mapped());
    keep_talk(conversation, result, node.mapped().client);
    reply_and_keep(result, node.mapped(), reply);
  });
}

void Endpoints::remember(const TurnResult& result, const Run& run) {
  if (run.is_forgotten) return;
  last_ = to_json(result);
  (*last_)["session_state"] = to_string(run.closes ? SessionState::kClosed : SessionState::kOpen);
  last_owner_ = run.client->owner;
}

void Endpoints::reply_and_keep(const TurnResult& result, const Run& run, const Reply& reply) {
  const auto state = std::make_shared<SessionState>(SessionState::kOpen);
  const std::string& owner = run.client->owner;
  auto answer = [this, alive = std::weak_ptr(alive_), &assistant = assistant_, state, closes = run.closes,
                 json = to_json(result), owner, id = run.session_id,
                 reply](const std::string& failure) mutable {
    if (!failure.empty()) log_warning("store", "a session is not kept: " + failure);
    json["session_state"] = to_string(closes ? SessionState::kClosed : *state);
    if (*state == SessionState::kClosed)  // something in the turn closed it
      assistant.post([this, alive, json] {
        if (!alive.expired() && last_ && last_->at("utterance_id") == json.at("utterance_id")) last_ = json;
      });
    if (!closes) return reply(json_reply(json));
    assistant.post([this, alive, owner, id, json, reply] {
      if (alive.expired()) return reply(json_reply(json));
      assistant_.sessions().close(owner, id, [json, reply](bool, const std::string& not_closed) {
        reply(not_closed.empty() ? json_reply(json) : error_reply(503, "unavailable", not_closed));
      });
    });
  };
  Rows& rows = assistant_.lasting()->rows();
  const bool is_kept = rows.lasts() && !run.is_forgotten && !is_default_session(run.session_id);
  if (!is_kept || !result.session) return answer("");
  SessionWrite write(owner, result.session);
  write.began = run.began;
  write.now = now();
  write.counts = assistant_.config().store.keep == StoreKeep::kNothing;
  rows.put_session(std::move(write),
                   [state, answer = std::move(answer)](SessionState how, const std::string& failure) mutable {
                     *state = how;
                     answer(failure);
                   });
}

/// Whoever leaves many questions open loses the first of its own.
void Endpoints::make_room_for_talk(const std::string& whose) {
  std::size_t count = 0;
  auto oldest = talks_.end();
  for (auto talk = talks_.begin(); talk != talks_.end(); ++talk) {
    if (talk->second.whose != whose) continue;
    ++count;
    if (oldest == talks_.end() || talk->second.number < oldest->second.number) oldest = talk;
  }
  if (count >= kMostTalks) talks_.erase(oldest);
}

void Endpoints::keep_talk(const std::shared_ptr<Conversation>& conversation, const TurnResult& result,
                          const net::ClientPtr& client) {
  const bool asks = result.session && result.session->response_mode;
  if (!asks && conversation->asks()) return;  // something else was said meanwhile
  const SessionKey key(client->owner, result.session_id);
  talks_.erase(key);
  if (!asks) return;
  auto& timers = assistant_.timers();
  const std::chrono::duration<double> left(
      std::clamp(result.session->response_mode->expires_at - unix_seconds(timers.clock().wall()), 0.0,
                 kLongestQuestion));
  Talk talk;
  talk.conversation = conversation;
  talk.whose = client->grant ? client->owner : client->address;
  talk.number = ++talk_count_;
  make_room_for_talk(talk.whose);
  talk.over = timers.at(timers.clock().now() + std::chrono::duration_cast<Clock::Time::duration>(left),
                        [this, key] { talks_.erase(key); });
  talks_.emplace(key, std::move(talk));
}

void Endpoints::last_response(const net::HttpRequest& request, const Reply& reply) {
  const std::string id = request.target.field("id");
  const auto& grant = request.client->grant;
  const bool mine = last_ && (!grant || grant->allows_session(last_->at("id").get_ref<const std::string&>()));
  if (mine && (id.empty() || last_->at("id") == id)) {
    reply(json_reply(*last_));
    return;
  }
  reply(error_reply(404, "no_response",
                    id.empty() ? "no turn was taken over /run yet"
                               : "the latest turn taken over /run was not of that session"));
}

void Endpoints::metrics(const net::HttpRequest&, const Reply& reply) {
  connections_([this, alive = std::weak_ptr(alive_), reply](std::vector<net::ConnectionState> now) {
    assistant_.post([this, alive, reply, now = std::move(now)] {
      if (alive.expired()) return;
      auto counts = assistant_.counters().all();
      counts.emplace_back("parley_messages_published_total", Counters::Labels(),
                          assistant_.bus().published());
      HttpReply text(200);
      text.content_type = "text/plain; version=0.0.4; charset=utf-8";
      text.body =
          net::metrics_text(counts, assistant_.counters().spreads(), gauges_of(assistant_, remote_, now));
      reply(std::move(text));
    });
  });
}

void Endpoints::pipeline(const net::HttpRequest&, const Reply& reply) {
  reply(json_reply({{"pipeline", pipeline_of(assistant_)}}));
}

void Endpoints::skills(const net::HttpRequest&, const Reply& reply) {
  Json remote = Json::array();
  for (const auto& [skill_id, client] : remote_.speakers())
    remote.push_back({{"skill_id", skill_id}, {"connection", client}});
  Json disabled = Json::array();
  for (const auto& skill : assistant_.disabled_skills())
    disabled.push_back({{"skill_id", skill.id}, {"version", skill.version}});
  reply(json_reply(
      {{"skills", skills_of(assistant_)}, {"remote", std::move(remote)}, {"disabled", std::move(disabled)}}));
}

void Endpoints::intents(const net::HttpRequest& request, const Reply& reply) {
  assistant_.wake_languages([this, client = request.client, reply] {
    Json seen = Json::array();
    for (auto& intent : intents_of(assistant_)) {
      if (client->may_see(intent.value("session_id", std::string(kDefaultSession))))
        seen.push_back(std::move(intent));
    }
    reply(json_reply({{"intents", std::move(seen)}}));
  });
}

void Endpoints::me(const net::HttpRequest& request, const Reply& reply) {
  const auto& grant = request.client->grant;
  Json rights = Json::array();
  for (const auto right : {net::Right::kTalk, net::Right::kRead, net::Right::kWrite, net::Right::kAdmin}) {
    if (!grant || grant->has(right)) rights.push_back(net::word_of(right));
  }
  reply(json_reply(
      {{"owner", request.client->owner}, {"rights", std::move(rights)}, {"token", grant != nullptr}}));
}

void Endpoints::openapi(const net::HttpRequest&, const Reply& reply) {
  HttpReply text(200);
  text.body = openapi_text();
  reply(std::move(text));
}

void Endpoints::default_session(const net::HttpRequest& request, const Reply& reply) {
  if (const auto refusal = net::refusal_of_session(request.client->grant, kDefaultSession)) {
    reply(error_reply(403, "session_refused", refusal->text));
    return;
  }
  reply(json_reply(to_json(*assistant_.orchestrator().sessions().current())));
}

}  // namespace parley
