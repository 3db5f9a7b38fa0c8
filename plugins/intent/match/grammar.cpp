#include "match/grammar.hpp"

#include <algorithm>

namespace parley::intent {

Grammar::Grammar(Lexicon& lexicon) : lexicon_(lexicon) {
  states_.add();  // the root
}

Route Grammar::insert(const Pattern& pattern, Payload payload) {
  Route route;
  route.end = follow(pattern, kRootState, route);
  State& end = states_[route.end];
  end.payloads.push_back(payload);
  ++end.uses;
  return route;
}

void Grammar::remove(const Route& route, Payload payload) {
  auto& payloads = states_[route.end].payloads;
  const auto found = std::find(payloads.begin(), payloads.end(), payload);
  if (found == payloads.end()) return;
  payloads.erase(found);
  release(route.end);
}

StateId Grammar::follow(const Pattern& pattern, StateId from, Route& route) {
  switch (pattern.kind) {
    case Pattern::Kind::kWord:
      return word_after(from, pattern.text);
    case Pattern::Kind::kSlot: {
      const StateId state = slot_after(from);
      route.slots.emplace_back(state, pattern.text);
      return state;
    }
    case Pattern::Kind::kSequence: {
      StateId at = from;
      for (const Pattern& child : pattern.children) at = follow(child, at, route);
      return at;
    }
    case Pattern::Kind::kChoice: {
      std::vector<StateId> ends;
      ends.reserve(pattern.children.size());
      for (const Pattern& child : pattern.children) ends.push_back(follow(child, from, route));
      return ends.empty() ? from : join(std::move(ends));
    }
  }
  return from;
}

StateId Grammar::word_after(StateId from, const std::string& text) {
  const WordId word = lexicon_.hold(text);
  if (const StateId there = target(states_[from], word); there != kNoState) {
    lexicon_.release(word);
    return there;
  }
  const StateId id = create(Kind::kWord, from);
  states_[id].word = word;
  auto& edges = states_[from].edges;
  edges.insert(edge_of(states_[from], word), Edge{word, id});
  return id;
}

StateId Grammar::slot_after(StateId from) {
  if (states_[from].slot == kNoState) {
    const StateId id = create(Kind::kSlot, from);
    states_[from].slot = id;
  }
  return states_[from].slot;
}

StateId Grammar::join(std::vector<StateId> sources) {
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  if (sources.size() == 1) return sources.front();
  const StateId least = *std::min_element(sources.begin(), sources.end(), [this](StateId a, StateId b) {
    return states_[a].joins.size() < states_[b].joins.size();
  });
  for (const StateId id : states_[least].joins) {
    if (states_[id].sources == sources) return id;
  }
  const StateId id = create(Kind::kJoin, kNoState);
  for (const StateId source : sources) {
    states_[source].joins.push_back(id);
    ++states_[source].uses;
  }
  states_[id].sources = std::move(sources);
  return id;
}

StateId Grammar::create(Kind kind, StateId parent) {
  StateId id = 0;
  if (free_.empty()) {
    id = static_cast<StateId>(states_.add());
  } else {
    id = free_.back();
    free_.pop_back();
  }
  states_[id].kind = kind;
  states_[id].parent = parent;
  if (parent != kNoState) ++states_[parent].uses;
  return id;
}

void Grammar::release(StateId id) {
  std::vector<StateId> released{id};
  while (!released.empty()) {
    const StateId next = released.back();
    released.pop_back();
    State& state = states_[next];
    if (--state.uses != 0 || next == kRootState) continue;
    unlink(next, released);
    state = State();
    free_.push_back(next);
  }
}

void Grammar::unlink(StateId id, std::vector<StateId>& released) {
  const State& state = states_[id];
  for (const StateId source : state.sources) {
    std::erase(states_[source].joins, id);
    released.push_back(source);
  }
  if (state.parent == kNoState) return;
  State& parent = states_[state.parent];
  if (state.kind == Kind::kSlot) {
    parent.slot = kNoState;
  } else {
    parent.edges.erase(edge_of(parent, state.word));
    lexicon_.release(state.word);
  }
  released.push_back(state.parent);
}

void Grammar::match(std::span<const WordId> said, std::vector<Payload>& found) {
  if (said.empty()) return;
  begin_step();
  active_.clear();
  activate(kRootState, active_);
  close(active_);
  for (const WordId word : said) advance(word);
  for (const StateId id : active_) {
    found.insert(found.end(), states_[id].payloads.begin(), states_[id].payloads.end());
  }
}

void Grammar::find(std::span<const WordId> said, std::vector<Hit>& found) {
  for (std::size_t begin = 0; begin < said.size(); ++begin) {
    begin_step();
    active_.clear();
    activate(kRootState, active_);
    close(active_);
    for (std::size_t at = begin; at < said.size() && !active_.empty(); ++at) {
      advance(said[at]);
      for (const StateId id : active_) {
        for (const Payload payload : states_[id].payloads) {
          found.emplace_back(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at + 1), payload);
        }
      }
    }
  }
}

void Grammar::begin_step() {
  if (seen_.size() < states_.size()) seen_.resize(states_.size(), 0);
  if (++step_ != 0) return;
  std::fill(seen_.begin(), seen_.end(), 0);
  step_ = 1;
}

void Grammar::activate(StateId id, std::vector<StateId>& active) {
  if (seen_[id] == step_) return;
  seen_[id] = step_;
  active.push_back(id);
}

void Grammar::close(std::vector<StateId>& active) {
  for (std::size_t i = 0; i < active.size(); ++i) {  // grows while it is walked
    for (const StateId join : states_[active[i]].joins) activate(join, active);
  }
}

void Grammar::advance(WordId word) {
  begin_step();
  next_.clear();
  for (const StateId id : active_) {
    const State& state = states_[id];
    if (const StateId there = target(state, word); there != kNoState) activate(there, next_);
    if (state.slot != kNoState) activate(state.slot, next_);
    if (state.kind == Kind::kSlot) activate(id, next_);
  }
  close(next_);
  std::swap(active_, next_);
}

std::vector<Grammar::Edge>::const_iterator Grammar::edge_of(const State& state, WordId word) {
  return std::lower_bound(state.edges.begin(), state.edges.end(), word,
                          [](const Edge& edge, WordId wanted) { return edge.word < wanted; });
}

StateId Grammar::target(const State& state, WordId word) const {
  const auto found = edge_of(state, word);
  return found != state.edges.end() && found->word == word ? found->target : kNoState;
}

}  // namespace parley::intent
