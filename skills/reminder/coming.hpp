#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <parley/session_memory.hpp>
#include <string>
#include <vector>

#include "entries.hpp"
#include "ringer.hpp"
#include "talk.hpp"

namespace parley::reminder {

/// What a schedule tells the skill when it is due.
inline constexpr const char* kDue = "remind";
/// Sessions whose last reminder can be put off, or corrected.
inline constexpr std::size_t kMostTold = 1000;
/// So long after it was set something can be corrected.
inline constexpr std::chrono::minutes kCorrectable(10);

/// What is told of it in a conversation.
Known known_as(const Scheduled& one, const Here& here);

/// What is to come: what it is, which of it is meant, and what goes.
class Coming : public Ringer {
 protected:
  Task<> list(Turn turn);
  /// Those that what was said has words of ("when do I have to water the plants"), else those of the kind and
  /// the day that were named ("at what hour is my alarm tomorrow").
  Task<> tell_named(Turn turn);
  Task<> cancel(Turn turn);
  /// @param just_set  what was set just now is meant rather than any other
  Task<> cancel_one(Turn turn, bool just_set);
  /// "Skip tomorrow's alarm": what repeats stays otherwise.
  Task<> skip(Turn turn);
  /// "Cancel it": what was set just now, where something was.
  Task<> cancel_that(Turn turn);
  Task<> cancel_all(Turn turn);
  /// "When is it": of what was set just now, else of all.
  Task<> when_that(Turn turn);

  /// What is to come for whoever speaks, the next first.
  Task<Entries> entries(Turn turn);
  /// Those that the slot `which` means, of which one is asked for where it may be several. Nothing: there are
  /// none, or the user did not say which; then that was said.
  Task<std::optional<Entries>> which_of(Turn turn, Entries all, bool just_set = false);
  /// Those of the kind that was spoken of: alarms, reminders, or ("the one at five") all.
  Task<Entries> asked_about(Turn turn);
  /// What was set just now, or told alone; empty where nothing was, or where it is over.
  Task<Entries> latest(Turn turn);
  void note_latest(const Turn& turn, const std::string& id, Known what);
  /// No intent has understood what was said of it.
  void note_by_words(const Turn& turn);
  bool is_by_words(const SessionKey& session) const;
  void forget_latest(const Turn& turn);
  /// The id of what was set or told just now.
  std::optional<std::string> latest_id(const Turn& turn) const;

  /// What an owner has, as far as the schedule was asked.
  std::vector<Known> known_of(const std::string& owner) const;
  void note_known(const std::string& owner, std::vector<Known> all);
  /// What a session set or was told last; null: nothing, or too long ago.
  const Known* latest_known(const SessionKey& session) const;

  void say_none(Turn turn);
  void say_no_such(Turn turn);
  /// "The one at five" or "it" is one of these for a while; "forget it" means one only until something else
  /// is said.
  static void remember_topic(Turn turn);

  Here here(const Turn& turn) const;
  /// When something is to be by all that was said of it: of a day of every month, too.
  std::optional<SpokenMoment> find_when(const std::string& said, const std::string& lang,
                                        std::chrono::local_seconds now) const;
  /// With a time of day in the middle: "pick up the kids at five from school".
  std::optional<SpokenMoment> find_when_within(const std::string& said, const std::string& lang,
                                               std::chrono::local_seconds now) const;
  /// The moment every month where a word outside of what the slots took says so: "a monthly reminder on the
  /// fifth", "remind me on the fifth of every month".
  std::optional<SpokenMoment> of_every_month(const std::string& text, const std::string& said,
                                             const std::string& lang,
                                             std::optional<SpokenMoment> moment) const;
  /// The words of a slot, "7am" as "7 am"; empty without.
  static std::string said_in(const Turn& turn, const std::string& slot);
  std::string without_links(const std::string& text, const std::string& lang) const;
  /// The slot `which`, unless all it says is "the reminder".
  std::optional<std::string> slot_which(const Turn& turn) const;

 private:
  Task<> cancel_these(Turn turn, Entries meant);
  void tell_of(Turn turn, const Entries& all);
  Task<> skip_one(Turn turn, Scheduled one, std::chrono::system_clock::time_point due);
  /// The day that was named, if one was: "anything to be reminded of today".
  /// @param is_once  "Mondays" is the next one
  std::optional<std::chrono::local_days> day_said(const Turn& turn, bool is_once = false) const;
  /// Those of that day.
  Entries of_day(const Turn& turn, Entries all) const;
  /// "Left today", "noch am Montag": a day, and nothing that tells one from another.
  bool is_pending_on_day(const Turn& turn, const std::string& which) const;
  /// Those of `all` that the slot `which` or any word means, else what was set just now, else all.
  Task<Entries> named_or_latest(Turn turn, Entries all, bool just_set);
  /// Whether what a slot took stands behind a comma, and so may say why: "cancel that reminder, we're out".
  static bool is_aside(const Turn& turn, const std::string& which);
  /// Those that the words of a slot mean; what stands behind a comma may say why.
  Entries named_by(const Turn& turn, const Entries& all, const std::string& which) const;
  std::optional<Entries> chosen(const Turn& turn, const Entries& meant, const std::string& said,
                                const std::string& lang) const;
  std::vector<std::string> names(const Turn& turn, const Entries& these) const;

  struct Latest {
    std::string id;  ///< In the schedule.
    Known what;
    bool is_by_words = false;
  };

  /// What each session set or was told last.
  SessionMemory<Latest> latest_{kMostTold, kCorrectable};
  std::map<std::string, std::vector<Known>, std::less<>> known_;  ///< By owner.
};

}  // namespace parley::reminder
