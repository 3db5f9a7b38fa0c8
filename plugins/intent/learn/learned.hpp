#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <parley/registry.hpp>
#include <parley/templates.hpp>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "learn/classifier.hpp"
#include "learn/learnt_files.hpp"
#include "learn/tagger.hpp"

namespace parley::intent {

/// An intent an utterance resembles.
struct Resemblance {
  Resemblance(std::uint32_t number, double how_much, double how_sure, std::vector<SlotSpan> found)
      : intent(number), likeness(how_much), certainty(how_sure), slots(std::move(found)) {}
  std::uint32_t intent;  ///< As in Changes.
  double likeness;       ///< As the classifier scores it; see Guess.
  double certainty;      ///< 0 to 1; see Learned::certainty().
  std::vector<SlotSpan> slots;
};

/// What changed since something was learnt.
struct Changes {
  Changes() = default;
  bool empty() const noexcept { return intents.empty() && entities.empty(); }
  std::map<std::uint32_t, IntentPtr> intents;   ///< By numbers that are the caller's. Null: it went.
  std::map<std::uint32_t, EntityPtr> entities;  ///< Likewise.
  /// What is nobody's, as words in matching form; empty: as before. Only with the first intents.
  std::vector<std::vector<std::string>> background;
  /// Phrases that are said for each other, as words in matching form, a vector each. As above, and always
  /// the same.
  std::vector<std::vector<std::vector<std::string>>> synonyms;
};

/// Numbers of one's own for what others number as it comes: what is learnt must not depend on which skill was
/// faster.
class Renumbering {
 public:
  /// A new one for what has none yet.
  std::uint32_t own(std::uint32_t theirs);
  std::optional<std::uint32_t> find(std::uint32_t theirs) const;
  std::uint32_t theirs(std::uint32_t own) const { return theirs_.at(own); }
  void drop(std::uint32_t theirs);

 private:
  std::map<std::uint32_t, std::uint32_t> own_, theirs_;
  std::uint32_t next_ = 0;
};

/// The words of a text in matching form (T-4).
/// @param lang  a BCP-47 tag
std::vector<std::string> words_of(const std::string& text, const std::string& lang);

/// Has so many things done on several threads: see StageContext::in_parallel().
using InParallel = std::function<void(std::size_t count, const std::function<void(std::size_t)>& each)>;

/// What the template intents of a language teach about utterances that are none of their templates: which
/// intent is meant, and where its slots are. Knows nothing of sessions; registrations of other sessions are
/// classes of their own, so what one session registers can be left out for another.
///
/// One thread at a time: learn() may take seconds and is for a worker, which shares the work out, the rest
/// for the loop when nobody learns. Only abandon() may be called meanwhile.
class Learned {
 public:
  /// @param kept  where the first that is learnt is looked for, and put
  void learn(const Changes& changes, const InParallel& in_parallel, const LearntFiles* kept = nullptr);
  /// What is being learnt is for nobody any more: learn() ends soon, and nothing else may be called then.
  void abandon() noexcept { abandoned_ = true; }

  bool empty() const noexcept { return intents_.empty(); }
  /// The intents that the words resemble most, best first.
  /// @param words  in matching form (T-4)
  /// @param may    which intents count, by the numbers of Changes; the others are as if they were not there
  std::vector<Resemblance> read(const std::vector<std::string>& words,
                                const std::function<bool(std::uint32_t)>& may);

  /// How sure a confidence of the classifier is: 0.5 where six of a hundred held-out sentences are below,
  /// 0.75 where thirty are, 0.95 where eighty are. So the same number means the same in every language,
  /// whatever is registered.
  double certainty(double confidence) const;

 private:
  struct Intent {
    IntentPtr registration;
    std::set<std::string> slots;       ///< Of its templates.
    std::vector<std::size_t> claimed;  ///< Of the background: what its templates have the words of.
  };
  struct Entity {
    EntityPtr registration;
    std::vector<std::vector<std::string>> values;  ///< As words.
  };

  /// How many sentences of one template there are to be, at most.
  struct Share {
    std::size_t plain;     ///< Of one that slots alone make differ.
    std::size_t branched;  ///< Of one with alternatives.
  };

  /// Those that are well formed, with their numbers.
  using Templates = std::vector<std::pair<std::uint32_t, Template>>;

  /// By word: itself and what it is said for, any of which an intent's templates may have.
  using Meanings = std::vector<std::vector<std::uint64_t>>;

  void take_synonyms(const std::vector<std::vector<std::vector<std::string>>>& synonyms);
  void take_all(const Changes& changes, std::set<ClassId>& changed);
  void take(std::uint32_t id, const EntityPtr& entity, std::set<ClassId>& changed);
  Share share() const;
  void teach(const std::vector<ClassId>& ids, const InParallel& in_parallel);
  std::vector<Example> read_templates(Intent& intent, Share most) const;
  void learn_taught(const InParallel& in_parallel);
  bool recall(std::string_view kept);
  std::string packed() const;
  void teach_tagger(ClassId id, Tagger& tagger) const;
  static Templates templates_of(const IntentRegistration& intent);
  std::vector<std::pair<std::uint32_t, Sampled>> sampled(const IntentRegistration& intent,
                                                         const Templates& templates, Share most) const;
  Meanings meanings(const std::vector<std::string>& words) const;
  std::vector<std::size_t> claimed_by(const std::unordered_set<std::uint64_t>& known) const;
  void teach_background();
  void calibrate();

  Renumbering intent_numbers_, entity_numbers_;
  std::map<ClassId, Intent> intents_;  ///< By own numbers, as what follows.
  std::map<std::uint32_t, Entity> entities_;
  std::vector<std::vector<std::string>> background_;  ///< What is nobody's, as words…
  std::vector<Meanings> background_meanings_;         ///< …of those that say what it is about…
  std::vector<std::size_t> background_taught_;        ///< …and which of it was taught…
  std::unordered_set<std::uint64_t> nobodys_;         ///< …that is, hashes of all its words.
  Gazetteer gazetteer_;
  Classifier classifier_{gazetteer_};
  std::set<ClassId> to_tag_;  ///< Whose tagger is to learn.
  std::map<ClassId, Tagger> taggers_;
  std::atomic<bool> abandoned_{false};
  double floor_ = 0, middle_ = 1, top_ = 2;  ///< Confidences; see certainty().
};

}  // namespace parley::intent
