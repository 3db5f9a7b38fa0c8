// Asking the user, from a handler on its strand (C-4).
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <parley/text.hpp>
#include <parley/turn.hpp>
#include <stdexcept>

#include <parley/choices.hpp>
#include "runtime/guard.hpp"
#include "session/session.hpp"
#include "turn/turn_state.hpp"
#include "turn/yes_no.hpp"

namespace parley {
namespace {

const char* to_string(AskEnd end) noexcept {
  switch (end) {
    case AskEnd::kAnswered:
      return "answered";
    case AskEnd::kSilence:
      return "silence";
    case AskEnd::kCancelled:
      return "cancelled";
    case AskEnd::kReplaced:
      return "replaced";
    case AskEnd::kNotUnderstood:
      return "not understood";
  }
  return "silence";
}

/// What the question's own skill says of an answer, on its strand, while the question is open there.
struct OpenCheck {
  OpenCheck(std::shared_ptr<const TurnEnvironment> around, Expected what, boost::asio::any_io_executor where)
      : environment(std::move(around)), expected(std::move(what)), strand(std::move(where)) {}

  AnswerFit of(const std::string& said, const std::string& lang) const {
    if (!open || environment->says("cancel", said, lang)) return AnswerFit::kFits;
    if (!expected.understands) return AnswerFit::kAnything;
    return (*expected.understands)(said, lang) ? AnswerFit::kFits : AnswerFit::kMisfit;
  }

  const std::shared_ptr<const TurnEnvironment> environment;
  const Expected expected;
  const boost::asio::any_io_executor strand;
  bool open = true;  ///< On the strand: afterwards what it would look at may be gone.
};

CheckAnswer check_with(const std::shared_ptr<const OpenCheck>& check) {
  return
      [weak = std::weak_ptr(check)](std::string said, std::string lang, std::function<void(AnswerFit)> done) {
        const auto found = weak.lock();
        if (!found) return done(AnswerFit::kFits);
        boost::asio::post(found->strand, [check = found, said = std::move(said), lang = std::move(lang),
                                          done = std::move(done)] {
          AnswerFit fit = AnswerFit::kFits;  // it throws again where it is delivered
          failure_of([&] { fit = check->of(said, lang); });
          check->environment->post([done, fit] { done(fit); });
        });
      };
}

/// Keeps a check open for as long as the question is.
class OpenWhile {
 public:
  explicit OpenWhile(std::shared_ptr<OpenCheck> check) : check_(std::move(check)) {}
  ~OpenWhile() { check_->open = false; }
  OpenWhile(const OpenWhile&) = delete;
  OpenWhile& operator=(const OpenWhile&) = delete;
  CheckAnswer asked() const { return check_with(check_); }

 private:
  const std::shared_ptr<OpenCheck> check_;
};

}  // namespace

/// A question while it is open; withdraws it when the wait for it ends, however it does.
class Turn::State::OpenQuestion {
 public:
  OpenQuestion(std::shared_ptr<State> state, Message question, Duration timeout, HeardCell cell,
               std::string kind, CheckAnswer check)
      : state_(std::move(state)), cell_(std::move(cell)), timer_(std::make_shared<Timer>()) {
    state_->environment->post([state = state_, question = std::move(question), cell = cell_, timer = timer_,
                               kind = std::move(kind), check = std::move(check), timeout, from = state_->base,
                               own = state_->session]() mutable {
      if (*state->over) return;  // its cancellation is on the way
      open(*state, from, own, timeout, cell, std::move(kind), std::move(check), *timer);
      state->environment->bus.publish(question.with_session(state->outbound(from, own)));
      state->bound->pause();
    });
  }
  OpenQuestion(const OpenQuestion&) = delete;
  OpenQuestion& operator=(const OpenQuestion&) = delete;
  ~OpenQuestion() {
    state_->environment->post([state = state_, cell = cell_, timer = timer_] {
      timer->reset();
      close(*state, cell);
    });
  }

