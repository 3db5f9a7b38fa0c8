#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <parley/stage.hpp>
#include <string>
#include <utility>
#include <vector>

#include "match/intent_index.hpp"
#include "pace.hpp"

namespace parley::intent {

/// Has a worker learn what is registered, language by language: a language is learnt when somebody first
/// speaks it, and again, in the background, whenever something of it changes: at once where somebody waits
/// for it, else not for more than a quarter of the time.
class Learning {
 public:
  explicit Learning(IntentIndex& index) : index_(index) {}
  /// What was learnt is kept in that folder from here on.
  void keep_in(std::filesystem::path folder) { kept_ = std::make_shared<LearntFiles>(std::move(folder)); }

  /// Whether anybody has spoken the language.
  bool is_spoken(const std::string& primary) const { return courses_.contains(primary); }
  /// Begins to learn what is new, unless a worker is at it.
  void begin(StageContext* context, const std::string& primary);
  /// Something was registered or removed while people may speak already. A lesson that would begin right
  /// after it waits for a moment, since what comes behind a lesson takes nearly as long again.
  void changed(Clock::Time now) { changed_ = now; }
  /// Whether all is learnt.
  bool is_caught_up(const std::string& primary) { return !courses_[primary].running && is_done(primary); }
  /// Waits until all is learnt, but not longer than two seconds after that began, eight with the language's
  /// first lesson. @return whether it is
  Task<bool> caught_up(StageContext* context, std::string primary);

 private:
  struct Course {
    bool running = false;
    bool knows_something = false;  ///< A lesson is over.
    Clock::Time since;             ///< When it began.
    std::vector<std::shared_ptr<Wakeup>> waiting;
    std::shared_ptr<Wakeup> resting;  ///< Until the next lesson.
    Pace pace;
    Subscription work;
  };

  Task<> study(StageContext* context, std::string primary);
  /// Until the next lesson may begin.
  Task<> rest(StageContext* context, std::string primary);
  /// Until nothing more comes, or it has come for long.
  Task<> settled(StageContext* context);
  bool is_done(const std::string& primary);

  IntentIndex& index_;
  std::map<std::string, Course> courses_;    ///< By primary language.
  std::shared_ptr<const LearntFiles> kept_;  ///< Null: nothing is kept.
  Clock::Time changed_;
};

}  // namespace parley::intent
