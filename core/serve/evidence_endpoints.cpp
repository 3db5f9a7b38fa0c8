#include "serve/evidence_endpoints.hpp"

#include <memory>
#include <parley/json.hpp>
#include <utility>

#include "app/assistant.hpp"
#include "evidence/answer.hpp"
#include "evidence/ingest.hpp"
#include "runtime/random_id.hpp"
#include "serve/evidence_caller.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

using evidence::Refusal;

net::HttpReply refused_query(const std::string& query_id, const Refusal& why) {
  return net::json_reply(evidence::failed(query_id, why), evidence::status_of(why));
}

void query(Assistant& assistant, api::Call call) {
  const std::string id = "q_" + random_id();
  const auto request = evidence::read_request(call.request.body);
  if (!request) return call.reply(refused_query(id, request.error()));
  const auto reach = reach_of_query(evidence_caller(assistant, *call.request.client), *request);
  if (!reach) return call.reply(refused_query(id, reach.error()));
  if (!assistant.config().evidence.enabled)
    return call.reply(refused_query(id, Refusal("UNAVAILABLE", "evidence.enabled is false")));
  const auto body = std::make_shared<Json>();
  assistant.store().read(
      [body, request = *request, reach = *reach, wording = evidence_wording(assistant),
       id](Database& database) { *body = evidence::answer(database, request, reach, wording, id); },
      [body, id, reply = call.reply](const std::string& failure) {
        if (!failure.empty()) return reply(refused_query(id, Refusal("UNAVAILABLE", failure)));
        reply(net::json_reply(*body));
      });
}

void ingest(Assistant& assistant, api::Call call) {
  const api::Query parameters(call.request.target, {"wait"});
  parameters.choice("wait", {"visible"});  // it always is, once it is answered
  Json body = api::body_of(call.request);
  if (const Json fault = evidence::body_fault(body); !fault.is_null())
    throw api::Refused(fault.at("code") == "TOO_MANY_EVENTS" ? 413 : 400, fault.at("code"),
                       fault.at("message").get<std::string>(), "events");
  if (!assistant.config().evidence.enabled)
    throw api::Refused(503, "unavailable", "evidence.enabled is false");
  api::answer_by_writing(assistant.store(), call,
                         [body = std::move(body), caller = evidence_caller(assistant, *call.request.client),
                          now = wall_milliseconds(assistant)](Database& database) {
                           return net::json_reply(evidence::ingest(database, caller, body, now), 202);
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
