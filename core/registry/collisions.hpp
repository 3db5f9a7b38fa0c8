#pragma once

#include <cstddef>
#include <parley/registry.hpp>
#include <string>
#include <vector>

namespace parley {

/// One side of a collision.
struct Claim {
  Claim(IntentPtr who, std::string by) : intent(std::move(who)), sample(std::move(by)) {}
  IntentPtr intent;
  std::string sample;  ///< The template that takes the sentence; of a keyword intent empty.
};

/// A sentence that intents of two skills take word for word.
struct Collision {
  Collision(std::string words, Claim first, Claim second, bool equal)
      : sentence(std::move(words)), winner(std::move(first)), other(std::move(second)), tie(equal) {}
  std::string sentence;  ///< In matching form (T-4); a slot without known values as `{name}`.
  Claim winner;          ///< By T-0.
  Claim other;
  bool tie;  ///< Only the order of their names decides: neither accounts for more of the words.
};

/// How hard to look. Both bounds are deterministic: the same intents give the same collisions.
struct CollisionBounds {
  constexpr CollisionBounds(std::size_t samples, std::size_t matches)
      : sentences_per_template(samples), max_matches(matches) {}
  std::size_t sentences_per_template;
  std::size_t max_matches;  ///< Comparisons of a sentence with a template, over all languages.
};

struct Collisions {
  Collisions() = default;
  std::vector<Collision> found;  ///< One for each pair of intents of a language, ties before others.
  bool complete = true;          ///< false: the bound on comparisons was reached.
};

/// Looks for sentences that intents of different skills claim: draws sentences from each template and from
/// the phrases of each keyword intent, and asks the intents of the other skills. Intents that are disabled,
/// or that the intent context has to open, claim nothing. Costs no time per expansion.
Collisions find_collisions(const std::vector<IntentPtr>& intents, const std::vector<EntityPtr>& entities,
                           CollisionBounds bounds);

}  // namespace parley
