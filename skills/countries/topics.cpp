#include "topics.hpp"

#include <algorithm>
#include <array>
#include <parley/text.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::countries {
namespace {

using Said = std::span<const Word>;

/// No name of a country has more words.
constexpr std::size_t kLongestPlace = 5;
/// A longer sentence tells something, and is about more than one thing.
constexpr std::size_t kMostTopicWords = 22;

/// Nor one that says nothing new but what is compared.
constexpr std::size_t kMostOfBoth = 12;

constexpr const char* kArea = "area";
/// What is asked of one country.
constexpr std::array<const char*, 12> kOfOne{"dialing", "domain",    "driving",    "union",
                                             "flag",    "currency",  "languages",  "population",
                                             "capital", "continent", "neighbours", kArea};
constexpr std::array<const char*, 2> kOfTwo{"more_people", "larger"};
constexpr std::array<const char*, 4> kOfRegion{"most_people", "fewest_people", "largest", "smallest"};

/// What is asked of a country that only an adjective or a capital names: "the japanese flag", "I'm flying to
/// Budapest, what money will I need". Its language, its people and its size would be of something else.
constexpr std::array<const char*, 6> kOfAdjective{"dialing", "domain", "driving",
                                                  "union",   "flag",   "currency"};
constexpr std::array<const char*, 7> kOfCity{"dialing",  "domain",    "driving",  "union",
                                             "currency", "languages", "continent"};

class Topics {
 public:
  /// @param is_lately  it is known that a country is meant, which was spoken of before
  Topics(std::string_view text, const LocaleResources& locale, const std::string& lang, const Names& names,
         bool is_lately = false)
      : text_(text),
        locale_(locale),
        lang_(lang),
        names_(names),
        is_lately_(is_lately),
        said_(words(text, lang)) {
    if (said_.size() > kMostTopicWords || is_of_something_else()) return;
    for (std::size_t at = 0; at < said_.size();) {
      if (locale_.vocabulary_equals(lang_, "slip", Said(said_).subspan(at, 1))) slip_ = countries_.size();
      at += find_place(names, at);
    }
    // "A hotel in Spain, no, Portugal"
    if (slip_ == 1 && countries_.size() == 2) countries_.erase(countries_.begin());
    for (const Word& word : said_) {
      const Country* const country = names.of_adjective(word.norm);
      if (country != nullptr) adjectives_.push_back(names.spoken(*country).subject);
    }
    if (cities_.size() == 1) {
      const Country* const country = names.with_capital(cities_.front());
      if (country != nullptr) country_of_city_ = names.spoken(*country).subject;
    }
  }

  bool is_one_of_both() const {
    return countries_.size() == 1 && locale_.vocabulary_occurs(lang_, "of_the_two", said_);
  }

  /// Of two countries that are not named again.
  std::optional<Sentences::Match> of_both() const {
    const bool names_any =
        !countries_.empty() || !cities_.empty() || !regions_.empty() || !adjectives_.empty();
    if (names_any || said_.size() > kMostOfBoth || is_named("not")) return std::nullopt;
    if (!locale_.vocabulary_occurs(lang_, "of_the_two", said_)) return std::nullopt;
    if (is_named("more_people")) return Sentences::Match{"which_people", {}};
    if (is_named("larger")) return Sentences::Match{"which_larger", {}};
    return std::nullopt;
  }

  std::optional<Sentences::Match> question() const {
    if (countries_.size() == 2) {
      if (const char* const topic = first_of(kOfTwo))
        return Sentences::Match{topic, {{"country", countries_[0]}, {"other", countries_[1]}}};
      return std::nullopt;
    }
    if (countries_.size() == 1) {
      if (!regions_.empty()) return std::nullopt;
      const char* const topic = only_of(kOfOne);
      if (topic == nullptr || !cities_.empty()) return std::nullopt;
      return Sentences::Match{topic, {{"country", countries_.front()}}};
    }
    if (!countries_.empty()) return regions_.empty() ? of_some() : std::nullopt;
    if (auto match = indirect()) return match;
    if (cities_.size() == 1 && (is_named("capital") || is_named("whose")))
      return Sentences::Match{"capital_of", {{"city", cities_.front()}}};
    if (regions_.size() != 1) return std::nullopt;
    if (const char* const topic = first_of(kOfRegion))
      return Sentences::Match{topic, {{"region", regions_.front()}}};
    return std::nullopt;
  }

