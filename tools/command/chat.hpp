#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend.hpp"
#include "mailbox.hpp"
#include "terminal.hpp"

namespace parley {
class Database;
}

namespace parley::command {

/// The conversation behind `parley chat`, apart from where lines come from. Use on one thread.
class Chat {
 public:
  /// @param mailbox   where everything to be shown comes together; outlives the chat
  /// @param terminal  a person looks on: colours, remarks between the answers
  Chat(Setup setup, const ChatOptions& options, Mailbox& mailbox, bool terminal);
  ~Chat();
  Chat(const Chat&) = delete;
  Chat& operator=(const Chat&) = delete;

  /// What may follow a `/`, for completion.
  static std::vector<std::string> commands();

  /// Takes a line: an utterance begins a turn, a `/command` is carried out. False: it is over.
  bool take(const std::string& line);
  /// Prints what comes until the turn that began is handled, or Ctrl-C is in `signals` (a signalfd, or
  /// -1). False: it is over.
  bool wait_for_turn(int signals);
  /// Loads the skills that are others on disk than what runs, and says so.
  void reload();
  /// Shows a remark, from any thread.
  void tell(const std::string& text) { mailbox_.put(Warned(text)); }
  /// Ends what runs in the session, as "stop everything" does.
  void stop();
  /// What has been said since it was last asked for, ready to print.
  std::string news();

 private:
  static constexpr std::string_view kDefaultSession = "default";

  void begin_turn(const std::string& text);
  bool on_signal(int signals);
  std::string text_of(const Spoken& spoken) const;
  std::string text_of(const Warned& warned) const;
  std::string text_of(TurnEnded& ended);
  std::string explained() const;
  /// A remark that is not part of the conversation.
  std::string aside(const std::string& text) const;

  bool command(const std::string& text);
  void help() const;
  void explain_command(const std::string& argument);
  void session_command(const std::string& argument);
  void show_session();
  void language_command(const std::string& argument);
  void history_command(const std::string& argument);
  void resume_command(const std::string& argument);
  /// What `read` gives of the store; nothing, with a remark: it can't be read.
  template <class T>
  std::optional<T> from_store(std::function<T(Database&)> read);
  void use_session(const std::string& id);

  Mailbox& mailbox_;
  bool terminal_;
  Paint paint_;
  std::vector<std::string> languages_;
  std::string standard_language_;
  std::string lang_;  ///< Empty: the session's or the configured one.
  std::string session_id_{kDefaultSession};
  /// By session; used and let go on the assistant's thread.
  std::map<std::string, std::shared_ptr<Conversation>, std::less<>> sessions_;
  std::vector<std::shared_ptr<const Json>> last_traces_;  ///< Of the last turn, and of one it went on with.
  bool explain_always_;
  int turns_ = 0;
  int turn_ = 0;     ///< The one that is waited for; 0: none.
  int stopped_ = 0;  ///< The last one that Ctrl-C stopped.
  std::unique_ptr<Backend> backend_;
  Subscription speech_;  ///< Let go on the assistant's thread.
};

}  // namespace parley::command
