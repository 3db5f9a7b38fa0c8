#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/language.hpp>
#include <parley/stage.hpp>
#include <utility>

#include "claim.hpp"
#include "explain.hpp"
#include "follow_ups.hpp"
#include "learning.hpp"
#include "match/intent_index.hpp"
#include "match/tier.hpp"
#include "turn_cache.hpp"

namespace parley::intent {
namespace {

/// Finds the registered intent that an utterance is. One index for all its entries; they differ in how sure
/// they want to be (see Level).
class IntentStage final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Intents that skills declare, by example sentences or by keywords; from the surest matches to the "
      "least sure.";
  static constexpr std::array kOptions{Option::flag(
      "keep_learnt", "true",
      "Whether what was learnt is kept in $XDG_CACHE_HOME/parley/learnt (~/.cache), so that the next "
      "start knows it at once.")};
  static constexpr std::array kEntryOptions{
      Option::word("level", "by_name", "by_name high medium low",
                   "What the entry takes; by_name: what its name ends in, else low."),
      Option::number(
          "min_coverage", nullptr, 0, 1,
          "The share of the words that keywords must cover; default: high 0.5, medium 0.3, low 0.25."),
      Option::number(
          "min_certainty", nullptr, 0, 1,
          "How sure it must be of what only resembles a template; default: medium 0.75, low 0.5.")};
  static constexpr std::array kEntries{DefaultEntry("intent_high", 300), DefaultEntry("intent_medium", 500),
                                       DefaultEntry("intent_low", 900)};

  void start() override {
    for (const EntityPtr& entity : context().registry().entities()) warn_of(index_.add(entity));
    for (const IntentPtr& intent : context().registry().intents()) warn_of(index_.add(intent));
    changes_ = context().registry().on_change([this](const RegistryChange& change) { apply(change); });
    if (context().options().at("keep_learnt").get<bool>()) learning_.keep_in(LearntFiles::user_folder());
    follow_ups_.emplace(index_, context());
    context().on("ovos.core.ready", [this](const Message&) { is_ready_ = true; });
    context().on("ovos.intent.matched", [this](const Message& matched) { follow_ups_->hear(matched); });
    learn_soon();
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    const Tier tier = tier_of(request.entry(), request.options());
    const std::string primary = primary_language(request.lang());
    if (is_arriving(primary)) return {};
    learning_.begin(&context(), primary);
    const bool only_literal = tier.level == Level::kHigh;
    const bool learnt = learning_.is_caught_up(primary);
    auto match = claim_first(request, tier, learnt ? Resembling::kOnDemand : Resembling::kNone, only_literal);
    if (!match) match = explained(request, tier.level);
    if (match || only_literal) return QuickAnswer(std::move(match));
    if (!learnt) return {};
    return QuickAnswer(claim_first(request, tier, Resembling::kAll, true));
  }

  /// Waits for what is being learnt, or taken in: all else was said at once.
  Task<std::optional<Match>> match(MatchRequest request) override {
    const Tier tier = tier_of(request.entry(), request.options());
    const std::string primary = primary_language(request.lang());
    if (is_arriving(primary)) {
      co_await arrived(primary);
      QuickAnswer answer = quick_match(request);
      if (answer.known) co_return std::move(answer.match);
    }
    const auto asked = context().clock().now();
    const bool learnt = co_await learning_.caught_up(&context(), primary);
    const auto waited = std::chrono::round<std::chrono::milliseconds>(context().clock().now() - asked);
    if (waited.count() > 0 && request.trace())
      request.trace().note("waited " + std::to_string(waited.count()) + " ms for what is being learnt");
    if (!learnt && request.trace())
      request.trace().note("still learning what is registered: only what is word for word");
    co_return claim_first(request, tier, learnt ? Resembling::kAll : Resembling::kNone, true);
  }

  /// What the surest entry would take without more ado: a whole utterance that is one of a template's.
  std::optional<Match> word_for_word(const MatchRequest& request) override {
    const Tier tier = tier_of(request.entry(), request.options());
    if (tier.level != Level::kHigh) return std::nullopt;
    TurnReadings& turn = cache_.of(request, index_.revision());
    const Reading& reading =
        turn.read(0, index_, context().registry(), context().clock(), context().common_locale());
    const Candidate* const winner = choose(reading.candidates, tier);
    if (winner == nullptr || !winner->is_template() || winner->unlisted_words > 0) return std::nullopt;
    Match match = claim_of(*winner, reading.said);
    match.literal_words = winner->literal_words;
    return match;
  }

