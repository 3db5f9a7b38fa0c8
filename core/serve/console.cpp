#include "serve/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace parley {
namespace {

constexpr std::string_view kSources = "tools/console/";
constexpr std::string_view kBelow = "/console/";

/// Nothing but files of this server runs or is loaded, no page may frame it, and it asks nobody else.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

std::string_view content_type_of(std::string_view name) {
  using Kind = std::pair<std::string_view, std::string_view>;
  static constexpr std::array kKinds{Kind(".html", "text/html; charset=utf-8"),
                                     Kind(".js", "text/javascript; charset=utf-8"),
                                     Kind(".css", "text/css; charset=utf-8"),
                                     Kind(".json", "application/json"), Kind(".svg", "image/svg+xml")};
  const auto* const kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& one) { return name.ends_with(one.first); });
  return kind == kKinds.end() ? "text/plain; charset=utf-8" : kind->second;
}

const EmbeddedFile* file_named(std::string_view folder, std::string_view name) {
  for (const auto& file : embedded_files()) {
    if (file.name.starts_with(folder) && file.name.substr(folder.size()) == name) return &file;
  }
  return nullptr;
}

/// Whether an `If-None-Match` names that tag; browsers and proxies may mark it as weak.
bool names_tag(std::string_view header, std::string_view tag) {
  return header == "*" || header.find(tag) != std::string_view::npos;
}

}  // namespace

const EmbeddedFile* Console::at(std::string_view path) const {
  if (!is_on_) return nullptr;
  if (path == "/") return file_named(kSources, "index.html");
  if (!path.starts_with(kBelow)) return nullptr;
  return file_named(kSources, path.substr(kBelow.size()));
}

net::HttpReply Console::reply(const EmbeddedFile& file, const net::HttpRequest& request) {
  if (request.method != "GET") {
    auto refusal = net::error_reply(405, "method_not_allowed", "files of the console can be read only");
    refusal.headers.emplace_back("Allow", "GET, HEAD");
    return refusal;
  }
  const std::string tag = fmt::format("\"{}\"", file.sum);
  const bool has_it = names_tag(request.if_none_match, tag);
  net::HttpReply reply(has_it ? 304 : 200);
  reply.headers = {{"ETag", tag},
                   {"Cache-Control", "no-cache"},  // keep it, but ask whether it is still the same
                   {"Content-Security-Policy", kPolicy},
                   {"X-Content-Type-Options", "nosniff"},
                   {"Referrer-Policy", "no-referrer"},
                   {"Cross-Origin-Opener-Policy", "same-origin"},
                   {"Cross-Origin-Resource-Policy", "same-origin"},
                   {"Permissions-Policy", "microphone=(self), camera=(), geolocation=()"}};
  if (has_it) return reply;
  reply.content_type = content_type_of(file.name);
  reply.body = file.text;
  return reply;
}

std::string_view openapi_text() {
  const auto* const file = file_named("docs/", "openapi.json");
  if (file == nullptr) throw std::logic_error("docs/openapi.json is not built in");
  return file->text;
}

}  // namespace parley
