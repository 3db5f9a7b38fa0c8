#pragma once

#include <optional>
#include <parley/storage.hpp>
#include <string>
#include <string_view>

#include "store/rows.hpp"
#include "store/scheduler.hpp"

namespace parley::cluster {

/// What a row is about: its key among what instances share is made of it.
struct RowName {
  enum class Kind : char { kValue = 'v', kScheduled = 's', kSession = 'n', kTold = 't', kForgotten = 'f' };
  static RowName of_value(const StoragePlace& place, std::string key);
  static RowName of_scheduled(std::string id);
  static RowName of_session(std::string owner, std::string id);
  static RowName of_told(std::string owner, std::string event_id);
  /// One that never was.
  static RowName of_forgotten();

  /// Says nothing about whose it is: it stays when that is forgotten.
  std::string key_of_all() const;
  StoragePlace place() const { return StoragePlace(skill_id, scope, owner, session_id); }

  Kind kind = Kind::kValue;
  std::string skill_id, owner, session_id;
  std::string key;  ///< Of a value; the id of what is to come, or of the event that was told.
  StorageScope scope = StorageScope::kHousehold;
  std::int64_t told = 0, happened = 0;  ///< Of what was told: when, and of when it is; Unix milliseconds.
};

/// A row, as one instance tells it to the others.
struct SharedRow {
  RowName name;
  std::string json;       ///< Of a value; of what was told.
  std::int64_t time = 0;  ///< When it was written, in Unix milliseconds.
  ScheduleRow scheduled;
  KeptSession session;
  ForgetWhat forget;
  ForgottenObjects objects;  ///< Instead, when it has ids.
  std::uint64_t log = 0;     ///< Up to there of the shared log it is forgotten.

  static SharedRow of(const ToldEvent& event);
  /// Of what was told.
  ToldEvent told() const;

  std::string text() const;
  /// Nothing: it is none.
  static std::optional<SharedRow> read(std::string_view text);
};

}  // namespace parley::cluster
