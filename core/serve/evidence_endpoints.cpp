#include "serve/evidence_endpoints.hpp"

#include <memory>
#include <parley/json.hpp>
#include <utility>

#include "app/assistant.hpp"
#include "evidence/answer.hpp"
#include "evidence/ingest.hpp"
#include "message/topics.hpp"
#include "runtime/random_id.hpp"
#include "serve/evidence_caller.hpp"
#include "store/lasting.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

using evidence::Refusal;

void query(Assistant& assistant, api::Call call) {
  evidence::ask(
      evidence_source(assistant), evidence::read_request(call.request.body),
      evidence_caller(assistant, *call.request.client), evidence_wording(assistant),
      [reply = call.reply](const Json& body, unsigned status) { reply(net::json_reply(body, status)); });
}

/// The events of a request. @throws Refused
Json events_in(const net::HttpRequest& request) {
  Json body = api::body_of(request);
  if (const Json fault = evidence::body_fault(body); !fault.is_null()) {
    const std::string code = fault.at("code");
    throw api::Refused(code == "TOO_MANY_EVENTS" ? 413 : 400, code, fault.at("message").get<std::string>(),
                       "events");
  }
  return body;
}

void ingest(Assistant& assistant, api::Call call) {
  const api::Query parameters(call.request.target, {"wait"});
  parameters.choice("wait", {"visible"});  // it always is, once it is answered
  if (!assistant.config().evidence.enabled)
    throw api::Refused(503, "unavailable", "evidence.enabled is false", "events");
  const evidence::Source source = evidence_source(assistant);
  // A thousand events take longer to read than a turn may wait for.
  source.lasting->making_ready([source, caller = evidence_caller(assistant, *call.request.client),
                                now = wall_milliseconds(assistant), call = std::move(call)] {
    const evidence::Told told = [reply = call.reply](const Json& answer, unsigned status) {
      reply(net::json_reply(answer, status));
    };
    api::answer_what_is_thrown([&] { evidence::add(source, events_in(call.request), caller, now, told); },
                               call.reply);
  });
}

void object(Assistant& assistant, api::Call call) {
  api::answer_by_reading(assistant.store(), call, [owner = call.owner(), id = call.id](Database& database) {
    const Json found = evidence::object_answer(database, owner, id);
    if (found.is_null()) throw api::not_found("there is no such object");
    return net::json_reply(found);
  });
}

void stats(Assistant& assistant, api::Call call) {
  api::answer_by_reading(assistant.store(), call,
                         [](Database& database) { return net::json_reply(evidence::stats(database)); });
}

}  // namespace

void answer_evidence(Assistant& assistant, const Message& request,
                     std::function<void(const Message&)> answer) {
  const auto* const client = dynamic_cast<const net::Client*>(request.context().sender.get());
  if (client == nullptr) return;  // only connections ask this way
  const evidence::Told told = [request, answer = std::move(answer)](Json data, unsigned) {
    answer(request.response(std::move(data)));
  };
  const bool writes = evidence::is_writing(request.type());
  if (client->grant && !client->grant->has(writes ? net::Right::kWrite : net::Right::kRead)) {
    const Refusal why("FORBIDDEN_SCOPE",
                      std::string("the grant has no right to ") + (writes ? "write" : "read"));
    return told(evidence::failed("q_" + random_id(), why), 403);
  }
  evidence::answer(evidence_source(assistant), request, evidence_caller(assistant, *client),
                   evidence_wording(assistant), wall_milliseconds(assistant), told);
}

api::Endpoints evidence_endpoints(Assistant& assistant) {
  const auto with = [&assistant](void (*handle)(Assistant&, api::Call)) {
    return [&assistant, handle](api::Call call) { handle(assistant, std::move(call)); };
  };
  api::Endpoints all;
  all.emplace_back("POST", "/v1/query", net::Right::kRead, with(&query));
  all.emplace_back("POST", "/v1/ingest/events", net::Right::kWrite, with(&ingest));
  all.emplace_back("GET", "/v1/objects/{id}", net::Right::kRead, with(&object));
  all.emplace_back("GET", "/v1/evidence/stats", net::Right::kRead, with(&stats));
  return all;
}

}  // namespace parley
