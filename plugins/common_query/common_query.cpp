#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/stage.hpp>
#include <parley/text_set.hpp>

#include "contests.hpp"
#include "gate.hpp"
#include "meanings.hpp"
#include "several.hpp"

namespace parley::common_query {
namespace {

using namespace std::chrono_literals;

/// How long earlier stages may think before a contest begins beside them.
constexpr std::chrono::milliseconds kAtOnce(1);

/// Puts questions of fact to every skill that may know, and speaks the best answer.
class CommonQuery final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Questions of fact: every skill that may know is asked at once, the best answer is spoken.";
  static constexpr std::array kOptions{
      Option::duration("poll_window", "500ms", 1ms, 1min, "How long skills may take to claim a question.")
          .part_of_match(),
      Option::duration("collection_window", "3s", 1ms, 10min,
                       "How long claimants have for their answer, unless all say how long they take.")
          .at_most("collection_ceiling"),
      Option::duration("collection_ceiling", "5s", 1ms, 10min,
                       "How long to wait at most while no skill has answered.")
          .part_of_match(),
      Option::duration("latency_slack", "100ms", 0ms, 1min,
                       "Added to the slowest latency the claimants announced."),
      Option::number("min_confidence", "0.5", 0, 1, "Answers that rate themselves lower are dropped."),
      Option::number("fast_win", "0.9", 0, 1, "An answer that rates itself this high ends the contest."),
      Option::flag("early_start", "true", "Ask while earlier stages are still matching."),
      Option::integer("max_early_contests", "64", 1, 10'000, "Early contests at a time, in all sessions."),
      Option::flag("gate", "true", "Only ask about what looks like a question."),
      Option::word("reranker", "confidence", "confidence agreement",
                   "How answers are ranked; agreement: those that support each other rank higher."),
      Option::list("skill_order", "[]", "The order of skills among equally good answers.", TextForm::kId)};
  static constexpr std::array kEntries{DefaultEntry("common_query_several", 260),
                                       DefaultEntry("common_query", 700)};

  void start() override {
    const Json& options = context().options();
    rank_ = reranker(options.at("reranker"), options.at("skill_order"));
    if (options.at("gate").get<bool>()) gate_.emplace(context().locale());
    max_early_ = options.at("max_early_contests");
    contests_.emplace(context());
    meanings_.emplace(context(), gate_ ? &*gate_ : nullptr);
    context().on("ovos.intent.matched", [this](const Message& message) { drop_early(message); });
    context().on("ovos.utterance.handled", [this](const Message& message) {
      drop_early(message);
      contests_->forget(message);
    });
    if (options.at("early_start").get<bool>())
      context().on_entry([this](const MatchRequest& request) { start_early(request); });
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    if (is_for_several(request)) {
      std::vector<Part> parts = parts_of(request);
      const bool is_nothing = parts.empty() && meanings_->at_first(request).empty();
      if (is_nothing) return QuickAnswer(std::nullopt);
      taken_apart_.emplace(key_of(request), std::move(parts));
      return {};
    }
    if (meanings_->is_question(request) || meanings_->asked_again(request)) return {};
    request.trace().note("the gate takes it for no question");
    return QuickAnswer(std::nullopt);
  }

  /// A follow-up is asked as the whole question it stands for; nobody knows that one, as it was said.
  Task<std::optional<Match>> match(MatchRequest request) override {
    if (is_for_several(request)) {
      std::vector<Part> parts = taken_apart(request);
      if (!parts.empty()) co_return co_await all_in_turn(request, std::move(parts));
      co_return co_await first_known(request, meanings_->at_first(request));
    }
    if (const auto again = meanings_->asked_again(request)) {
      request.trace().note("a follow-up: asked as \"" + again->utterance() + '"');
      auto answered = co_await ask(*again);
      if (answered || !meanings_->is_question(request)) co_return answered;
    }
    auto match = co_await ask(request);
    if (!match) match = co_await first_known(request, meanings_->otherwise(request));
    co_return match;
  }

  /// Speaks what won; everything was decided during the match (section 10).
  Task<> handle(Turn turn) override {
    if (const auto answer = turn.slot("answer")) {
      turn.speak(*answer);
    } else {
      turn.not_understood();
      turn.speak_dialog("no_answer", {{"question", turn.text()}});
    }
    co_return;
  }

 private:
  /// Whether only what has a question beside something else is asked for: before an intent's open slot takes
  /// the question with it.
  static bool is_for_several(const MatchRequest& request) { return request.entry().ends_with("_several"); }

  std::vector<Part> parts_of(const MatchRequest& request) {
    if (!gate_) return {};
    return several_in(*gate_, request.utterance(), request.lang(), [&](const std::string& text) {
      return context().word_for_word(asked_as(request, text));
    });
  }

  static std::string key_of(const MatchRequest& request) {
    return request.message().context().utterance_id + ' ' + request.utterance();
  }

  /// As the quick answer found them, unless another utterance came between.
  std::vector<Part> taken_apart(const MatchRequest& request) {
    auto known = std::exchange(taken_apart_, std::nullopt);
    if (known && known->first == key_of(request)) return std::move(known->second);
    return parts_of(request);
  }

  /// The parts one after the other (U-9). A question that nobody can answer is only one of them where an
  /// intent would take it for what somebody named. What a part says of the one before it ("how many people
  /// live there") is asked as the whole question it stands for.
  Task<std::optional<Match>> all_in_turn(MatchRequest request, std::vector<Part> parts) {
    const bool is_swallowed = context().word_for_word(request).has_value();
    std::vector<Match> found;
    bool any_answer = false;
    const follow_up::Subject* const subject = meanings_->subject_of(request);
    follow_up::Subject before = subject != nullptr ? *subject : follow_up::Subject();
    for (Part& part : parts) {
      const MatchRequest one = asked_as(request, part.text);
      std::vector<std::string> meant =
          part.intent ? std::vector<std::string>() : meanings_->after(before, one);
      follow_up::Subject now = subject_of(part, request.lang());
      auto match = std::move(part.intent);
      if (!match) match = co_await first_known(one, std::move(meant));
      if (!match) match = co_await ask(one);
      if (match) now.utterance = match->utterance;
      now.follow(std::exchange(before, {}));
      before = std::move(now);
      any_answer = any_answer || match;
      if (!match && !is_swallowed) co_return std::nullopt;
      if (!match) match = unanswered(one);
      found.push_back(std::move(*match));
    }
    if (!any_answer) co_return std::nullopt;
    co_return in_order(std::move(found));
  }

  /// Asks one after the other until somebody has an answer.
  Task<std::optional<Match>> first_known(MatchRequest request, std::vector<std::string> questions) {
    for (const std::string& question : questions) {
      auto match = co_await ask(asked_as(request, question));
      if (!match) continue;
      request.trace().note("asked as \"" + question + '"');
      co_return match;
    }
    co_return std::nullopt;
  }

  static follow_up::Subject subject_of(const Part& part, const std::string& lang) {
    follow_up::Subject subject;
    subject.lang = lang;
    subject.utterance = part.text;
    subject.is_question = !part.intent;
    if (part.intent) subject.slots = part.intent->slots;
    return subject;
  }

  Match unanswered(const MatchRequest& request) const {
    Match match(context().pipeline_id(), "common_query", request.lang(), request.utterance());
    match.updated_session = request.session_ptr();
    return match;
  }

  static Match in_order(std::vector<Match> parts) {
    Match first = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) first.then.push_back(std::move(parts[i]));
    return first;
  }

