#include "serve/api.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <parley/json.hpp>

#include "message/codec.hpp"
#include "runtime/rfc3339.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

constexpr std::string_view kId = "{id}";

std::int64_t read_time(std::string_view name, const std::string& text) {
  const auto time = from_rfc3339(text);
  if (!time)
    throw bad_request(std::string(name),
                      fmt::format("'{}' must be a time such as 2026-01-31T07:30:00Z and is '{}'", name,
                                  text.substr(0, 100)));
  return *time;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Runs the work and keeps what it answers; its refusal is thrown on, so that nothing of it is written.
std::function<void(Database&)> keeping(std::shared_ptr<net::HttpReply> reply, Work work) {
  return [reply = std::move(reply), work = std::move(work)](Database& database) {
    try {
      *reply = work(database);
    } catch (const Refused& refused) {
      *reply = refused.reply();
      throw;
    }
  };
}

std::function<void(const std::string&)> answering(std::shared_ptr<net::HttpReply> reply, Call call) {
  return [reply = std::move(reply), call = std::move(call)](const std::string& failure) {
    constexpr unsigned kNothingYet = 500;
    const bool is_refused = reply->status != kNothingYet && reply->status >= 400;
    if (failure.empty() || is_refused) return call.reply(std::move(*reply));
    call.reply(net::error_reply(503, "unavailable", failure));
  };
}

}  // namespace

net::HttpReply Refused::reply() const {
  Json error = {{"code", code}, {"message", what()}};
  if (!field.empty()) error["field"] = field;
  return net::json_reply({{"error", std::move(error)}}, status);
}

Refused bad_request(std::string field, const std::string& sentence) {
  return {400, "bad_request", sentence, std::move(field)};
}

Refused not_found(const std::string& sentence) {
  return {404, "not_found", sentence};
}

std::optional<std::string> id_in(std::string_view pattern, std::string_view path) {
  const std::size_t at = pattern.find(kId);
  if (at == std::string_view::npos) return pattern == path ? std::optional<std::string>("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at);
  const std::string_view behind = pattern.substr(at + kId.size());
  if (path.size() <= before.size() + behind.size() || !path.starts_with(before) || !path.ends_with(behind))
    return std::nullopt;
  path.remove_prefix(before.size());
  path.remove_suffix(behind.size());
  return std::string(path);
}

Query::Query(const net::Target& target, std::initializer_list<std::string_view> known) : target_(target) {
  for (const auto& [name, value] : target_.fields) {
    if (name == "token" || is_one_of(name, known)) continue;
    throw bad_request(name, fmt::format("there is no parameter '{}' here: there are {}", name.substr(0, 100),
                                        fmt::join(known, ", ")));
  }
}

std::string Query::choice(std::string_view name, std::initializer_list<std::string_view> words) const {
  std::string word = text(name);
  if (word.empty() || is_one_of(word, words)) return word;
  throw bad_request(std::string(name), fmt::format("'{}' must be one of {} and is '{}'", name,
                                                   fmt::join(words, ", "), word.substr(0, 100)));
}

bool Query::flag(std::string_view name) const {
  return choice(name, {"true", "false"}) == "true";
}

std::optional<std::int64_t> Query::time(std::string_view name) const {
  const std::string value = text(name);
  if (value.empty()) return std::nullopt;
  return read_time(name, value);
}

Page Query::page() const {
  Page page;
  page.after = text("after");
  const std::string limit = text("limit");
  if (limit.empty()) return page;
  const char* const end = limit.data() + limit.size();
  const auto read = std::from_chars(limit.data(), end, page.limit);
  if (read.ptr != end || read.ec != std::errc() || page.limit < 1 || page.limit > Page::kMost)
    throw bad_request("limit", fmt::format("'limit' must be a number from 1 to {}", Page::kMost));
  return page;
}

void answer_what_is_thrown(const std::function<void()>& handle,
                           const std::function<void(net::HttpReply)>& reply) {
  try {
    handle();
  } catch (const Refused& refused) {
    reply(refused.reply());
  } catch (const std::exception& error) {
    reply(net::error_reply(500, "internal", error.what()));
  }
}

Json body_of(const net::HttpRequest& request, std::initializer_list<std::string_view> known) {
  auto body = parse_json(request.body);
  if (!body) throw bad_request("", "the body is " + body.error().message);
  if (!body->is_object())
    throw bad_request("", fmt::format("the body must be an object and is {}", kind_of(*body)));
  if (known.size() == 0) return std::move(*body);
  for (const auto& [key, value] : body->items()) {
    if (!is_one_of(key, known))
      throw bad_request(key, fmt::format("the body has no '{}': it may have {}", key.substr(0, 100),
                                         fmt::join(known, ", ")));
  }
  return std::move(*body);
}

std::string text_in(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || found->is_null()) return {};
  if (!found->is_string() || found->get_ref<const std::string&>().empty())
    throw bad_request(key, fmt::format("'{}' must be a text that is not empty", key));
  return found->get<std::string>();
}

std::optional<std::int64_t> time_in(const Json& body, const char* key) {
  const std::string text = text_in(body, key);
  if (text.empty()) return std::nullopt;
  return read_time(key, text);
}

bool flag_in(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || found->is_null()) return false;
  if (!found->is_boolean()) throw bad_request(key, fmt::format("'{}' must be true or false", key));
  return found->get<bool>();
}

void answer_by_reading(Store& store, Call call, Work work) {
  const auto reply = std::make_shared<net::HttpReply>(500);
  store.read_behind(keeping(reply, std::move(work)), answering(reply, std::move(call)));
}

}  // namespace parley::api
