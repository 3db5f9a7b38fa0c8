#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/log_history.hpp"
#include "cluster/shared_keys.hpp"
#include "cluster/shared_log.hpp"
#include "cluster/shared_text.hpp"
#include "store/rows.hpp"

namespace parley::cluster {

/// Rows that every instance of a cluster sees. NATS holds them, and a write is done when it does; the store
/// of each instance is a copy, which follows what the others write and is what reads read. So is its log of
/// turns, where it keeps one.
class SharedRows final : public Rows {
 public:
  using Post = std::function<void(std::function<void()>)>;
  /// Whether this instance owns the session.
  using Owns = std::function<bool(const std::string& session_id)>;

  /// All it is given must outlive it. @param post  runs something on the loop, from any thread
  SharedRows(Fabric& fabric, Timers& timers, Counters& counters, std::shared_ptr<Store> store, Post post,
             Owns owns);
  ~SharedRows() override;
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  /// This instance keeps turns: it shares them with the others. Before start().
  /// @param retention  how long
  void keep_turns(std::chrono::milliseconds retention, LogTaking how);
  /// Turns of this instance that are over and in its log. From any thread.
  void over(std::vector<LoggedTurn> turns);
  /// Hears what there is. Until then whoever reads or writes a value waits.
  /// @param informed  called once the copy is as what there is
  void start(std::function<void()> informed);
  /// There is no cluster: nobody waits any longer.
  void give_up(const std::string& why);
  /// Hears nothing any more. @param done  called once what it has to tell is told, or two seconds later
  void stop(std::function<void()> done);
  /// Whether something of such a session is on its way to NATS.
  bool is_writing(const std::function<bool(const std::string& session_id)>& which) const;

  void get(StoragePlace place, std::string key, Got got) override;
  void all(StoragePlace place, std::string prefix, GotAll got) override;
  void change(ValueChange what, Changed done) override;
  void put_scheduled(ScheduleRow row, Kept done) override;
  void erase_scheduled(std::string id, Kept done) override;
  bool acts_for(const std::string& session_id) const override { return is_informed_ && owns_(session_id); }
  bool lasts() const override { return true; }
  void put_session(SessionWrite what, std::function<void(SessionState, const std::string&)> done) override;
  void close_session(std::string owner, std::string id, std::int64_t now,
                     std::function<void(bool, const std::string&)> done) override;
  void sweep_sessions(std::int64_t close_before, std::int64_t drop_before, std::int64_t now,
                      std::function<void(bool, const std::string&)> done) override;
  void forget(ForgetWhat what, bool everywhere,
              std::function<void(const Forgotten&, const std::string&)> done) override;
  void tell(std::vector<ToldEvent> events) override;
  void forget_objects(ForgottenObjects what, std::function<void(const std::string&)> done) override;
  void on_heard(Heard heard) override { heard_ = std::move(heard); }

 private:
  /// On the loop, once it is informed.
  void once_informed(std::function<void()> work);
  void informed();
  void release();
  void heard(const std::string& key, std::uint64_t revision, std::string_view text);
  /// What became of the row is written into the copy.
  void copy(const SharedRow& row, std::uint64_t revision);
  void copy_gone(const RowName& name);
  void tell(const SharedRow& row);
  void write_value(const ValueChange& what, const Changed& done);
  void put_value(const ValueChange& what, const Changed& done);
  /// Whether a row is now as it was written: nobody has written it since, as far as was heard.
  bool stands(const RowName& name, const Written& how) const {
    return how.ok() && keys_.is_latest(name.key_of_all(), how.revision);
  }
  void put_row(const SharedRow& row, bool is_gone, std::optional<std::uint64_t> expect,
               SharedKeys::Done done);
  void tell(const ToldEvent& event);
  void tell_now(std::vector<ToldEvent> events);
  /// Up to there this copy has forgotten what others did.
  static void note_forgotten(Database& database, std::uint64_t revision);
  static void forget_objects_of(Database& database, const ForgottenObjects& what);
  void forget_here(const ForgottenObjects& what, std::uint64_t revision);
  void know(const std::string& key, const RowName& name);
  std::optional<RowName> unknow(const std::string& key);
  void tell_forgotten(SharedRow row, std::function<void(const std::string& failure)> done);
  /// What the copy has and NATS does not know is offered; what NATS knows to be gone goes.
  void compare();
  void offer(const RowName& name, const std::function<void(Database&, SharedRow&)>& read);
  /// Of all that fits, what is kept is overwritten.
  void wipe(const ForgetWhat& what, bool with_scheduled,
            const std::function<void(const std::string& failure)>& done);
  void wipe(const std::vector<std::string>& keys,
            const std::function<void(const std::string& failure)>& done);
  Store::Done logged(std::string what) const;
  /// On the loop, once everything is written that was handed to the store.
  void after_writes(std::function<void()> work);
  void hear_forgotten(const SharedRow& row, std::uint64_t revision);
  void forget_rows(const ForgetWhat& what, std::uint64_t last,
                   std::function<void(const Forgotten&, const std::string&)> done);

  SharedKeys keys_;
  const std::shared_ptr<Store> store_;
  RowsHere here_;
  Timers& timers_;
  const Post post_;
  const Owns owns_;
  SharedLog log_;
  LogHistory history_;
  bool keeps_turns_ = false;
  Heard heard_;
  bool is_informed_ = false;
  std::string gave_up_;
  std::function<void()> when_informed_;
  std::vector<std::function<void()>> waiting_;
  std::map<std::string, RowName> names_;        ///< What is there, by key.
  std::map<std::string, std::size_t> told_of_;  ///< How much of it its owner was told.
  std::multiset<std::string> writing_;          ///< Sessions that rows which are on their way are of.
  /// What was told and what was forgotten before this instance came, by revision: in this order.
  std::map<std::uint64_t, SharedRow> told_before_, forgotten_before_;
  const std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
