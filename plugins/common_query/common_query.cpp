#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/stage.hpp>
#include <parley/text_set.hpp>
#include <set>

#include <follow_up/memory.hpp>
#include <follow_up/topic.hpp>

#include "contest.hpp"
#include "gate.hpp"
#include "running.hpp"
#include "several.hpp"

namespace parley::common_query {
namespace {

using namespace std::chrono_literals;

constexpr const char* kResponse = ".common_query.response";
/// Of how many skills late responses are heard, and counted: clients choose the names.
constexpr std::size_t kMaxTopics = 1'024;
/// After so many polls in a row without a pong a remote skill is not waited for.
constexpr int kMostSilences = 2;
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
    limits_ = Limits(options);
    rank_ = reranker(options.at("reranker"), options.at("skill_order"));
    if (options.at("gate").get<bool>()) gate_.emplace(context().locale());
    max_early_ = options.at("max_early_contests");
    context().on("ovos.common_query.pong", [this](const Message& pong) { hear_pong(pong); });
    context().on_departure([this](const std::string& skill) { silences_.erase(skill); });
    context().on("ovos.utterance.handled", [this](const Message& message) { forget(message); });
    context().on("ovos.intent.matched",
                 [this](const Message& matched) { subjects_.hear(matched, context().clock().now()); });
    if (options.at("early_start").get<bool>())
      context().on_entry([this](const MatchRequest& request) { start_early(request); });
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    if (is_for_several(request)) {
      std::vector<Part> parts = parts_of(request);
      const bool is_nothing = parts.empty() && meant_of_topic(request).empty();
      if (is_nothing) return QuickAnswer(std::nullopt);
      taken_apart_.emplace(key_of(request), std::move(parts));
      return {};
    }
    if (is_question(request) || asked_again(request)) return {};
    request.trace().note("the gate takes it for no question");
    return QuickAnswer(std::nullopt);
  }

