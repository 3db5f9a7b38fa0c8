#include "net/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <tuple>

#include "message/log.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::uint32_t kMostHeader = 16'384;  ///< Bytes of a request's head.
constexpr std::size_t kMostAhead = 65'536;     ///< Bytes read beyond it.
constexpr std::size_t kMostAround =
    65'536;  ///< Bytes of chunk heads and trailers around a body, beside its own size.
constexpr std::chrono::seconds kGuessPause(1);  ///< Before a wrong token is answered, after many.
constexpr std::chrono::seconds kKeepAlive(60);  ///< Between two requests.
constexpr std::chrono::seconds kLinger(2);

std::string text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

/// An address without its port.
std::string address_of(const std::string& peer) {
  return peer.substr(0, peer.rfind(':'));
}

bool has_body(const http::request_parser<http::string_body>& parser) {
  const auto length = parser.content_length();
  return parser.chunked() || (length && *length > 0);
}

/// Whether a body comes in a form that is read here: its length, or chunks and nothing else.
std::optional<HttpReply> refusal_of_framing(const http::request_header<>& head) {
  const auto codings = head.count(http::field::transfer_encoding);
  if (codings == 0) return std::nullopt;
  if (head.count(http::field::content_length) > 0)
    return error_reply(400, "bad_request", "a request has a Content-Length or a Transfer-Encoding, not both");
  if (codings > 1 || !boost::beast::iequals(head[http::field::transfer_encoding], "chunked"))
    return error_reply(501, "not_implemented", "of transfer encodings, only 'chunked' is understood");
  return std::nullopt;
}

}  // namespace

Connection::Connection(ConnectionOwner& owner, Link link, std::uint64_t id, const std::string& peer,
                       bool surplus)
    : owner_(owner),
      link_(std::move(link)),
      client_(std::make_shared<const Client>(id, "client " + peer, address_of(peer))),
      inlet_(owner.timers(), client_->name),
      timer_(link_.get_executor()),
      caught_up_(link_.get_executor()),
      left_(link_.get_executor(), asio::steady_timer::time_point::max()),
      surplus_(surplus) {}

void Connection::arm(std::chrono::milliseconds limit) {
  timer_.expires_after(limit);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& cancelled) {
    const auto self = weak.lock();
    if (self && !cancelled) self->link_.close();
  });
}

Task<> Connection::run(std::shared_ptr<Connection> self) {
  try {
    co_await self->serve();
  } catch (const std::exception& error) {
    log_error("gateway", fmt::format("{}: {}", self->client_->name, error.what()));
  }
  co_await self->linger();
  self->disarm();
  self->link_.close();
  self->owner_.ended(*self);
}

Task<> Connection::linger() {
  if (link_.is_closed()) co_return;
  arm(kLinger);
  link_.finish();
  std::array<char, 4096> rest{};
  while (!link_.is_closed()) {
    const auto [failed, size] = co_await link_.next_layer().async_read_some(asio::buffer(rest), kResult);
    if (failed) co_return;
  }
}

Task<> Connection::serve() {
  arm(owner_.settings().request_timeout);
  if (link_.is_tls()) {
    const auto [failed] = co_await link_.async_handshake(kResult);
    if (failed) co_return;
  }
  while (!link_.is_closed()) {
    const bool go_on = co_await serve_request();
    if (!go_on) co_return;
    arm(kKeepAlive);
    idle_since_ = std::chrono::steady_clock::now();
  }
}

std::size_t Connection::max_frame() const {
  const bool own = grant() && grant()->max_frame > 0;
  return own ? std::min(grant()->max_frame, owner_.settings().max_frame) : owner_.settings().max_frame;
}

Task<bool> Connection::serve_request() {
  const auto parser = std::make_shared<Parser>();
  parser->header_limit(kMostHeader);
  parser->body_limit(boost::none);  // looked at once it is known whose it is
  buffer_.max_size(kMostHeader + kMostAhead);
  const auto [failed, size] = co_await http::async_read_header(link_, buffer_, *parser, kResult);
  if (failed) co_return co_await refuse_bytes(failed);
  arm(owner_.settings().request_timeout);
  const auto target = parse_target(text_of(parser->get().target()));
  auto refusal = refusal_of_framing(parser->get());
  if (!refusal) refusal = refusal_of(parser->get(), target);
  if (guessed_) {
    caught_up_.expires_after(kGuessPause);
    co_await caught_up_.async_wait(kResult);
  }
  const auto length = parser->content_length();
  if (!refusal && length && *length > max_frame())
    refusal = refusal_of(make_error_code(http::error::body_limit));
  if (refusal) {
    // What else comes is not read: whoever is not let in makes nobody keep anything.
    if (has_body(*parser) || guessed_) leaving_ = true;
  } else {
    const boost::system::error_code broken = co_await read_body(parser);
    if (broken) co_return co_await refuse_bytes(broken);
  }
  disarm();
  Request request(parser->release());
  co_return co_await respond(std::move(request), std::move(refusal));
}

