#include "contests.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace parley::common_query {
namespace {

constexpr const char* kResponse = ".common_query.response";
/// Of how many skills late responses are heard, and counted: clients choose the names.
constexpr std::size_t kMaxTopics = 1'024;
/// After so many polls in a row without a pong a remote skill is not waited for.
constexpr int kMostSilences = 2;

bool belongs(const Contest& contest, const Message& message) {
  return contest.message().context().utterance_id == message.context().utterance_id;
}

/// For everybody, whoever the utterance was for.
Message ping(const Contest& contest) {
  const Message reply = contest.message().reply(
      "ovos.common_query.ping", {{"utterance", contest.utterance()}, {"lang", contest.lang()}});
  Context context = reply.context();
  context.destination.clear();
  context.destination_is_list = false;
  return reply.with_context(std::move(context));
}

}  // namespace

Contests::Contests(StageContext& context) : context_(context), limits_(context.options()) {
  context_.on("ovos.common_query.pong", [this](const Message& pong) { hear_pong(pong); });
  context_.on_departure([this](const std::string& skill) { silences_.erase(skill); });
}

Running Contests::begin(const MatchRequest& request) {
  auto contest = std::make_shared<Contest>(request, context_.make_wakeup(request));
  Subscription work = context_.spawn(run(contest));
  return {std::move(contest), std::move(work)};
}

/// A contest that nobody came to collect ends with its utterance.
void Contests::forget(const Message& handled) {
  const auto [first, last] = listening_.equal_range(handled.session_id());
  for (auto one = first; one != last;) {
    const auto contest = one->second.lock();
    one = !contest || belongs(*contest, handled) ? listening_.erase(one) : std::next(one);
  }
}

/// Lets the contests of its session take an answer; what none of them takes is discarded.
void Contests::hear(const Message& answer, Heard (Contest::*takes)(const Message&)) {
  Heard heard = Heard::kStray;
  const auto [first, last] = listening_.equal_range(answer.session_id());
  for (auto one = first; one != last; ++one) {
    const auto contest = one->second.lock();
    if (contest) heard = std::max(heard, (*contest.*takes)(answer));
  }
  if (heard == Heard::kStray) context_.count("stray_answers");
  if (heard == Heard::kMalformed) context_.count("malformed_answers");
}

/// Somebody nobody speaks for, a stage for one, could not be asked either.
void Contests::hear_pong(const Message& pong) {
  const std::string skill = pong.text("skill_id");
  if (context_.presence(skill) == Presence::kNone) {
    context_.count("stray_answers");
  } else {
    silences_.erase(skill);
    hear(pong, &Contest::hear_pong);
  }
}

/// From now on responses of that topic are heard, those that come too late as well.
void Contests::listen_for(const std::string& topic) {
  if (topics_.size() >= kMaxTopics || !topics_.insert(topic).second) return;
  context_.on(topic, [this](const Message& response) { hear(response, &Contest::hear_response); });
}

/// Who could still have something to say: whoever declared questions here, and everybody remote who has not
/// been silent too often.
std::vector<std::string> Contests::potential_claimants() const {
  std::vector<std::string> skills = context_.skills();
  std::erase_if(skills, [this](const auto& id) {
    if (context_.presence(id) == Presence::kHosted) return !context_.declares(id, Ability::kQuestion);
    const auto silent = silences_.find(id);
    return silent != silences_.end() && silent->second >= kMostSilences;
  });
  return skills;
}

void Contests::note_silence(const std::string& skill) {
  context_.count("silent", skill);
  if (context_.presence(skill) != Presence::kRemote) return;
  if (++silences_[skill] != kMostSilences) return;
  context_.warn("skill '" + skill + "' let " + std::to_string(kMostSilences) +
                " polls in a row pass in silence: it is not waited for until it answers one");
}

Task<> Contests::run(std::shared_ptr<Contest> contest) {
  listening_.emplace(contest->message().session_id(), contest);
  co_await poll(contest);
  const std::vector<std::string> asked = contest->begin_collecting(context_.clock().now(), limits_);
  if (!asked.empty()) co_await collect(contest, asked);
  contest->finish();
}

Task<> Contests::poll(std::shared_ptr<Contest> contest) {
  PollRequest request(ping(*contest), "ovos.common_query.pong", limits_.poll_window);
  request.expected = potential_claimants();
  if (request.expected.empty()) {
    context_.publish(request.questions.front());  // who hears it may have something to say all the same
    co_return;
  }
  // The stage subscribed before the poll did: the contest has heard it.
  request.judge = [contest](const Message& pong) {
    return contest->has_pong_of(pong.text("skill_id")) ? PollVerdict::kKeep : PollVerdict::kIgnore;
  };
  const PollResult result = co_await context_.poll(std::move(request));
  for (const auto& skill : result.silent) {
    contest->trace().step(TraceKind::kSilent, skill, "no claim in time");
    note_silence(skill);
  }
}

Task<> Contests::collect(std::shared_ptr<Contest> contest, std::vector<std::string> asked) {
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
  const PollResult result = co_await context_.poll(std::move(request));
  for (const auto& skill : result.silent) {
    contest->trace().step(TraceKind::kSilent, skill, "claimed it and gave no answer in time");
    context_.count("silent", skill);
  }
}

}  // namespace parley::common_query
