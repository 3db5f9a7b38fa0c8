#include "locale/template_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/ascii.hpp"
#include "language/unicode.hpp"

namespace parley {
namespace {

constexpr std::string_view kMeta = "()[]{}<>|";

struct TypeName {
  std::string_view name;
  SlotType type;
};
constexpr std::array kTypes = {TypeName{"number", SlotType::kNumber},
                               TypeName{"duration", SlotType::kDuration}, TypeName{"date", SlotType::kDate},
                               TypeName{"color", SlotType::kColor},
                               TypeName{"language", SlotType::kLanguage}};

constexpr bool is_lower(char c) noexcept {
  return c >= 'a' && c <= 'z';
}

constexpr char closer_of(char open) noexcept {
  return open == '(' ? ')' : ']';
}

bool blank(const TemplateNode& sequence) {
  return std::all_of(sequence.children.begin(), sequence.children.end(), [](const TemplateNode& child) {
    return child.kind == TemplateNode::Kind::kText && is_blank(child.text);
  });
}

/// Appends, joining text to text so that two text nodes never follow each other.
void append(TemplateNode& sequence, TemplateNode node) {
  const bool joins = node.kind == TemplateNode::Kind::kText && !sequence.children.empty() &&
                     sequence.children.back().kind == TemplateNode::Kind::kText;
  if (joins) {
    sequence.children.back().text += node.text;
  } else {
    sequence.children.push_back(std::move(node));
  }
}

}  // namespace

std::string_view to_string(SlotType type) noexcept {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  return "";
}

SlotType slot_type(std::string_view name) noexcept {
  for (const TypeName& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return SlotType::kNone;
}

bool is_slot_name(std::string_view name) noexcept {
  return !name.empty() && !is_ascii_digit(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_lower(c) || is_ascii_digit(c) || c == '_';
  });
}

bool is_blank(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), is_space);
}

Result<TemplateNode, TemplateError> TemplateParser::run() {
  check_characters();
  TemplateNode root = sequence(0);
  if (!failed() && !at_end()) {
    fail(at('|') ? "'|' stands outside a group: write (a|b)"
                 : fmt::format("'{0}' closes nothing: its opening bracket is missing", text_[at_]),
         column_);
  }
  if (error_) return *error_;
  return root;
}

void TemplateParser::advance(std::size_t bytes) {
  for (const char c : text_.substr(at_, bytes)) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++column_;  // not a continuation byte
  }
  at_ += bytes;
}

void TemplateParser::fail(std::string reason, std::size_t column) {
  if (!error_) error_.emplace(std::move(reason), column);
}

void TemplateParser::check_characters() {
  if (text_.size() > Template::kMaxBytes) {
    return fail(fmt::format("the template is {} bytes long, the limit is {}: split it", text_.size(),
                            Template::kMaxBytes),
                1);
  }
  for (std::size_t i = 0; i < text_.size();) {
    if (text_[i] >= 0x20 && text_[i] < 0x7F) {
      ++i;
      continue;
    }
    const unicode::CodePoint here = unicode::decode(text_, i);
    const bool control = here.value < 0x20 && here.value != '\t';
    if (here.value < 0 || control || here.value == 0x7F) {
      const std::size_t column = unicode::code_points_before(text_, i) + 1;
      return fail(here.value < 0 ? std::string("not UTF-8: save the text as UTF-8")
                                 : fmt::format("control character U+{:04X}: remove it", here.value),
                  column);
    }
    i = here.next;
  }
}

TemplateNode TemplateParser::sequence(std::size_t depth) {
  TemplateNode node(TemplateNode::Kind::kSequence, column_);
  while (!failed() && !at_end() && !at('|') && !at(')') && !at(']')) element(node, depth);
  return node;
}

void TemplateParser::element(TemplateNode& into, std::size_t depth) {
  switch (text_[at_]) {
    case '(':
    case '[':
      return group(into, depth + 1);
    case '{':
      return slot(into);
    case '<':
      return vocabulary(into);
    case '}':
    case '>':
      return fail(fmt::format("'{}' closes nothing: its opening bracket is missing", text_[at_]), column_);
    default:
      return text_run(into);
  }
}

void TemplateParser::text_run(TemplateNode& into) {
  TemplateNode node(TemplateNode::Kind::kText, column_);
  const std::size_t end = std::min(text_.find_first_of(kMeta, at_), text_.size());
  node.text = text_.substr(at_, end - at_);
  advance(end - at_);
  append(into, std::move(node));
}

void TemplateParser::group(TemplateNode& into, std::size_t depth) {
  const char open = text_[at_];
  TemplateNode choice(TemplateNode::Kind::kChoice, column_);
  if (depth > Template::kMaxDepth) {
    return fail(fmt::format("groups are nested deeper than {} levels", Template::kMaxDepth), column_);
  }
  do {
    advance(1);
    choice.children.push_back(sequence(depth));
  } while (!failed() && at('|'));
  if (failed()) return;
  if (at_end()) {
    return fail(fmt::format("'{}' is never closed: '{}' is missing", open, closer_of(open)), choice.column);
  }
  if (!at(closer_of(open))) {
    return fail(fmt::format("'{}' of column {} is closed by '{}'", open, choice.column, text_[at_]), column_);
  }
  advance(1);
  finish_group(into, std::move(choice), open == '[');
}

