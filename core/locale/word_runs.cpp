#include <algorithm>

#include "locale/template_parser.hpp"

namespace parley {
namespace {

using Kind = TemplateNode::Kind;

/// How a part of a template can meet its neighbours.
struct Edges {
  bool open_front = false;  ///< Some sentence begins with a letter, not with a space.
  bool open_back = false;   ///< Some sentence ends with one.
  bool vanishes = false;    ///< Some sentence is nothing at all, not even a space.
};

Edges edges_of(const TemplateNode& node);

Edges sequence_edges(const TemplateNode& node) {
  Edges all;
  all.vanishes = true;
  for (const TemplateNode& child : node.children) {
    const Edges next = edges_of(child);
    all.open_front |= all.vanishes && next.open_front;
    all.open_back = next.open_back || (next.vanishes && all.open_back);
    all.vanishes &= next.vanishes;
  }
  return all;
}

Edges edges_of(const TemplateNode& node) {
  Edges edges;
  switch (node.kind) {
    case Kind::kText:
      edges.open_front = !is_space(node.text.front());
      edges.open_back = !is_space(node.text.back());
      break;
    case Kind::kSlot:  // what stands beside a slot is a word of its own
      break;
    case Kind::kVocabulary:
      edges.open_front = edges.open_back = true;
      break;
    case Kind::kChoice:
      for (const TemplateNode& branch : node.children) {
        const Edges one = edges_of(branch);
        edges.open_front |= one.open_front;
        edges.open_back |= one.open_back;
        edges.vanishes |= one.vanishes;
      }
      break;
    case Kind::kSequence:
      return sequence_edges(node);
  }
  return edges;
}

}  // namespace

std::vector<std::size_t> word_runs(const TemplateNode& sequence) {
  std::vector<Edges> edges;
  edges.reserve(sequence.children.size());
  for (const TemplateNode& child : sequence.children) edges.push_back(edges_of(child));
  std::vector<std::size_t> ends;
  std::size_t joined = 0;  // everything before belongs to the run under way
  for (std::size_t i = 0; i < edges.size(); ++i) {
    joined = std::max(joined, i + 1);
    if (edges[i].open_back) {
      std::size_t next = i + 1;
      for (; next < edges.size(); ++next) {
        if (edges[next].open_front) joined = std::max(joined, next + 1);
        if (!edges[next].vanishes) break;
      }
    }
    if (joined == i + 1) ends.push_back(joined);
  }
  return ends;
}

}  // namespace parley
