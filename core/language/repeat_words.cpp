#include "language/repeat_words.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <parley/text.hpp>
#include <span>
#include <utility>

#include "language/joined.hpp"
#include "language/times.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

constexpr std::array<const char*, 7> kDayKeys{"monday", "tuesday",  "wednesday", "thursday",
                                              "friday", "saturday", "sunday"};
constexpr std::size_t kMostWordsOfRepeat = 16;

}  // namespace

RepeatWords::RepeatWords(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
  using Rule = ScheduleRule::Kind;
  read_value_file(file, [this](const YAML::Node& root) {
    const YAML::Node section = root["repeats"];
    if (!section) return;
    add(section["daily"], Meaning{SpokenRepeat(Rule::kDaily), false});
    add(section["part_of_day"], Meaning{SpokenRepeat(Rule::kDaily), true});
    add(section["workdays"], Meaning{SpokenRepeat(Rule::kWeekdays), false});
    for (unsigned i = 0; i < kDayKeys.size(); ++i)
      add(section[kDayKeys[i]], Meaning{SpokenRepeat(Rule::kWeekly, i + 1), false});
  });
}

void RepeatWords::add(const YAML::Node& phrases, const Meaning& meaning) {
  for (const auto& phrase : phrases) {
    const auto said = words(phrase.as<std::string>(), lang_);
    longest_ = std::max(longest_, said.size());
    phrases_.try_emplace(joined(said), meaning);
  }
}

std::optional<SpokenRepeat> RepeatWords::read(std::string_view text) const {
  const auto said = words(text, lang_);
  const auto* times = words_for<TimeWords>(lang_);
  if (times == nullptr || said.size() > kMostWordsOfRepeat) return std::nullopt;
  for (std::size_t length = std::min(longest_, said.size()); length > 0; --length) {
    for (std::size_t from = 0; from + length <= said.size(); ++from) {
      const auto found = phrases_.find(joined(std::span(said).subspan(from, length)));
      if (found == phrases_.end()) continue;
      std::string others(surface(text, std::span(said).first(from)));
      others += ' ';
      others += surface(text, std::span(said).subspan(from + length));
      const auto time = times->find(others);
      const bool has_part =
          words(times->without_part_of_day(others), lang_).size() < words(others, lang_).size();
      if (found->second.needs_part_of_day && !has_part) continue;
      const std::string rest = time ? time->rest : times->without_part_of_day(others);
      if (!words(rest, lang_).empty()) continue;
      SpokenRepeat repeat = found->second.repeat;
      if (time) repeat.time = time->time;
      return repeat;
    }
  }
  return std::nullopt;
}

}  // namespace parley