/// Chunk extensions and trailers are no part of a body and have no bound in the parser: all bytes are
/// counted.
Task<boost::system::error_code> Connection::read_body(std::shared_ptr<Parser> parser) {
  if (parser->is_done()) co_return boost::system::error_code();
  parser->body_limit(max_frame());
  if (boost::beast::iequals(parser->get()[http::field::expect], "100-continue")) {
    Response go_on(http::status::continue_, 11);
    co_await write(std::move(go_on));
  }
  const std::size_t most = 2 * max_frame() + kMostAround;
  std::size_t taken = 0;
  while (!parser->is_done()) {
    const auto [failed, size] = co_await http::async_read_some(link_, buffer_, *parser, kResult);
    if (failed) co_return failed;
    taken += size;
    if (taken > most) co_return make_error_code(http::error::body_limit);
  }
  co_return boost::system::error_code();
}

Task<bool> Connection::refuse_bytes(boost::system::error_code why) {
  const auto& category = http::make_error_code(http::error::bad_method).category();
  if (why.category() != category || why == http::error::end_of_stream || why == http::error::partial_message)
    co_return false;
  auto refusal = refusal_of(why);
  co_await write(response_for(Request(), std::move(refusal)));
  co_return false;
}

/// What is said to bytes that are no request.
HttpReply Connection::refusal_of(const boost::system::error_code& failed) {
  leaving_ = true;
  if (failed == http::error::body_limit) {
    owner_.counters().counter("parley_gateway_refused_total", {{"reason", "too_large"}}).add();
    return error_reply(413, "too_large",
                       fmt::format("the body is larger than {} bytes ({})", max_frame(),
                                   max_frame() < owner_.settings().max_frame ? "the grant's max_frame"
                                                                             : "gateway.max_frame"));
  }
  owner_.counters().counter("parley_gateway_refused_total", {{"reason", "malformed_http"}}).add();
  owner_.complain_of(*client_, "http", fmt::format("sent what is no HTTP request: {}", failed.message()));
  return error_reply(400, "bad_request", "this is no HTTP request: " + failed.message());
}

std::optional<HttpReply> Connection::refusal_of(const Request& request, const std::optional<Target>& target) {
  if (surplus_) {
    owner_.counters().counter("parley_gateway_refused_total", {{"reason", "connections"}}).add();
    return error_reply(503, "too_many_connections",
                       fmt::format("all {} connections are taken (gateway.max_connections); try again later",
                                   owner_.settings().max_connections));
  }
  if (!target) return error_reply(400, "bad_request", "the request names no path that can be read");
  if (auto refusal = refusal_of_origin(request)) return refusal;
  if (auto refusal = refusal_of_host(request)) return refusal;
  if (auto told = preflight(request)) return told;
  if (owner_.endpoints().is_public(target->path)) return std::nullopt;
  if (auto refusal = authenticate(request, *target)) return refusal;
  const std::string unready = owner_.unready();
  if (!unready.empty()) return error_reply(503, "not_ready", unready);
  return std::nullopt;
}

std::optional<HttpReply> Connection::refusal_of_host(const Request& request) {
  const auto hosts = request.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && request.version() >= 11))
    return error_reply(400, "bad_request", "a request of HTTP/1.1 has one header 'Host'");
  if (owner_.grants() || hosts == 0) return std::nullopt;
  const std::string host = text_of(request[http::field::host]);
  if (is_host_allowed(host, owner_.settings().allowed_hosts)) return std::nullopt;
  owner_.counters().counter("parley_gateway_refused_total", {{"reason", "host"}}).add();
  owner_.complain_of(*client_, "host",
                     fmt::format("refused: it asked for the host '{}'", host.substr(0, 100)));
  return error_reply(
      403, "host_refused",
      "this server is asked for by its address or as localhost; gateway.allowed_hosts lists the "
      "names it has beside those");
}

std::optional<HttpReply> Connection::refusal_of_origin(const Request& request) {
  const auto origin = request.find(http::field::origin);
  if (origin != request.end()) {
    const std::string from = text_of(origin->value());
    if (!is_origin_allowed(from, text_of(request[http::field::host]), owner_.settings().allowed_origins)) {
      owner_.counters().counter("parley_gateway_refused_total", {{"reason", "origin"}}).add();
      owner_.complain_of(*client_, "origin " + from,
                         fmt::format("refused a page of the origin '{}'", from.substr(0, 100)));
      return error_reply(403, "origin_refused",
                         "pages of this origin may not talk to this server; gateway.allowed_origins lists "
                         "those that may");
    }
  }
  return std::nullopt;
}

bool Connection::is_listed_origin(const Request& request) const {
  const auto origin = request.find(http::field::origin);
  const auto& allowed = owner_.settings().allowed_origins;
  return origin != request.end() &&
         std::find(allowed.begin(), allowed.end(), text_of(origin->value())) != allowed.end();
}

