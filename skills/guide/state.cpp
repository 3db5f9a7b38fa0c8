#include "state.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace parley::guide {
namespace {

constexpr std::array kPhases{"domain", "planning", "validation", "execution", "closing"};
constexpr std::array kStatuses{"running", "paused", "closed"};

template <class Enum, std::size_t N>
Enum read(const std::array<const char*, N>& names, const std::string& word) {
  for (std::size_t at = 0; at < N; ++at)
    if (word == names[at]) return static_cast<Enum>(at);
  throw nlohmann::json::type_error::create(302, "unknown word", nullptr);
}

}  // namespace

std::string_view to_string(Phase phase) noexcept {
  return kPhases[static_cast<std::size_t>(phase)];
}

void State::start_afresh() {
  State fresh;
  fresh.session_id = std::move(session_id);
  fresh.turns = std::move(turns);
  fresh.lang = std::move(lang);
  fresh.last_turn = last_turn;
  *this = std::move(fresh);
}

void State::add_turn(const std::string& said, const std::string& answered) {
  constexpr std::size_t longest = 500;
  const auto cut = [](std::string text) {
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // no half of a letter
    return text.substr(0, end) + "…";
  };
  if (turns.size() == kMostTurns) turns.erase(turns.begin());
  turns.push_back(Said{cut(said), cut(answered)});
}

Json State::to_json() const {
  Json told = Json::array();
  for (const Said& one : turns) told.push_back({one.said, one.answered});
  return {{"version", kVersion},
          {"session_id", session_id},
          {"lang", lang},
          {"phase", to_string(phase)},
          {"status", kStatuses[static_cast<std::size_t>(status)]},
          {"last_turn", last_turn},
          {"turns", told},
          {"domain", domain ? std::string(to_string(*domain)) : std::string()},
          {"misunderstood", misunderstood},
          {"query", query},
          {"elicited", elicited},
          {"categories", categories},
          {"found", found},
          {"first_shown", first_shown},
          {"trivia", trivia},
          {"task", task},
          {"page", page},
          {"chosen", chosen},
          {"known", known},
          {"asked", asked},
          {"at", at},
          {"timer_offered", timer_offered},
          {"video_offered", video_offered},
          {"quiet_steps", quiet_steps},
          {"extra", extra}};
}

std::optional<State> State::from_json(const Json& kept) {
  if (!kept.is_object() || kept.value("version", Json()) != Json(kVersion)) return std::nullopt;
  State state;
  try {
    kept.at("session_id").get_to(state.session_id);
    kept.at("lang").get_to(state.lang);
    state.phase = read<Phase>(kPhases, kept.at("phase").get<std::string>());
    state.status = read<Status>(kStatuses, kept.at("status").get<std::string>());
    kept.at("last_turn").get_to(state.last_turn);
    for (const Json& turn : kept.at("turns"))
      state.turns.push_back(Said{turn.at(0).get<std::string>(), turn.at(1).get<std::string>()});
    state.domain = domain_of(kept.at("domain").get<std::string>());
    kept.at("misunderstood").get_to(state.misunderstood);
    kept.at("query").get_to(state.query);
    kept.at("elicited").get_to(state.elicited);
    kept.at("categories").get_to(state.categories);
    kept.at("found").get_to(state.found);
    kept.at("first_shown").get_to(state.first_shown);
    kept.at("trivia").get_to(state.trivia);
    kept.at("task").get_to(state.task);
    kept.at("page").get_to(state.page);
    kept.at("chosen").get_to(state.chosen);
    kept.at("known").get_to(state.known);
    kept.at("asked").get_to(state.asked);
    kept.at("at").get_to(state.at);
    kept.at("timer_offered").get_to(state.timer_offered);
    kept.at("video_offered").get_to(state.video_offered);
    kept.at("quiet_steps").get_to(state.quiet_steps);
    kept.at("extra").get_to(state.extra);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return state;
}

}  // namespace parley::guide
