#include "net/url.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>

namespace parley::net {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_space) c = ' ';
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    out.push_back(c);
  }
  return out;
}

/// The host of an authority, without its port and brackets.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  return authority.substr(0, authority.find(':'));
}

bool is_local_name(std::string_view host) {
  if (host == "localhost") return true;
  boost::system::error_code failed;
  boost::asio::ip::make_address(std::string(host), failed);
  return !failed;
}

}  // namespace

std::string Target::field(std::string_view name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string() : found->second;
}

std::optional<Target> parse_target(std::string_view text) {
  Target target;
  const auto question = text.find('?');
  auto path = decoded(text.substr(0, question), false);
  if (!path || !path->starts_with('/')) return std::nullopt;
  while (path->size() > 1 && path->ends_with('/')) path->pop_back();
  target.path = std::move(*path);
  if (question == std::string_view::npos) return target;
  std::string_view rest = text.substr(question + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view part = rest.substr(0, end);
    const auto equals = part.find('=');
    auto name = decoded(part.substr(0, equals), true);
    auto value =
        decoded(equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1), true);
    if (!name || !value) return std::nullopt;
    if (!name->empty()) target.fields.insert_or_assign(std::move(*name), std::move(*value));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return target;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

bool is_host_allowed(std::string_view host, const std::vector<std::string>& allowed) {
  const auto name = host_of(host);
  return is_local_name(name) || std::find(allowed.begin(), allowed.end(), name) != allowed.end();
}

bool is_origin_allowed(std::string_view origin, std::string_view host,
                       const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
  const auto scheme_end = origin.find("://");
  if (scheme_end == std::string_view::npos || host.empty()) return false;
  const auto authority = origin.substr(scheme_end + 3);
  return authority == host && is_local_name(host_of(host));
}

}  // namespace parley::net