void TemplateParser::finish_group(TemplateNode& into, TemplateNode choice, bool optional) {
  if (optional) {
    if (std::all_of(choice.children.begin(), choice.children.end(), blank)) {
      warn("the optional part is empty: remove it", choice.column);
    }
    choice.children.emplace_back(TemplateNode::Kind::kSequence, choice.column);
    return append(into, std::move(choice));
  }
  if (choice.children.size() > 1) return append(into, std::move(choice));
  if (blank(choice.children.front())) return fail("the group () is empty: remove it", choice.column);
  warn("the group has one branch only: write it without ( )", choice.column);
  for (TemplateNode& child : choice.children.front().children) append(into, std::move(child));
}

void TemplateParser::slot(TemplateNode& into) {
  const std::size_t column = column_;
  const std::size_t before = at_;
  const std::string_view braces = text_.substr(at_, 2) == "{{" ? "{{" : "{";
  const std::size_t start = at_ + braces.size();
  const std::size_t end = text_.find_first_of("{}", start);
  if (end == std::string_view::npos) return fail(fmt::format("'{}' is never closed", braces), column);
  if (text_[end] == '{') return fail("braces are nested: a slot is {name} or {{name}}", column);
  const std::string_view closing = braces.size() == 2 ? "}}" : "}";
  if (text_.substr(end, closing.size()) != closing) {
    return fail("'{{' is closed by a single '}': write {name} or {{name}}", column);
  }
  if (!options_.slots)
    return fail("a slot can't stand here: vocabularies, entities and blacklists take none", column);
  add_slot(into, text_.substr(start, end - start), column);
  advance(end + closing.size() - at_);
  warn_if_glued(before, column);
}

void TemplateParser::add_slot(TemplateNode& into, std::string_view inside, std::size_t column) {
  if (is_blank(inside)) return fail("the braces are empty: a slot has a name, as in {city}", column);
  const std::size_t colon = inside.find(':');
  const std::string_view name = colon == std::string_view::npos ? inside : inside.substr(colon + 1);
  if (!is_slot_name(name) || colon == 0) {
    return fail(
        fmt::format("'{}' is no slot name: lower-case letters, digits and '_', not starting with a digit",
                    inside),
        column);
  }
  const SlotType type =
      colon == std::string_view::npos ? SlotType::kNone : slot_type(inside.substr(0, colon), column);
  TemplateNode node(TemplateNode::Kind::kSlot, column);
  node.slot = Slot(std::string(name), type);
  const auto same = [name](const Slot& known) { return known.name == name; };
  if (std::none_of(slots_.begin(), slots_.end(), same)) {
    if (slots_.size() == Template::kMaxSlots)
      return fail(fmt::format("more than {} slots: split the template", Template::kMaxSlots), column);
    slots_.push_back(node.slot);
  }
  append(into, std::move(node));
}

SlotType TemplateParser::slot_type(std::string_view name, std::size_t column) {
  const SlotType known = parley::slot_type(name);
  if (known != SlotType::kNone) return known;
  warn(fmt::format(
           "the slot type '{}' is unknown and ignored: number, duration, date, color, language are known",
           name),
       column);
  return known;
}

void TemplateParser::warn_if_glued(std::size_t before, std::size_t column) {
  if (options_.spoken || failed()) return;
  const bool left = before > 0 && is_ascii_alphanumeric(text_[before - 1]);
  const bool right = !at_end() && (is_ascii_alphanumeric(text_[at_]) || text_[at_] == '\'');
  if (left || right)
    warn("the text next to the slot is matched as a word of its own: put a space between", column);
}

void TemplateParser::vocabulary(TemplateNode& into) {
  const std::size_t column = column_;
  const std::size_t end = text_.find_first_of("<>", at_ + 1);
  if (end == std::string_view::npos || text_[end] == '<')
    return fail("'<' is never closed: '>' is missing", column);
  TemplateNode node(TemplateNode::Kind::kVocabulary, column);
  node.text = text_.substr(at_ + 1, end - at_ - 1);
  if (!is_slot_name(node.text)) {
    return fail(
        fmt::format(
            "'{}' is no vocabulary name: lower-case letters, digits and '_', not starting with a digit",
            node.text),
        column);
  }
  if (!options_.vocabulary) {
    return fail(fmt::format("the vocabulary <{}> can't be looked up here: write its phrases out", node.text),
                column);
  }
  Result<Phrases> found = options_.vocabulary(node.text);
  if (!found) return fail(found.error().message, column);
  node.phrases = std::move(found).value();
  advance(end + 1 - at_);
  append(into, std::move(node));
}

}  // namespace parley
