#include "net/lasting_requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <parley/json.hpp>
#include <parley/session.hpp>
#include <parley/storage.hpp>
#include <stdexcept>

#include "message/topics.hpp"
#include "net/client.hpp"
#include "session/session.hpp"
#include "store/due_message.hpp"
#include "store/schedule_table.hpp"

namespace parley::net {
namespace {

/// What is wrong with a request, for whoever sent it.
class BadRequest : public std::runtime_error {
 public:
  explicit BadRequest(const std::string& text) : std::runtime_error(text) {}
};

Json refusal(const char* code, const std::string& text) {
  return {{"error", {{"code", code}, {"message", text}}}};
}

std::string required_text(const Message& request, const char* key, std::size_t most) {
  std::string text = request.text(key);
  if (text.empty() || text.size() > most)
    throw BadRequest(fmt::format("'{}' is a text of 1 to {} bytes", key, most));
  return text;
}

StoragePlace place_of(const Message& request) {
  const std::string scope = request.data().contains("scope") ? request.text("scope") : "household";
  const std::string& skill_id = request.context().skill_id;
  const std::string& owner = request.owner();
  if (scope == "household") return {skill_id, StorageScope::kHousehold, "", ""};
  if (scope == "owner") return {skill_id, StorageScope::kOwner, owner, ""};
  if (scope == "session") return {skill_id, StorageScope::kSession, owner, request.session_id()};
  throw BadRequest("'scope' is \"household\", \"owner\" or \"session\"");
}

std::string json_text(const Message& request, const char* key, std::size_t most) {
  const auto found = request.data().find(key);
  if (found == request.data().end()) throw BadRequest(fmt::format("'{}' is missing", key));
  std::string text = found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > most)
    throw BadRequest(fmt::format("'{}' is {} bytes of JSON: {} are the most", key, text.size(), most));
  return text;
}

std::optional<std::uint64_t> expected_version(const Message& request) {
  const auto found = request.data().find("expect_version");
  if (found == request.data().end()) return std::nullopt;
  if (!found->is_number_unsigned()) throw BadRequest("'expect_version' is a whole number from 0 on");
  return found->get<std::uint64_t>();
}

Json value_json(const std::string& text) {
  auto parsed = parse_json(text);
  return parsed ? std::move(*parsed) : Json();
}

std::chrono::system_clock::time_point time_of(const Json& at) {
  constexpr double kLatest = 9'214'646'400;  // the year 2262: nanoseconds go no further
  if (!at.is_number() || at.get<double>() < 0 || at.get<double>() > kLatest)
    throw BadRequest("'at' is a time in Unix seconds, before the year 2262");
  const std::chrono::duration<double> since(at.get<double>());
  return std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::milliseconds>(since));
}

/// A session that is named rather than carried; a grant holds for it as well.
SessionPtr allowed_session(const Message& request, const Json& named) {
  if (!named.is_object()) throw BadRequest("'session' is a session");
  std::vector<std::string> spoiled;
  auto session = std::make_shared<const Session>(session_from_json(named, spoiled));
  const auto* const client = dynamic_cast<const Client*>(request.context().sender.get());
  if (client == nullptr || !client->grant) return session;
  if (!client->grant->allows_session(session->session_id))
    throw BadRequest(fmt::format("the grant of '{}' does not cover that session", client->grant->client));
  return client->grant->stamped(session);
}

Json scheduled_json(const Scheduled& what) {
  Json json = {{"id", what.id},
               {"name", what.name},
               {"at", unix_seconds(what.due)},
               {"payload", what.payload()},
               {"session_id", what.session_id}};
  if (what.rule) json["rule"] = what.rule->to_json();
  if (!what.lang.empty()) json["lang"] = what.lang;
  return json;
}

}  // namespace

LastingRequests::LastingRequests(std::shared_ptr<Lasting> lasting, const Clock& clock, std::string zone,
                                 Post post, Answer answer)
    : lasting_(std::move(lasting)),
      clock_(clock),
      zone_(zone.empty() ? "UTC" : std::move(zone)),
      post_(std::move(post)),
      answer_(std::move(answer)) {}

std::function<void(Json)> LastingRequests::answers(const Message& request) const {
  return [this, request, post = post_, alive = std::weak_ptr(alive_)](Json data) {
    post([this, request, alive, data = std::move(data)] {
      if (!alive.expired()) answer_(request.response(data));
    });
  };
}

void LastingRequests::take(const Message& request) {
  const std::string& topic = request.type();
  if (topic::is_evidence_request(topic)) {
    if (evidence_) evidence_(request);
    return;
  }
  try {
    if (topic == topic::kSessionClose) return end_session(request, false);
    if (topic == topic::kSessionForget) return end_session(request, true);
    if (request.context().skill_id.empty())
      throw BadRequest("only a skill has anything to keep: say in context.skill_id which one asks");
    if (topic == topic::kStoragePut) return put_value(request, false);
    if (topic == topic::kStorageErase) return put_value(request, true);
    if (topic == topic::kStorageGet) return get_value(request);
    if (topic == topic::kStorageAll) return all_values(request);
    if (topic == topic::kScheduleAdd) return add(request);
    if (topic == topic::kScheduleCancel) return cancel(request);
    list(request);
  } catch (const BadRequest& wrong) {
    answers(request)(refusal("bad_request", wrong.what()));
  }
}

