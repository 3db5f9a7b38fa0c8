#include "spoken_pattern.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <optional>

#include "language/unicode.hpp"

namespace parley::script {
namespace {

constexpr std::size_t kMaxDepth = 32;

std::string plain_character(std::int32_t code_point, std::string_view bytes) {
  switch (code_point) {
    case 0x2018:
    case 0x2019:
    case 0x02BC:
      return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
      return "\"";
    default:
      break;
  }
  if (code_point >= 0 && u_isUWhiteSpace(code_point) != 0) return " ";
  return code_point < 0 ? std::string("\xEF\xBF\xBD") : std::string(bytes);
}

/// Quotes and white space made plain, case folded; runs of spaces are kept, because they may meet across
/// the borders of a pattern.
std::string folded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, next] = unicode::decode(text, at);
    plain += plain_character(value, text.substr(at, next - at));
    at = next;
  }
  std::string out;
  icu::UnicodeString::fromUTF8(plain).foldCase().toUTF8String(out);
  return out;
}

std::string single_spaced(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out.push_back(c);
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

class SpokenPattern::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Sequence, PatternError> run() {
    Sequence root = sequence(0);
    if (!failure_ && at_ < text_.size()) {
      fail(fmt::format("'{}' without a '{{' before it; write '\\{}' for the character itself", text_[at_],
                       text_[at_]));
    }
    if (failure_) return *failure_;
    return root;
  }

 private:
  void fail(std::string why) {
    if (!failure_) failure_.emplace(std::move(why), unicode::code_points_before(text_, at_) + 1);
  }

  Sequence sequence(std::size_t depth) {
    Sequence out;
    while (!failure_ && at_ < text_.size() && text_[at_] != '}' && (depth == 0 || text_[at_] != '|')) {
      out.push_back(node(depth));
    }
    return out;
  }

  Node node(std::size_t depth) {
    if (text_[at_] == '*') {
      ++at_;
      return Node(Kind::kAny);
    }
    return text_[at_] == '{' ? choice(depth) : literal(depth);
  }

  Node choice(std::size_t depth) {
    Node out(Kind::kChoice);
    const std::size_t opened = at_;
    if (depth == kMaxDepth) {
      fail(fmt::format("'{{' nested more than {} deep", kMaxDepth));
      return out;
    }
    do {
      ++at_;
      out.branches.push_back(sequence(depth + 1));
    } while (!failure_ && at_ < text_.size() && text_[at_] == '|');
    if (failure_) return out;
    if (at_ == text_.size()) {
      at_ = opened;
      fail("'{' without a '}' after it; write '\\{' for the character itself");
      return out;
    }
    ++at_;
    return out;
  }

  Node literal(std::size_t depth) {
    Node out(Kind::kText);
    std::string raw;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '*' || c == '{' || c == '}' || (c == '|' && depth > 0)) break;
      if (c == '\\' && at_ + 1 < text_.size()) ++at_;
      raw.push_back(text_[at_++]);
    }
    out.text = folded(raw);
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<PatternError> failure_;
};

Result<SpokenPattern, PatternError> SpokenPattern::parse(std::string_view text) {
  auto root = Parser(text).run();
  if (!root) return root.error();
  SpokenPattern out;
  out.root_ = std::move(root).value();
  return out;
}

SpokenPattern::Positions SpokenPattern::step(const Node& node, const std::string& said,
                                             const Positions& from) {
  Positions to(from.size(), false);
  if (node.kind == Kind::kAny) {
    const auto first = std::find(from.begin(), from.end(), true);
    std::fill(to.begin() + (first - from.begin()), to.end(), true);
    return to;
  }
  if (node.kind == Kind::kChoice) {
    for (const auto& branch : node.branches) {
      const Positions reached = follow(branch, said, from);
      std::transform(to.begin(), to.end(), reached.begin(), to.begin(), std::logical_or<>());
    }
    return to;
  }
  for (std::size_t at = 0; at < from.size(); ++at) {
    if (!from[at]) continue;
    // A run of spaces in the pattern is one space, and none where one has just been passed or at an end.
    std::size_t here = at;
    bool fits = true;
    for (const char c : node.text) {
      if (c == ' ' && (here == 0 || said[here - 1] == ' ' || here == said.size())) continue;
      fits = here < said.size() && said[here] == c;
      if (!fits) break;
      ++here;
    }
    if (fits) to[here] = true;
  }
  return to;
}

SpokenPattern::Positions SpokenPattern::follow(const Sequence& sequence, const std::string& said,
                                               Positions from) {
  for (const auto& node : sequence) from = step(node, said, from);
  return from;
}

bool SpokenPattern::matches(std::string_view said) const {
  const std::string text = single_spaced(folded(said));
  Positions start(text.size() + 1, false);
  start[0] = true;
  return follow(root_, text, std::move(start)).back();
}

std::string SpokenPattern::escaped(std::string_view said) {
  std::string out;
  for (const char c : said) {
    if (c == '*' || c == '{' || c == '}' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

}  // namespace parley::script
