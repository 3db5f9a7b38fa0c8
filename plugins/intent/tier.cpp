#include "tier.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace parley::intent {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames{"high", "medium", "low"};
constexpr std::array<double, 3> kMinCoverage{0.5, 0.3, 0.0};

[[noreturn]] void refuse(std::string_view entry, std::string_view key, std::string_view expected) {
  throw std::invalid_argument("intent: option '" + std::string(key) + "' of entry '" + std::string(entry) +
                              "': " + std::string(expected));
}

std::size_t level_of(std::string_view entry, const Json& options) {
  const auto given = options.find("level");
  if (given != options.end() && *given != "by_name") {
    const auto* const named = given->is_string() ? std::find(kLevelNames.begin(), kLevelNames.end(),
                                                             given->get_ref<const std::string&>())
                                                 : kLevelNames.end();
    if (named == kLevelNames.end()) refuse(entry, "level", "expected 'by_name', 'high', 'medium' or 'low'");
    return static_cast<std::size_t>(named - kLevelNames.begin());
  }
  const auto* const named = std::find_if(kLevelNames.begin(), kLevelNames.end(),
                                         [entry](std::string_view name) { return entry.ends_with(name); });
  return named == kLevelNames.end() ? kLevelNames.size() - 1
                                    : static_cast<std::size_t>(named - kLevelNames.begin());
}

bool has_rival(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&candidate](const Candidate& other) {
    return !other.veto && !other.is_template() && !same_intent(*other.intent, *candidate.intent);
  });
}

}  // namespace

Tier tier_of(std::string_view entry, const Json& options) {
  const std::size_t level = level_of(entry, options);
  Tier tier(static_cast<Level>(level), kMinCoverage.at(level));
  const auto given = options.find("min_coverage");
  if (given == options.end()) return tier;
  if (!given->is_number()) refuse(entry, "min_coverage", "expected a number from 0 to 1");
  tier.min_coverage = given->get<double>();
  if (tier.min_coverage < 0 || tier.min_coverage > 1)
    refuse(entry, "min_coverage", "expected a number from 0 to 1");
  return tier;
}

std::string_view refusal(const Candidate& candidate, const std::vector<Candidate>& candidates,
                         const Tier& tier) {
  if (candidate.is_template()) return {};
  if (candidate.coverage() < tier.min_coverage) return "keywords cover too little for this entry";
  if (tier.level == Level::kHigh && has_rival(candidate, candidates)) {
    return "not the only keyword match, as this entry wants it";
  }
  return {};
}

const Candidate* choose(const std::vector<Candidate>& candidates, const Tier& tier) {
  const auto taken = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
    return !candidate.veto && refusal(candidate, candidates, tier).empty();
  });
  return taken == candidates.end() ? nullptr : &*taken;
}

}  // namespace parley::intent
