#include <algorithm>
#include <array>
#include <chrono>
#include <follow_up/clauses.hpp>
#include <follow_up/corrected.hpp>
#include <follow_up/ellipsis.hpp>
#include <follow_up/rewriting.hpp>
#include <numeric>
#include <parley/moments.hpp>
#include <parley/numbers.hpp>
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
/// Nor may one without a stop around it name more than so many words.
constexpr std::size_t kMostNamed = 8;
/// Nor is more than this.
constexpr std::size_t kMostClauses = 4;
/// A clause that begins with what it is about has so many words, and its verb comes as early as this.
constexpr std::size_t kShortestTold = 3, kLatestVerb = 4;

/// Where one part ends and the next begins, as places among the words.
struct Joint {
  Joint(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

/// Takes several requests in one utterance ("set a timer for ten minutes and tell me the time"), each of
/// which is word for word what an intent takes, or with what it leaves out is, and has them done in order
/// (U-9); and what is asked beside something that is no request ("what date is Friday, that's when it's
/// due").
class Compound final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Several requests in one utterance, joined by \"and\", each of which a skill takes word for word: they "
      "are done one after the other. Requests beside what only tells something, too.";
  static constexpr std::array kEntries{DefaultEntry("compound", 250), DefaultEntry("compound_low", 750)};

  QuickAnswer quick_match(const MatchRequest& request) override {
    const std::vector<Word> said = words(request.utterance(), request.lang());
    if (said.size() > kMostWords) return QuickAnswer(std::nullopt);
    const bool is_last = request.entry().ends_with("low");
    auto match = is_last ? std::nullopt : corrected(request, said);
    if (!match && !is_last) match = parts_of(request, said);
    if (!match) match = clauses_of(request, said, !is_last);
    if (!match && is_last && !context().word_for_word(request)) match = request_within(request, said);
    return QuickAnswer(std::move(match));
  }

  /// All is said at once.
  Task<std::optional<Match>> match(MatchRequest) override { co_return std::nullopt; }

 private:
  /// "A timer for ten, no sorry, fifteen minutes".
  std::optional<Match> corrected(const MatchRequest& request, std::span<const Word> said) {
    for (const std::string& meant :
         follow_up::corrected(request.utterance(), said, context().common_locale(), request.lang())) {
      auto match = context().word_for_word(request.about(meant));
      if (!match || match->literal_words < kPlainWords) continue;
      std::vector<Match> parts;
      parts.push_back(std::move(*match));
      return in_order(request, std::move(parts));
    }
    return std::nullopt;
  }

  std::optional<Match> parts_of(const MatchRequest& request, std::span<const Word> said) {
    const std::vector<Joint> joints = joints_in(said, request.lang());
    if (joints.empty() || is_one(request, said, joints)) return std::nullopt;
    std::vector<Match> parts;
    if (!split(request, said, Joint(0, 0), joints, parts) || parts.size() < 2) return std::nullopt;
    // "Add salt and two lemons to the list" is one.
    const bool is_same = std::all_of(parts.begin(), parts.end(), [&](const Match& part) {
      return part.skill_id == parts.front().skill_id;
    });
    if (is_same && !is_plain(parts.front(), request.lang(), kPlainWords)) return std::nullopt;
    return in_order(request, std::move(parts));
  }

  static Match in_order(const MatchRequest& request, std::vector<Match> parts) {
    drop_what_is_said_twice(parts);
    tell(request, parts);
    Match first = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) first.then.push_back(std::move(parts[i]));
    return first;
  }