  std::vector<IntentPtr> listed_intents() const override { return index_.intents(); }

 private:
  /// What nobody takes word for word: the question within it, or what only the utterance before explains.
  std::optional<Match> explained(const MatchRequest& request, Level level) {
    const Reading& reading =
        cache_.of(request, index_.revision())
            .read(0, index_, context().registry(), context().clock(), context().common_locale());
    const bool is_taken = std::any_of(
        reading.candidates.begin(), reading.candidates.end(),
        [](const Candidate& one) { return !one.veto && one.is_template() && one.unlisted_words == 0; });
    if (is_taken) return std::nullopt;
    return level == Level::kHigh ? follow_ups_->asked_directly(request) : follow_ups_->match(request);
  }

  /// Whether it counts what the utterances resemble.
  enum class Resembling : std::uint8_t {
    kNone,      ///< It is being learnt.
    kOnDemand,  ///< Where a template is open slots for the most part (needs_consent()).
    kAll,
  };

  /// What the entry takes of the first utterance that has any.
  /// @param last        nothing else will be tried; else only what is word for word counts, which goes first
  std::optional<Match> claim_first(const MatchRequest& request, const Tier& tier, Resembling resembling,
                                   bool last) {
    TurnReadings& turn = cache_.of(request, index_.revision());
    for (std::size_t i = 0; i < turn.size(); ++i) {
      const Reading& reading =
          turn.read(i, index_, context().registry(), context().clock(), context().common_locale());
      const bool asks = std::any_of(reading.candidates.begin(), reading.candidates.end(), &needs_consent);
      const bool counts = resembling == Resembling::kAll || (resembling == Resembling::kOnDemand && asks);
      if (counts && is_mere_answer(request, reading))
        request.trace().note("a yes or no that nobody asked for: what it resembles does not count");
      else if (counts)
        turn.add_resemblances(i, index_, context().registry(), context().clock());
      const Candidate* winner = choose(reading.candidates, tier);
      if (winner != nullptr && !last && winner->unlisted_words > 0) winner = nullptr;
      if (request.trace() && (last || winner != nullptr)) explain(request.trace(), reading, tier);
      if (winner != nullptr) return claim_of(*winner, reading.said);
    }
    return std::nullopt;
  }

  /// A yes or no that nobody asked for: what it resembles it does not ask for.
  bool is_mere_answer(const MatchRequest& request, const Reading& reading) const {
    const LocaleResources& common = context().common_locale();
    return common.vocabulary_equals(request.lang(), "yes", reading.said.words) ||
           common.vocabulary_equals(request.lang(), "no", reading.said.words);
  }

  void apply(const RegistryChange& change) {
    if (change.removed_intent) remove(*change.removed_intent);
    if (change.removed_entity) remove(*change.removed_entity);
    if (change.intent) add(change.intent);
    if (change.entity) add(change.entity);
    if (index_.has_work()) work_on();
  }

  template <class Registration>
  void remove(const Registration& gone) {
    intakes_.erase(IntentIndex::key_of(gone));
    index_.remove(gone);
    learn_again(gone.lang);
  }

  /// A big one is compiled by a worker and put in bit by bit; until then an earlier one of its key goes on.
  /// Not before the assistant is ready: nobody waits for the loop then, and the first utterance is to find
  /// all of it.
  template <class Registration>
  void add(const std::shared_ptr<const Registration>& added) {
    const std::string key = IntentIndex::key_of(*added);
    intakes_.erase(key);
    if (is_ready_ && added->weight > kSmall) {
      Intake& intake = intakes_[key];
      intake.what = added;
      intake.work = context().spawn(take_in(added, key, arrival_of(primary_language(added->lang))));
      return;
    }
    warn_of(index_.add(added));
    learn_again(added->lang);
  }

  template <class Registration>
  Task<> take_in(std::shared_ptr<const Registration> added, std::string key, std::shared_ptr<void> arrival) {
    const auto compiled = std::make_shared<Compiled>();
    std::function<void()> compiling = [compiled, added] { *compiled = compile(*added); };
    co_await context().run_blocking(std::move(compiling));
    const auto intake = intakes_.find(key);
    if (intake == intakes_.end() || intake->second.what != added) {  // replaced meanwhile
      arrival.reset();
      tell_arrived();
      co_return;
    }
    warn_of(compiled->problems);
    index_.begin_add(added, compiled);
    arrival.reset();
    learn_again(added->lang);
    work_on();
  }

