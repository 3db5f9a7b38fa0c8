#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "json_ld.hpp"

namespace parley::guide {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    if (code >= 0xD800 && code < 0xE000) return;  // half of a pair
    out += static_cast<char>(0xE0U | (code >> 12U));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x110000) {
    out += static_cast<char>(0xF0U | (code >> 18U));
    out += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

/// Appends what an entity stands for; gives its length, 0 for none.
std::size_t entity(std::string_view text, std::string& out) {
  struct Named {
    std::string_view name, value;
  };
  static constexpr std::array all{Named{"&amp;", "&"},    Named{"&lt;", "<"},     Named{"&gt;", ">"},
                                  Named{"&quot;", "\""},  Named{"&apos;", "'"},   Named{"&nbsp;", " "},
                                  Named{"&deg;", "°"},    Named{"&frac12;", "½"}, Named{"&frac14;", "¼"},
                                  Named{"&frac34;", "¾"}, Named{"&ndash;", "–"},  Named{"&rsquo;", "’"}};
  for (const Named& one : all) {
    if (!text.starts_with(one.name)) continue;
    out += one.value;
    return one.name.size();
  }
  if (!text.starts_with("&#")) return 0;
  const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char* const from = text.data() + (hex ? 3 : 2);
  const char* const end = text.data() + std::min<std::size_t>(text.size(), 12);
  if (from >= end) return 0;
  std::uint32_t code = 0;
  const auto read = std::from_chars(from, end, code, hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr == text.data() + text.size() || *read.ptr != ';') return 0;
  append_utf8(out, code);
  return static_cast<std::size_t>(read.ptr - text.data()) + 1;
}

bool begins_line(std::string_view tag) {
  std::string name;
  for (const char c : tag) {
    if (c == '/' && name.empty()) continue;
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name == "li" || name == "p" || name == "br" || name == "div" || name == "ol" || name == "ul";
}

}  // namespace

std::string plain_text(std::string_view html) {
  std::string out;
  for (std::size_t at = 0; at < html.size();) {
    const char c = html[at];
    if (c == '<' && at + 1 < html.size() &&
        (std::isalpha(static_cast<unsigned char>(html[at + 1])) != 0 || html[at + 1] == '/')) {
      const auto shut = html.find('>', at);
      if (shut == std::string_view::npos) break;
      out += begins_line(html.substr(at + 1, shut - at - 1)) ? '\n' : ' ';
      at = shut + 1;
    } else if (const std::size_t length = c == '&' ? entity(html.substr(at), out) : 0; length > 0) {
      at += length;
    } else {
      out += c;
      ++at;
    }
  }
  // White space of any length is one; around a line end it is none.
  std::string neat;
  for (const char c : out) {
    const bool space = c == ' ' || c == '\t' || c == '\r';
    if (c == '\n') {
      while (!neat.empty() && neat.back() == ' ') neat.pop_back();
      if (!neat.empty() && neat.back() != '\n') neat += '\n';
    } else if (!space) {
      neat += c;
    } else if (!neat.empty() && neat.back() != ' ' && neat.back() != '\n') {
      neat += ' ';
    }
  }
  while (!neat.empty() && (neat.back() == ' ' || neat.back() == '\n')) neat.pop_back();
  return neat;
}

}  // namespace parley::guide