  /// A follow-up is asked as the whole question it stands for; nobody knows that one, as it was said.
  Task<std::optional<Match>> match(MatchRequest request) override {
    if (is_for_several(request)) {
      std::vector<Part> parts = taken_apart(request);
      if (!parts.empty()) co_return co_await all_in_turn(request, std::move(parts));
      co_return co_await first_known(request, meant_of_topic(request));
    }
    if (const auto again = asked_again(request)) {
      request.trace().note("a follow-up: asked as \"" + again->utterance() + '"');
      auto answered = co_await ask(*again);
      if (answered || !is_question(request)) co_return answered;
    }
    auto match = co_await ask(request);
    if (!match) match = co_await first_known(request, meant_by(request));
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
    const follow_up::Subject* const subject = subject_of(request);
    follow_up::Subject before = subject != nullptr ? *subject : follow_up::Subject();
    for (Part& part : parts) {
      const MatchRequest one = asked_as(request, part.text);
      std::vector<std::string> meant = part.intent ? std::vector<std::string>() : meant_after(before, one);
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

  /// What a question may mean that follows that subject, the likeliest first; not: what it says itself.
  std::vector<std::string> meant_after(const follow_up::Subject& before, const MatchRequest& request) const {
    const follow_up::Reader reader = reader_of(request);
    std::vector<std::string> meant = follow_up::asked_of_topic(before, request.utterance(), reader);
    if (auto again = follow_up::asked_again(before, request.utterance(), reader))
      meant.insert(meant.begin(), std::move(*again));
    return meant;
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
    if (!running.contest) running = begin(request);
    Contest& contest = *running.contest;
    const TextSet denied(request.session().blacklisted_skills);
    std::optional<Contest::Verdict> verdict;
    while (!verdict) {
      const auto now = context().clock().now();
      verdict = contest.judge(denied, now, limits_, rank_);
      if (!verdict) co_await contest.wakeup().wait_until(contest.next_look(now, limits_));
    }
    if (!verdict->winner) co_return std::nullopt;
    if (request.trace())
      request.trace().candidate(verdict->winner->skill_id, "common_query", verdict->winner->conf, "wins");
    Match match(context().pipeline_id(), "common_query", request.lang(), contest.utterance());
    match.slots["answer"] = verdict->winner->answer;
    match.updated_session = request.session_ptr();
    co_return match;
  }

  /// The request about what its utterance leaves out of the question before; nothing: it is its own.
  std::optional<MatchRequest> asked_again(const MatchRequest& request) {
    const follow_up::Subject* const subject = subject_of(request);
    if (subject == nullptr) return std::nullopt;
    const auto sentence = follow_up::asked_again(*subject, request.utterance(), reader_of(request));
    if (!sentence) return std::nullopt;
    return asked_as(request, *sentence);
  }

  /// What a question that nobody has an answer to may mean: itself without the words that say nothing, and
  /// the same about what was said before.
  std::vector<std::string> meant_by(const MatchRequest& request) {
    std::vector<std::string> questions;
    std::string bare = gate_ ? gate_->bare(request.utterance(), request.lang()) : request.utterance();
    if (bare != request.utterance()) questions.push_back(bare);
    const follow_up::Subject* const subject = subject_of(request);
    if (subject == nullptr) return questions;
    for (std::string& question : follow_up::asked_about_topic(*subject, bare, reader_of(request)))
      questions.push_back(std::move(question));
    return questions;
  }

  /// What a question means that stands for what the session was about, before an intent takes it for
  /// something that resembles it. Empty: it is about something of its own, or an intent's word for word.
  std::vector<std::string> meant_of_topic(const MatchRequest& request) {
    const follow_up::Subject* const subject = subject_of(request);
    if (subject == nullptr || !is_question(request)) return {};
    auto meant = follow_up::asked_of_topic(*subject, request.utterance(), reader_of(request));
    if (!meant.empty() && context().word_for_word(request)) meant.clear();
    return meant;
  }

  const follow_up::Subject* subject_of(const MatchRequest& request) const {
    const follow_up::Subject* const subject = subjects_.of(request.message(), context().clock().now());
    const bool fits =
        subject != nullptr && primary_language(subject->lang) == primary_language(request.lang());
    return fits ? subject : nullptr;
  }

  follow_up::Reader reader_of(const MatchRequest& request) const {
    // What day it is makes no difference to whether one was said.
    const std::chrono::local_seconds now(
        std::chrono::floor<std::chrono::seconds>(context().clock().wall()).time_since_epoch());
    return {context().common_locale(), request.lang(), now};
  }

  /// The same request in other words, in the same trace.
  static MatchRequest asked_as(const MatchRequest& request, const std::string& question) {
    auto state = std::make_shared<MatchRequest::State>(std::vector<std::string>(1, question), request.lang(),
                                                       request.message(), request.trace());
    return MatchRequest(std::move(state), request.entry(), std::make_shared<const Json>(request.options()));
  }

  static bool belongs(const Contest& contest, const Message& message) {
    return contest.message().context().utterance_id == message.context().utterance_id;
  }

  bool is_question(const MatchRequest& request) {
    return !gate_ || gate_->accepts(request.utterance(), request.lang());
  }

  /// A contest that nobody came to collect ends with its utterance.
  void forget(const Message& handled) {
    const std::string& session_id = handled.session_id();
    const auto found = early_.find(session_id);
    if (found != early_.end() && found->second.is_of(handled)) early_.erase(found);
    const auto [first, last] = listening_.equal_range(session_id);
    for (auto one = first; one != last;) {
      const auto contest = one->second.lock();
      one = !contest || belongs(*contest, handled) ? listening_.erase(one) : std::next(one);
    }
  }

  /// Lets the contests of its session take an answer; what none of them takes is discarded.
  void hear(const Message& answer, Heard (Contest::*takes)(const Message&)) {
    Heard heard = Heard::kStray;
    const auto [first, last] = listening_.equal_range(answer.session_id());
    for (auto one = first; one != last; ++one) {
      const auto contest = one->second.lock();
      if (contest) heard = std::max(heard, (*contest.*takes)(answer));
    }
    if (heard == Heard::kStray) context().count("stray_answers");
    if (heard == Heard::kMalformed) context().count("malformed_answers");
  }

  /// Somebody nobody speaks for, a stage for one, could not be asked either.
  void hear_pong(const Message& pong) {
    const std::string skill = pong.text("skill_id");
    if (context().presence(skill) == Presence::kNone) {
      context().count("stray_answers");
    } else {
      silences_.erase(skill);
      hear(pong, &Contest::hear_pong);
    }
  }

  /// From now on responses of that topic are heard, those that come too late as well.
  void listen_for(const std::string& topic) {
    if (topics_.size() >= kMaxTopics || !topics_.insert(topic).second) return;
    context().on(topic, [this](const Message& response) { hear(response, &Contest::hear_response); });
  }

  Running begin(const MatchRequest& request) {
    auto contest = std::make_shared<Contest>(request, context().make_wakeup(request));
    Subscription work = context().spawn(run(contest));
    return {std::move(contest), std::move(work)};
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
    if (!is_question(request) || asked_again(request) || !meant_of_topic(request).empty()) return;
    Running running = begin(request);
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

  /// Who could still have something to say: whoever declared questions here, and everybody remote who has not
  /// been silent too often.
  std::vector<std::string> potential_claimants() const {
    std::vector<std::string> skills = context().skills();
    std::erase_if(skills, [this](const auto& id) {
      if (context().presence(id) == Presence::kHosted) return !context().declares(id, Ability::kQuestion);
      const auto silent = silences_.find(id);
      return silent != silences_.end() && silent->second >= kMostSilences;
    });
    return skills;
  }

  /// For everybody, whoever the utterance was for.
  static Message ping(const Contest& contest) {
    const Message reply = contest.message().reply(
        "ovos.common_query.ping", {{"utterance", contest.utterance()}, {"lang", contest.lang()}});
    Context context = reply.context();
    context.destination.clear();
    context.destination_is_list = false;
    return reply.with_context(std::move(context));
  }

  void note_silence(const std::string& skill) {
    context().count("silent", skill);
    if (context().presence(skill) != Presence::kRemote) return;
    if (++silences_[skill] != kMostSilences) return;
    context().warn("skill '" + skill + "' let " + std::to_string(kMostSilences) +
                   " polls in a row pass in silence: it is not waited for until it answers one");
  }

  Task<> run(std::shared_ptr<Contest> contest) {
    listening_.emplace(contest->message().session_id(), contest);
    co_await poll(contest);
    const std::vector<std::string> asked = contest->begin_collecting(context().clock().now(), limits_);
    if (!asked.empty()) co_await collect(contest, asked);
    contest->finish();
  }

  Task<> poll(std::shared_ptr<Contest> contest) {
    PollRequest request(ping(*contest), "ovos.common_query.pong", limits_.poll_window);
    request.expected = potential_claimants();
    if (request.expected.empty()) {
      context().publish(request.questions.front());  // who hears it may have something to say all the same
      co_return;
    }
    // The stage subscribed before the poll did: the contest has heard it.
    request.judge = [contest](const Message& pong) {
      return contest->has_pong_of(pong.text("skill_id")) ? PollVerdict::kKeep : PollVerdict::kIgnore;
    };
    const PollResult result = co_await context().poll(std::move(request));
    for (const auto& skill : result.silent) {
      contest->trace().step(TraceKind::kSilent, skill, "no claim in time");
      note_silence(skill);
    }
  }

  Task<> collect(std::shared_ptr<Contest> contest, std::vector<std::string> asked) {
    const Json question = {{"utterance", contest->utterance()}, {"lang", contest->lang()}};
    PollRequest request(contest->message().reply(asked.front() + ":common_query", question),
                        asked.front() + kResponse, limits_.collection_ceiling);
    for (std::size_t i = 1; i < asked.size(); ++i) {
      request.questions.push_back(contest->message().reply(asked[i] + ":common_query", question));
      request.answer_topics.push_back(asked[i] + kResponse);
    }
    for (const auto& topic : request.answer_topics) listen_for(topic);
    request.expected = std::move(asked);
    request.judge = [this, contest](const Message& response) {
      if (!topics_.contains(response.type())) hear(response, &Contest::hear_response);
      return contest->has_response_of(response.text("skill_id")) ? PollVerdict::kKeep : PollVerdict::kIgnore;
    };
    const PollResult result = co_await context().poll(std::move(request));
    for (const auto& skill : result.silent) {
      contest->trace().step(TraceKind::kSilent, skill, "claimed it and gave no answer in time");
      context().count("silent", skill);
    }
  }

  Limits limits_;
  Reranker rank_;
  std::optional<Gate> gate_;
  follow_up::Memory subjects_;
  std::optional<std::pair<std::string, std::vector<Part>>> taken_apart_;  ///< The latest, by key_of().
  std::size_t max_early_ = 64;
  std::map<std::string, Early, std::less<>> early_;                            ///< By session.
  std::multimap<std::string, std::weak_ptr<Contest>, std::less<>> listening_;  ///< By session.
  std::map<std::string, int, std::less<>> silences_;  ///< Polls in a row that remote skills let pass.
  std::set<std::string, std::less<>> topics_;  ///< Of responses; never forgotten, as subscriptions are not.
};

}  // namespace
}  // namespace parley::common_query

PARLEY_STAGE(parley::common_query::CommonQuery)
