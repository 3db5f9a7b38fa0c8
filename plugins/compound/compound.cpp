#include <algorithm>
#include <array>
#include <parley/phrases.hpp>
#include <parley/stage.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::compound {
namespace {

/// More than this is no request that somebody says in one breath.
constexpr std::size_t kMostWords = 48;
/// A part with slots must name so many of its words: what comes after an "and" is easily part of a slot.
constexpr std::size_t kPlainWords = 2;

/// Where one part ends and the next begins, as places among the words.
struct Joint {
  Joint(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

/// Takes several requests in one utterance ("set a timer for ten minutes and tell me the time"), each of
/// which is word for word what an intent takes, and has them done in order (U-9).
class Compound final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Several requests in one utterance, joined by \"and\", each of which a skill takes word for word: they "
      "are done one after the other.";
  static constexpr std::array kEntries{DefaultEntry("compound", 250)};

  QuickAnswer quick_match(const MatchRequest& request) override { return QuickAnswer(parts_of(request)); }

  /// All is said at once.
  Task<std::optional<Match>> match(MatchRequest) override { co_return std::nullopt; }

 private:
  std::optional<Match> parts_of(const MatchRequest& request) {
    const std::string& text = request.utterance();
    const std::vector<Word> said = words(text, request.lang());
    if (said.size() > kMostWords) return std::nullopt;
    const std::vector<Joint> joints = joints_in(said, request.lang());
    if (joints.empty() || is_one(request)) return std::nullopt;
    std::vector<Match> parts;
    if (!split(request, said, 0, joints, parts) || parts.size() < 2) return std::nullopt;
    tell(request, parts);
    Match first = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) first.then.push_back(std::move(parts[i]));
    return first;
  }

  /// What joins requests, the words before and behind which may be one each.
  std::vector<Joint> joints_in(std::span<const Word> said, const std::string& lang) const {
    std::vector<Joint> joints;
    for (std::size_t at = 1; at + 1 < said.size(); ++at) {
      std::size_t length = 0;
      for (std::size_t n = 1; n <= kLongestJoint && at + n < said.size(); ++n) {
        if (context().locale().vocabulary_equals(lang, "and", said.subspan(at, n))) length = n;
      }
      if (length == 0) continue;
      joints.emplace_back(at, at + length);
      at += length;
    }
    return joints;
  }

  /// Whether an intent takes the whole, and what joins is its own word, not part of what somebody named.
  bool is_one(const MatchRequest& request) {
    const auto whole = context().word_for_word(request);
    if (!whole) return false;
    return std::none_of(whole->slots.begin(), whole->slots.end(), [&](const auto& slot) {
      return context().locale().vocabulary_occurs(request.lang(), "and", words(slot.second, request.lang()));
    });
  }

  /// Takes the words from `begin` on apart, as few parts as there can be.
  bool split(const MatchRequest& request, std::span<const Word> said, std::size_t begin,
             std::span<const Joint> joints, std::vector<Match>& parts) {
    if (parts.size() == Match::kMostParts) return false;
    if (!parts.empty() && take(request, said.subspan(begin), parts)) return true;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (!take(request, said.subspan(begin, joints[i].begin - begin), parts)) continue;
      if (split(request, said, joints[i].end, joints.subspan(i + 1), parts)) return true;
      parts.pop_back();
    }
    return false;
  }

  bool take(const MatchRequest& request, std::span<const Word> part, std::vector<Match>& parts) {
    if (part.empty()) return false;
    auto match = context().word_for_word(request.about(std::string(surface(request.utterance(), part))));
    if (!match || (!match->slots.empty() && match->literal_words < kPlainWords)) return false;
    parts.push_back(std::move(*match));
    return true;
  }

  static void tell(const MatchRequest& request, const std::vector<Match>& parts) {
    if (!request.trace()) return;
    for (const Match& part : parts)
      request.trace().candidate(part.skill_id, part.intent_name, 1,
                                "takes \"" + part.utterance + "\" word for word");
  }

  static constexpr std::size_t kLongestJoint = 3;
};

}  // namespace
}  // namespace parley::compound

PARLEY_STAGE(parley::compound::Compound)
