#include "chat.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "chat_keep.hpp"
#include "explain.hpp"
#include "logging.hpp"
#include "unfinished.hpp"

namespace parley::command {

Chat::Chat(Setup setup, const ChatOptions& options, Mailbox& mailbox, bool terminal)
    : mailbox_(mailbox),
      terminal_(terminal),
      paint_(terminal && wants_colour(STDOUT_FILENO)),
      languages_(setup.config.language.enabled),
      standard_language_(setup.config.language.default_tag),
      lang_(options.lang),
      explain_always_(options.explain) {
  const Progress progress("starting");
  backend_ = std::make_unique<Backend>(std::move(setup));
  use_session(options.session.empty() ? std::string(kDefaultSession) : options.session);
  speech_ = backend_->ask([this](Assistant& assistant) {
    return assistant.bus().subscribe("ovos.utterance.speak", [this](const Message& message) {
      mailbox_.put(Spoken(message.text("utterance"), message.session_id()));
    });
  });
}

Chat::~Chat() {
  const std::string left = backend_->ask([](Assistant& assistant) { return unfinished(assistant); });
  if (!left.empty()) print(aside(left));
  const Progress progress("stopping");
  backend_->ask([this](Assistant&) {
    speech_.reset();
    sessions_.clear();
  });
  backend_.reset();
}

bool Chat::take(const std::string& line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return true;
  const std::string text = line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
  if (text.front() == '/') return command(text);
  begin_turn(text);
  return true;
}

void Chat::begin_turn(const std::string& text) {
  TurnInput input(text);
  input.lang = lang_;
  input.trace = true;
  turn_ = ++turns_;
  backend_->post([this, number = turn_, input = std::move(input),
                  conversation = sessions_.at(session_id_).get()](Assistant& assistant) mutable {
    conversation->say(std::move(input),
                      [this, number, &assistant, began = wall_milliseconds(assistant)](TurnResult result) {
                        keep_session(assistant, result, began);
                        mailbox_.put(TurnEnded(number, std::move(result)));
                      });
  });
}

void Chat::stop() {
  backend_->post([conversation = sessions_.at(session_id_).get()](Assistant&) { conversation->stop(); });
}

void Chat::reload() {
  backend_->post([this](Assistant& assistant) {
    for (const std::string& id : assistant.changed_skills()) {
      assistant.reload_skill(id, [this, id](const Reloaded& how) {
        tell(how.reason.empty() ? fmt::format("the skill '{}' was loaded anew", id) : how.reason);
      });
    }
  });
}

std::string Chat::news() {
  std::string out;
  for (auto& event : mailbox_.take()) {
    out += std::visit([this](auto& of) { return text_of(of); }, event);
  }
  return out;
}

std::string Chat::text_of(const Spoken& spoken) const {
  const std::string where =
      spoken.session_id == session_id_ ? std::string() : fmt::format("[{}] ", one_line(spoken.session_id));
  return terminal_ ? fmt::format("  {}{}\n", paint_.dim(where), paint_.cyan(one_line(spoken.text)))
                   : where + one_line(spoken.text) + "\n";
}

std::string Chat::text_of(const Warned& warned) const {
  return aside(warned.text);
}

std::string Chat::text_of(TurnEnded& ended) {
  const TurnResult& result = ended.result;
  if (ended.number == turn_) turn_ = 0;
  if (result.trace) last_traces_ = {result.trace};
  if (result.resumed_trace) last_traces_.push_back(result.resumed_trace);
  std::string out;
  if (result.status == TurnStatus::kUnmatched && result.speech.empty())
    out += aside("Nobody knew what to do with that. /explain tells who was asked.");
  if (result.status == TurnStatus::kError) {
    out +=
        aside(fmt::format("{}:{} failed: {}", result.skill_id, result.intent_name, one_line(result.error)));
  }
  if (result.status == TurnStatus::kCancelled) out += aside("Stopped.");
  if (explain_always_ && result.trace) out += explained();
  return out;
}

std::string Chat::explained() const {
  std::string out;
  for (const auto& trace : last_traces_) out += explain(*trace, paint_);
  return out;
}

std::string Chat::aside(const std::string& text) const {
  if (terminal_) return fmt::format("  {}\n", paint_.yellow(text));
  complain(text);
  return {};
}

bool Chat::wait_for_turn(int signals) {
  const Progress progress("thinking");
  std::array<pollfd, 2> watched{{{mailbox_.descriptor(), POLLIN, 0}, {signals, POLLIN, 0}}};
  while (turn_ != 0) {
    ::poll(watched.data(), signals < 0 ? 1 : 2, -1);
    if ((watched[0].revents & POLLIN) != 0) {
      const std::string text = news();
      // The line of a progress note may be there.
      if (!text.empty()) print((terminal_ ? "\r\x1b[K" : "") + text);
    }
    if (signals >= 0 && (watched[1].revents & POLLIN) != 0 && !on_signal(signals)) return false;
  }
  return true;
}

/// Ctrl-C stops the turn, and leaves one to itself that can't be stopped; false when the program is to end.
bool Chat::on_signal(int signals) {
  signalfd_siginfo info{};
  if (::read(signals, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return true;
  const auto number = static_cast<int>(info.ssi_signo);
  if (number == SIGTERM || number == SIGHUP) return false;
  if (number != SIGINT) return true;
  if (stopped_ != turn_) {
    stopped_ = turn_;
    stop();
    return true;
  }
  turn_ = 0;
  print("\r\x1b[K" + aside("Left to itself; what it still says shows up here."));
  return true;
}

void Chat::use_session(const std::string& id) {
  session_id_ = id;
  if (sessions_.contains(id)) return;
  sessions_[id] = backend_->ask([id](Assistant& assistant) {
    return std::make_shared<Conversation>(
        assistant, id == kDefaultSession ? nullptr : std::make_shared<const Session>(id));
  });
}

}  // namespace parley::command
