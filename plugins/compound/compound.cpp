#include <algorithm>
#include <array>
#include <numeric>
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
/// Nor is more than this.
constexpr std::size_t kMostClauses = 4;
constexpr std::size_t kLongestLead = 4;  ///< Words of "I mean", "that's because" and the like.

/// Where one part ends and the next begins, as places among the words.
struct Joint {
  Joint(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

/// Takes several requests in one utterance ("set a timer for ten minutes and tell me the time"), each of
/// which is word for word what an intent takes, and has them done in order (U-9); and what is asked beside
/// something that is no request ("what date is Friday, that's when it's due").
class Compound final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Several requests in one utterance, joined by \"and\", each of which a skill takes word for word: they "
      "are done one after the other. Requests beside what only tells something, too.";
  static constexpr std::array kEntries{DefaultEntry("compound", 250), DefaultEntry("compound_low", 750)};

  QuickAnswer quick_match(const MatchRequest& request) override {
    const std::vector<Word> said = words(request.utterance(), request.lang());
    if (said.size() > kMostWords) return QuickAnswer(std::nullopt);
    if (request.entry().ends_with("low")) return QuickAnswer(clauses_of(request, said, false));
    auto match = parts_of(request, said);
    return QuickAnswer(match ? std::move(match) : clauses_of(request, said, true));
  }

  /// All is said at once.
  Task<std::optional<Match>> match(MatchRequest) override { co_return std::nullopt; }

 private:
  std::optional<Match> parts_of(const MatchRequest& request, std::span<const Word> said) {
    const std::vector<Joint> joints = joints_in(said, request.lang());
    if (joints.empty() || is_one(request)) return std::nullopt;
    std::vector<Match> parts;
    if (!split(request, said, 0, joints, parts) || parts.size() < 2) return std::nullopt;
    return in_order(request, std::move(parts));
  }

  static Match in_order(const MatchRequest& request, std::vector<Match> parts) {
    tell(request, parts);
    Match first = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) first.then.push_back(std::move(parts[i]));
    return first;
  }

  /// Of clauses with a stop between them those that are requests; the others only tell something. What stands
  /// behind "I mean" is said in place of all before it.
  /// @param plainly  the others must begin as what tells something does; else nobody may want the whole
  std::optional<Match> clauses_of(const MatchRequest& request, std::span<const Word> said, bool plainly) {
    const std::string& text = request.utterance();
    std::vector<std::span<const Word>> clauses;
    std::size_t begin = 0;
    for (std::size_t at = 1; at <= said.size(); ++at) {
      const bool ends = at == said.size() || is_stop(text, said[at - 1].end, said[at].begin);
      if (!ends) continue;
      clauses.push_back(said.subspan(begin, at - begin));
      begin = at;
    }
    if (clauses.size() < 2 || clauses.size() > kMostClauses) return std::nullopt;
    const auto whole = context().word_for_word(request);
    if (!plainly && whole) return std::nullopt;
    std::vector<Match> parts;
    bool any_beside = false;
    for (auto clause : clauses) {
      const LocaleResources& common = context().common_locale();
      const std::size_t cue = begins_with(clause, common, request.lang(), "follow_up_correct");
      if (cue > 0) parts.clear();
      if (parts.size() == Match::kMostParts) return std::nullopt;
      const bool taken = take(request, clause.subspan(cue), parts);
      const bool tells = !taken && begins_with(clause, context().locale(), request.lang(), "tells") > 0;
      if (plainly && !taken && !tells) return std::nullopt;
      any_beside = any_beside || tells || cue > 0;
    }
    if (parts.empty() || (plainly && !any_beside)) return std::nullopt;
    // An intent may have words for what only seems to tell something: "that's wrong, it's {right}".
    const auto named =
        std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                        [](std::size_t sum, const Match& part) { return sum + part.literal_words; });
    if (whole && whole->literal_words > named) return std::nullopt;
    return in_order(request, std::move(parts));
  }

  /// Whether a clause ends between two words. "3.5" and "10:30" have no space behind the stop.
  static bool is_stop(std::string_view text, std::size_t from, std::size_t to) {
    const std::string_view between = text.substr(from, to - from);
    return between.size() > 1 && std::string_view(",;.!?").find(between.front()) != std::string_view::npos;
  }

  /// How many words at the beginning are a phrase of the vocabulary.
  static std::size_t begins_with(std::span<const Word> said, const LocaleResources& words,
                                 const std::string& lang, std::string_view vocabulary) {
    for (std::size_t n = std::min(kLongestLead, said.size()); n > 0; --n)
      if (words.vocabulary_equals(lang, vocabulary, said.first(n))) return n;
    return 0;
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
