#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/result.hpp>
#include <string>
#include <vector>

namespace parley::evidence {

using Json = nlohmann::json;

/// Why a query is refused: a code for programs, a sentence for people.
struct Refusal {
  Refusal(std::string what, std::string sentence) : code(std::move(what)), message(std::move(sentence)) {}
  std::string code, message;
};

/// What a query asks for.
struct Request {
  Request() = default;
  static constexpr std::int64_t kMostObjects = 200;
  static constexpr std::size_t kLongestQuery = 8 * 1024;  ///< Bytes; what is longer is no query text.

  std::string query_text, agent_id, session_id;
  std::string tenant_id, workspace_id;  ///< Empty: not named.
  std::string lang;                     ///< Of the query text; empty: that of the house.
  std::string scope = "session";
  std::int64_t top_k = 0, asked_top_k = 0;  ///< The one that is used, and the one that was asked for.
  std::optional<std::int64_t> from, to;     ///< Unix milliseconds, both included.
  std::vector<std::string> object_types, memory_types, edge_types;  ///< Empty: any.
  int max_hops = 1;
  bool objects_only = false, include_cold = false, debug = false;
  std::vector<std::string> ignored;  ///< Fields that nobody knows.
};

/// Reads the body of a query, and checks everything that can be checked of it alone.
Result<Request, Refusal> read_request(const std::string& body);
Result<Request, Refusal> read_request(const Json& body);

/// `{"query_id", "status": "failed", "error_code", "message"}`.
Json failed(const std::string& query_id, const Refusal& why);
/// Of the HTTP answer that carries it.
unsigned status_of(const Refusal& why);

}  // namespace parley::evidence