  Task<std::optional<Match>> ask(MatchRequest request) {
    Running running = take_early(request);
    if (!running.contest) running = contests_->begin(request);
    Contest& contest = *running.contest;
    const TextSet denied(request.session().blacklisted_skills);
    std::optional<Contest::Verdict> verdict;
    while (!verdict) {
      const auto now = context().clock().now();
      verdict = contest.judge(denied, now, contests_->limits(), rank_);
      if (!verdict) co_await contest.wakeup().wait_until(contest.next_look(now, contests_->limits()));
    }
    if (!verdict->winner) co_return std::nullopt;
    if (request.trace())
      request.trace().candidate(verdict->winner->skill_id, "common_query", verdict->winner->conf, "wins");
    Match match(context().pipeline_id(), "common_query", request.lang(), contest.utterance());
    match.slots["answer"] = verdict->winner->answer;
    match.updated_session = request.session_ptr();
    co_return match;
  }

  /// What is claimed is not asked: a handler may take its time, and every skill would hear of its utterance.
  void drop_early(const Message& message) {
    const auto found = early_.find(message.session_id());
    if (found != early_.end() && found->second.is_of(message)) early_.erase(found);
  }

  /// One per session, the latest; what does not fit begins when it is asked for.
  void start_early(const MatchRequest& request) {
    const std::string& session_id = request.session().session_id;
    early_.erase(session_id);
    if (early_.size() >= max_early_) {
      context().count("early_contest_refused");
      return;
    }
    // Most turns are claimed at once: to ask every skill about them would cost more than the turn does.
    early_.emplace(session_id,
                   Early(request, context().after(kAtOnce, [this, request] { begin_early(request); })));
  }

  void begin_early(const MatchRequest& request) {
    if (!meanings_->is_question(request) || meanings_->asked_again(request) ||
        !meanings_->at_first(request).empty())
      return;
    Running running = contests_->begin(request);
    const auto found = early_.find(request.session().session_id);
    if (found != early_.end() && found->second.is_of(request.message()))
      found->second.running = std::move(running);
  }

  /// The contest that began early for this very utterance, if it still fits (section 5).
  Running take_early(const MatchRequest& request) {
    const auto found = early_.find(request.session().session_id);
    if (found == early_.end() || !found->second.is_of(request.message())) return {};
    Running running = std::move(found->second.running);
    early_.erase(found);
    const bool fits = running.contest && running.contest->utterance() == request.utterance() &&
                      running.contest->lang() == request.lang();
    if (!fits) return {};
    request.trace().note("the contest began early");
    return running;
  }

  Reranker rank_;
  std::optional<Gate> gate_;
  std::optional<Meanings> meanings_;  ///< Since start(), as the contests.
  std::optional<Contests> contests_;
  std::optional<std::pair<std::string, std::vector<Part>>> taken_apart_;  ///< The latest, by key_of().
  std::size_t max_early_ = 64;
  std::map<std::string, Early, std::less<>> early_;  ///< By session.
};

}  // namespace
}  // namespace parley::common_query

PARLEY_STAGE(parley::common_query::CommonQuery)
