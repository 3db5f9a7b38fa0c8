#include "learn/classifier.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

namespace parley::intent {
namespace {

using Sentence = std::vector<std::string>;

/// Two intents whose sentences have "is" in common.
struct TwoClasses {
  static constexpr ClassId kNoon = 1, kCake = 2;

  TwoClasses() {
    gazetteer.add("place", Sentence{"rome"});
    teach(kNoon, {{"is", "it", "noon"}, {"is", "it", "midnight"}, {"is", "it", "noon", "in", "rome"}});
    teach(kCake, {{"bake", "until", "the", "cake", "is", "done"}, {"the", "crust", "is", "brown"}});
    classifier.learn(std::atomic<bool>(false));
  }
  void teach(ClassId label, const std::vector<Sentence>& sentences) {
    std::vector<Example> examples;
    for (std::size_t i = 0; i < sentences.size(); ++i)
      examples.emplace_back(static_cast<std::uint32_t>(i), sentences[i]);
    classifier.add(label, label, std::move(examples));
  }
  double own(ClassId label, const Sentence& words, const std::vector<SlotSpan>& slots = {}) const {
    return classifier.own_coverage(label, words, gazetteer.find(words), slots);
  }

  Gazetteer gazetteer;
  Classifier classifier{gazetteer};
};

}  // namespace

TEST_CASE_FIXTURE(TwoClasses,
                  "classifier: what begins alike is covered by anybody's words, not by the class's own") {
  const Sentence done{"is", "it", "done"};
  CHECK(classifier.coverage(done, {}) == 1);
  CHECK(own(kNoon, {"is", "it", "noon"}) == 1);
  CHECK(own(kNoon, done) < 0.6);
  CHECK(own(kNoon, done) > 0);
  CHECK(own(kCake, done) > own(kNoon, done));
  CHECK(Classifier::confidence(1, 0, 1, own(kNoon, done)) < Classifier::confidence(1, 0, 1, 1));
}

TEST_CASE_FIXTURE(
    TwoClasses,
    "classifier: what is in a slot, or a value that somebody listed, is known for the most part") {
  const double listed = own(kNoon, {"is", "it", "noon", "in", "rome"});
  const double found = own(kNoon, {"is", "it", "noon", "in", "oslo"}, {SlotSpan("place", 4, 5)});
  CHECK(listed > 0.8);
  CHECK(listed < 1);
  CHECK(found > 0.8);
  CHECK(own(kNoon, {"is", "it", "noon", "in", "oslo"}) < found);
  CHECK(own(kNoon, {"oslo"}, {SlotSpan("place", 0, 1)}) == doctest::Approx(0.75));
}

TEST_CASE_FIXTURE(TwoClasses, "classifier: words go with the sentences that had them") {
  CHECK(own(kNoon, {"midnight"}) == 1);
  classifier.remove(kNoon, {1});
  CHECK(own(kNoon, {"midnight"}) == 0);
  CHECK(own(kNoon, {"noon"}) == 1);
}

}  // namespace parley::intent
