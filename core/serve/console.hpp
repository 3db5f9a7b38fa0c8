#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "net/http.hpp"
#include "serve/embedded.hpp"

namespace parley {

/// The console, a page for browsers: `/` and what lies below `/console/`. It holds no data, so anybody may
/// load it; what it asks for it asks for with the token of whoever signs in. From any thread.
class Console {
 public:
  explicit Console(bool is_on) : is_on_(is_on) {}

  void enable(bool is_on) { is_on_ = is_on; }
  /// The file at a path; null: none is there, or the console is off.
  const EmbeddedFile* at(std::string_view path) const;
  /// The file with its headers for browsers; 304 without content if the browser has it already.
  static net::HttpReply reply(const EmbeddedFile& file, const net::HttpRequest& request);

 private:
  std::atomic<bool> is_on_;
};

/// The description of the HTTP endpoints, in OpenAPI 3.1.
std::string_view openapi_text();

}  // namespace parley
