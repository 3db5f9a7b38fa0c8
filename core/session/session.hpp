#pragma once

#include <functional>
#include <parley/session.hpp>
#include <string>
#include <vector>

namespace parley {

/// What is present in `from` replaces what `into` has (S-5); an `intent_context` is replaced whole.
void replace_present(Session& into, const Session& from);

/// Does to `into` what was done from `before` to `after`, field by field; `intent_context` and unknown
/// fields by entry (S-5, S-6). The session_id stays.
void apply_changes(Session& into, const Session& before, const Session& after);

/// A change asked for from outside (`ovos.session.sync`): present fields replace, `intent_context`
/// merges by entry, entries set to null go (S-6).
void apply_patch(Session& into, const Session& patch);

/// The one session the core remembers (S-5). On the loop's thread.
class SessionStore {
 public:
  SessionStore() : current_(std::make_shared<const Session>()) {}
  const SessionPtr& current() const noexcept { return current_; }
  /// What an inbound carrier means here: for `default` the stored session with its fields replaced,
  /// for any other (S-4) just what came. Null is `default` with nothing present.
  SessionPtr enter(const SessionPtr& inbound);
  /// The same, and nothing is stored.
  SessionPtr preview(const SessionPtr& inbound) const;
  /// Writes back what changed in a round of the default session; gives the stored session.
  SessionPtr change(const Session& before, const Session& after);
  void set(SessionPtr session) { current_ = std::move(session); }
  /// What a message of a handler carries that was given one session and has made its own of it: for
  /// `default` the stored session with the handler's changes (S-5), for any other the handler's own.
  SessionPtr outbound(const SessionPtr& given, const SessionPtr& own) const;

 private:
  SessionPtr current_;
};

/// The languages of an installation.
struct Languages {
  Languages(std::string standard, std::vector<std::string> list)
      : fallback(std::move(standard)), enabled(std::move(list)) {}
  std::string fallback;
  std::vector<std::string> enabled;
};

struct ResolvedLanguage {
  ResolvedLanguage(std::string language, std::string where)
      : tag(std::move(language)), source(std::move(where)) {}
  std::string tag;     ///< As the configuration writes it.
  std::string source;  ///< The signal that decided, e.g. "session.stt_lang".
};

/// The one language of an utterance: the first signal that is present and enabled (L-1).
ResolvedLanguage resolve_language(const std::string& data_lang, const Session& session,
                                  const Languages& languages);

}  // namespace parley
