#include "cluster/shared_keys.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "runtime/random_id.hpp"

namespace parley::cluster {
namespace {

constexpr char kState[] = "state";
constexpr std::chrono::seconds kTryFor(10);                  ///< For NATS to come back.
constexpr std::chrono::milliseconds kTryAgain(200);          ///< Between two tries.
constexpr std::chrono::seconds kHearOfConflicts(1);          ///< For what was faster to be heard.
constexpr std::size_t kMarkAndMore = std::size_t{4} << 10U;  ///< For the mark, the subject and headers.

}  // namespace

SharedKeys::SharedKeys(Fabric& fabric, Timers& timers, Callbacks callbacks)
    : fabric_(fabric), timers_(timers), callbacks_(std::move(callbacks)), self_(random_id()) {}

SharedKeys::~SharedKeys() = default;

void SharedKeys::start() {
  watch_ = fabric_.watch(kState, [this](const Entry* entry) {
    if (entry != nullptr) return hear(*entry);
    if (!std::exchange(is_informed_, true)) callbacks_.informed();
  });
}

std::uint64_t SharedKeys::revision_of(const std::string& key) const {
  const auto found = known_.find(key);
  return found == known_.end() || found->second.is_gone ? 0 : found->second.revision;
}

void SharedKeys::hear(const Entry& entry) {
  Known& known = known_[entry.key];
  if (entry.revision <= known.revision) return;
  const std::string_view value = entry.value;
  const auto end_of_mark = value.find('\n');
  const std::string_view mark = value.substr(0, end_of_mark);
  const std::string_view text =
      end_of_mark == value.npos ? std::string_view() : value.substr(end_of_mark + 1);
  known.revision = entry.revision;
  known.is_gone = entry.is_erased || text.empty();
  const auto own = by_mark_.find(mark);
  if (own != by_mark_.end()) {
    end(own->second, Written(Written::How::kDone, entry.revision));
  } else {
    callbacks_.heard(entry.key, entry.revision, text);
  }
  const auto waiting = refused_.find(entry.key);
  if (waiting == refused_.end()) return;
  for (const std::uint64_t number : std::vector(waiting->second.begin(), waiting->second.end()))
    resolve(number);
}

void SharedKeys::put(const std::string& key, std::string text, std::optional<std::uint64_t> expect,
                     Done done) {
  const std::size_t most = fabric_.max_payload();
  if (text.size() + kMarkAndMore > most) {
    return done(
        Written(Written::How::kFailed, 0,
                fmt::format("{} bytes are more than NATS takes: its max_payload is {}", text.size(), most)));
  }
  const std::uint64_t number = ++count_;
  Write& write = writes_[number];
  write.key = key;
  write.text = std::move(text);
  write.mark = fmt::format("{}.{}", self_, number);
  write.expect = expect;
  write.done = std::move(done);
  write.until = timers_.clock().now() + kTryFor;
  by_mark_.emplace(write.mark, number);
  send(number);
}

void SharedKeys::send(std::uint64_t number) {
  const auto found = writes_.find(number);
  if (found == writes_.end()) return;
  Write& write = found->second;
  std::optional<std::uint64_t> expect = write.expect;
  if (expect && *expect == 0) {  // that it is gone is an entry, too
    const auto known = known_.find(write.key);
    if (known != known_.end() && known->second.is_gone) expect = known->second.revision;
  }
  write.sent_over = expect.value_or(0);
  fabric_.put(kState, write.key, write.mark + '\n' + write.text, expect, write.mark,
              [this, number, alive = std::weak_ptr(alive_)](const Written& how) {
                if (!alive.expired()) answered(number, how);
              });
}

void SharedKeys::answered(std::uint64_t number, const Written& how) {
  const auto found = writes_.find(number);
  if (found == writes_.end()) return;  // it was heard before its answer
  Write& write = found->second;
  if (how.ok()) {
    Known& known = known_[write.key];
    if (how.revision > known.revision) {
      known.revision = how.revision;
      known.is_gone = write.text.empty();
    }
    return end(number, how);
  }
  const auto now = timers_.clock().now();
  if (how.how == Written::How::kFailed) {
    write.is_uncertain = true;
    if (now >= write.until) {
      return end(number, Written(Written::How::kFailed, 0,
                                 "NATS did not confirm it, it may be kept or not: " + how.why));
    }
    write.again = timers_.at(now + kTryAgain, [this, number] { send(number); });
    return;
  }
  write.is_refused = true;
  refused_[write.key].insert(number);
  write.again = timers_.at(now + kHearOfConflicts, [this, number] { refuse(number); });
  resolve(number);
}

void SharedKeys::resolve(std::uint64_t number) {
  const auto found = writes_.find(number);
  if (found == writes_.end()) return;
  Write& write = found->second;
  const auto known = known_.find(write.key);
  if (known == known_.end() || known->second.revision <= write.sent_over) return;
  if (write.expect != 0 || !known->second.is_gone) return refuse(number);
  refused_[write.key].erase(number);
  write.is_refused = false;
  write.again.reset();
  send(number);
}

void SharedKeys::refuse(std::uint64_t number) {
  const Write& write = writes_.at(number);
  if (write.is_uncertain) {
    return end(number, Written(Written::How::kFailed, 0,
                               "NATS did not confirm it, and somebody else has written since"));
  }
  end(number, Written(Written::How::kConflict, revision_of(write.key)));
}

void SharedKeys::end(std::uint64_t number, const Written& how) {
  auto write = writes_.extract(number);
  if (write.empty()) return;
  by_mark_.erase(write.mapped().mark);
  if (write.mapped().is_refused) {
    const auto waiting = refused_.find(write.mapped().key);
    waiting->second.erase(number);
    if (waiting->second.empty()) refused_.erase(waiting);
  }
  write.mapped().done(how);
}

void SharedKeys::wipe(const std::string& key, Done done) {
  const std::uint64_t revision = revision_of(key);
  if (revision == 0) return done(Written(Written::How::kDone));
  // Whether that succeeded does not matter: the next write takes its place.
  fabric_.wipe(kState, key, revision,
               [this, key, done = std::move(done), alive = std::weak_ptr(alive_)](const Written&) {
                 if (!alive.expired()) put(key, "", std::nullopt, done);
               });
}

}  // namespace parley::cluster
