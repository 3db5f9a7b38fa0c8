#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <parley/clock.hpp>
#include <parley/query.hpp>
#include <parley/session_key.hpp>
#include <parley/session_memory.hpp>
#include <parley/turn.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// Whether a text as a whole is a phrase of a vocabulary: Skill::says() in some language.
using SaysVocabulary = std::function<bool(std::string_view vocabulary, std::string_view text)>;

/// What is said to an offer; "never mind" is a no. Nothing: neither yes nor no, both, or something that only
/// begins with it ("ok, set a timer"), which Turn::confirm() would take: nobody has to answer an offer.
std::optional<bool> yes_or_no(std::string_view text, std::string_view lang, const SaysVocabulary& says);

/// Questions for yes or no that hold nobody up, one open in each session. Unlike Turn::confirm(), whose
/// question is asked again when the answer does not fit, what is no answer to an offer is for whomever it
/// is meant for. Keep one in the skill, make() an offer at the end of a handler, take what answers it in
/// on_converse(): `open()` and `yes_or_no()` in the function that decides, `take()` in the handler. On the
/// skill's strand.
template <class What>
class Offers {
 public:
  /// @param most  sessions, as in SessionMemory
  explicit Offers(std::size_t most, Duration lifetime = std::chrono::minutes(1)) : open_(most, lifetime) {}

  /// Asks, and has the client listen. In place of what was offered in the session before.
  void make(Turn turn, What what, const std::string& dialog, Clock::Time now, Slots slots = {}) {
    const SessionPtr session = turn.session();
    const ActiveHandler* const self = last_in(*session);
    open_.note(turn.message(), {std::move(what), self ? self->activated_at : 0.0}, now);
    SpeakOptions options;
    options.listen = true;
    turn.speak_dialog(dialog, std::move(slots), options);
  }
  /// What is offered there, if nothing was dispatched to a skill since, to this one neither; else it is
  /// forgotten, so that take() does not find it. An answer that a stage itself spoke (common query) leaves it
  /// open. Null: nothing. Valid until the next call that is not const.
  const What* open(const Query& query, std::string_view skill_id, Clock::Time now) {
    const Offer* const offer = query.session ? open_.find(query.session_key(), now) : nullptr;
    if (offer == nullptr) return nullptr;
    const ActiveHandler* const last = last_in(*query.session);
    const bool is_last = last && last->skill_id == skill_id && last->activated_at <= offer->activated_at;
    if (is_last) return &offer->what;
    open_.forget(query.session_key());
    return nullptr;
  }
  /// What was offered there, once. Nothing: it was not, or too long ago.
  std::optional<What> take(const SessionKey& session, Clock::Time now) {
    Offer* const offer = open_.find(session, now);
    if (offer == nullptr) return std::nullopt;
    std::optional<What> what(std::move(offer->what));
    open_.forget(session);
    return what;
  }
  /// Whether something is offered there, whoever spoke since.
  bool is_made(const SessionKey& session, Clock::Time now) const {
    return open_.find(session, now) != nullptr;
  }
  /// False: there was nothing.
  bool forget(const SessionKey& session) { return open_.forget(session); }

 private:
  struct Offer {
    What what;
    double activated_at;  ///< When the skill became active for the last time.
  };

  static const ActiveHandler* last_in(const Session& session) {
    const auto& all = session.converse_handlers;
    if (!all || all->empty()) return nullptr;
    return &*std::max_element(all->begin(), all->end(),
                              [](const auto& a, const auto& b) { return a.activated_at < b.activated_at; });
  }

  SessionMemory<Offer> open_;
};

}  // namespace parley
