#include <algorithm>
#include <array>
#include <parley/skill.hpp>

namespace parley {
namespace {

/// Knows the meaning of life, the universe and everything. What makes it such a question is in its
/// vocabularies.
class Meaning final : public Skill {
 public:
  void start() override { on_fallback(10, &Meaning::can_answer, &Meaning::answer); }

 private:
  bool can_answer(const Query& query) {
    return std::any_of(query.utterances.begin(), query.utterances.end(),
                       [&](const std::string& said) { return asks_for_it(said, query.lang); });
  }

  bool asks_for_it(const std::string& utterance, const std::string& lang) const {
    constexpr std::array kNeeded{"what", "meaning", "subject"};
    return std::all_of(kNeeded.begin(), kNeeded.end(),
                       [&](const char* voc) { return mentions(voc, utterance, lang); });
  }

  Task<> answer(Turn turn) {
    turn.speak_dialog("answer");
    co_return;
  }
};

}  // namespace
}  // namespace parley

PARLEY_SKILL(parley::Meaning, "meaning.parley")
