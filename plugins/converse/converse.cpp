#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/locale.hpp>
#include <parley/stage.hpp>
#include <parley/text.hpp>
#include <parley/text_set.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace parley::converse {
namespace {

using namespace std::chrono_literals;

/// How many owners are told in a round without waiting for them: clients choose who is an owner.
constexpr int kMostTold = 32;

/// What an owner says to an utterance.
enum class Decision { kNo, kYes, kDone };

/// How an owner is met.
enum class Stance {
  kDenied,  ///< The session blacklists it.
  kPassed,  ///< It can't take anything.
  kTold,    ///< It hears of it, and is not waited for.
  kAsked,
};

/// How many of its words another skill's intent must name to be meant where a question takes any text.
constexpr std::size_t kPlainWords = 2;
/// Words of a yes that may mean nothing.
constexpr std::size_t kLongestYes = 2;

/// `result` wins over its synonym; what is no boolean is a no (C-2).
Decision decision_in(const Message& pong) {
  const auto& data = pong.data();
  auto said = data.find("result");
  if (said == data.end()) said = data.find("can_handle");
  if (said != data.end() && said->is_boolean() && said->get<bool>()) return Decision::kYes;
  return pong.text("error_code") == "done" ? Decision::kDone : Decision::kNo;
}

/// Offers an utterance to those who spoke with the user lately, the one that asked something first
/// (section C).
class Converse final : public Stage {
 public:
  static constexpr const char* kAbout =
      "Skills that were active lately and may go on with the conversation; answers to their questions.";
  static constexpr std::array kOptions{
      Option::duration("ping_timeout", "500ms", 1ms, 1min,
                       "How long one skill may take to say whether it takes what was said."),
      Option::duration(
          "round_timeout", "1s", 1ms, 1min,
          "How long all skills together may take; those not asked by then are skipped this time."),
      Option::integer("max_handlers", "16", 1, 1000, "Skills a session remembers to ask."),
      Option::duration("max_age", "5min", 1s, 24h, "How long a session remembers a skill.")};
  static constexpr std::array kEntries{DefaultEntry("converse", 200)};

  void start() override {
    const Json& options = context().options();
    const auto span = [&options](const char* key) {
      return std::chrono::milliseconds(options.at(key).get<std::int64_t>());
    };
    ping_timeout_ = span("ping_timeout");
    round_timeout_ = span("round_timeout");
    max_age_ = span("max_age");
    context().remember_handlers(options.at("max_handlers").get<std::size_t>(), max_age_);
    // Who comes back has a new connection.
    context().on_departure([this](const std::string& skill) { silent_.erase(skill); });
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    const Session& session = request.session();
    const double now = unix_seconds(context().clock().wall());
    const bool asked = session.response_mode && session.response_mode->expires_at > now;
    std::vector<ActiveHandler> owners = owners_of(session, asked, now);
    const bool open = asked && may_answer(request, owners);
    const TextSet denied(session.blacklisted_skills);
    const bool nobody = std::none_of(owners.begin(), owners.end(), [&](const auto& owner) {
      const bool holds = open && owner.skill_id == session.response_mode->skill_id;
      return !holds && stance_of(denied, owner.skill_id) == Stance::kAsked;
    });
    if (!nobody) return {};
    if (open && context().word_for_word(request)) return {};  // it may be no answer
    if (open) return QuickAnswer(answer(request, std::move(owners)));
    int told = 0;
    for (const auto& owner : owners) may_be_asked(request, denied, owner.skill_id, told);
    return QuickAnswer(std::nullopt);
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    const double now = unix_seconds(context().clock().wall());
    const auto& mode = request.session().response_mode;
    const bool asked = mode && mode->expires_at > now;
    const std::vector<ActiveHandler> owners = owners_of(request.session(), asked, now);
    const bool open = asked && may_answer(request, owners, false);
    const AnswerFit fit = open ? co_await context().answer_fit(request) : AnswerFit::kMisfit;
    // It is for whoever spoke last.
    const bool yes_or_no = open && fit == AnswerFit::kMisfit && says_yes_or_no(request);
    const bool is_intent = open && !yes_or_no && means_another(request, fit);
    if (open && !is_intent && (fit == AnswerFit::kFits || fit == AnswerFit::kAnything))
      co_return answer(request, owners);
    const TextSet denied(request.session().blacklisted_skills);
    std::set<std::string> done;
    int told = 0;
    const auto end = context().clock().now() + round_timeout_;
    for (const auto& owner : owners) {
      if (open && !is_intent && owner.skill_id == mode->skill_id) {
        if (yes_or_no) break;  // it spoke last
        continue;
      }
      if (!may_be_asked(request, denied, owner.skill_id, told)) continue;
      const Duration left = end - context().clock().now();
      if (left <= Duration::zero()) {
        request.trace().step(TraceKind::kSkip, owner.skill_id,
                             "the others have taken the time of this round");
        break;
      }
      const Decision decision = co_await ask(request, owner.skill_id, left);
      if (decision == Decision::kYes) {
        if (open && !is_intent) stays_open(request, owner.skill_id + " goes on with it");
        co_return claim(request, owner.skill_id, "converse", owners, done, open);
      }
      // Whom the user is to answer is not.
      const bool holds = open && owner.skill_id == mode->skill_id;
      if (decision == Decision::kDone && !holds) done.insert(owner.skill_id);
    }
    if (open && !is_intent) co_return answer(request, owners);
    co_return std::nullopt;
  }

