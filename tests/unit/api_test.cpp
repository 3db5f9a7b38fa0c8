// What HTTP endpoints share: paths, parameters, bodies, times.
#include "serve/api.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "runtime/rfc3339.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"

using namespace parley;

namespace {

net::Target api_target(const std::string& text) {
  return *net::parse_target(text);
}

/// The refusal of something as `code field`, and "" where there is none.
template <class F>
std::string api_refusal(F&& run) {
  try {
    run();
  } catch (const api::Refused& refused) {
    return refused.code + " " + refused.field;
  }
  return "";
}

net::HttpRequest api_body(const std::string& text) {
  net::HttpRequest request;
  request.body = text;
  return request;
}

/// What is answered from a store in memory.
net::HttpReply api_answer(Store& store, api::Work work) {
  net::HttpReply reply(0);
  api::Call call(net::HttpRequest(), "", [&reply](net::HttpReply got) { reply = std::move(got); });
  api::answer_by_reading(store, call, std::move(work));
  return reply;
}

}  // namespace

TEST_CASE("api: a path's {id} is any text, slashes and spaces included, but never empty") {
  CHECK(api::id_in("/v1/sessions/{id}", "/v1/sessions/me") == "me");
  CHECK(api::id_in("/v1/sessions/{id}", "/v1/sessions/a b/c") == "a b/c");
  CHECK(api::id_in("/v1/sessions/{id}/transcript", "/v1/sessions/me/transcript") == "me");
  CHECK(!api::id_in("/v1/sessions/{id}/transcript", "/v1/sessions/transcript"));
  CHECK(!api::id_in("/v1/sessions/{id}/transcript", "/v1/sessions//transcript"));
  CHECK(!api::id_in("/v1/sessions/{id}", "/v1/sessions/"));
  CHECK(!api::id_in("/v1/sessions/{id}", "/v1/turns/me"));
  CHECK(api::id_in("/v1/log", "/v1/log") == "");
  CHECK(!api::id_in("/v1/log", "/v1/logs"));
}

TEST_CASE("api: a parameter that is wrong or unknown is refused by its name") {
  const auto query = [](const std::string& text) {
    return api::Query(api_target("/x?" + text), {"state", "since", "full", "limit", "after"});
  };
  CHECK(query("token=secret").text("state").empty());
  CHECK(api_refusal([&] { query("stat=open"); }) == "bad_request stat");
  CHECK(query("state=open").choice("state", {"open", "idle"}) == "open");
  CHECK(api_refusal([&] { query("state=opened").choice("state", {"open", "idle"}); }) == "bad_request state");
  CHECK(query("since=1970-01-01T00:00:01Z").time("since") == 1000);
  CHECK(!query("").time("since"));
  CHECK(api_refusal([&] { query("since=yesterday").time("since"); }) == "bad_request since");
  CHECK(query("full=true").flag("full"));
  CHECK(!query("").flag("full"));
  CHECK(api_refusal([&] { query("full=1").flag("full"); }) == "bad_request full");
  CHECK(query("").page().limit == 50);
  CHECK(query("limit=500&after=x").page().limit == 500);
  CHECK(query("limit=500&after=x").page().after == "x");
  for (const char* const limit : {"0", "501", "-1", "1x", "99999999999999999999"})
    CHECK(api_refusal([&] { query(std::string("limit=") + limit).page(); }) == "bad_request limit");
}

TEST_CASE("api: a body is an object, and what is wrong in it is named") {
  CHECK(api_refusal([] { api::body_of(api_body("{")); }) == "bad_request ");
  CHECK(api_refusal([] { api::body_of(api_body("[]")); }) == "bad_request ");
  CHECK(api_refusal([] { api::body_of(api_body(R"({"al": true})"), {"all"}); }) == "bad_request al");
  const auto body = api::body_of(api_body(R"({"all": true, "owner": "anna", "no": 1})"));
  CHECK(api::flag_in(body, "all"));
  CHECK(!api::flag_in(body, "missing"));
  CHECK(api::text_in(body, "owner") == "anna");
  CHECK(api::text_in(body, "missing").empty());
  CHECK(api_refusal([&] { api::flag_in(body, "no"); }) == "bad_request no");
  CHECK(api_refusal([&] { api::text_in(body, "no"); }) == "bad_request no");
  CHECK(api_refusal([&] { api::time_in(body, "owner"); }) == "bad_request owner");
}

TEST_CASE("api: times are RFC 3339, and come back as they went") {
  CHECK(to_rfc3339(0) == "1970-01-01T00:00:00.000Z");
  CHECK(to_rfc3339(1'709'210'096'007) == "2024-02-29T12:34:56.007Z");
  CHECK(from_rfc3339("2024-02-29T12:34:56.007Z") == 1'709'210'096'007);
  CHECK(from_rfc3339("2024-02-29T13:34:56.0079999+01:00") == 1'709'210'096'007);
  CHECK(from_rfc3339("2024-02-29T11:04:56-01:30") == 1'709'210'096'000);
  for (const char* const text : {"", "2024", "2024-02-30T00:00:00Z", "2024-02-29", "2024-02-29T12:34:56",
                                 "2024-13-01T00:00:00Z", "2024-02-29T12:34:56Zx", "1969-12-31T23:59:59Z",
                                 "2024-2-29T12:34:56Z", "-024-02-29T12:34:56Z", "2024-02-29T25:00:00Z"})
    CHECK(!from_rfc3339(text));
}

TEST_CASE("api: what is refused while it reads says so, and a store that fails is unavailable") {
  const auto store = make_memory_store();
  const auto refused =
      api_answer(*store, [](Database&) -> net::HttpReply { throw api::not_found("there is no such thing"); });
  CHECK(refused.status == 404);
  CHECK(nlohmann::json::parse(refused.body).at("error").at("message") == "there is no such thing");
  CHECK(api_answer(*store, [](Database& database) {
          return net::json_reply(database.number("SELECT count(*) FROM session"));
        }).body == "0\n");
  store->close();
  CHECK(api_answer(*store, [](Database&) { return net::HttpReply(200); }).status == 503);
}
