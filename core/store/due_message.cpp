#include "store/due_message.hpp"

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "message/topics.hpp"
#include "runtime/random_id.hpp"
#include "store/schedule_table.hpp"

namespace parley {

Json kept_context(const Message& by) {
  const Context& context = by.context();
  Json kept = {{"source", context.source}, {"destination", context.destination}};
  kept["destination_is_list"] = context.destination_is_list;
  if (context.session) kept["session"] = to_json(*context.session);
  if (context.rest) kept["rest"] = *context.rest;
  return kept;
}

Message due_message(const Occurrence& occurrence) {
  const Scheduled& what = occurrence.row.what;
  const Json& kept = *occurrence.row.context;
  Context context;
  context.source = kept.value("source", "");
  context.destination = kept.value("destination", std::vector<std::string>());
  context.destination_is_list = kept.value("destination_is_list", false);
  if (const auto session = kept.find("session"); session != kept.end()) {
    std::vector<std::string> spoiled;
    Session was = session_from_json(*session, spoiled);
    was.response_mode.reset();
    context.session = std::make_shared<const Session>(std::move(was));
  }
  if (const auto rest = kept.find("rest"); rest != kept.end())
    context.rest = std::make_shared<const Json>(*rest);
  context.utterance_id = random_id();
  context.skill_id = occurrence.row.skill_id;
  if (what.owner != "local") context.sender = std::make_shared<const Sender>(0, "the schedule", what.owner);
  Json data = {{"name", what.name},
               {"payload", what.payload()},
               {"late_ms", std::chrono::duration_cast<std::chrono::milliseconds>(occurrence.late).count()},
               {"due_id", occurrence.due_id},
               {"id", what.id},
               {"due_ms", to_milliseconds(what.due)},
               {"zone", what.time_zone},
               {"lang", what.lang}};
  if (what.rule) data["rule"] = what.rule->to_json();
  return Message(topic::dispatch(occurrence.row.skill_id, reserved::kDue), std::move(data),
                 std::move(context));
}

}  // namespace parley
