#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/phrases.hpp>
#include <parley/stage.hpp>
#include <parley/text_set.hpp>
#include <set>
#include <span>

namespace parley::stop {
namespace {

using namespace std::chrono_literals;

enum class Wanted { kNothing, kOne, kEverything };

bool is_english(const std::string& lang) {
  return lang.starts_with("en") && (lang.size() == 2 || lang[2] == '-');
}

bool is_true(const Message& message, const char* key) {
  const auto found = message.data().find(key);
  return found != message.data().end() && found->is_boolean() && found->get<bool>();
}

/// Who was asked in one round, by recency, and what they said.
class Pongs {
 public:
  explicit Pongs(std::vector<std::string> asked) : asked_(std::move(asked)) {
    for (const auto& skill : asked_) said_.emplace(skill, std::nullopt);
  }
  const std::vector<std::string>& asked() const noexcept { return asked_; }
  bool was_asked(const std::string& skill) const { return said_.contains(skill); }
  /// Nothing: no answer.
  std::optional<bool> of(const std::string& skill) const {
    const auto found = said_.find(skill);
    return found == said_.end() ? std::nullopt : found->second;
  }
  /// The first pong of a skill counts; what is no boolean is a no (P-3).
  void note(const std::string& skill, const Message& pong) {
    auto& said = said_.at(skill);
    if (said) return;
    said = is_true(pong, "can_handle");
    if (is_true(pong, "offers")) offers_.insert(skill);
  }
  /// Has nothing to stop, but something that the user may mean.
  bool offers(const std::string& skill) const { return offers_.contains(skill); }
  /// Whether nothing that is still to come could change who is stopped.
  bool settled() {
    while (said_no_ < asked_.size() && of(asked_[said_no_]) == false) ++said_no_;
    return said_no_ == asked_.size() || of(asked_[said_no_]) == true;
  }

 private:
  std::vector<std::string> asked_;
  std::map<std::string, std::optional<bool>, std::less<>> said_;
  std::set<std::string, std::less<>> offers_;
  std::size_t said_no_ = 0;  ///< So many, from the most recent on.
};

/// Ends what the user wants ended: the latest activity that can be, or everything (section P).
class Stop final : public Stage {
 public:
  static constexpr const char* kAbout =
      "\"Stop\": ends the latest activity of the session; \"stop everything\" all of them. An entry whose "
      "name ends "
      "in 'high' wants nothing else to be said.";
  static constexpr std::array kOptions{Option::duration(
      "ping_timeout", "500ms", 1ms, 1min, "How long to wait for skills to say what they can stop.")};
  static constexpr std::array kEntries{DefaultEntry("stop_high", 100), DefaultEntry("stop_medium", 600)};

  void start() override {
    ping_timeout_ = std::chrono::milliseconds(context().options().at("ping_timeout").get<std::int64_t>());
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
    const auto pongs = std::make_shared<Pongs>(present(candidates));
    if (!pongs->asked().empty()) co_await ask(request, pongs);
    const std::string chosen = target(candidates, *pongs);
    co_return one(request, utterance, chosen, pongs->of(chosen) != true && pongs->offers(chosen));
  }

  /// The one thing it dispatches to itself: global_stop (P-5). Says so when there was nothing to stop.
  Task<> handle(Turn turn) override {
    PollRequest stop(turn.message().forward("ovos.stop", Json::object()), "ovos.stop.response",
                     ping_timeout_);
    const auto any = std::make_shared<bool>(false);
    stop.expected = stoppable();
    if (stop.expected.empty()) stop.timeout = 1ms;  // the core says at once what it has ended
    stop.judge = [any](const Message& done) {
      *any = *any || is_true(done, "stopped");
      return *any ? PollVerdict::kClose : PollVerdict::kKeep;
    };
    co_await context().poll(std::move(stop));
    // Nobody knows what those at the far end have stopped.
    if (*any || has_remote()) co_return;
    // Who sees a timer run would wonder what "everything" is.
    const bool is_all = wants_everything(turn.lang(), words(turn.text(), turn.lang()), false);
    turn.speak_dialog(is_all ? "nothing_at_all" : "nothing_to_stop");
  }

 private:
  /// What is wanted, and the candidate that says so (P-1).
  std::pair<Wanted, std::string> heard(const MatchRequest& request) const {
    const bool whole = request.entry().ends_with("high");
    for (const auto& utterance : request.utterances()) {
      const auto said = words(utterance, request.lang());
      if (wants_everything(request.lang(), said, whole)) return {Wanted::kEverything, utterance};
      if (says(request.lang(), "stop", "stop", said, whole) || begins(request.lang(), said, whole))
        return {Wanted::kOne, utterance};
    }
    return {Wanted::kNothing, {}};
  }

