#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::net {

/// The target of an HTTP request, taken apart.
struct Target {
  Target() = default;
  std::string path;                                        ///< Decoded, without a `/` at its end.
  std::map<std::string, std::string, std::less<>> fields;  ///< Of the query; the last one of a name counts.

  std::string field(std::string_view name) const;
};

/// Nothing when a percent-encoding is broken or encodes a control character. Letters beyond ASCII may come as
/// they are: curl sends them so.
std::optional<Target> parse_target(std::string_view text);

/// The parts between commas, blank ones left out.
std::vector<std::string> split_list(std::string_view text);

/// Whether somebody who needs no token may ask for this server by that name (as the header `Host` has it): an
/// IP address, `localhost`, or a name that `allowed` lists. Any other could be a name of a web page's owner
/// that points here, so that the page's requests count as the server's own.
bool is_host_allowed(std::string_view host, const std::vector<std::string>& allowed);

/// Whether a browser page of `origin` may talk to a server that was asked for as `host` (both as in the
/// headers of those names). Its own pages may: those of the very host, when that is `localhost` or an IP
/// address (a name could be anybody's who points it here). Others when `allowed` lists them.
bool is_origin_allowed(std::string_view origin, std::string_view host,
                       const std::vector<std::string>& allowed);

}  // namespace parley::net