void LastingRequests::put_value(const Message& request, bool erases) {
  const StoragePlace place = place_of(request);
  const std::string key = required_text(request, "key", Storage::kLongestKey);
  std::optional<std::string> json;
  if (!erases) json = json_text(request, "value", Storage::kLargestValue);
  const auto expect = expected_version(request);
  ValueChange change(place, key);
  change.json = json;
  change.expect = expect;
  change.now = to_milliseconds(clock_.wall());
  lasting_->rows().change(
      std::move(change), [erases, expect, answer = answers(request)](
                             StorageHost::Written written, Rows::Refused refused, const std::string& why) {
        if (refused != Rows::Refused::kNo)
          return answer(refusal(refused == Rows::Refused::kFull ? "full" : "unavailable", why));
        const bool conflict = !written.done && expect && written.version != *expect;
        Json data = conflict ? refusal("conflict", "another version is there") : Json::object();
        if (erases && !conflict) {
          data["erased"] = written.done;
        } else {
          data["version"] = written.version;
        }
        answer(std::move(data));
      });
}

void LastingRequests::get_value(const Message& request) {
  const StoragePlace place = place_of(request);
  const std::string key = required_text(request, "key", Storage::kLongestKey);
  lasting_->rows().get(
      place, key,
      [answer = answers(request)](std::optional<StorageHost::Stored> found, const std::string& failure) {
        if (!failure.empty()) return answer(refusal("unavailable", failure));
        if (!found) return answer(Json::object());
        answer({{"value", value_json(found->json)}, {"version", found->version}});
      });
}

void LastingRequests::all_values(const Message& request) {
  const StoragePlace place = place_of(request);
  lasting_->rows().all(place, request.text("prefix"),
                       [answer = answers(request)](const std::map<std::string, std::string>& found,
                                                   const std::string& failure) {
                         if (!failure.empty()) return answer(refusal("unavailable", failure));
                         Json all = Json::object();
                         for (const auto& [key, text] : found) all[key] = value_json(text);
                         answer({{"values", std::move(all)}});
                       });
}

void LastingRequests::add(const Message& request) {
  const Json& data = request.data();
  ScheduleRow row;
  row.skill_id = request.context().skill_id;
  Scheduled& what = row.what;
  what.name = required_text(request, "name", 100);
  if (data.contains("id")) what.id = required_text(request, "id", 100);
  if (data.contains("payload")) {
    json_text(request, "payload", Schedule::kLargestPayload);
    what.data = std::make_shared<const Json>(data.at("payload"));
  }
  Message by = request;
  if (const auto session = data.find("session"); session != data.end()) {
    by = request.with_session(allowed_session(request, *session));
  }
  const auto& session = by.context().session;
  what.time_zone = zone_of(session.get(), zone_);
  what.lang = session && session->lang ? *session->lang : "";
  what.session_id = by.session_id();
  what.owner = request.owner();
  if (!data.contains("at") && !data.contains("rule")) throw BadRequest("one of 'at' and 'rule' says when");
  if (data.contains("rule")) {
    const auto rule = ScheduleRule::from_json(data.at("rule"));
    if (!rule) throw BadRequest(rule.error().message);
    what.rule = *rule;
  }
  if (data.contains("at")) {
    if (what.rule && what.rule->kind() != ScheduleRule::Kind::kPeriod)
      throw BadRequest("one of 'at' and 'rule' says when: both together only where the rule is {seconds}");
    what.due = time_of(data.at("at"));
  }
  row.context = std::make_shared<const Json>(kept_context(by));
  lasting_->scheduler.add(std::move(row),
                          [answer = answers(request)](const std::string& id, const std::string& failure) {
                            if (!failure.empty()) return answer(refusal("unavailable", failure));
                            answer({{"id", id}});
                          });
}

void LastingRequests::cancel(const Message& request) {
  const std::string id = required_text(request, "id", 100);
  lasting_->scheduler.cancel(request.context().skill_id, id,
                             [answer = answers(request)](bool was_there, const std::string& failure) {
                               if (!failure.empty()) return answer(refusal("unavailable", failure));
                               answer({{"cancelled", was_there}});
                             });
}

/// Of the one who asks: a session of that id of somebody else's is another (K-4).
void LastingRequests::end_session(const Message& request, bool forgets) {
  std::string id = request.text("session_id");
  if (id.empty()) id = request.session_id();
  const auto* const client = dynamic_cast<const Client*>(request.context().sender.get());
  if (client != nullptr && client->grant) {
    const Grant& grant = *client->grant;
    const bool may = grant.has(forgets ? Right::kWrite : Right::kTalk) && grant.allows_session(id);
    if (!may)
      return answers(request)(
          refusal("forbidden", fmt::format("the grant of '{}' does not let it {} the session '{}'",
                                           grant.client, forgets ? "forget" : "close", id.substr(0, 200))));
  }
  (forgets ? forget_ : close_)(request.owner(), id, answers(request));
}

void LastingRequests::list(const Message& request) {
  Json all = Json::array();
  for (const auto& what : lasting_->scheduler.list(request.context().skill_id, request.text("name")))
    all.push_back(scheduled_json(what));
  answers(request)({{"scheduled", std::move(all)}});
}

}  // namespace parley::net
