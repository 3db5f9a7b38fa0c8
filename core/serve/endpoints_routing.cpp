// Which endpoint a request is for, and whether it may have it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "net/grant.hpp"
#include "serve/endpoints.hpp"

namespace parley {

std::span<const Endpoints::Endpoint> Endpoints::all() {
  static constexpr std::array kAll{
      Endpoint{"POST", "/run", true, &Endpoints::run_turn},
      Endpoint{"POST", "/v1/explain", true, &Endpoints::explain},
      Endpoint{"GET", "/last_response", true, &Endpoints::last_response},
      Endpoint{"GET", "/health", false, &Endpoints::health},
      Endpoint{"GET", "/metrics", false, &Endpoints::metrics},
      Endpoint{"GET", "/v1/pipeline", false, &Endpoints::pipeline},
      Endpoint{"GET", "/v1/skills", false, &Endpoints::skills},
      Endpoint{"GET", "/v1/intents", false, &Endpoints::intents},
      Endpoint{"GET", "/v1/me", false, &Endpoints::me},
      Endpoint{"GET", "/v1/openapi.json", false, &Endpoints::openapi},
      Endpoint{"GET", "/v1/sessions/default", true, &Endpoints::default_session},
  };
  return kAll;
}

void Endpoints::add(api::Endpoints more) {
  std::move(more.begin(), more.end(), std::back_inserter(added_));
}

bool Endpoints::is_public(std::string_view path) const {
  return path == "/health" || console_.at(path) != nullptr;
}

void Endpoints::answer(net::HttpRequest request, Reply reply) {
  if (const auto* const file = console_.at(request.target.path)) return reply(Console::reply(*file, request));
  const auto endpoints = all();
  const auto found = std::find_if(endpoints.begin(), endpoints.end(), [&](const auto& one) {
    return one.path == request.target.path && one.method == request.method;
  });
  if (found == endpoints.end()) {
    const auto* const added = added_for(request);
    return added == nullptr ? reply(refusal_of(request)) : answer_with(*added, std::move(request), reply);
  }
  if (found->path == "/health") return health(request, reply);
  const auto& grant = request.client->grant;
  if (grant && (found->talks ? !grant->has(net::Right::kTalk) : grant->rights == 0)) {
    reply(net::error_reply(403, "right_refused",
                           fmt::format("the grant of '{}' has no right to {}", grant->client,
                                       found->talks ? "talk" : "anything")));
    return;
  }
  run([this, handle = found->handle, request = std::move(request),
       reply] { (this->*handle)(request, reply); },
      reply);
}

void Endpoints::answer_with(const api::Endpoint& endpoint, net::HttpRequest request, const Reply& reply) {
  const auto& grant = request.client->grant;
  if (grant && !grant->has(endpoint.needs))
    return reply(net::error_reply(
        403, "right_refused",
        fmt::format("the grant of '{}' has no right to {}", grant->client, net::word_of(endpoint.needs))));
  std::string id = *api::id_in(endpoint.path, request.target.path);
  api::Call call(std::move(request), std::move(id), reply);
  run([&endpoint, call = std::move(call)] { endpoint.handle(call); }, reply);
}

void Endpoints::run(std::function<void()> handle, const Reply& reply) {
  assistant_.post([alive = std::weak_ptr(alive_), handle = std::move(handle), reply] {
    if (!alive.expired()) api::answer_what_is_thrown(handle, reply);
  });
}

const api::Endpoint* Endpoints::added_for(const net::HttpRequest& request) const {
  const api::Endpoint* best = nullptr;
  for (const auto& one : added_) {
    if (one.method != request.method || !api::id_in(one.path, request.target.path)) continue;
    if (best == nullptr || one.path.size() > best->path.size()) best = &one;
  }
  return best;
}

net::HttpReply Endpoints::refusal_of(const net::HttpRequest& request) const {
  const std::string& path = request.target.path;
  std::string methods;
  const auto allow = [&](std::string_view method) {
    if (methods.find(method) == std::string::npos)
      methods += fmt::format("{}{}", methods.empty() ? "" : ", ", method);
  };
  for (const auto& one : all()) {
    if (one.path == path) allow(one.method);
  }
  for (const auto& one : added_) {
    if (api::id_in(one.path, path)) allow(one.method);
  }
  if (methods.empty())
    return net::error_reply(404, "not_found", fmt::format("there is nothing at '{}'", path.substr(0, 200)));
  auto refusal = net::error_reply(405, "method_not_allowed",
                                  fmt::format("{} takes {} only", path.substr(0, 200), methods));
  refusal.headers.emplace_back("Allow", methods);
  return refusal;
}

}  // namespace parley
