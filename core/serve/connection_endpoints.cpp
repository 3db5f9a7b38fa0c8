#include "serve/connection_endpoints.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>

#include "app/assistant.hpp"
#include "net/remote_skills.hpp"
#include "orchestrator/orchestrator.hpp"
#include "store/store.hpp"

namespace parley {
namespace {

using api::Json;
using Connections = std::vector<net::ConnectionState>;

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ptr != end || read.ec != std::errc())
    throw api::bad_request("after", "'after' must be what 'next' of the page before said");
  return number;
}

Json connection_json(Assistant& assistant, const net::ConnectionState& one,
                     const std::map<std::uint64_t, std::vector<std::string>>& skills) {
  const net::Client& client = *one.client;
  const auto speaks = skills.find(client.id);
  return {{"connection", client.id},
          {"name", client.name},
          {"address", client.address},
          {"kind", one.is_client ? "core" : "http"},
          {"older", one.is_older},
          {"owner", client.owner},
          {"token", client.grant != nullptr},
          {"skills", speaks == skills.end() ? std::vector<std::string>() : speaks->second},
          {"queued_bytes", one.queued_bytes},
          {"queued_messages", one.queued_messages},
          {"sent_bytes", one.sent_bytes},
          {"dropped", one.dropped},
          {"turns_waiting", assistant.orchestrator().waiting_of(client.id)}};
}

/// A page of them, on the loop.
Json page_json(Assistant& assistant, const net::RemoteSkills& remote, const Connections& all,
               std::uint64_t after, std::size_t limit) {
  const auto skills = remote.skills_by_client();
  Json list = Json::array();
  auto at = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.client->id > after; });
  for (; at != all.end() && list.size() < limit; ++at)
    list.push_back(connection_json(assistant, *at, skills));
  Json page = {{"connections", std::move(list)}, {"total", all.size()}};
  if (at != all.end()) page["next"] = std::to_string(std::prev(at)->client->id);
  return page;
}

}  // namespace

api::Endpoints connection_endpoints(Assistant& assistant, const net::RemoteSkills& remote,
                                    ListConnections list) {
  const auto alive = std::make_shared<char>();  // goes with the endpoints
  api::Endpoints all;
  all.emplace_back(
      "GET", "/v1/connections", net::Right::kAdmin,
      [&assistant, &remote, list = std::move(list), alive](const api::Call& call) {
        const api::Query query(call.request.target, {"limit", "after"});
        const api::Page page = query.page();
        const std::uint64_t after = page.after.empty() ? 0 : number_in(page.after);
        list([&assistant, &remote, call, page, after, there = std::weak_ptr(alive)](Connections now) {
          assistant.post([&assistant, &remote, call, page, after, there, now = std::move(now)] {
            if (there.expired()) return;
            call.reply(net::json_reply(page_json(assistant, remote, now, after, page.limit)));
          });
        });
      });
  return all;
}

std::map<std::string, double> gauges_of(Assistant& assistant, const net::RemoteSkills& remote,
                                        const Connections& connections) {
  std::map<std::string, double> gauges;
  const auto set = [&](const char* name, std::size_t value) { gauges[name] = static_cast<double>(value); };
  std::size_t clients = 0, bytes = 0, messages = 0, most = 0;
  for (const auto& one : connections) {
    clients += one.is_client ? 1 : 0;
    bytes += one.queued_bytes;
    messages += one.queued_messages;
    most = std::max(most, one.queued_bytes);
  }
  set("parley_gateway_connections", connections.size());
  set("parley_gateway_clients", clients);
  set("parley_gateway_queue_bytes", bytes);
  set("parley_gateway_queue_bytes_max", most);
  set("parley_gateway_queue_messages", messages);
  set("parley_gateway_remote_skills", remote.speakers().size());
  set("parley_skills_loaded", assistant.loaded_skills().size());
  set("parley_skills_disabled", assistant.disabled_skills().size());
  set("parley_utterances_in_flight", assistant.orchestrator().in_flight());
  set("parley_utterances_waiting", assistant.orchestrator().waiting());
  set("parley_store_queue_events", assistant.events_waiting());
  std::error_code unknown;
  const auto size = std::filesystem::file_size(assistant.store().file(), unknown);
  set("parley_store_bytes", unknown ? 0 : static_cast<std::size_t>(size));
  return gauges;
}

}  // namespace parley
