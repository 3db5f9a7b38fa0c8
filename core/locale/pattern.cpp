#include <parley/templates.hpp>
#include <parley/text.hpp>

#include <set>

#include "locale/template_parser.hpp"

namespace parley {
namespace {

using Kind = TemplateNode::Kind;

bool is_space(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Whether the words of two neighbours may run into each other. Groups are taken as glued even where all
/// their branches end in a space: that only multiplies out a little more than needed.
bool glued(const TemplateNode& left, const TemplateNode& right) {
  if (left.kind == Kind::kSlot || right.kind == Kind::kSlot) return false;
  if (left.kind == Kind::kText && is_space(left.text.back())) return false;
  return right.kind != Kind::kText || !is_space(right.text.front());
}

void add_tokens(Pattern& sequence, Sentence sentence) {
  for (Token& token : sentence) {
    const bool slot = token.kind == Token::Kind::kSlot;
    sequence.children.emplace_back(slot ? Pattern::Kind::kSlot : Pattern::Kind::kWord, std::move(token.text));
  }
}

Pattern choice_of(const std::vector<std::string>& texts, std::string_view lang) {
  Pattern choice(Pattern::Kind::kChoice);
  std::set<Sentence> seen;
  for (const std::string& text : texts) {
    Sentence sentence = tokens(text, lang);
    if (!seen.insert(sentence).second) continue;
    add_tokens(choice.children.emplace_back(Pattern::Kind::kSequence), std::move(sentence));
  }
  return choice;
}

Pattern sequence_of(const TemplateNode& node, std::string_view lang);

void add_single(Pattern& into, const TemplateNode& node, std::string_view lang) {
  switch (node.kind) {
    case Kind::kText:
      add_tokens(into, tokens(node.text, lang));
      break;
    case Kind::kSlot:
      into.children.emplace_back(Pattern::Kind::kSlot, node.slot.name);
      break;
    case Kind::kVocabulary:
      into.children.push_back(choice_of(*node.phrases, lang));
      break;
    case Kind::kSequence:
      into.children.push_back(sequence_of(node, lang));
      break;
    case Kind::kChoice: {
      Pattern choice(Pattern::Kind::kChoice);
      for (const TemplateNode& branch : node.children) choice.children.push_back(sequence_of(branch, lang));
      into.children.push_back(std::move(choice));
      break;
    }
  }
}

Pattern sequence_of(const TemplateNode& node, std::string_view lang) {
  Pattern sequence(Pattern::Kind::kSequence);
  const TemplateNode* const end = node.children.data() + node.children.size();
  for (const TemplateNode* first = node.children.data(); first != end;) {
    const TemplateNode* last = first + 1;
    while (last != end && glued(*(last - 1), *last)) ++last;
    if (last - first == 1) {
      add_single(sequence, *first, lang);
    } else {
      sequence.children.push_back(choice_of(combine(first, last), lang));
    }
    first = last;
  }
  return sequence;
}

}  // namespace

Pattern word_pattern(const Template& source, std::string_view lang) {
  return sequence_of(source.root(), lang);
}

}  // namespace parley