 private:
  /// @param from  the session as the handler was given it, and @param own as it has made it its own
  static void open(State& state, const SessionPtr& from, const SessionPtr& own, Duration timeout,
                   const HeardCell& cell, std::string kind, CheckAnswer check, Timer& timer) {
    auto& around = *state.environment;
    const Clock& clock = around.clock();
    const double until = unix_seconds(clock.wall()) + std::chrono::duration<double>(timeout).count();
    state.asking_ = ResponseMode(around.owner, until);
    state.asking_->expects = std::move(kind);
    store(state, state.asking_);
    around.questions->open(state.dispatch, state.outbound(from, own), around.owner, cell, std::move(check));
    timer = around.bus.timers().at(clock.now() + std::chrono::duration_cast<Clock::Time::duration>(timeout),
                                   [cell] { cell->set(Heard(AskEnd::kSilence)); });
  }

  static void close(State& state, const HeardCell& cell) {
    state.environment->questions->close(state.dispatch, cell);
    if (!state.asking_) return;
    state.bound->resume();
    const auto asked = std::exchange(state.asking_, std::nullopt);
    if (state.sessions != nullptr && state.sessions->current()->response_mode == asked)
      store(state, std::nullopt);
  }

  /// The default session is the core's: what it waits for must be there for the next utterance (S-5).
  static void store(const State& state, const std::optional<ResponseMode>& mode) {
    if (state.sessions == nullptr || !is_default_session(state.dispatch.session_id())) return;
    Session changed = *state.sessions->current();
    changed.response_mode = mode;
    state.sessions->set(std::make_shared<const Session>(std::move(changed)));
  }

