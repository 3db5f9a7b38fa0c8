#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/phrases.hpp>
#include <parley/stage.hpp>

namespace parley::stop {
namespace {

constexpr std::chrono::milliseconds kPingTimeout(500);

enum class Wanted { kNothing, kOne, kEverything };

/// How a skill answered the ping of one round.
using Pongs = std::map<std::string, bool, std::less<>>;

bool is_english(const std::string& lang) {
  return lang.starts_with("en") && (lang.size() == 2 || lang[2] == '-');
}

/// The first pong of a skill counts; what is no boolean is a no (P-3).
void note_pong(Pongs& pongs, const std::string& skill, const Message& pong) {
  const auto can = pong.data().find("can_handle");
  pongs.emplace(skill, can != pong.data().end() && can->is_boolean() && can->get<bool>());
}

/// Whether nothing that is still to come could change who is stopped.
bool settled(const std::vector<std::string>& by_recency, const Pongs& pongs) {
  for (const auto& skill : by_recency) {
    const auto pong = pongs.find(skill);
    if (pong == pongs.end()) return false;
    if (pong->second) return true;
  }
  return true;
}

/// Ends what the user wants ended: the latest activity that can be, or everything (section P).
class Stop final : public Stage {
 public:
  void start() override {
    ping_timeout_ =
        std::chrono::milliseconds(context().options().value("ping_timeout", kPingTimeout.count()));
  }

  QuickAnswer quick_match(const MatchRequest& request) override {
    return heard(request).first == Wanted::kNothing ? QuickAnswer(std::nullopt) : QuickAnswer();
  }

  Task<std::optional<Match>> match(MatchRequest request) override {
    const auto said = heard(request);
    const std::string utterance = said.second;
    const Session& session = request.session();
    const bool idle = !session.active_handlers ||
                      std::all_of(session.active_handlers->begin(), session.active_handlers->end(),
                                  [&](const auto& one) { return one.skill_id == context().pipeline_id(); });
    if (said.first == Wanted::kEverything || idle) co_return everything(request, utterance);
    const std::vector<std::string> candidates = by_recency(session);
    if (candidates.empty()) {
      request.trace().note("there is nobody who may be stopped");
      co_return std::nullopt;
    }
    const Pongs pongs = co_await ask(request, present(candidates));
    co_return one(request, utterance, target(candidates, pongs));
  }

  /// The one thing it dispatches to itself: global_stop (P-5).
  Task<> handle(Turn turn) override {
    turn.emit("ovos.stop", Json::object());
    co_return;
  }

 private:
  /// What is wanted, and the candidate that says so (P-1).
  std::pair<Wanted, std::string> heard(const MatchRequest& request) const {
    const bool whole = request.entry().ends_with("high");
    for (const auto& utterance : request.utterances()) {
      const auto said = words(utterance, request.lang());
      if (says(request.lang(), "stop_everything", "stop everything", said, whole))
        return {Wanted::kEverything, utterance};
      if (says(request.lang(), "stop", "stop", said, whole)) return {Wanted::kOne, utterance};
    }
    return {Wanted::kNothing, {}};
  }

  bool says(const std::string& lang, const char* vocabulary, const char* in_english,
            const std::vector<Word>& said, bool whole) const {
    const LocaleResources& locale = context().locale();
    if (whole ? locale.vocabulary_equals(lang, vocabulary, said)
              : locale.vocabulary_occurs(lang, vocabulary, said)) {
      return true;
    }
    if (!is_english(lang)) return false;
    const PhraseSet always({in_english}, lang);  // whatever an override makes of the file
    return whole ? always.equals(said) : always.occurs_in(said);
  }

  std::vector<std::string> by_recency(const Session& session) const {
    std::vector<ActiveHandler> active = *session.active_handlers;
    std::stable_sort(active.begin(), active.end(),
                     [](const auto& a, const auto& b) { return a.activated_at > b.activated_at; });
    std::vector<std::string> skills;
    for (const auto& one : active) {
      if (one.skill_id == context().pipeline_id() || session.blacklists_skill(one.skill_id)) continue;
      skills.push_back(one.skill_id);
    }
    return skills;
  }

  std::vector<std::string> present(std::vector<std::string> skills) const {
    std::erase_if(skills, [this](const auto& id) { return context().presence(id) == Presence::kNone; });
    return skills;
  }

  Task<Pongs> ask(MatchRequest request, std::vector<std::string> asked) {
    const auto pongs = std::make_shared<Pongs>();
    if (asked.empty()) co_return *pongs;
    PollRequest poll(request.message().reply("ovos.stop.ping", Json::object()), "ovos.stop.pong",
                     ping_timeout_);
    poll.expected = asked;
    poll.judge = [pongs, asked](const Message& pong) {
      const std::string skill = pong.text("skill_id");
      const std::string& sender = pong.context().skill_id;
      const bool eligible = std::find(asked.begin(), asked.end(), skill) != asked.end();
      if (!eligible || (!sender.empty() && sender != skill)) return PollVerdict::kIgnore;
      note_pong(*pongs, skill, pong);
      return settled(asked, *pongs) ? PollVerdict::kClose : PollVerdict::kKeep;
    };
    const PollResult result = co_await context().poll(std::move(poll));
    for (const auto& skill : asked) {
      const auto pong = pongs->find(skill);
      const char* const answer = pong == pongs->end() ? "no answer" : pong->second ? "yes" : "no";
      request.trace().step("answer", skill, answer);
      if (pong == pongs->end() && result.timed_out) context().count("silent", skill);
    }
    co_return *pongs;
  }

  /// The most recent that said yes; when nobody did, the most recent there is (P-4).
  std::string target(const std::vector<std::string>& candidates, const Pongs& pongs) const {
    for (const auto& skill : candidates) {
      const auto pong = pongs.find(skill);
      if (pong != pongs.end() && pong->second) return skill;
    }
    const auto here = present(candidates);
    return here.empty() ? candidates.front() : here.front();
  }

  static Match one(const MatchRequest& request, const std::string& utterance, const std::string& target) {
    Match match(target, "stop", request.lang(), utterance);
    auto session = std::make_shared<Session>(request.session());
    std::erase_if(*session->active_handlers, [&](const auto& active) { return active.skill_id == target; });
    if (session->response_mode && session->response_mode->skill_id == target) session->response_mode.reset();
    match.updated_session = std::move(session);
    return match;
  }

  Match everything(const MatchRequest& request, const std::string& utterance) const {
    Match match(context().pipeline_id(), "global_stop", request.lang(), utterance);
    auto session = std::make_shared<Session>(request.session());
    session->active_handlers.emplace();
    session->converse_handlers.emplace();
    session->response_mode.reset();
    match.updated_session = std::move(session);
    return match;
  }

  std::chrono::milliseconds ping_timeout_ = kPingTimeout;
};

}  // namespace
}  // namespace parley::stop

PARLEY_STAGE(parley::stop::Stop)
