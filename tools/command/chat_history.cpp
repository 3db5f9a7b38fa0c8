// What a chat keeps of its sessions, and what it knows of earlier ones.
#include <fmt/format.h>

#include <charconv>
#include <future>

#include "app/session_keeper.hpp"
#include "chat.hpp"
#include "chat_keep.hpp"
#include "message/log.hpp"
#include "store/kept_json.hpp"
#include "store/schedule_table.hpp"
#include "store/session_rows.hpp"
#include "store/store.hpp"

namespace parley::command {
namespace {

constexpr char kMine[] = "local";
constexpr std::size_t kUsualHistory = 10, kMostHistory = 1'000;

}  // namespace

std::int64_t wall_milliseconds(Assistant& assistant) {
  return to_milliseconds(assistant.clock().wall());
}

void keep_session(Assistant& assistant, const TurnResult& result, std::int64_t began) {
  if (assistant.store().file().empty() || !result.session || is_default_session(result.session_id)) return;
  assistant.store().write(
      [session = result.session, began, now = wall_milliseconds(assistant)](Database& database) {
        kept_sessions::put(database, kMine, *session, began, now);
      },
      [](const std::string& failure) {
        if (!failure.empty()) log_warning("store", "a session is not kept: " + failure);
      },
      Store::Lasts::kWithTheSystem);
}

template <class T>
std::optional<T> Chat::from_store(std::function<T(Database&)> read) {
  const auto found = std::make_shared<T>();
  const auto done = std::make_shared<std::promise<std::string>>();
  auto failure = done->get_future();
  const bool has_file = backend_->ask([&](Assistant& assistant) {
    if (assistant.store().file().empty()) return false;
    assistant.store().read_behind([found, read](Database& database) { *found = read(database); },
                                  [done](const std::string& why) { done->set_value(why); });
    return true;
  });
  if (!has_file) {
    print(aside("This chat keeps nothing, so nothing is known of earlier ones; store.enabled says why."));
    return std::nullopt;
  }
  if (const std::string why = failure.get(); !why.empty()) {
    print(aside(why));
    return std::nullopt;
  }
  return std::move(*found);
}

void Chat::history_command(const std::string& argument) {
  std::size_t most = kUsualHistory;
  const char* const end = argument.data() + argument.size();
  const auto read = std::from_chars(argument.data(), end, most);
  if (!argument.empty() && (read.ptr != end || most < 1 || most > kMostHistory))
    return print(aside(fmt::format("/history takes a number of turns, from 1 to {}.", kMostHistory)));
  TurnFilter filter;
  filter.owner = kMine;
  filter.session_id = session_id_;
  filter.limit = most;
  const auto found = from_store<std::vector<TurnRow>>(
      [filter](Database& database) { return turns::latest(database, filter); });
  if (!found) return;
  print(found->empty() ? aside("Nothing was said in this session yet.") : transcript_text(*found));
}

void Chat::resume_command(const std::string& argument) {
  const std::int64_t idle_before =
      backend_->ask([](Assistant& assistant) { return assistant.sessions().idle_before(); });
  const auto found = from_store<std::optional<KeptSession>>(
      [argument, idle_before, here = session_id_](Database& database) -> std::optional<KeptSession> {
        if (!argument.empty()) return kept_sessions::find(database, kMine, argument, idle_before);
        SessionFilter filter;
        filter.owner = kMine;
        filter.idle_before = idle_before;
        for (auto& session : kept_sessions::list(database, filter)) {
          if (session.id != here && session.snapshot && !is_default_session(session.id)) return session;
        }
        return std::nullopt;
      });
  if (!found) return;
  if (!*found || !(*found)->snapshot) {
    return print(aside(argument.empty()
                           ? std::string("There is no earlier session to go on with.")
                           : fmt::format("There is no session {} to go on with; `parley sessions` "
                                         "lists those that there were.",
                                         in_quotes(argument))));
  }
  const KeptSession& session = **found;
  if (!is_default_session(session.id)) {
    use_session(session.id);
    backend_->ask([conversation = sessions_.at(session.id).get(), snapshot = session.snapshot](Assistant&) {
      conversation->set_session(snapshot);
      return true;
    });
  }
  session_id_ = session.id;
  print(aside(
      fmt::format("Session {}, of {} turns; /history shows them.", one_line(session.id), session.turns)));
}

}  // namespace parley::command
