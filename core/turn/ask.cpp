// Asking the user, from a handler on its strand (C-4).
#include <fmt/format.h>

#include <algorithm>
#include <parley/text.hpp>
#include <parley/turn.hpp>
#include <stdexcept>

#include "session/session.hpp"
#include "turn/choice.hpp"
#include "turn/turn_state.hpp"

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

}  // namespace

/// A question while it is open; withdraws it when the wait for it ends, however it does.
class Turn::State::OpenQuestion {
 public:
  OpenQuestion(std::shared_ptr<State> state, Message question, Duration timeout, HeardCell cell)
      : state_(std::move(state)), cell_(std::move(cell)), timer_(std::make_shared<Timer>()) {
    state_->environment->post([state = state_, question = std::move(question), cell = cell_, timer = timer_,
                               timeout, from = state_->base, own = state_->session] {
      if (*state->over) return;  // its cancellation is on the way
      open(*state, timeout, cell, *timer);
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
  static void open(State& state, Duration timeout, const HeardCell& cell, Timer& timer) {
    auto& around = *state.environment;
    const Clock& clock = around.clock();
    around.questions->open(state.dispatch.session_id(), around.owner, cell);
    const double until = unix_seconds(clock.wall()) + std::chrono::duration<double>(timeout).count();
    state.asking_ = ResponseMode(around.owner, until);
    store(state, state.asking_);
    timer = around.bus.timers().at(clock.now() + std::chrono::duration_cast<Clock::Time::duration>(timeout),
                                   [cell] { cell->set(Heard(AskEnd::kSilence)); });
  }

  static void close(State& state, const HeardCell& cell) {
    state.environment->questions->close(state.dispatch.session_id(), cell);
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

Task<Heard> Turn::State::ask_once(std::shared_ptr<State> self, RenderedDialog question, Duration timeout) {
  auto cell = std::make_shared<Cell<Heard>>();
  Message asked = speech(self->dispatch, std::move(question.text), question.lang, true);
  const OpenQuestion open(self, std::move(asked), timeout, cell);
  co_return co_await Cell<Heard>::wait(cell);
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
                             Understands understands) {
  if (self->environment->questions == nullptr) throw std::logic_error("a stage can't ask the user");
  if (options.timeout <= Duration::zero())
    throw std::invalid_argument("a question needs a timeout above zero");
  std::string next;  // empty: the dialog
  for (int attempt = 0;; ++attempt) {
    RenderedDialog question = self->render(next.empty() ? dialog : next, slots);
    self->trace.step(TraceKind::kAsk, self->environment->owner, question.text);
    Heard heard = co_await ask_once(self, std::move(question), options.timeout);
    if (heard.end == AskEnd::kAnswered) {
      self->go_on_with(heard);
      if (self->environment->says("cancel", heard.text, heard.lang)) {
        heard.end = AskEnd::kCancelled;
      } else if (understands && !understands(heard.text, heard.lang)) {
        heard.end = AskEnd::kNotUnderstood;
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
      co_await State::ask(state_, std::move(dialog), std::move(slots), std::move(options), Understands());
  if (heard.end != AskEnd::kAnswered) co_return Reply<std::string>(heard.end);
  co_return Reply<std::string>(std::move(heard.text));
}

Task<AskEnd> Turn::ask_until(std::string dialog, Understands understands, Slots slots, AskOptions options) {
  const Heard heard = co_await State::ask(state_, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(understands));
  co_return heard.end;
}

Task<Confirmation> Turn::confirm(std::string dialog, Slots slots, AskOptions options) {
  const auto state = state_;
  const auto agreed = std::make_shared<std::optional<bool>>();
  Understands understands = [state, agreed](const std::string& said, const std::string& lang) {
    const bool yes = state->environment->mentions("yes", said, lang);
    const bool no = state->environment->mentions("no", said, lang);
    if (yes != no) *agreed = yes;
    return yes != no;
  };
  const Heard heard = co_await State::ask(state, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(understands));
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
  const Heard heard = co_await State::ask(state, std::move(dialog), std::move(slots), std::move(options),
                                          std::move(understands));
  if (heard.end != AskEnd::kAnswered) co_return Reply<std::size_t>(heard.end);
  co_return Reply<std::size_t>(**chosen);
}

}  // namespace parley