  // ---- a language whose first intents arrive while somebody waits to be understood in it

  /// Held while one of its big registrations is compiled; null: people have spoken it before, and who
  /// registers more then holds up nobody.
  std::shared_ptr<void> arrival_of(const std::string& primary) {
    if (learning_.is_spoken(primary)) return nullptr;
    Arrival& arrival = arrivals_[primary];
    auto held = arrival.compiling.lock();
    if (!held) arrival.compiling = held = std::make_shared<int>();
    return held;
  }

  bool is_arriving(const std::string& primary) {
    const auto found = arrivals_.find(primary);
    if (found == arrivals_.end()) return false;
    const LanguageIndex* const index = index_.language_of(primary);
    return !found->second.compiling.expired() || (index != nullptr && index->has_work());
  }

  /// Or a while later, as others may register on and on: from then on nobody waits for that.
  Task<> arrived(std::string primary) {
    const Clock::Time latest = context().clock().now() + kLongestArrival;
    while (is_arriving(primary) && context().clock().now() < latest) {
      const auto wakeup = context().make_wakeup();
      arrivals_.at(primary).waiting.push_back(wakeup);
      co_await wakeup->wait_until(latest);
    }
    end_arrival(primary);
  }

  void end_arrival(const std::string& primary) {
    const auto over = arrivals_.extract(primary);
    if (over.empty()) return;
    for (const auto& wakeup : over.mapped().waiting) wakeup->notify();
  }

  void tell_arrived() {
    std::vector<std::string> over;
    for (const auto& [primary, arrival] : arrivals_)
      if (!is_arriving(primary)) over.push_back(primary);
    for (const auto& primary : over) end_arrival(primary);
  }

  /// Lets others have their turn between two pieces of the index's work.
  void work_on() {
    if (std::exchange(works_, true)) return;
    next_piece_ = context().after(Duration::zero(), [this] {
      works_ = false;
      if (index_.work()) work_on();
      tell_arrived();
    });
  }

  void learn_again(const std::string& lang) {
    if (is_ready_) learning_.changed(context().clock().now());
    if (const std::string primary = primary_language(lang); learning_.is_spoken(primary))
      learning_.begin(&context(), primary);
    else
      learn_soon();
  }

  /// Languages that nobody has spoken yet are learnt when nothing has been registered for a while: whoever
  /// speaks first need not wait, and a process that answers one utterance and ends never begins. Only those
  /// that are enabled: skills and clients may register what they like.
  void learn_soon() {
    settled_ = context().after(kSettled, [this] {
      for (const std::string& lang : context().languages())
        learning_.begin(&context(), primary_language(lang));
    });
  }

  void warn_of(const std::vector<std::string>& problems) {
    constexpr std::size_t kTold = 3;
    for (std::size_t i = 0; i < std::min(problems.size(), kTold); ++i)
      context().warn("sample left out: " + problems[i]);
    if (problems.size() > kTold)
      context().warn(std::to_string(problems.size() - kTold) + " more samples left out");
  }

  static constexpr std::chrono::milliseconds kSettled{250};
  static constexpr std::chrono::seconds kLongestArrival{2};
  /// More than this is not taken in at once; it takes about a millisecond.
  static constexpr std::size_t kSmall = std::size_t{4} << 10U;

  struct Intake {
    std::shared_ptr<const void> what;
    Subscription work;
  };

  struct Arrival {
    std::weak_ptr<void> compiling;
    std::vector<std::shared_ptr<Wakeup>> waiting;
  };

  IntentIndex index_;
  Learning learning_{index_};
  TurnCache cache_;
  std::optional<FollowUps> follow_ups_;
  std::map<std::string, Intake> intakes_;    ///< Big registrations, by key, until they are removed.
  std::map<std::string, Arrival> arrivals_;  ///< By primary language.
  Subscription next_piece_;
  Subscription settled_;  ///< Until learning begins by itself.
  bool works_ = false;
  bool is_ready_ = false;
  Subscription changes_;  // last: nothing changes once the rest is gone
};

}  // namespace
}  // namespace parley::intent

PARLEY_STAGE(parley::intent::IntentStage)