 private:
  /// By recency (D-4), without those that spoke too long ago; whom the user is to answer stays.
  std::vector<ActiveHandler> owners_of(const Session& session, bool asked, double now) const {
    std::vector<ActiveHandler> owners = session.converse_handlers.value_or(std::vector<ActiveHandler>());
    const double oldest = now - std::chrono::duration<double>(max_age_).count();
    std::erase_if(owners, [&](const auto& owner) {
      const bool holds = asked && owner.skill_id == session.response_mode->skill_id;
      return owner.activated_at < oldest && !holds;
    });
    std::stable_sort(owners.begin(), owners.end(),
                     [](const auto& a, const auto& b) { return a.activated_at > b.activated_at; });
    if (owners.size() < 2) return owners;
    std::set<std::string> seen;  // a client may name one as often as it likes
    std::erase_if(owners, [&](const auto& owner) { return !seen.insert(owner.skill_id).second; });
    return owners;
  }

  /// Whether what is said is no answer to the open question but an intent, word for word (C-1). Then the
  /// question stays open.
  bool means_another(const MatchRequest& request, AnswerFit fit) {
    if (fit == AnswerFit::kFits) {
      const auto rest = behind_yes(request);
      return rest && is_another(request, request.about(*rest), true);
    }
    return is_another(request, request, fit == AnswerFit::kAnything);
  }

  /// @param plainly  only what is surely another skill's counts
  bool is_another(const MatchRequest& request, const MatchRequest& said, bool plainly) {
    const auto taken = context().word_for_word(said);
    if (!taken) return false;
    const bool plain =
        taken->skill_id != request.session().response_mode->skill_id && taken->literal_words >= kPlainWords;
    if (plainly && !plain) return false;
    stays_open(request, "word for word " + taken->skill_id + ":" + taken->intent_name);
    return true;
  }

  /// What follows what may be a yes and may mean nothing ("fine, set a timer").
  std::optional<std::string> behind_yes(const MatchRequest& request) const {
    const std::vector<Word> said = words(request.utterance(), request.lang());
    const LocaleResources& common = context().common_locale();
    for (std::size_t n = 1; n <= kLongestYes && n < said.size(); ++n) {
      const auto first = std::span(said).first(n);
      if (common.vocabulary_equals(request.lang(), "yes", first) &&
          common.vocabulary_equals(request.lang(), "skip_first", first))
        return std::string(surface(request.utterance(), std::span(said).subspan(n)));
    }
    return std::nullopt;
  }

  bool says_yes_or_no(const MatchRequest& request) const {
    const std::vector<Word> said = words(request.utterance(), request.lang());
    const LocaleResources& common = context().common_locale();
    return common.vocabulary_equals(request.lang(), "yes", said) ||
           common.vocabulary_equals(request.lang(), "no", said);
  }

  static void stays_open(const MatchRequest& request, const std::string& instead) {
    if (!request.trace()) return;
    request.trace().note("no answer to the question of " + request.session().response_mode->skill_id +
                         ", but " + instead + ": the question stays open");
  }

  /// @param tell  the trace why not
  static bool may_answer(const MatchRequest& request, const std::vector<ActiveHandler>& owners,
                         bool tell = true) {
    const std::string& holder = request.session().response_mode->skill_id;
    const bool known = std::any_of(owners.begin(), owners.end(),
                                   [&](const auto& owner) { return owner.skill_id == holder; });
    if (!known && tell) request.trace().veto(holder, "response", "it has not been active in this session");
    const bool denied = request.session().blacklists_skill(holder);
    if (denied && tell) request.trace().veto(holder, "response", "blacklisted for this session");
    return known && !denied;
  }