  bool wants_everything(const std::string& lang, const std::vector<Word>& said, bool whole) const {
    return says(lang, "stop_everything", "stop everything", said, whole);
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

  /// By the words of `stop_first`, which mean something else further behind ("para" is a preposition, too),
  /// and before more than what can be stopped has for a name: "para los deberes, con qué países hace frontera
  /// Bolivia".
  bool begins(const std::string& lang, const std::vector<Word>& said, bool whole) const {
    constexpr std::size_t kLongest = 6;       // words
    constexpr std::size_t kLongestNamed = 6;  // words
    for (std::size_t n = whole ? said.size() : 1; n <= std::min(kLongest, said.size()); ++n) {
      if (!context().locale().vocabulary_equals(lang, "stop_first", std::span(said).first(n))) continue;
      const auto rest = std::span(said).subspan(n);
      if (rest.size() <= kLongestNamed && !asks(lang, rest)) return true;
    }
    return false;
  }

  /// "Para qué sirves", "para a salada preciso de quê": whether a question word is first or last.
  bool asks(const std::string& lang, std::span<const Word> said) const {
    constexpr std::size_t kLongest = 3;  // words
    for (std::size_t n = 1; n <= std::min(kLongest, said.size()); ++n)
      for (const auto& end : {said.first(n), said.last(n)})
        for (const char* const vocabulary : {"indirect_word", "indirect_word_and"})
          if (context().common_locale().vocabulary_equals(lang, vocabulary, end)) return true;
    return false;
  }

  std::vector<std::string> by_recency(const Session& session) const {
    std::vector<ActiveHandler> active = *session.active_handlers;
    std::stable_sort(active.begin(), active.end(),
                     [](const auto& a, const auto& b) { return a.activated_at > b.activated_at; });
    const TextSet denied(session.blacklisted_skills);
    TextSet seen;
    std::vector<std::string> skills;
    for (const auto& one : active) {
      if (one.skill_id == context().pipeline_id() || denied.contains(one.skill_id)) continue;
      if (seen.insert(one.skill_id)) skills.push_back(one.skill_id);
    }
    return skills;
  }

  /// Those here that may have something to stop outside of turns.
  std::vector<std::string> stoppable() const {
    std::vector<std::string> skills = context().skills();
    std::erase_if(skills, [this](const auto& id) { return !context().declares(id, Ability::kStop); });
    return skills;
  }

  bool has_remote() const {
    const std::vector<std::string> skills = context().skills();
    return std::any_of(skills.begin(), skills.end(),
                       [this](const auto& id) { return context().presence(id) == Presence::kRemote; });
  }

  std::vector<std::string> present(std::vector<std::string> skills) const {
    std::erase_if(skills, [this](const auto& id) { return context().presence(id) == Presence::kNone; });
    return skills;
  }

  Task<> ask(MatchRequest request, std::shared_ptr<Pongs> pongs) {
    PollRequest poll(request.message().reply("ovos.stop.ping", Json::object()), "ovos.stop.pong",
                     ping_timeout_);
    poll.expected = pongs->asked();
    poll.judge = [pongs](const Message& pong) {
      const std::string skill = pong.text("skill_id");
      const std::string& sender = pong.context().skill_id;
      if (!pongs->was_asked(skill) || (!sender.empty() && sender != skill)) return PollVerdict::kIgnore;
      pongs->note(skill, pong);
      return pongs->settled() ? PollVerdict::kClose : PollVerdict::kKeep;
    };
    const PollResult result = co_await context().poll(std::move(poll));
    for (const auto& skill : pongs->asked()) {
      const std::optional<bool> pong = pongs->of(skill);
      request.trace().step(TraceKind::kAnswer, skill, !pong ? "no answer" : *pong ? "yes" : "no");
      if (!pong && result.timed_out) context().count("silent", skill);
    }
  }

  /// The most recent that said yes; when nobody did, the most recent that has something to offer, else the
  /// most recent there is (P-4).
  std::string target(const std::vector<std::string>& candidates, const Pongs& pongs) const {
    for (const auto& skill : candidates) {
      if (pongs.of(skill) == true) return skill;
    }
    for (const auto& skill : candidates) {
      if (pongs.offers(skill)) return skill;
    }
    const auto here = present(candidates);
    return here.empty() ? candidates.front() : here.front();
  }

  /// @param stays  nothing of it is stopped: it goes on being active
  static Match one(const MatchRequest& request, const std::string& utterance, const std::string& target,
                   bool stays) {
    Match match(target, "stop", request.lang(), utterance);
    auto session = std::make_shared<Session>(request.session());
    std::erase_if(*session->active_handlers,
                  [&](const auto& active) { return active.skill_id == target && !stays; });
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

  std::chrono::milliseconds ping_timeout_{};
};

}  // namespace
}  // namespace parley::stop

PARLEY_STAGE(parley::stop::Stop)