std::optional<HttpReply> Connection::preflight(const Request& request) const {
  const bool asks = request.find(http::field::access_control_request_method) != request.end();
  if (request.method() != http::verb::options || !asks || !is_listed_origin(request)) return std::nullopt;
  HttpReply told(204);
  told.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
  told.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type");
  told.headers.emplace_back("Access-Control-Max-Age", "600");
  return told;
}

std::optional<HttpReply> Connection::authenticate(const Request& request, const Target& target) {
  const auto grants = owner_.grants();
  if (!grants) return std::nullopt;
  constexpr std::string_view kBearer = "Bearer ";
  std::string token = text_of(request[http::field::authorization]);
  token = token.starts_with(kBearer) ? token.substr(kBearer.size()) : target.field("token");
  const auto known = token.empty() ? grants->end() : grants->find(sha256(token));
  if (known != grants->end()) {
    if (grant() == known->second) return std::nullopt;
    if (owner_.is_full(*known->second)) {
      owner_.counters().counter("parley_gateway_refused_total", {{"reason", "connections"}}).add();
      return error_reply(
          503, "too_many_connections",
          fmt::format("'{}' has as many connections as it may; try again later", known->second->client));
    }
    client_ = std::make_shared<const Client>(client_->id, client_->name, client_->address, known->second);
    return std::nullopt;
  }
  owner_.counters().counter("parley_gateway_refused_total", {{"reason", "token"}}).add();
  const char* const why = token.empty() ? "it has no token" : "its token is not known";
  owner_.complain_of(*client_, why, fmt::format("refused: {}", why));
  if (!token.empty()) {
    leaving_ = true;  // one guess a connection
    guessed_ = owner_.is_guessing(client_->address);
  }
  auto refusal = error_reply(401, "unauthorized",
                             "a token is needed: send 'Authorization: Bearer TOKEN', or 'token=TOKEN' in the "
                             "query where headers can't be set");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
  return refusal;
}

Task<bool> Connection::respond(Request request, std::optional<HttpReply> refusal) {
  const auto target = parse_target(text_of(request.target()));
  const bool upgrade = boost::beast::websocket::is_upgrade(request);
  if (!refusal && target->path == "/core") {
    if (upgrade) {
      auto filter = TopicFilter::parse(target->field("topics"), target->field("session"));
      if (filter) {
        filter_ = std::move(filter).value();
        co_await serve_core(std::move(request));
        co_return false;
      }
      refusal = error_reply(400, "bad_topics", filter.error().message);
    } else {
      refusal = error_reply(426, "upgrade_required", "/core is a WebSocket: connect to it with ws://");
      refusal->headers.emplace_back("Upgrade", "websocket");
    }
  }
  if (refusal && upgrade) request.keep_alive(false);
  HttpReply reply(500);
  if (refusal) {
    reply = std::move(*refusal);
  } else {
    HttpRequest asked;
    asked.method = request.method() == http::verb::head ? "GET" : text_of(request.method_string());
    asked.target = *target;
    asked.body = std::move(request.body());
    asked.accept = text_of(request[http::field::accept]);
    asked.if_none_match = text_of(request[http::field::if_none_match]);
    asked.client = client_;
    reply = co_await ask(std::move(asked));
  }
  Response response = response_for(request, std::move(reply));
  const bool go_on = response.keep_alive();
  co_await write(std::move(response));
  co_return go_on;
}

Task<HttpReply> Connection::ask(HttpRequest request) {
  if (!owner_.within_rate(grant(), false))
    co_return error_reply(429, "too_many", "more requests than this token's messages_per_second");
  const auto cell = std::make_shared<Cell<HttpReply>>();
  pending_ = cell;
  asked_ = true;
  owner_.counters().counter("parley_gateway_http_requests_total").add();
  owner_.endpoints().answer(std::move(request), [cell](HttpReply reply) { cell->set(std::move(reply)); });
  HttpReply reply = co_await Cell<HttpReply>::wait(cell);
  pending_.reset();
  co_return reply;
}

Connection::Response Connection::response_for(const Request& request, HttpReply reply) const {
  Response response(static_cast<http::status>(reply.status), request.version() == 10 ? 10 : 11);
  response.set(http::field::server, "parley");
  if (reply.status != 204 && reply.status != 304) response.set(http::field::content_type, reply.content_type);
  response.set(http::field::cache_control, "no-store");
  for (const auto& [name, value] : reply.headers) response.set(name, value);
  if (is_listed_origin(request)) {
    response.set(http::field::access_control_allow_origin, request[http::field::origin]);
    response.set(http::field::vary, "Origin");
  }
  response.keep_alive(request.keep_alive() && !surplus_ && !leaving_);
  response.body() = std::move(reply.body);
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

Task<> Connection::write(Response response) {
  co_await http::async_write(link_, response, kResult);
}

}  // namespace parley::net
