#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http.hpp"

namespace parley {

class Database;
class Store;

/// What endpoints share: how they are found, read what they are asked, refuse, and answer from the store.
namespace api {

using Json = nlohmann::json;

/// Stands for a value that is never shown.
inline constexpr const char* kHidden = "(hidden)";

/// Ends a request with `{"error": {"code", "message", "field"?}}`. To be thrown by a Handle, before it
/// returns, and by what answer_by_reading() runs.
class Refused : public std::runtime_error {
 public:
  /// @param the_field  the parameter or the part of the body that is wrong; empty: none in particular
  Refused(unsigned with, std::string the_code, const std::string& sentence, std::string the_field = {})
      : std::runtime_error(sentence), status(with), code(std::move(the_code)), field(std::move(the_field)) {}
  net::HttpReply reply() const;
  const unsigned status;
  const std::string code, field;
};

/// 400 `bad_request`.
Refused bad_request(std::string field, const std::string& sentence);
/// 404 `not_found`.
Refused not_found(const std::string& sentence);

/// One request that was let in.
struct Call {
  Call(net::HttpRequest what, std::string which, std::function<void(net::HttpReply)> back)
      : request(std::move(what)), id(std::move(which)), reply(std::move(back)) {}
  net::HttpRequest request;
  std::string id;                             ///< What stands for `{id}` in the path.
  std::function<void(net::HttpReply)> reply;  ///< To be called once, from any thread.

  const std::string& owner() const { return request.client->owner; }
  bool has(net::Right right) const { return !request.client->grant || request.client->grant->has(right); }
  /// Whose things it may see: empty: everybody's.
  std::string sees() const { return has(net::Right::kAdmin) ? std::string() : owner(); }
};

/// Runs on the loop.
using Handle = std::function<void(Call call)>;

/// What is done at one method and path.
struct Endpoint {
  /// @param where  may hold one `{id}`, which stands for any text that is not empty, `/` included; of several
  ///               that fit the one with the longest text counts
  Endpoint(std::string how, std::string where, net::Right what, Handle run)
      : method(std::move(how)), path(std::move(where)), needs(what), handle(std::move(run)) {}
  std::string method, path;
  net::Right needs;
  Handle handle;
};
using Endpoints = std::vector<Endpoint>;

/// What stands for `{id}`; nothing: it is another path.
std::optional<std::string> id_in(std::string_view pattern, std::string_view path);

/// A part of a list.
struct Page {
  static constexpr std::size_t kUsual = 50, kMost = 500;
  std::size_t limit = kUsual;
  std::string after;  ///< What `next` of the page before said; empty: from the beginning.
};

/// The parameters of a request. What is wrong with one is thrown as Refused, naming it.
class Query {
 public:
  /// @param known  any other parameter is refused, `token` aside
  Query(const net::Target& target, std::initializer_list<std::string_view> known);

  std::string text(std::string_view name) const { return target_.field(name); }
  std::string choice(std::string_view name, std::initializer_list<std::string_view> words) const;
  bool flag(std::string_view name) const;  ///< `true` or `false`; false if missing.
  /// Unix milliseconds of a time in RFC 3339.
  std::optional<std::int64_t> time(std::string_view name) const;
  Page page() const;  ///< `limit` and `after`.

 private:
  const net::Target target_;
};

/// Runs it, and replies with what it throws: a Refused with its own answer, anything else with 500
/// `internal`.
void answer_what_is_thrown(const std::function<void()>& handle,
                           const std::function<void(net::HttpReply)>& reply);

/// The body, an object; throws Refused when it is none, or has a key that is not known.
/// @param known  empty: any key
Json body_of(const net::HttpRequest& request, std::initializer_list<std::string_view> known = {});
/// Members of a body; a wrong type is refused, with the name of the member. Missing: empty.
std::string text_in(const Json& body, const char* key);
std::optional<std::int64_t> time_in(const Json& body, const char* key);
bool flag_in(const Json& body, const char* key);

/// Makes the answer from the store, on the thread where that reads. A store that fails is 503 `unavailable`.
using Work = std::function<net::HttpReply(Database&)>;
void answer_by_reading(Store& store, Call call, Work work);

}  // namespace api
}  // namespace parley