  Stance stance_of(const TextSet& denied, const std::string& skill) const {
    if (denied.contains(skill)) return Stance::kDenied;
    switch (context().presence(skill)) {
      case Presence::kNone:
        return Stance::kPassed;
      case Presence::kHosted:
        return context().declares(skill, Ability::kConverse) ? Stance::kAsked : Stance::kPassed;
      case Presence::kRemote:
        break;
    }
    return silent_.contains(skill) ? Stance::kTold : Stance::kAsked;
  }

  /// Those who can't take it cost nothing; those who were silent are told, but not waited for.
  bool may_be_asked(const MatchRequest& request, const TextSet& denied, const std::string& skill, int& told) {
    const Stance stance = stance_of(denied, skill);
    if (stance == Stance::kDenied) request.trace().veto(skill, "converse", "blacklisted for this session");
    if (stance == Stance::kTold && told++ < kMostTold) {
      context().publish(ping(request, skill));
      request.trace().step(TraceKind::kSilent, skill, "was silent before: not waited for");
    }
    return stance == Stance::kAsked;
  }

  static Message ping(const MatchRequest& request, const std::string& skill) {
    return request.message().reply(skill + ".converse.ping",
                                   {{"utterances", request.utterances()}, {"lang", request.lang()}});
  }

  /// @param left  of the round; who got less than the usual time is not blamed for its silence
  Task<Decision> ask(MatchRequest request, std::string skill, Duration left) {
    const bool hurried = left < ping_timeout_;
    PollRequest poll(ping(request, skill), skill + ".converse.pong", hurried ? left : ping_timeout_);
    poll.expected.push_back(skill);
    poll.judge = [skill](const Message& pong) {
      const bool theirs = pong.text("skill_id") == skill || pong.context().skill_id == skill;
      return theirs ? PollVerdict::kClose : PollVerdict::kIgnore;
    };
    const PollResult result = co_await context().poll(std::move(poll));
    if (result.answers.empty()) {
      if (result.timed_out && !hurried) fell_silent(skill);
      request.trace().step(TraceKind::kSilent, skill, result.timed_out ? "no answer in time" : "went away");
      co_return Decision::kNo;
    }
    const Message& pong = result.answers.back().message;
    const Decision decision = pong.text("skill_id") == skill ? decision_in(pong) : Decision::kNo;
    if (request.trace()) {
      const double took_us = std::chrono::duration<double, std::micro>(result.took).count();
      const char* const said = decision == Decision::kYes    ? "yes"
                               : decision == Decision::kDone ? "no, and done"
                                                             : "no";
      request.trace().step(TraceKind::kAnswer, skill, said, {{"took_us", took_us}});
    }
    co_return decision;
  }

  void fell_silent(const std::string& skill) {
    context().count("silent", skill);
    context().warn("skill '" + skill +
                   "' did not answer its converse ping in time: it is not waited for until it answers one");
    silent_.insert_or_assign(
        skill, context().subscribe(skill + ".converse.pong", [this, skill](const Message& pong) {
          if (pong.text("skill_id") == skill) silent_.erase(std::string(skill));
        }));
  }

  /// What is said answers the open question.
  static Match answer(const MatchRequest& request, std::vector<ActiveHandler> owners) {
    const std::string holder = request.session().response_mode->skill_id;
    return claim(request, holder, "response", std::move(owners), {}, false);
  }

  /// @param open  the question of the session stays open
  static Match claim(const MatchRequest& request, const std::string& skill, const char* intent_name,
                     std::vector<ActiveHandler> owners, const std::set<std::string>& done, bool open) {
    Match match(skill, intent_name, request.lang(), request.utterance());
    std::erase_if(owners, [&](const auto& owner) { return done.contains(owner.skill_id); });
    auto session = std::make_shared<Session>(request.session());
    session->converse_handlers = std::move(owners);
    if (!open) session->response_mode.reset();  // answered, or of no use any more
    match.updated_session = std::move(session);
    return match;
  }

  std::chrono::milliseconds ping_timeout_{}, round_timeout_{}, max_age_{};
  /// Remote skills that let their last ping pass, and what listens for their next pong.
  std::map<std::string, Subscription, std::less<>> silent_;
};

}  // namespace
}  // namespace parley::converse

PARLEY_STAGE(parley::converse::Converse)
