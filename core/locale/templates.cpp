#include <parley/templates.hpp>
#include <parley/text.hpp>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "locale/template_parser.hpp"

namespace parley {
namespace {

using Kind = TemplateNode::Kind;

std::vector<std::string> variants(const TemplateNode& node) {
  switch (node.kind) {
    case Kind::kText:
      return {node.text};
    case Kind::kSlot:
      return {"{" + node.slot.name + "}"};
    case Kind::kVocabulary:
      return *node.phrases;
    case Kind::kSequence:
      return combine(node.children.data(), node.children.data() + node.children.size());
    case Kind::kChoice:
      break;
  }
  std::vector<std::string> all;
  for (const TemplateNode& branch : node.children) {
    for (std::string& variant : variants(branch)) all.push_back(std::move(variant));
  }
  return all;
}

bool has_vocabulary(const TemplateNode& node) {
  return node.kind == Kind::kVocabulary ||
         std::any_of(node.children.begin(), node.children.end(), has_vocabulary);
}

template <class Items, class Write>
void write_group(std::string& out, const Items& items, Write write) {
  const bool single = items.size() == 1;
  if (!single) out += '(';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += '|';
    write(items[i]);
  }
  if (!single) out += ')';
}

void write_node(std::string& out, const TemplateNode& node) {
  switch (node.kind) {
    case Kind::kText:
      out += node.text;
      break;
    case Kind::kSlot: {
      const std::string_view type = to_string(node.slot.type);
      out.append("{").append(type).append(type.empty() ? "" : ":").append(node.slot.name).append("}");
      break;
    }
    case Kind::kVocabulary:
      write_group(out, *node.phrases, [&out](const std::string& phrase) { out += phrase; });
      break;
    case Kind::kChoice:
      write_group(out, node.children, [&out](const TemplateNode& branch) { write_node(out, branch); });
      break;
    case Kind::kSequence:
      for (const TemplateNode& child : node.children) write_node(out, child);
      break;
  }
}

void add_words(Sentence& sentence, std::string_view text, std::string_view lang) {
  for (Word& word : words(text, lang)) sentence.emplace_back(Token::Kind::kWord, std::move(word.norm));
}

}  // namespace

std::string collapse_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::vector<std::string> combine(const TemplateNode* first, const TemplateNode* last) {
  std::vector<std::string> all = {""};
  for (const TemplateNode* node = first; node != last; ++node) {
    const std::vector<std::string> next = variants(*node);
    std::vector<std::string> longer;
    longer.reserve(all.size() * next.size());
    for (const std::string& left : all) {
      for (const std::string& right : next) longer.push_back(left + right);
    }
    all = std::move(longer);
  }
  return all;
}

Result<Template, TemplateError> Template::parse(std::string_view text, TemplateOptions options) {
  TemplateParser parser(text, options);
  Result<TemplateNode, TemplateError> root = parser.run();
  if (!root) return root.error();
  const Result<TemplateFacts, TemplateError> facts = check_template(*root, options);
  if (!facts) return facts.error();
  Template parsed(std::string(text), std::move(root).value());
  parsed.slots_ = std::move(parser.slots());
  parsed.warnings_ = std::move(parser.warnings());
  parsed.combinations_ = facts->count;
  parsed.forms_ = facts->forms;
  return parsed;
}

bool Template::declares(std::string_view slot) const noexcept {
  return std::any_of(slots_.begin(), slots_.end(), [slot](const Slot& known) { return known.name == slot; });
}

std::vector<std::string> Template::expand() const {
  std::vector<std::string> sentences;
  std::unordered_set<std::string> seen;
  for (const std::string& variant : variants(root_)) {
    std::string sentence = collapse_spaces(variant);
    if (seen.insert(sentence).second) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::string Template::without_vocabularies() const {
  if (!has_vocabulary(root_)) return text_;
  std::string out;
  write_node(out, root_);
  return out;
}

Sentence tokens(std::string_view expanded, std::string_view lang) {
  Sentence sentence;
  while (!expanded.empty()) {
    const std::size_t open = expanded.find('{');
    add_words(sentence, expanded.substr(0, open), lang);
    if (open == std::string_view::npos) break;
    const std::size_t close = expanded.find('}', open);
    if (close == std::string_view::npos) break;
    sentence.emplace_back(Token::Kind::kSlot, std::string(expanded.substr(open + 1, close - open - 1)));
    expanded.remove_prefix(close + 1);
  }
  return sentence;
}

std::vector<Sentence> expand_tokens(const Template& source, std::string_view lang) {
  std::vector<Sentence> sentences;
  std::set<Sentence> seen;
  for (const std::string& expanded : source.expand()) {
    Sentence sentence = tokens(expanded, lang);
    if (seen.insert(sentence).second) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace parley