 private:
  template <std::size_t N>
  std::optional<Sentences::Match> asked_of(const std::string& country,
                                           const std::array<const char*, N>& topics) const {
    const auto named = std::ranges::count_if(topics, [this](const char* topic) { return is_named(topic); });
    if (named != 1) return std::nullopt;
    return Sentences::Match{first_of(topics), {{"country", country}}};
  }
  /// "Which is the smallest, France, Germany or Luxembourg".
  std::optional<Sentences::Match> of_some() const {
    constexpr std::size_t kFewest = 3;
    const auto joints = std::ranges::count_if(said_, [this](const Word& word) {
      return locale_.vocabulary_equals(lang_, "of_them_or", Said(&word, 1));
    });
    std::set<std::string> codes;
    for (const std::string& name : countries_) codes.insert(names_.country(name)->code);
    // Of more joints two questions were put together.
    if (codes.size() < kFewest || joints > 1) return std::nullopt;
    std::string some;
    for (const std::string& code : codes) some.append(some.empty() ? "" : " ").append(code);
    for (const char* const topic : {"fewest_people", "most_people"})
      if (is_named(topic)) return Sentences::Match{topic, {{"some", some}}};
    for (const char* const topic : {"smallest", "largest"})
      if (locale_.vocabulary_occurs(lang_, std::string("of_them_") + topic, said_))
        return Sentences::Match{topic, {{"some", some}}};
    return std::nullopt;
  }
  /// Where no country is named itself.
  std::optional<Sentences::Match> indirect() const {
    if (!regions_.empty()) return std::nullopt;
    if (cities_.size() == 1 && !country_of_city_.empty()) return asked_of(country_of_city_, kOfCity);
    if (cities_.empty() && adjectives_.size() == 1) return asked_of(adjectives_.front(), kOfAdjective);
    return std::nullopt;
  }
  /// "I need to call a hotel in Portugal, what do I dial": what is dialled is asked of the country.
  bool is_of_something_else() const {
    if (!is_named("not")) return false;
    return !is_named("dialing") || !locale_.vocabulary_occurs(lang_, "question_start", said_);
  }

  bool is_named(const std::string& topic) const {
    // "It's on the tip of my tongue" asks for no language.
    if (topic == "languages" && locale_.vocabulary_occurs(lang_, "tip_of_tongue", said_)) return false;
    if (is_lately_ && topic == "neighbours" && locale_.vocabulary_occurs(lang_, "lately_neighbours", said_))
      return true;
    // How large something is may be asked of anything.
    if (is_lately_ && topic == kArea) return false;
    return locale_.vocabulary_occurs(lang_, "topic_" + topic, said_);
  }

  template <std::size_t N>
  const char* first_of(const std::array<const char*, N>& topics) const {
    const auto found = std::ranges::find_if(topics, [this](const char* topic) { return is_named(topic); });
    return found == topics.end() ? nullptr : *found;
  }

  /// Null also where two are named, as then it is about something else. How large something is may be asked
  /// of any of them: "how large is the population".
  const char* only_of(const std::array<const char*, 12>& topics) const {
    const char* const first = first_of(topics);
    const auto others = std::ranges::count_if(
        topics, [this](const char* topic) { return topic != kArea && is_named(topic); });
    return others > 1 ? nullptr : first;
  }

  /// Gives how many words to go on.
  std::size_t find_place(const Names& names, std::size_t at) {
    for (std::size_t length = std::min(kLongestPlace, said_.size() - at); length > 0; --length) {
      const std::string name(surface(text_, Said(said_).subspan(at, length)));
      if (name.size() < 3) continue;
      if (names.country(name) != nullptr) return countries_.push_back(name), length;
      if (names.with_capital(name) != nullptr) return cities_.push_back(name), length;
      if (!names.region(name).empty()) return regions_.push_back(name), length;
    }
    return 1;
  }

  std::string_view text_;
  const LocaleResources& locale_;
  const std::string& lang_;
  const Names& names_;
  bool is_lately_;
  std::vector<Word> said_;
  std::vector<std::string> countries_, cities_, regions_, adjectives_;
  std::string country_of_city_;
  std::size_t slip_ = 0;  ///< How many countries were named before something was taken back.
};

}  // namespace

std::optional<Sentences::Match> by_topic(std::string_view said, const LocaleResources& locale,
                                         const std::string& lang, const Names& names) {
  return Topics(said, locale, lang, names).question();
}

std::optional<Sentences::Match> by_topic_lately(std::string_view said, const LocaleResources& locale,
                                                const std::string& lang, const Names& names) {
  return Topics(said, locale, lang, names, true).question();
}

bool is_one_of_both(std::string_view said, const LocaleResources& locale, const std::string& lang,
                    const Names& names) {
  return Topics(said, locale, lang, names).is_one_of_both();
}

std::optional<Sentences::Match> by_topic_of_both(std::string_view said, const LocaleResources& locale,
                                                 const std::string& lang, const Names& names) {
  return Topics(said, locale, lang, names).of_both();
}

}  // namespace parley::countries
