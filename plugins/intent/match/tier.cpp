#include "match/tier.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace parley::intent {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames{"high", "medium", "low"};
constexpr std::array<double, 3> kMinCoverage{0.5, 0.3, 0.25};
constexpr std::array<double, 3> kMinCertainty{1.0, 0.75, 0.5};
constexpr double kTie = 0.1;  // of likeness
// How sure the classifier must be of an intent whose template takes the utterance only with values nobody
// listed, or with next to no words of its own: so few, and a smaller share than this.
constexpr double kFloor = 0.35;
constexpr double kHardlyKnows = 0.3;
constexpr double kSurer = 0.02;  // of another intent
// Of any intent: then others are asked first, and only the lowest level takes such a template.
constexpr double kNoIdea = 0.2;
constexpr double kFarSurer = 0.2;  // of one that the context keeps closed
constexpr std::size_t kOwnWords = 3;
constexpr double kOwnShare = 0.34;

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
    return !other.veto && other.is_keyword() && !same_intent(*other.intent, *candidate.intent);
  });
}

const Candidate* surest(const std::vector<Candidate>& candidates) {
  const auto first = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& other) { return !other.veto && other.certainty; });
  return first == candidates.end() ? nullptr : &*first;
}

/// Whether the utterance resembles the templates of another intent more than the candidate's.
bool is_contradicted(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  const Candidate* const best = surest(candidates);
  return best != nullptr && !same_intent(*best->intent, *candidate.intent);
}

/// Whether somebody else is in question.
bool is_alone(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  return std::all_of(candidates.begin(), candidates.end(), [&candidate](const Candidate& other) {
    return other.veto || other.certainty || same_intent(*other.intent, *candidate.intent);
  });
}

bool is_tied(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&candidate](const Candidate& other) {
    return !other.veto && other.certainty && !same_intent(*other.intent, *candidate.intent) &&
           other.likeness > candidate.likeness - kTie;
  });
}

/// How sure the classifier is of the candidate's intent; nothing when it was not asked.
std::optional<double> certainty_of(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  std::optional<double> sure;
  for (const Candidate& other : candidates) {
    if (!other.certainty) continue;
    const bool own = same_intent(*other.intent, *candidate.intent);
    sure = std::max(sure.value_or(0), own ? *other.certainty : 0);
  }
  return sure;
}

/// Whether the classifier thinks of another intent. Which of its own is meant a skill's template says where
/// the classifier hardly knows, and so it does where that is no surer of another skill's.
bool is_denied(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  if (!is_contradicted(candidate, candidates)) return false;
  const Candidate& best = *surest(candidates);
  if (best.intent->skill_id == candidate.intent->skill_id) return *best.certainty >= kHardlyKnows;
  return *best.certainty >= certainty_of(candidate, candidates).value_or(0) + kSurer;
}

double share(std::string_view entry, const Json& options, const char* key, double otherwise) {
  const auto given = options.find(key);
  if (given == options.end()) return otherwise;
  if (!given->is_number()) refuse(entry, key, "expected a number from 0 to 1");
  const auto value = given->get<double>();
  if (value < 0 || value > 1) refuse(entry, key, "expected a number from 0 to 1");
  return value;
}

/// Whether the utterance resembles the templates of an intent far more that the context keeps closed.
bool means_what_is_closed(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&candidate](const Candidate& other) {
    return other.veto.kind == Veto::Kind::kGateClosed && other.certainty &&
           *other.certainty > *candidate.certainty + kFarSurer && other.likeness > candidate.likeness;
  });
}

std::string_view refusal_of_resemblance(const Candidate& candidate, const std::vector<Candidate>& candidates,
                                        const Tier& tier) {
  if (tier.level == Level::kHigh) return "only resembles its templates; this entry wants them word for word";
  if (*candidate.certainty < tier.min_certainty) return "resembles its templates too little for this entry";
  if (is_tied(candidate, candidates)) return "another intent resembles it as much";
  if (means_what_is_closed(candidate, candidates)) return "it resembles more what the context keeps closed";
  return {};
}