  /// "Where are we, which step is this".
  static void drop_what_is_said_twice(std::vector<Match>& parts) {
    for (std::size_t i = 1; i < parts.size();) {
      const bool is_again =
          std::any_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i), [&](const Match& one) {
            return one.skill_id == parts[i].skill_id && one.intent_name == parts[i].intent_name &&
                   one.slots == parts[i].slots;
          });
      if (is_again)
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
  }

  /// What became of the clauses of an utterance.
  struct Heard {
    Heard() = default;
    std::vector<Match> parts;
    bool any_beside = false;   ///< Something is told, or taken back.
    bool any_by_verb = false;  ///< Something is told by what it is about, and its verb.
    bool any_asked = false;    ///< One that is taken does more than tell something.
    bool any_unknown = false;  ///< One is neither taken nor tells something.
  };

  /// Of clauses with a stop between them those that are requests; the others only tell something. What stands
  /// behind "I mean" is said in place of all before it.
  /// @param plainly  the others must begin as what tells something does; else nobody may want the whole
  std::optional<Match> clauses_of(const MatchRequest& request, std::span<const Word> said, bool plainly) {
    const auto clauses = follow_up::clauses_of(request.utterance(), said);
    if (clauses.size() < 2 || clauses.size() > kMostClauses) return std::nullopt;
    const auto whole = context().word_for_word(request);
    if (whole && (!plainly || takes_front(request, *whole, clauses))) return std::nullopt;
    Heard heard;
    for (std::size_t i = 0; i < clauses.size();) {
      if (heard.parts.size() == Match::kMostParts) return std::nullopt;
      const std::size_t taken = hear(request, std::span(clauses).subspan(i), plainly, heard);
      if (plainly && heard.any_unknown) return std::nullopt;
      i += std::max<std::size_t>(taken, 1);
    }
    if (!stands(heard, plainly) || (whole && wants_more(request, *whole, plainly, heard)))
      return std::nullopt;
    return in_order(request, std::move(heard.parts));
  }

  /// Takes the first clauses, if they are a request. @return how many
  std::size_t hear(const MatchRequest& request, std::span<const std::span<const Word>> clauses, bool plainly,
                   Heard& heard) {
    const auto& first = clauses.front();
    if (asks_for_help(request, first)) return 0;
    const std::size_t cue = begins_with(request, first, "follow_up_correct");
    if (cue > 0) heard.parts.clear();
    const bool tells = only_tells(request, first);
    // What is told is the front of no request while all that follow may be requests of their own.
    const bool is_told = plainly && cue == 0 && tells;
    const std::size_t taken = is_told ? std::size_t{take(request, first, heard.parts)}
                                      : take_row(request, clauses, cue, heard.parts);
    heard.any_asked = heard.any_asked || taken > 1 || (taken == 1 && !tells);
    heard.any_unknown = heard.any_unknown || (taken == 0 && !tells);
    heard.any_beside = heard.any_beside || (taken == 0 && tells) || cue > 0;
    heard.any_by_verb =
        heard.any_by_verb || (taken == 0 && tells && begins_with(request, first, "clause_tells") == 0);
    return taken;
  }

  /// Whether what was heard is what somebody wants, and all of it.
  static bool stands(const Heard& heard, bool plainly) {
    const auto& parts = heard.parts;
    if (parts.empty() || (plainly && !heard.any_beside && parts.size() < 2)) return false;
    // "The sink is blocked, hello": a word beside what nobody knows is no request.
    if (!plainly && parts.size() == 1 && parts.front().literal_words < kPlainWords) return false;
    // "My sister is in Lima, there it is what time": what somebody may want to be told is not all that was
    // said.
    return heard.any_asked || !heard.any_unknown;
  }

  /// Whether the intent that takes the whole has words for what only seems to tell something: "that's wrong,
  /// it's {right}".
  bool wants_more(const MatchRequest& request, const Match& whole, bool plainly, const Heard& heard) const {
    const auto named =
        std::accumulate(heard.parts.begin(), heard.parts.end(), std::size_t{0},
                        [](std::size_t sum, const Match& part) { return sum + part.literal_words; });
    return whole.literal_words > named ||
           (plainly && heard.any_by_verb && keeps_what_is_told(request, whole, heard.parts));
  }

  /// Whether the intent that takes the whole may want what is told in one of its slots: "remember that the
  /// key is under the mat, the code is 12". Not where all that the request alone puts into slots is times and
  /// numbers.
  bool keeps_what_is_told(const MatchRequest& request, const Match& whole,
                          std::span<const Match> parts) const {
    const Match& part = parts.front();
    if (parts.size() > 1 || part.skill_id != whole.skill_id || part.intent_name != whole.intent_name)
      return false;
    return !std::all_of(part.slots.begin(), part.slots.end(), [&](const auto& slot) {
      const auto said = words(slot.second, request.lang());
      return has_time(slot.second, request.lang()) || leading_number(said, request.lang()).has_value();
    });
  }

  /// Whether a clause begins as one that asks for nothing, or with what it is about and then its verb: "the
  /// phone is ringing".
  bool only_tells(const MatchRequest& request, std::span<const Word> clause) const {
    if (begins_with(request, clause, "clause_tells") > 0) return true;
    if (clause.size() < kShortestTold || begins_with(request, clause, "clause_about") == 0) return false;
    for (std::size_t at = 1; at <= kLatestVerb && at < clause.size(); ++at)
      if (begins_with(request, clause.subspan(at), "clause_verb") > 0) return true;
    return false;
  }

  /// "The sink is blocked, help": that is no request for help with anything else.
  bool asks_for_help(const MatchRequest& request, std::span<const Word> clause) const {
    return context().common_locale().vocabulary_equals(request.lang(), "clause_help", clause);
  }

  /// Whether it has words for the clauses in front of a request: "{front} remind me of it".
  static bool takes_front(const MatchRequest& request, const Match& whole,
                          std::span<const std::span<const Word>> clauses) {
    const Word* const begin = clauses.front().data();
    return std::any_of(clauses.begin(), clauses.end(), [&](std::span<const Word> last) {
      const std::string_view front =
          surface(request.utterance(), std::span(begin, last.data() + last.size()));
      return std::any_of(whole.slots.begin(), whole.slots.end(),
                         [&](const auto& slot) { return slot.second == front; });
    });
  }

  /// Takes as many clauses as are one request: what is named may have stops in it ("add oats, flour and
  /// raisins to the list").
  /// @param cue  words at the beginning that are no part of it
  /// @return how many
  std::size_t take_row(const MatchRequest& request, std::span<const std::span<const Word>> clauses,
                       std::size_t cue, std::vector<Match>& parts) {
    const Word* const begin = clauses.front().data() + cue;
    std::size_t n = 1;
    while (n < clauses.size() && !only_tells(request, clauses[n]) &&
           begins_with(request, clauses[n], "follow_up_correct") == 0)
      ++n;
    for (; n > 0; --n) {
      const auto& last = clauses[n - 1];
      if (!take(request, std::span(begin, last.data() + last.size()), parts)) continue;
      if (!stands_for_something(request, parts.back())) return n;
      parts.pop_back();
    }
    return 0;
  }

  /// The longest part that is a request, where the words before and behind it are none.
  std::optional<Match> request_within(const MatchRequest& request, std::span<const Word> said) {
    const std::string& text = request.utterance();
    for (const auto& part :
         follow_up::requests_within(text, said, context().common_locale(), request.lang())) {
      std::vector<Match> parts;
      if (only_tells(request, part) || asks_for_help(request, part) || !take(request, part, parts) ||
          parts.front().literal_words < kPlainWords ||
          part.size() - parts.front().literal_words > kMostNamed ||
          stands_for_something(request, parts.front()))
        continue;
      const auto before = static_cast<std::size_t>(part.data() - said.data());
      const bool takes_time = has_time(surface(request.utterance(), part), request.lang());
      const bool is_alone = says_nothing(request, said.first(before), takes_time) &&
                            says_nothing(request, said.subspan(before + part.size()), takes_time);
      return is_alone ? std::optional(in_order(request, std::move(parts))) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Whether words beside a request are none, and not when it is to be done either.
  /// @param takes_time  it has a time of its own, of which they may be a part: "I need tomorrow"
  bool says_nothing(const MatchRequest& request, std::span<const Word> beside, bool takes_time) {
    std::vector<Match> others;
    if (beside.empty()) return true;
    if (take(request, beside, others)) return false;
    const bool is_told =
        begins_with(request, beside, "clause_tells") > 0 || begins_with(request, beside, "clause_why") > 0;
    if (is_told && !takes_time) return true;
    return (is_told || begins_with(request, beside, "clause_asks") == 0) &&
           !has_time(surface(request.utterance(), beside), request.lang());
  }

  /// What day it is makes no difference to whether one was said.
  std::chrono::local_seconds some_day() const {
    return std::chrono::local_seconds(
        std::chrono::floor<std::chrono::seconds>(context().clock().wall()).time_since_epoch());
  }

  bool has_time(std::string_view text, const std::string& lang) const {
    return find_moment(text, lang, some_day()).has_value();
  }

  /// "My tap keeps dripping, how do I fix it": nobody can tell from the part what "it" is.
  bool stands_for_something(const MatchRequest& request, const Match& part) const {
    return std::any_of(part.slots.begin(), part.slots.end(), [&](const auto& slot) {
      return context().common_locale().vocabulary_equals(request.lang(), "follow_up_it",
                                                         words(slot.second, request.lang()));
    });
  }

  std::size_t begins_with(const MatchRequest& request, std::span<const Word> said,
                          std::string_view vocabulary) const {
    return follow_up::phrase_at(said, true, context().common_locale(), request.lang(), vocabulary);
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

  /// Whether an intent takes the whole, and what joins is its own word: not part of what somebody named, nor
  /// behind what it has a slot for in front ("{front} and remind me {what}"), which may be a request.
  bool is_one(const MatchRequest& request, std::span<const Word> said, std::span<const Joint> joints) {
    const auto whole = context().word_for_word(request);
    if (!whole) return false;
    const std::string_view front = surface(request.utterance(), said.first(joints.front().begin));
    return std::none_of(whole->slots.begin(), whole->slots.end(), [&](const auto& slot) {
      return slot.second == front ||
             context().locale().vocabulary_occurs(request.lang(), "and", words(slot.second, request.lang()));
    });
  }

  /// Takes the words behind a joint apart, as few parts as there can be.
  bool split(const MatchRequest& request, std::span<const Word> said, Joint behind,
             std::span<const Joint> joints, std::vector<Match>& parts) {
    const std::size_t begin = behind.end;
    if (parts.size() == Match::kMostParts) return false;
    if (!parts.empty() && (take_another(request, said, behind, said.size(), parts) ||
                           take(request, said.subspan(begin), parts)))
      return true;
    // What begins is no part of a slot before it.
    const std::size_t least = parts.empty() ? 1 : kPlainWords;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (!take_another(request, said, behind, joints[i].begin, parts) &&
          !take(request, said.subspan(begin, joints[i].begin - begin), parts, least))
        continue;
      if (split(request, said, joints[i], joints.subspan(i + 1), parts)) return true;
      parts.pop_back();
    }
    return false;
  }

  /// "Set an alarm for seven and one for eight": what leaves out that it is one more of the same.
  bool take_another(const MatchRequest& request, std::span<const Word> said, Joint behind, std::size_t end,
                    std::vector<Match>& parts) {
    const LocaleResources& common = context().common_locale();
    const auto part = said.subspan(behind.begin, end - behind.begin);
    const bool is_one_more =
        follow_up::phrase_at(part, true, common, request.lang(), "follow_up_and") > behind.end - behind.begin;
    if (parts.empty() || !is_one_more) return false;
    const auto ellipsis = follow_up::ellipsis_in(part, common, request.lang());
    if (!ellipsis) return false;
    const Match before = parts.back();
    follow_up::Subject subject;
    subject.utterance = before.utterance;
    subject.slots = before.slots;
    const follow_up::Reader reader(common, request.lang(), some_day());
    for (const auto& one : follow_up::rewritings(subject, *ellipsis, request.utterance(), reader)) {
      auto match = one.typed ? context().word_for_word(request.about(one.text)) : std::nullopt;
      if (!match || match->skill_id != before.skill_id || match->intent_name != before.intent_name) continue;
      parts.push_back(std::move(*match));
      return true;
    }
    return false;
  }

  /// Whether it names so many words where it has slots; a number in one is as good as a word.
  static bool is_plain(const Match& match, const std::string& lang, std::size_t least) {
    const bool has_number = std::any_of(match.slots.begin(), match.slots.end(), [&](const auto& slot) {
      return leading_number(words(slot.second, lang), lang).has_value();
    });
    return match.slots.empty() || match.literal_words + (has_number ? 1 : 0) >= least;
  }

  bool take(const MatchRequest& request, std::span<const Word> part, std::vector<Match>& parts,
            std::size_t least = kPlainWords) {
    if (part.empty()) return false;
    auto match = context().word_for_word(request.about(std::string(surface(request.utterance(), part))));
    if (!match || !is_plain(*match, request.lang(), least)) return false;
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
