#include "follow_ups.hpp"

#include <algorithm>
#include <array>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley::date_time {
namespace {

using std::chrono::local_days;

/// A longer sentence is about more than a day.
constexpr std::size_t kMostWords = 26;

}  // namespace

std::optional<Wanted> FollowUps::asked_of_day(const std::string& text, const std::string& lang) const {
  constexpr std::array<std::pair<const char*, Wanted>, 3> kAsked{{{"topic_distance", Wanted::kDistance},
                                                                  {"topic_weekday", Wanted::kWeekday},
                                                                  {"topic_date", Wanted::kDate}}};
  if (words(text, lang).size() > kMostWords || mentions("topic_not", text, lang)) return std::nullopt;
  for (const auto& [vocabulary, wanted] : kAsked)
    if (mentions(vocabulary, text, lang)) return wanted;
  return std::nullopt;
}

Topics FollowUps::topics_of(const std::string& text, const std::string& lang, local_days today) {
  const auto mentioned = [this, text, lang](const char* vocabulary) {
    return mentions(vocabulary, text, lang);
  };
  return Topics(text, lang, mentioned, knowledge(), today);
}

std::optional<FollowUps::Follows> FollowUps::asked_lately(const std::string& text, const std::string& lang,
                                                          const Lately& known) {
  constexpr std::size_t kMost = 14;
  const bool knows_any = known.spot || known.day || known.sun;
  if (!knows_any || words(text, lang).size() > kMost || mentions("about_not", text, lang))
    return std::nullopt;
  if (known.sun && says("lately_sunrise", text, lang)) return Follows{Topic::kSunrise};
  if (known.sun && says("lately_sunset", text, lang)) return Follows{Topic::kSunset};
  if (known.day && says("lately_distance", text, lang)) return Follows{Topic::kDate, {}, Wanted::kDistance};
  if (known.spot)
    if (auto follows = asked_of_spot(text, lang, known)) return follows;
  if (!known.day || !mentions("lately_that", text, lang)) return std::nullopt;
  const auto wanted = asked_of_day(text, lang);
  if (!wanted || knows_day(text, lang, *wanted)) return std::nullopt;
  const Topics topics = topics_of(text, lang, local_days());
  if (topics.counted_from_day() || !topics.places().empty()) return std::nullopt;
  return Follows{Topic::kDate, {}, wanted};
}

std::optional<FollowUps::Follows> FollowUps::asked_of_spot(const std::string& text, const std::string& lang,
                                                           const Lately& known) {
  if (known.was_time)
    if (auto place = place_alone(text, lang)) return Follows{Topic::kTime, *std::move(place)};
  const auto places = topics_of(text, lang, local_days()).places(true);
  const bool is_far = mentions("lately_far", text, lang);
  if (mentions("about_difference", text, lang)) {
    if (places.size() == 1 && is_far) return Follows{Topic::kDifference, places.front()};
    if (places.empty() && mentions("lately_here", text, lang)) return Follows{Topic::kDifference};
  }
  if (places.empty() && is_far && mentions("about_time", text, lang)) return Follows{Topic::kTime};
  return std::nullopt;
}

/// Whether it names a day itself. "How many days is that from today" names none.
bool FollowUps::knows_day(const std::string& text, const std::string& lang, Wanted wanted) {
  const local_days today(std::chrono::days(1));
  const auto named = knowledge().tongue(lang).named_day(text, today, Toward::kFuture);
  if (wanted == Wanted::kDistance) return named && named->day != today;
  return named || mentions("about_today", text, lang);
}

/// "Und Teheran", "et à São Paulo".
std::optional<std::string> FollowUps::place_alone(const std::string& text, const std::string& lang) {
  constexpr std::size_t kMost = 7;
  const auto all = words(text, lang);
  if (all.size() > kMost) return std::nullopt;
  std::span<const Word> said(all);
  const auto is_around = [&](const Word& word) {
    return says("lately_and", std::string(surface(text, std::span(&word, 1))), lang);
  };
  const auto place_of = [&](std::span<const Word> some) -> std::optional<std::string> {
    std::string name(surface(text, some));
    const auto place = knowledge().places().find(name, lang);
    return place && !place->is_here() ? std::optional(std::move(name)) : std::nullopt;
  };
  while (!said.empty() && is_around(said.back()) && !place_of(said)) said = said.first(said.size() - 1);
  std::size_t front = 0;
  while (front < said.size() && is_around(said[front])) ++front;
  // The most that may stand in front goes first: "et" is Eastern Time, too, and "La Paz" a place.
  for (std::size_t at = front + 1; at-- > 0;) {
    const auto found = at < said.size() ? place_of(said.subspan(at)) : std::nullopt;
    if (!found) continue;
    // "The capital of Austria" is found as Austria, too.
    const auto named = topics_of(*found, lang, local_days()).places(true);
    return named.size() == 1 && named.front() == *found ? found : std::nullopt;
  }
  return std::nullopt;
}

std::optional<DateInWords> FollowUps::day_lately(const Turn& turn, const std::string& date) const {
  const auto said = words(date, turn.lang());
  const bool stands_for_it = std::all_of(said.begin(), said.end(), [&](const Word& word) {
    return says("lately_that", word.norm, turn.lang()) || says("lately_and", word.norm, turn.lang());
  });
  return stands_for_it ? lately(turn.session_key()).day : std::nullopt;
}

}  // namespace parley::date_time
