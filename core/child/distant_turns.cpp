#include "child/distant_turns.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "child/frames.hpp"
#include "turn/trace_record.hpp"

namespace parley::child {
namespace {

/// What a handler has made of the session it was given, as far as it is another.
void put_sessions(Json& head, const SessionPtr& given, const SessionPtr& base, const SessionPtr& session) {
  if (base && base != given) head["base"] = to_json(*base);
  if (session && session != given) head["session"] = to_json(*session);
}

Trace trace_of(const Message& dispatch, std::uint64_t turn, const Clock& clock, Outlet& outlet) {
  const auto& id = dispatch.context().utterance_id;
  auto record = std::make_shared<TraceRecord>(clock, id, dispatch.session_id(), std::vector<std::string>());
  record->on_step([turn, &outlet](TraceKind kind, const std::string& subject, std::string_view text,
                                  TraceRecord::Facts facts) {
    Json listed = Json::array();
    for (const auto& fact : facts) {
      if (fact.number)
        listed.push_back(Json::array({fact.name, *fact.number}));
      else
        listed.push_back(Json::array({fact.name, fact.text}));
    }
    outlet.send_from_anywhere({{"k", frame::kStep},
                               {"t", turn},
                               {"kind", static_cast<int>(kind)},
                               {"subject", subject},
                               {"text", text},
                               {"facts", std::move(listed)}});
  });
  return Trace(std::move(record));
}

}  // namespace

HandlerCall DistantTurns::call_of(const Frame& dispatch, Timers& timers) {
  const Json& head = dispatch.head;
  const auto turn = head.at("t").get<std::uint64_t>();
  Message message = message_from(dispatch.body, head);
  const std::chrono::nanoseconds left(head.at("left_ns").get<std::int64_t>());
  auto bound = std::make_shared<HandlerBound>(
      timers, std::chrono::duration_cast<Clock::Time::duration>(left), [] {}, [](bool) {});
  Trace trace;
  if (head.at("traced").get<bool>()) trace = trace_of(message, turn, timers.clock(), outlet_);
  const SessionPtr given = message.context().session;
  auto done = [this, turn, given, bound](const HandlerEnd& end) {
    bound->end();
    Json ended = {{"k", frame::kEnded}, {"t", turn}, {"not_understood", end.not_understood}};
    if (end.exception) ended["exception"] = *end.exception;
    put_sessions(ended, given, end.base, end.session);
    outlet_.send(ended);
  };
  HandlerCall call(std::move(message), head.at("intent").get<std::string>(), bound, std::move(trace),
                   std::move(done));
  call.ended_turns = head.at("ended").get<bool>();
  call.number = turn;
  return call;
}

void DistantTurns::send(Turn::State& turn, const Message& message) {
  Json head = {{"k", frame::kSay}, {"t", turn.number}, {"topic", message.type()}};
  put_sessions(head, turn.dispatch.context().session, turn.base, turn.session);
  outlet_.send(head, message.data().dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// A question under way: withdrawn when the wait for it ends, however it does.
class DistantTurns::Open {
 public:
  Open(DistantTurns& turns, std::shared_ptr<Turn::State> turn, Question question)
      : turns_(turns), turn_(std::move(turn)), id_(++turns.count_) {
    turns_.questions_.emplace(id_, std::move(question));
    turn_->bound->pause();
  }
  ~Open() {
    turn_->bound->resume();
    if (turns_.questions_.erase(id_) > 0) turns_.outlet_.send({{"k", frame::kAskOver}, {"q", id_}});
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  std::uint64_t id() const noexcept { return id_; }

 private:
  DistantTurns& turns_;
  const std::shared_ptr<Turn::State> turn_;
  const std::uint64_t id_;
};

Task<Heard> DistantTurns::ask(std::shared_ptr<Turn::State> turn, RenderedDialog question, Duration timeout,
                              std::string kind, CheckAnswer check) {
  Question asked;
  asked.cell = std::make_shared<Cell<Heard>>();
  asked.check = std::move(check);
  const HeardCell cell = asked.cell;
  const Open open(*this, turn, std::move(asked));
  Json head = Json::object();
  head.emplace("k", frame::kAsk);
  head.emplace("t", turn->number);
  head.emplace("q", open.id());
  head.emplace("lang", question.lang);
  head.emplace("timeout_ns", ns_of(timeout));
  head.emplace("expects", std::move(kind));
  put_sessions(head, turn->dispatch.context().session, turn->base, turn->session);
  outlet_.send(head, question.text);
  co_return co_await Cell<Heard>::wait(cell);
}

void DistantTurns::heard(const Json& head) {
  const auto found = questions_.find(head.at("q").get<std::uint64_t>());
  if (found == questions_.end()) return;  // it was withdrawn meanwhile
  const auto node = questions_.extract(found);
  Heard what(static_cast<AskEnd>(head.at("end").get<int>()));
  what.text = head.value("text", "");
  what.lang = head.value("lang", "");
  if (const auto session = head.find("session"); session != head.end()) what.session = session_from(*session);
  node.mapped().cell->set(std::move(what));
}

void DistantTurns::check(const Json& head) {
  const auto n = head.at("n").get<std::uint64_t>();
  auto tell = [this, n](AnswerFit fit) {
    outlet_.send({{"k", frame::kFit}, {"n", n}, {"fit", static_cast<int>(fit)}});
  };
  const auto found = questions_.find(head.at("q").get<std::uint64_t>());
  if (found == questions_.end()) return tell(AnswerFit::kFits);
  found->second.check(head.at("text").get<std::string>(), head.at("lang").get<std::string>(), tell);
}

}  // namespace parley::child
