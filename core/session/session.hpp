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

/// What a terminal report asks for, as a patch: the fields in which it differs from the session that was
/// dispatched, `intent_context` and unknown fields by entry; what it omits is left as it is (S-6).
Session reported_changes(const Session& dispatched, const Session& report);

/// The IANA zone to tell times in: the session's own `location.tz`, else `otherwise`, else "UTC".
/// @param session  null: nothing is known of it
std::string zone_of(const Session* session, const std::string& otherwise);

/// Whether a session takes no more than that many bytes, serialised. Cheap for one that is far from it.
bool fits(const Session& session, std::size_t max_size);

/// The one session the core remembers, and the bound of all (S-5). On the loop's thread.
class SessionStore {
 public:
  static constexpr std::size_t kMaxSize = std::size_t{64} << 10U;
  /// @param max_size  bytes that a session may take, serialised
  explicit SessionStore(std::size_t max_size = kMaxSize)
      : current_(std::make_shared<const Session>()), max_size_(max_size) {}
  const SessionPtr& current() const noexcept { return current_; }
  std::size_t max_size() const noexcept { return max_size_; }
  /// For changes from now on.
  void set_max_size(std::size_t bytes) noexcept { max_size_ = bytes; }

  /// What an inbound carrier means here.
  struct Entered {
    explicit Entered(SessionPtr what) : session(std::move(what)) {}
    SessionPtr session;
    bool too_large = false;  ///< What came was not taken: `default` is as it was, another has its id alone,
                             ///< cut where that is too large by itself.
  };
  /// For `default` the stored session with its fields replaced, for any other (S-4) just what came. Null is
  /// `default` with nothing present.
  Entered enter(const SessionPtr& inbound);
  /// The same, and nothing is stored.
  Entered preview(const SessionPtr& inbound) const;
  /// Writes back what changed in a round of the default session. False: it would be too large, and stays.
  [[nodiscard]] bool change(const Session& before, const Session& after);
  /// Replaces it. False: that is too large, and it stays.
  bool set(SessionPtr session);
  /// What a message of a handler carries that was given one session and has made its own of it: for
  /// `default` the stored session with the handler's changes (S-5), for any other the handler's own. Changes
  /// that would make it too large are left out.
  SessionPtr outbound(const SessionPtr& given, const SessionPtr& own) const;

 private:
  SessionPtr current_;
  std::size_t max_size_;
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
  std::string tag;          ///< As the configuration writes it.
  std::string source;       ///< The signal that decided, e.g. "session.stt_lang".
  std::string passed_over;  ///< The first signal of a language of which none is enabled; else empty.
};

/// The one language of an utterance: the first signal that is enabled, or of whose language one is (L-1).
ResolvedLanguage resolve_language(const std::string& data_lang, const Session& session,
                                  const Languages& languages);

}  // namespace parley
