#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/session.hpp>
#include <parley/storage.hpp>
#include <string>
#include <utility>
#include <vector>

#include "store/forget.hpp"
#include "store/session_rows.hpp"
#include "store/store.hpp"

namespace parley {

struct ScheduleRow;

/// A value that is to be written, or erased.
struct ValueChange {
  ValueChange(StoragePlace where, std::string which) : place(std::move(where)), key(std::move(which)) {}
  StoragePlace place;
  std::string key;
  std::optional<std::string> json;      ///< Nothing: it is erased.
  std::optional<std::uint64_t> expect;  ///< Only over this version; 0: over nothing. Nothing: in any case.
  std::int64_t now = 0;                 ///< Unix milliseconds.
};

/// How a turn left a session.
struct SessionWrite {
  SessionWrite(std::string whose, SessionPtr what) : owner(std::move(whose)), session(std::move(what)) {}
  std::string owner;
  SessionPtr session;
  std::int64_t began = 0, now = 0;  ///< Unix milliseconds.
  bool counts = false;              ///< The turn is counted with it: no log does that.
  Store::Lasts lasts = Store::Lasts::kWithTheSystem;
};

/// An event from outside that the evidence has taken, as the log has it.
struct ToldEvent {
  ToldEvent() = default;
  std::string owner, session_id, event_id;
  std::string json;
  std::int64_t time = 0;      ///< When it was logged, in Unix milliseconds.
  std::int64_t happened = 0;  ///< When it says that it was.
  bool is_telling = false;    ///< Somebody told it ("semantic"): it stays until it is forgotten.
};

/// Objects of one owner's evidence that are forgotten, and the events from outside that they were made of.
struct ForgottenObjects {
  ForgottenObjects() = default;
  std::string owner;
  std::vector<std::string> ids, event_ids;
  std::vector<std::string> turns;  ///< Utterance ids of turns that something of went.
};

/// What skills and sessions leave for later: values, what is to come, how a session was left; and what of the
/// evidence is everybody's. It is the store's; in a cluster every instance sees the same. Callbacks may come
/// from any thread.
class Rows {
 public:
  /// Why a value is not written: the skill has too many of them, or it can't be kept.
  enum class Refused { kNo, kFull, kFailed };
  using Got = std::function<void(std::optional<StorageHost::Stored> value, const std::string& failure)>;
  using GotAll = std::function<void(std::map<std::string, std::string> values, const std::string& failure)>;
  using Changed = std::function<void(StorageHost::Written written, Refused refused, const std::string& why)>;
  /// @param is_conflict  somebody else has changed it meanwhile: heard() tells how it is now
  using Kept = std::function<void(bool is_conflict, const std::string& failure)>;
  /// What other instances have changed. On the loop.
  struct Heard {
    Heard() = default;
    /// Null: it comes no more.
    std::function<void(const std::string& id, const ScheduleRow* row)> scheduled;
    std::function<void(const KeptSession& session)> session;
    std::function<void(const ForgetWhat& what)> forgotten;
  };

  virtual ~Rows() = default;

  // ---- values of skills, from any thread
  virtual void get(StoragePlace place, std::string key, Got got) = 0;
  virtual void all(StoragePlace place, std::string prefix, GotAll got) = 0;
  virtual void change(ValueChange what, Changed done) = 0;

  // ---- what is to come, on the loop
  virtual void put_scheduled(ScheduleRow row, Kept done) = 0;
  virtual void erase_scheduled(std::string id, Kept done) = 0;
  /// Whether what is due in that session is told of here.
  virtual bool acts_for(const std::string& session_id) const = 0;

  // ---- sessions, on the loop
  /// Whether what is written is there after this process has ended.
  virtual bool lasts() const = 0;
  virtual void put_session(SessionWrite what,
                           std::function<void(SessionState state, const std::string& failure)> done) = 0;
  virtual void close_session(std::string owner, std::string id, std::int64_t now,
                             std::function<void(bool was_open, const std::string& failure)> done) = 0;
  /// Closes and drops what is old: kept_sessions::sweep().
  virtual void sweep_sessions(std::int64_t close_before, std::int64_t drop_before, std::int64_t now,
                              std::function<void(bool more, const std::string& failure)> done) = 0;
  /// Deletes, and calls back when no word of it is left.
  /// @param everywhere  not only here
  virtual void forget(ForgetWhat what, bool everywhere,
                      std::function<void(const Forgotten& gone, const std::string& failure)> done) = 0;

  // ---- evidence, from any thread
  /// What the evidence of this process has taken, the others get to know; when they can.
  virtual void tell(std::vector<ToldEvent> events) = 0;
  /// What the evidence of this process has forgotten, the others forget. Calls back when that is certain.
  virtual void forget_objects(ForgottenObjects what,
                              std::function<void(const std::string& failure)> done) = 0;

  virtual void on_heard(Heard heard) = 0;
};

/// Of this process alone.
class RowsHere final : public Rows {
 public:
  explicit RowsHere(std::shared_ptr<Store> store) : store_(std::move(store)) {}

  void get(StoragePlace place, std::string key, Got got) override;
  void all(StoragePlace place, std::string prefix, GotAll got) override;
  void change(ValueChange what, Changed done) override;
  void put_scheduled(ScheduleRow row, Kept done) override;
  void erase_scheduled(std::string id, Kept done) override;
  bool acts_for(const std::string& /*session_id*/) const override { return true; }
  bool lasts() const override { return !store_->file().empty(); }
  void put_session(SessionWrite what, std::function<void(SessionState, const std::string&)> done) override;
  void close_session(std::string owner, std::string id, std::int64_t now,
                     std::function<void(bool, const std::string&)> done) override;
  void sweep_sessions(std::int64_t close_before, std::int64_t drop_before, std::int64_t now,
                      std::function<void(bool, const std::string&)> done) override;
  void forget(ForgetWhat what, bool everywhere,
              std::function<void(const Forgotten&, const std::string&)> done) override;
  void tell(std::vector<ToldEvent> /*events*/) override {}
  void forget_objects(ForgottenObjects /*what*/, std::function<void(const std::string&)> done) override {
    done("");
  }
  void on_heard(Heard /*heard*/) override {}

 private:
  const std::shared_ptr<Store> store_;
};

}  // namespace parley
