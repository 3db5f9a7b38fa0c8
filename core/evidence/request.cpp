#include "evidence/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <parley/json.hpp>
#include <span>
#include <string_view>

#include "evidence/object.hpp"
#include "runtime/rfc3339.hpp"

namespace parley::evidence {
namespace {

constexpr std::string_view kFields[] = {"query_text",
                                        "query_scope",
                                        "session_id",
                                        "agent_id",
                                        "tenant_id",
                                        "workspace_id",
                                        "top_k",
                                        "time_window",
                                        "object_types",
                                        "memory_types",
                                        "relation_constraints",
                                        "response_mode",
                                        "include_cold",
                                        "debug",
                                        "query_id",
                                        "lang"};

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (const auto word : words) text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
  return text;
}

bool is_among(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool says_nothing(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

/// Takes the fields of a body one after the other; what is wrong is thrown.
class RequestReader {
 public:
  explicit RequestReader(const Json& body) : body_(body) {}

  Request read() {
    Request request;
    request.query_text = needed("query_text", "EMPTY_QUERY_TEXT");
    if (request.query_text.size() > Request::kLongestQuery)
      throw Refusal("INVALID_FIELD_TYPE", fmt::format("query_text has {} bytes: {} are the most",
                                                      request.query_text.size(), Request::kLongestQuery));
    request.agent_id = needed("agent_id", "EMPTY_AGENT_ID");
    request.session_id = needed("session_id", "EMPTY_SESSION_ID");
    request.tenant_id = text("tenant_id");
    request.workspace_id = text("workspace_id");
    request.lang = text("lang");
    if (const std::string scope = text("query_scope"); !scope.empty()) request.scope = scope;
    if (!is_among(request.scope, kScopes))
      throw Refusal("INVALID_QUERY_SCOPE",
                    fmt::format("query_scope is '{}': it must be one of {}", request.scope, one_of(kScopes)));
    read_top_k(request);
    read_window(request);
    request.object_types = words("object_types", kObjectTypes, "INVALID_OBJECT_TYPE");
    request.memory_types = words("memory_types", kMemoryTypes, "INVALID_MEMORY_TYPE");
    read_relations(request);
    read_mode(request);
    request.include_cold = flag("include_cold");
    request.debug = flag("debug");
    for (const auto& [key, value] : body_.items()) {
      if (!is_among(key, kFields)) request.ignored.push_back(key);
    }
    return request;
  }

 private:
  /// Null: it is not there, or null.
  const Json* field(const char* key) const {
    const auto found = body_.find(key);
    return found == body_.end() || found->is_null() ? nullptr : &*found;
  }
  [[noreturn]] static void wrong_type(const char* key, const char* what) {
    throw Refusal("INVALID_FIELD_TYPE", fmt::format("{} must be {}", key, what));
  }
  std::string text(const char* key) const {
    const Json* const value = field(key);
    if (value == nullptr) return {};
    if (!value->is_string()) wrong_type(key, "a string");
    return value->get<std::string>();
  }
  std::string needed(const char* key, const char* code) const {
    std::string value = text(key);
    if (says_nothing(value)) throw Refusal(code, fmt::format("{} must not be empty", key));
    return value;
  }
  bool flag(const char* key) const {
    const Json* const value = field(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) wrong_type(key, "true or false");
    return value->get<bool>();
  }
  std::vector<std::string> list(const char* key) const {
    const Json* const value = field(key);
    std::vector<std::string> texts;
    if (value == nullptr) return texts;
    constexpr std::size_t kMost = 64;
    if (!value->is_array() || value->size() > kMost) wrong_type(key, "a list of at most 64 strings");
    for (const auto& one : *value) {
      if (!one.is_string()) wrong_type(key, "a list of strings");
      texts.push_back(one.get<std::string>());
    }
    return texts;
  }
  std::vector<std::string> words(const char* key, std::span<const std::string_view> known,
                                 const char* code) const {
    auto texts = list(key);
    for (const auto& one : texts) {
      if (!is_among(one, known))
        throw Refusal(code, fmt::format("{} has '{}': known are {}", key, one, one_of(known)));
    }
    return texts;
  }
  void read_top_k(Request& request) const {
    const Json* const value = field("top_k");
    if (value == nullptr) throw Refusal("INVALID_TOP_K", "top_k is missing: it must be a whole number >= 1");
    if (!value->is_number_integer()) wrong_type("top_k", "a whole number");
    const bool is_huge = value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX;
    request.asked_top_k = is_huge ? INT64_MAX : value->get<std::int64_t>();
    if (request.asked_top_k < 1) throw Refusal("INVALID_TOP_K", "top_k must be >= 1");
    request.top_k = std::min(request.asked_top_k, Request::kMostObjects);
  }
  static std::optional<std::int64_t> end_of(const Json& window, const char* key) {
    const auto found = window.find(key);
    if (found == window.end() || found->is_null()) return std::nullopt;
    if (!found->is_string()) wrong_type("time_window", "an object of times, {\"from\", \"to\"}");
    const auto text = found->get<std::string>();
    if (text.empty()) return std::nullopt;
    const auto time = from_rfc3339(text);
    if (!time)
      throw Refusal("INVALID_TIME_WINDOW",
                    fmt::format("time_window.{} is '{}': a time such as 2026-01-31T07:30:00Z", key, text));
    return time;
  }
  void read_window(Request& request) const {
    const Json* const window = field("time_window");
    if (window == nullptr) return;
    if (!window->is_object()) wrong_type("time_window", "an object, {\"from\", \"to\"}");
    request.from = end_of(*window, "from");
    request.to = end_of(*window, "to");
    if (request.from && request.to && *request.from > *request.to)
      throw Refusal("INVALID_TIME_WINDOW", "time_window.from must not be later than time_window.to");
  }
  void read_relations(Request& request) const {
    constexpr std::string_view kHops = "max_hops:";
    for (const auto& one : list("relation_constraints")) {
      if (is_among(one, kEdgeTypes)) {
        request.edge_types.push_back(one);
      } else if (one == "max_hops:1" || one == "max_hops:2") {
        request.max_hops = one.back() - '0';
      } else if (one.starts_with(kHops)) {
        const std::string hops = one.substr(kHops.size());
        const bool too_few = hops == "0" || hops.starts_with('-');
        throw Refusal("INVALID_RELATION_CONSTRAINT",
                      too_few ? "max_hops must be >= 1" : fmt::format("max_hops is '{}': 1 or 2", hops));
      } else {
        throw Refusal("INVALID_RELATION_CONSTRAINT",
                      fmt::format("relation_constraints has '{}': known are {}, and max_hops:N", one,
                                  one_of(kEdgeTypes)));
      }
    }
  }
  void read_mode(Request& request) const {
    const std::string mode = text("response_mode");
    if (mode != "structured_evidence" && mode != "objects_only" && mode != "evidence")
      throw Refusal(
          "INVALID_RESPONSE_MODE",
          fmt::format("response_mode is '{}': it must be structured_evidence or objects_only", mode));
    request.objects_only = mode == "objects_only";
  }

  const Json& body_;
};

}  // namespace

Result<Request, Refusal> read_request(const Json& body) {
  if (!body.is_object())
    return Refusal("INVALID_FIELD_TYPE", "the body must be an object with query_text, agent_id and so on");
  try {
    return RequestReader(body).read();
  } catch (const Refusal& refusal) {
    return refusal;
  }
}

Result<Request, Refusal> read_request(const std::string& body) {
  const auto json = parse_json(body);
  if (!json) return Refusal("MALFORMED_JSON", "the body is " + json.error().message);
  return read_request(*json);
}

Json failed(const std::string& query_id, const Refusal& why) {
  return {{"query_id", query_id}, {"status", "failed"}, {"error_code", why.code}, {"message", why.message}};
}

unsigned status_of(const Refusal& why) {
  if (why.code == "FORBIDDEN_SCOPE") return 403;
  return why.code == "UNAVAILABLE" ? 503 : 400;
}

}  // namespace parley::evidence
