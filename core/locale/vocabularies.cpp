#include <fmt/format.h>
#include <fmt/ranges.h>
#include <parley/templates.hpp>

#include <unordered_set>
#include <utility>

namespace parley {
namespace {

constexpr std::size_t kMaxChain = 64;

}  // namespace

void Vocabularies::add(const std::string& name, std::string line) {
  add_line(name, std::move(line));
}

void Vocabularies::add(const std::string& name, Template line) {
  add_line(name, std::move(line));
}

void Vocabularies::add_line(const std::string& name, Line line) {
  entries_[name].lines.push_back(std::move(line));
  if (!std::exchange(any_resolved_, false)) return;
  // Whoever was resolved may have referred to this one.
  for (auto& [other, resolved] : entries_) {
    resolved.phrases.reset();
    resolved.failure.clear();
  }
}

VocabularyLookup Vocabularies::lookup() {
  return [this](const std::string& name) { return find(name); };
}

Result<Phrases> Vocabularies::find(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return Error(fmt::format("the vocabulary <{0}> is unknown: there is no usable {0}.voc", name));
  }
  Entry& entry = found->second;
  if (entry.phrases != nullptr) return entry.phrases;
  if (!entry.failure.empty()) return Error(entry.failure);
  any_resolved_ = true;
  chain_.push_back(name);
  Result<Phrases> resolved = resolve(name, entry);
  chain_.pop_back();
  if (resolved) {
    entry.phrases = *resolved;
  } else {
    entry.failure = resolved.error().message;
  }
  return resolved;
}

Result<std::vector<std::string>> Vocabularies::expand(const Line& line) {
  if (const auto* const parsed = std::get_if<Template>(&line)) return parsed->expand();
  const auto parsed =
      Template::parse(std::get<std::string>(line), TemplateOptions::for_phrases().with(lookup()));
  if (!parsed) return Error(parsed.error());
  return parsed->expand();
}

Result<Phrases> Vocabularies::resolve(const std::string& name, Entry& entry) {
  const std::string path = fmt::format("{}", fmt::join(chain_, " > "));
  if (entry.busy) return Error(fmt::format("the vocabulary <{}> refers to itself: {}", name, path));
  if (chain_.size() > kMaxChain) {
    return Error(fmt::format("vocabularies refer to each other more than {} levels deep, down to <{}>",
                             kMaxChain, name));
  }
  entry.busy = true;
  auto phrases = std::make_shared<std::vector<std::string>>();
  std::unordered_set<std::string> seen;
  std::string failure;
  for (std::size_t i = 0; i < entry.lines.size() && failure.empty(); ++i) {
    const auto expanded = expand(entry.lines[i]);
    if (!expanded) {
      failure = fmt::format("the vocabulary <{}> can't be used: {}", name, expanded.error().message);
      break;
    }
    for (const std::string& phrase : *expanded) {
      if (seen.insert(phrase).second) phrases->push_back(phrase);
    }
    if (phrases->size() > Template::kMaxExpansions) {
      failure = fmt::format("the vocabulary <{}> stands for more than {} phrases: split it", name,
                            Template::kMaxExpansions);
    }
  }
  entry.busy = false;
  if (!failure.empty()) return Error(failure);
  return Phrases(std::move(phrases));
}

}  // namespace parley
