#include <parley/templates.hpp>
#include <parley/text.hpp>

#include <set>

#include "locale/template_parser.hpp"

namespace parley {
namespace {

using Kind = TemplateNode::Kind;

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
  const TemplateNode* const children = node.children.data();
  std::size_t first = 0;
  for (const std::size_t last : word_runs(node)) {
    if (last - first == 1) {
      add_single(sequence, children[first], lang);
    } else {
      sequence.children.push_back(choice_of(combine(children + first, children + last), lang));
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