  std::shared_ptr<State> state_;
  HeardCell cell_;
  std::shared_ptr<Timer> timer_;
};

Task<Heard> Turn::State::put_question(std::shared_ptr<State> self, RenderedDialog question, Duration timeout,
                                      std::string kind, CheckAnswer check) {
  auto cell = std::make_shared<Cell<Heard>>();
  SpeakOptions listening;
  listening.listen = true;
  Message asked = speech(self->dispatch, std::move(question.text), question.lang, listening);
  const OpenQuestion open(self, std::move(asked), timeout, cell, std::move(kind), std::move(check));
  co_return co_await Cell<Heard>::wait(cell);
}

Task<Heard> Turn::State::ask_once(std::shared_ptr<State> self, RenderedDialog question, Duration timeout,
                                  Expected expected) {
  const boost::asio::any_io_executor strand = co_await boost::asio::this_coro::executor;
  const OpenWhile check(std::make_shared<OpenCheck>(self->environment, expected, strand));
  TurnsElsewhere* const elsewhere = self->environment->elsewhere;
  if (elsewhere != nullptr)
    co_return co_await elsewhere->ask(self, std::move(question), timeout, expected.kind, check.asked());
  co_return co_await put_question(self, std::move(question), timeout, expected.kind, check.asked());
}

/// The answer came with the session as the client has it now: the handler's changes are made to that one.
void Turn::State::go_on_with(const Heard& heard) {
  if (!heard.session) return;
  if (session == base) {
    base = session = heard.session;
    return;
  }
  Session own = *heard.session;
  apply_changes(own, *base, *session);
  base = heard.session;
  session = std::make_shared<const Session>(std::move(own));
}

Task<Heard> Turn::State::ask(std::shared_ptr<State> self, std::string dialog, Slots slots, AskOptions options,
                             Expected expected) {
  if (self->environment->questions == nullptr) throw std::logic_error("a stage can't ask the user");
  if (options.timeout <= Duration::zero())
    throw std::invalid_argument("a question needs a timeout above zero");
  std::string next;  // empty: the dialog
  for (int attempt = 0;; ++attempt) {
    RenderedDialog question = self->render(next.empty() ? dialog : next, slots);
    self->trace.step(TraceKind::kAsk, self->environment->owner, question.text);
    Heard heard = co_await ask_once(self, std::move(question), options.timeout, expected);
    if (heard.end == AskEnd::kReplaced) self->go_on_with(heard);
    if (heard.end == AskEnd::kAnswered) {
      self->go_on_with(heard);
      if (self->environment->says("cancel", heard.text, heard.lang)) {
        heard.end = AskEnd::kCancelled;
      } else if (expected.understands && !(*expected.understands)(heard.text, heard.lang)) {
        const bool declined = self->environment->says("no", heard.text, heard.lang);
        heard.end = declined ? AskEnd::kCancelled : AskEnd::kNotUnderstood;
      }
    }
    self->trace.step(TraceKind::kAnswer, self->environment->owner,
                     heard.text.empty() ? std::string("none") : heard.text, {{"end", to_string(heard.end)}});
    const bool final = heard.end != AskEnd::kSilence && heard.end != AskEnd::kNotUnderstood;
    if (final || attempt >= options.retries) co_return heard;
    const bool misfit = heard.end == AskEnd::kNotUnderstood && !options.not_understood.empty();
    next = misfit ? options.not_understood : options.retry;
  }
}

Task<Reply<std::string>> Turn::ask(std::string dialog, Slots slots, AskOptions options) {
  Heard heard =
      co_await State::ask(state_, std::move(dialog), std::move(slots), std::move(options), Expected());
  if (heard.end != AskEnd::kAnswered) co_return Reply<std::string>(heard.end);
  co_return Reply<std::string>(std::move(heard.text));
}

Task<AskEnd> Turn::ask_until(std::string dialog, Understands understands, Slots slots, AskOptions options) {
  Expected expected(std::string(), std::move(understands));
  const Heard heard = co_await State::ask(state_, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(expected));
  co_return heard.end;
}

Task<Reply<SlotValue>> Turn::ask(std::string dialog, SlotType type, Slots slots, AskOptions options) {
  if (type == SlotType::kNone) throw std::invalid_argument("a question for a value needs its type");
  const auto state = state_;
  const auto value = std::make_shared<std::optional<SlotValue>>();
  Understands understands = [state, value, type](const std::string& said, const std::string& lang) {
    *value = state->read(type, said, lang);
    return value->has_value();
  };
  Expected expected(std::string(to_string(type)), std::move(understands));
  const Heard heard = co_await State::ask(state, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(expected));
  if (heard.end != AskEnd::kAnswered) co_return Reply<SlotValue>(heard.end);
  co_return Reply<SlotValue>(std::move(**value));
}

Task<Confirmation> Turn::confirm(std::string dialog, Slots slots, AskOptions options) {
  const auto state = state_;
  const auto agreed = std::make_shared<std::optional<bool>>();
  Understands understands = [state, agreed](const std::string& said, const std::string& lang) {
    const auto find = [&](std::string_view name) -> const LocaleResources& {
      return state->environment->with_vocabulary(lang, name);
    };
    *agreed = yes_or_no(words(said, lang), lang, find);
    return agreed->has_value();
  };
  Expected expected("yes_no", std::move(understands));
  const Heard heard = co_await State::ask(state, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(expected));
  if (heard.end != AskEnd::kAnswered) co_return Confirmation(heard.end);
  co_return Confirmation(**agreed);
}

Task<Reply<std::size_t>> Turn::choose(std::string dialog, std::vector<std::string> choices, Slots slots,
                                      AskOptions options) {
  if (choices.empty()) co_return Reply<std::size_t>(AskEnd::kNotUnderstood);
  const auto state = state_;
  const auto chosen = std::make_shared<std::optional<std::size_t>>();
  const auto offered = std::make_shared<const std::vector<std::string>>(std::move(choices));
  Understands understands = [state, chosen, offered](const std::string& said, const std::string& lang) {
    *chosen = choice_of(*offered, said, lang, state->environment->mentions("last", said, lang));
    return chosen->has_value();
  };
  Expected expected(std::string(), std::move(understands));
  const Heard heard = co_await State::ask(state, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(expected));
  if (heard.end != AskEnd::kAnswered) co_return Reply<std::size_t>(heard.end);
  co_return Reply<std::size_t>(**chosen);
}

}  // namespace parley
