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

std::optional<Phase> phase_of(std::string_view word) noexcept {
  for (std::size_t at = 0; at < kPhases.size(); ++at)
    if (word == kPhases[at]) return static_cast<Phase>(at);
  return std::nullopt;
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

namespace {

/// Calls `what(key, member)` for each that is kept as it is.
template <class SomeState, class What>
void each_member(SomeState& state, What what) {
  what("session_id", state.session_id);
  what("lang", state.lang);
  what("last_turn", state.last_turn);
  what("misunderstood", state.misunderstood);
  what("query", state.query);
  what("elicited", state.elicited);
  what("categories", state.categories);
  what("found", state.found);
  what("first_shown", state.first_shown);
  what("trivia", state.trivia);
  what("task", state.task);
  what("page", state.page);
  what("chosen", state.chosen);
  what("known", state.known);
  what("asked", state.asked);
  what("at", state.at);
  what("timer_offered", state.timer_offered);
  what("video_offered", state.video_offered);
  what("quiet_steps", state.quiet_steps);
  what("extra", state.extra);
}

}  // namespace

Json State::to_json() const {
  Json told = Json::array();
  for (const Said& one : turns) told.push_back({one.said, one.answered});
  Json json{{"version", kVersion},
            {"phase", to_string(phase)},
            {"status", kStatuses[static_cast<std::size_t>(status)]},
            {"turns", told},
            {"domain", domain ? std::string(to_string(*domain)) : std::string()},
            {"lacking", lacking}};
  each_member(*this, [&](const char* key, const auto& member) { json[key] = member; });
  return json;
}

std::optional<State> State::from_json(const Json& kept) {
  if (!kept.is_object() || kept.value("version", Json()) != Json(kVersion)) return std::nullopt;
  State state;
  try {
    state.phase = read<Phase>(kPhases, kept.at("phase").get<std::string>());
    state.status = read<Status>(kStatuses, kept.at("status").get<std::string>());
    for (const Json& turn : kept.at("turns"))
      state.turns.push_back(Said{turn.at(0).get<std::string>(), turn.at(1).get<std::string>()});
    state.domain = domain_of(kept.at("domain").get<std::string>());
    state.lacking = kept.value("lacking", std::string());  // states of earlier programs have none
    each_member(state, [&](const char* key, auto& member) { kept.at(key).get_to(member); });
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return state;
}

}  // namespace parley::guide
