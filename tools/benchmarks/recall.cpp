#include "recall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "evidence/access.hpp"
#include "evidence/answer.hpp"
#include "evidence/ingest.hpp"
#include "evidence/request.hpp"
#include "runtime/rfc3339.hpp"
#include "store/schema.hpp"
#include "store/sqlite.hpp"

namespace parley::bench {
namespace {

using nlohmann::json;

constexpr std::int64_t kBetweenTurns = 10'000;  // ms

/// "1:56 pm on 8 May, 2023", in Unix milliseconds.
std::int64_t time_of(const std::string& text) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  int hour = 0, minute = 0, day = 0, year = 0;
  std::array<char, 3> half{};
  std::array<char, 16> month{};
  if (std::sscanf(text.c_str(), "%d:%d %2s on %d %15[A-Za-z], %d", &hour, &minute, half.data(), &day,
                  month.data(), &year) != 6)
    throw std::runtime_error("'" + text + "' is no time such as '1:56 pm on 8 May, 2023'");
  const auto* const found =
      std::find(kMonths.begin(), kMonths.end(), std::string_view(month.data()).substr(0, 3));
  const auto number = static_cast<unsigned>(found - kMonths.begin()) + 1;
  const std::chrono::sys_days date(std::chrono::year(year) / static_cast<int>(number) / day);
  const int hours = hour % 12 + (half[0] == 'p' ? 12 : 0);
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             date.time_since_epoch() + std::chrono::hours(hours) + std::chrono::minutes(minute))
      .count();
}

evidence::Caller caller_of(const std::string& owner) {
  evidence::Caller caller;
  caller.owner = owner;
  return caller;
}

void take_in(Database& database, const json& conversation) {
  const std::string owner = conversation.at("id");
  int number = 0;
  for (const auto& session : conversation.at("sessions")) {
    std::int64_t time = time_of(session.at("time"));
    json events = json::array();
    const std::string id = fmt::format("session_{}", ++number);
    for (const auto& turn : session.at("turns")) {
      const std::string text =
          turn.at("speaker").get<std::string>() + ": " + turn.at("text").get<std::string>();
      events.push_back({{"event_id", turn.at("id")},
                        {"event_type", "said"},
                        {"time", to_rfc3339(time)},
                        {"agent_id", owner},
                        {"session_id", id},
                        {"text", text}});
      time += kBetweenTurns;
    }
    evidence::ingest(database, caller_of(owner), evidence::make_ready({{"events", std::move(events)}}), time);
  }
}

/// The events that the objects found come of, at most so many objects.
std::set<std::string> found_sources(Database& database, const std::string& owner, const std::string& question,
                                    int most) {
  const json body = {{"query_text", question},         {"agent_id", owner}, {"session_id", "session_1"},
                     {"query_scope", "private"},       {"top_k", most},     {"object_types", {"memory"}},
                     {"response_mode", "objects_only"}};
  const auto request = evidence::read_request(body);
  if (!request) throw std::runtime_error(request.error().message);
  const auto reach = evidence::reach_of(caller_of(owner), owner, "session_1", "", "");
  const json answer = evidence::answer(database, *request, *reach, evidence::Wording(), "q");
  std::set<std::string> sources;
  for (const auto& object : answer.at("objects")) {
    for (const auto& source : object.at("source_refs")) sources.insert(source.get<std::string>());
  }
  return sources;
}

/// Shares of the turns that answer, added up.
struct Recall {
  Recall() = default;
  double at5 = 0, at10 = 0;
  int questions = 0;
};

void add(Recall& to, double at5, double at10) {
  to.at5 += at5;
  to.at10 += at10;
  ++to.questions;
}

double share(const std::set<std::string>& found, const json& evidence) {
  const auto hit = std::count_if(evidence.begin(), evidence.end(),
                                 [&](const json& id) { return found.contains(id.get<std::string>()); });
  return static_cast<double>(hit) / static_cast<double>(evidence.size());
}

void tell(Report& report, const std::string& name, const Recall& recall, bool has_target) {
  const auto count = static_cast<double>(recall.questions);
  for (const auto& [at, sum, aim] :
       {std::tuple("at_5", recall.at5, 0.62), std::tuple("at_10", recall.at10, 0.72)}) {
    Figure figure(fmt::format("recall_{}_{}", name, at), sum / count, "");
    figure.remark = fmt::format("{} questions", recall.questions);
    if (has_target) figure.target = Target::at_least(aim, "words alone: what is said otherwise is not found");
    report.add(figure);
  }
}

}  // namespace

void recall_bench(const std::string& file, Report& report) {
  std::ifstream in(file);
  const json data = json::parse(in, nullptr, false);
  if (!data.is_object() || !data.contains("conversations"))
    throw std::runtime_error(file + " holds no {\"conversations\": […]}");
  std::map<std::string, Recall> by_category;
  Recall all;
  for (const auto& conversation : data.at("conversations")) {
    Database database(Database::kMemory, Database::Access::kCreate);
    migrate(database);
    take_in(database, conversation);
    const std::string owner = conversation.at("id");
    for (const auto& question : conversation.at("questions")) {
      const json& evidence = question.at("evidence");
      if (evidence.empty()) continue;
      const std::string text = question.at("question");
      const double at5 = share(found_sources(database, owner, text, 5), evidence);
      const double at10 = share(found_sources(database, owner, text, 10), evidence);
      add(by_category["category_" + question.at("category").dump()], at5, at10);
      add(all, at5, at10);
    }
  }
  for (const auto& [name, recall] : by_category) tell(report, name, recall, false);
  if (all.questions > 0) tell(report, "all", all, true);
}

}  // namespace parley::bench
