#include <fmt/format.h>
#include <parley/text.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include "language/ascii.hpp"
#include "locale/template_parser.hpp"

namespace parley {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept {
  return a > kMost - b ? kMost : a + b;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) noexcept {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

using Checked = Result<TemplateFacts, TemplateError>;

/// A letter or digit of ASCII is always one or part of one, so few texts must be taken apart to know.
bool has_word(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_ascii_alphanumeric)) return true;
  return !is_blank(text) && !words(text, "").empty();
}

TemplateFacts text_facts(const TemplateNode& node, bool spoken) {
  TemplateFacts facts;
  facts.has_word = spoken ? !is_blank(node.text) : has_word(node.text);
  facts.can_be_empty = !facts.has_word;
  facts.bytes = node.text.size();
  return facts;
}

TemplateFacts slot_facts(const TemplateNode& node) {
  TemplateFacts facts;
  facts.can_start_with_slot = facts.can_end_with_slot = facts.can_be_slot_alone = true;
  facts.bytes = node.slot.name.size() + 2;
  facts.slots.insert(node.slot.name);
  return facts;
}

TemplateFacts vocabulary_facts(const TemplateNode& node) {
  TemplateFacts facts;
  facts.has_word = true;  // a vocabulary has no empty phrases
  facts.count = node.phrases->size();
  for (const std::string& phrase : *node.phrases) facts.bytes += phrase.size();
  return facts;
}

/// Puts `b` behind `a`, in time that grows with `b`.
void append(TemplateFacts& a, TemplateFacts b) {
  a.slots.merge(b.slots);
  a.forms = plus(a.forms, b.forms);
  a.can_start_with_slot |= a.can_be_empty && b.can_start_with_slot;
  a.can_end_with_slot = b.can_end_with_slot || (b.can_be_empty && a.can_end_with_slot);
  a.can_be_slot_alone = (a.can_be_slot_alone && b.can_be_empty) || (a.can_be_empty && b.can_be_slot_alone);
  a.can_be_empty &= b.can_be_empty;
  a.has_word |= b.has_word;
  a.bytes = plus(times(a.bytes, b.count), times(b.bytes, a.count));
  a.count = times(a.count, b.count);
}

void add_branch(TemplateFacts& all, TemplateFacts branch) {
  all.slots.merge(branch.slots);
  all.forms = plus(all.forms, branch.forms);
  all.can_be_empty |= branch.can_be_empty;
  all.can_start_with_slot |= branch.can_start_with_slot;
  all.can_end_with_slot |= branch.can_end_with_slot;
  all.can_be_slot_alone |= branch.can_be_slot_alone;
  all.has_word |= branch.has_word;
  all.count = plus(all.count, branch.count);
  all.bytes = plus(all.bytes, branch.bytes);
}

Checked facts_of(const TemplateNode& node, const TemplateOptions& options);

std::optional<TemplateError> too_many_forms(std::uint64_t forms, std::size_t column) {
  if (forms <= Template::kMaxExpansions) return std::nullopt;
  return TemplateError(
      fmt::format("groups that join without a space between them have {} forms, the limit is "
                  "{}: put spaces between them, or split the template",
                  forms, Template::kMaxExpansions),
      column);
}

Checked sequence_facts(const TemplateNode& node, const TemplateOptions& options) {
  if (node.children.size() == 1) {  // most of them: what a choice is between
    Checked facts = facts_of(node.children.front(), options);
    if (!facts) return facts;
    if (auto error = too_many_forms(facts->forms, node.children.front().column)) return *error;
    return facts;
  }
  TemplateFacts so_far;
  so_far.can_be_empty = true;
  std::vector<std::uint64_t> counts;  // of sentences, by child
  for (const TemplateNode& child : node.children) {
    Checked next = facts_of(child, options);
    if (!next) return next.error();
    if (so_far.can_end_with_slot && next->can_start_with_slot && !options.adjacent_slots) {
      return TemplateError(
          "two slots can stand next to each other: put a word between them that is always there",
          child.column);
    }
    for (const std::string_view slot : next->slots) {
      if (so_far.slots.contains(slot)) {
        return TemplateError(fmt::format("the slot {{{}}} can stand twice in one sentence", slot),
                             child.column);
      }
    }
    counts.push_back(next->count);
    append(so_far, std::move(next).value());
  }
  std::size_t first = 0;
  for (const std::size_t last : word_runs(node)) {
    std::uint64_t forms = 1;
    for (std::size_t i = first; i < last; ++i) forms = times(forms, counts[i]);
    if (last - first > 1) so_far.forms = plus(so_far.forms, forms);
    if (auto error = too_many_forms(so_far.forms, node.children[first].column)) return *error;
    first = last;
  }
  return so_far;
}

Checked choice_facts(const TemplateNode& node, const TemplateOptions& options) {
  TemplateFacts all;
  all.count = 0;
  for (const TemplateNode& branch : node.children) {
    Checked facts = facts_of(branch, options);
    if (!facts) return facts.error();
    add_branch(all, std::move(facts).value());
  }
  return all;
}

Checked facts_of(const TemplateNode& node, const TemplateOptions& options) {
  switch (node.kind) {
    case TemplateNode::Kind::kText:
      return text_facts(node, options.spoken);
    case TemplateNode::Kind::kSlot:
      return slot_facts(node);
    case TemplateNode::Kind::kVocabulary:
      return vocabulary_facts(node);
    case TemplateNode::Kind::kChoice:
      return choice_facts(node, options);
    case TemplateNode::Kind::kSequence:
      break;
  }
  return sequence_facts(node, options);
}

}  // namespace

Result<TemplateFacts, TemplateError> check_template(const TemplateNode& root,
                                                    const TemplateOptions& options) {
  Checked facts = facts_of(root, options);
  if (!facts) return facts;
  if (facts->can_be_empty) {
    return TemplateError("the template can become empty: at least one word must always be there", 1);
  }
  if (facts->can_be_slot_alone) {
    return TemplateError(facts->has_word
                             ? "the template can become one slot alone, which any utterance fits: at "
                               "least one word must always be there"
                             : "the template is one slot alone: it needs at least one word",
                         1);
  }
  if (facts->count > options.max_expansions) {
    return TemplateError(
        fmt::format("the template stands for {}{} sentences, the limit is {}: split it",
                    facts->count == kMost ? "more than " : "", facts->count, options.max_expansions),
        1);
  }
  if (options.max_expansions > Template::kMaxExpansions) return facts;  // will not be expanded
  if (facts->bytes > Template::kMaxExpandedBytes) {
    return TemplateError(fmt::format("the template's sentences take {} bytes, the limit is {}: split it",
                                     facts->bytes, Template::kMaxExpandedBytes),
                         1);
  }
  return facts;
}

}  // namespace parley