std::string_view refusal_of_template(const Candidate& candidate, const std::vector<Candidate>& candidates,
                                     const Tier& tier) {
  if (needs_consent(candidate)) {
    if (is_denied(candidate, candidates) && certainty_of(candidate, candidates).value_or(1) < kFloor)
      return "its template is open slots for the most part, and another intent resembles it more";
    const Candidate* const best = surest(candidates);
    if (tier.level != Level::kLow && best != nullptr && *best->certainty < kNoIdea)
      return "its template is open slots for the most part, and the utterance resembles nothing that is "
             "known";
  }
  if (candidate.unlisted_words == 0) return {};
  if (tier.level == Level::kHigh)
    return "a slot's value is none of the listed ones; this entry wants one of them";
  if (is_contradicted(candidate, candidates))
    return "a slot's value is none of the listed ones, and another intent resembles it more";
  if (!candidate.has_typed_value && certainty_of(candidate, candidates).value_or(1) < kFloor)
    return "a slot's value is none of the listed ones, and the utterance hardly resembles its templates";
  if (tier.level == Level::kLow) return {};
  if (!is_alone(candidate, candidates))
    return "a slot's value is none of the listed ones, and others are in question";
  if (candidate.coverage() < kMinCoverage.front())
    return "a slot's value is none of the listed ones, and long";
  return {};
}

/// The same intent's other reading, where that finds more listed values than a template with an unlisted one.
const Candidate* better_read(const Candidate& taken, const std::vector<Candidate>& candidates) {
  const auto listed = [](const Candidate& candidate) {
    return std::count_if(candidate.bound.begin(), candidate.bound.end(),
                         [](const Bound& bound) { return bound.listed; });
  };
  const auto other = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
    return !candidate.veto && candidate.certainty && same_intent(*candidate.intent, *taken.intent) &&
           listed(candidate) > listed(taken);
  });
  return other == candidates.end() ? &taken : &*other;
}

}  // namespace

bool needs_consent(const Candidate& candidate) {
  const bool listed = std::any_of(candidate.bound.begin(), candidate.bound.end(),
                                  [](const Bound& bound) { return bound.listed; });
  return candidate.is_template() && !listed && !candidate.has_typed_value && candidate.unlisted_words == 0 &&
         candidate.literal_words < kOwnWords && candidate.coverage() < kOwnShare;
}

Tier tier_of(std::string_view entry, const Json& options) {
  const std::size_t level = level_of(entry, options);
  return {static_cast<Level>(level), share(entry, options, "min_coverage", kMinCoverage.at(level)),
          share(entry, options, "min_certainty", kMinCertainty.at(level))};
}

std::string_view refusal(const Candidate& candidate, const std::vector<Candidate>& candidates,
                         const Tier& tier) {
  if (candidate.certainty) return refusal_of_resemblance(candidate, candidates, tier);
  if (candidate.is_template()) return refusal_of_template(candidate, candidates, tier);
  if (candidate.coverage() < tier.min_coverage) return "keywords cover too little for this entry";
  if (tier.level == Level::kHigh && has_rival(candidate, candidates)) {
    return "not the only keyword match, as this entry wants it";
  }
  return {};
}

const Candidate* choose(const std::vector<Candidate>& candidates, const Tier& tier) {
  const auto first = [&](auto&& wanted) -> const Candidate* {
    const auto taken = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
      return !candidate.veto && wanted(candidate) && refusal(candidate, candidates, tier).empty();
    });
    return taken == candidates.end() ? nullptr : &*taken;
  };
  const Candidate* taken = first([](const Candidate& c) { return !c.certainty && c.unlisted_words == 0; });
  if (taken == nullptr) taken = first([](const Candidate& c) { return c.certainty.has_value(); });
  if (taken != nullptr) return taken;
  taken = first([](const Candidate& c) { return !c.certainty; });
  return taken == nullptr ? nullptr : better_read(*taken, candidates);
}

}  // namespace parley::intent
