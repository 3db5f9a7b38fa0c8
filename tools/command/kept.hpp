#pragma once

#include <string>

#include "options.hpp"
#include "server_link.hpp"

namespace parley::command {

/// What `parley store` is to do.
struct StoreOptions {
  StoreOptions() = default;
  std::string does;  ///< "check", "compact", "rebuild", "backup", "export" or "import".
  std::string file;  ///< Of backup, export and import; of the last two empty: stdout or stdin.
};
int store(const GlobalOptions& global, const StoreOptions& options);

/// Which turns are shown.
struct KeptOptions {
  KeptOptions() = default;
  ServerOptions server;
  std::string session, skill, outcome, owner;
  std::string state;  ///< Of `parley sessions`.
  std::size_t limit = 50;
  bool unmatched = false;
  bool json = false;
  bool script = false;
};
int show_log(const GlobalOptions& global, const KeptOptions& options);
/// Which sessions there were.
int show_sessions(const GlobalOptions& global, const KeptOptions& options);
/// What is to be forgotten.
struct ForgetOptions {
  ForgetOptions() = default;
  ServerOptions server;
  std::string session, owner;
  bool all = false;
};
int forget_kept(const GlobalOptions& global, const ForgetOptions& options);
/// What is asked of the evidence.
struct RecallOptions {
  RecallOptions() = default;
  std::string text, session, agent = "local";
  int top_k = 5;
  bool json = false, proof = false;
};
int recall(const GlobalOptions& global, const RecallOptions& options);
/// What is said again. One of `session`, `turn` and `file` is given.
struct ReplayOptions {
  ReplayOptions() = default;
  std::string session, owner;
  std::string turn;  ///< An utterance_id.
  std::string file;  ///< "-": stdin.
  std::size_t limit = 50;
  bool json = false;
};
int replay(const GlobalOptions& global, const ReplayOptions& options);
int show_transcript(const GlobalOptions& global, const KeptOptions& options);

}  // namespace parley::command
