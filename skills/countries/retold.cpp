#include "retold.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>

namespace parley::countries {
namespace {

using Said = std::span<const Word>;

/// No name of a country, and no phrase of the files, has more words.
constexpr std::size_t kLongest = 5;
constexpr std::size_t kMostWords = 40;
constexpr std::size_t kShort = 4;

class Retelling {
 public:
  Retelling(std::string_view text, const LocaleResources& locale, const std::string& lang, const Names& names,
            const Atlas& atlas, const Subject& lately)
      : text_(text), locale_(locale), lang_(lang), names_(names), said_(words(text, lang)) {
    if (!lately.countries.empty()) lately_ = atlas.find(lately.countries.back());
  }

  /// The whole with the country of lately where a word stands for it, or behind an elliptic question.
  std::vector<std::string> about_lately() && {
    constexpr std::size_t kMost = 14, kMostElliptic = 9;
    if (lately_ == nullptr || said_.size() > kMost || names_any()) return {};
    const Spoken& name = names_.spoken(*lately_);
    for (std::size_t at = 0; at < said_.size(); ++at) {
      replaced(0, at, said_.size(), "there", name.in);
      replaced(0, at, said_.size(), "it", name.object);
      replaced(0, at, said_.size(), "lately_it", name.object);
    }
    const bool goes_on = phrase_at("lately_and", 0) > 0 || said_.size() <= kShort ||
                         locale_.vocabulary_occurs(lang_, "lately_neighbours", said_);
    if (goes_on && said_.size() <= kMostElliptic) found_.push_back(between(0, said_.size()) + ' ' + name.of);
    return std::move(found_);
  }

  std::vector<std::string> questions() && {
    if (said_.size() > kMostWords) return {};
    for (std::size_t begin = 0; begin < said_.size(); ++begin) {
      if (may_begin(begin)) part(begin, said_.size());
    }
    for (std::size_t end = said_.size(); end-- > 1;) {
      if (!is_end(end)) continue;
      for (std::size_t begin = 0; begin < end; ++begin) {
        if (may_begin(begin)) part(begin, end);
      }
    }
    return std::move(found_);
  }

 private:
  bool comma_before(std::size_t at) const {
    return at > 0 && at < said_.size() && said_[at].begin > said_[at - 1].end &&
           text_.substr(said_[at - 1].end, said_[at].begin - said_[at - 1].end).find_first_of(",;.?!:") !=
               std::string_view::npos;
  }

  // How many words at a place are a phrase of the file; 0: none.
  std::size_t phrase_at(const char* file, std::size_t at) const {
    for (std::size_t length = std::min(kLongest, said_.size() - at); length > 0; --length) {
      if (locale_.vocabulary_equals(lang_, file, Said(said_).subspan(at, length))) return length;
    }
    return 0;
  }

  // Where a question may end although more is said: "which is bigger, Spain or Italy" is one.
  bool is_end(std::size_t at) const {
    return comma_before(at) && named_in(at, said_.size()) == nullptr &&
           !locale_.vocabulary_occurs(lang_, "rather", Said(said_).subspan(at));
  }

  bool may_begin(std::size_t at) const {
    return at == 0 || comma_before(at) || phrase_at("question_start", at) > 0;
  }

  const Country* named_in(std::size_t begin, std::size_t end) const {
    const Country* last = nullptr;
    for (std::size_t at = begin; at < end; ++at) {
      for (std::size_t length = std::min(kLongest, end - at); length > 0; --length) {
        const auto name = surface(text_, Said(said_).subspan(at, length));
        const Country* const country = name.size() > 2 ? names_.country(name) : nullptr;
        if (country == nullptr) continue;
        last = country;
        break;
      }
    }
    return last;
  }

  /// Whether a country, a capital or a part of the world is named.
  bool names_any() const {
    for (std::size_t at = 0; at < said_.size(); ++at) {
      for (std::size_t length = std::min(kLongest, said_.size() - at); length > 0; --length) {
        const std::string name(surface(text_, Said(said_).subspan(at, length)));
        if (name.size() < kShort) continue;
        const bool is_place = names_.country(name) != nullptr || names_.with_capital(name) != nullptr ||
                              !names_.region(name).empty();
        if (is_place) return true;
      }
      if (names_.of_adjective(said_[at].norm) != nullptr) return true;
    }
    return false;
  }

  std::string between(std::size_t begin, std::size_t end) const {
    return begin < end ? std::string(surface(text_, Said(said_).subspan(begin, end - begin))) : std::string();
  }

  void part(std::size_t begin, std::size_t end) {
    const bool whole = begin == 0 && end == said_.size();
    const Country* const own = named_in(begin, end);
    const Country* const before = named_in(0, begin);
    // "There" was taken for what was spoken of lately, although something else was named since.
    if (own != nullptr && before != nullptr && own == lately_ && own != before) return;
    if (!whole) found_.push_back(between(begin, end));
    if (own != nullptr) return;
    const Country* const country = before;
    if (country == nullptr && lately_ == nullptr) return;
    const Spoken& name = names_.spoken(country != nullptr ? *country : *lately_);
    for (std::size_t at = begin; at < end; ++at) {
      replaced(begin, at, end, "there", name.in);
      replaced(begin, at, end, "it", name.object);
    }
    const bool is_short = begin == 0 && said_.size() <= kShort;  // "and the currency"
    if (country != nullptr || is_short) found_.push_back(between(begin, end) + ' ' + name.of);
  }

  void replaced(std::size_t begin, std::size_t at, std::size_t end, const char* file,
                const std::string& with) {
    const std::size_t length = phrase_at(file, at);
    if (length == 0 || at + length > end) return;
    found_.push_back(between(begin, at) + ' ' + with + ' ' + between(at + length, end));
  }

  std::string_view text_;
  const LocaleResources& locale_;
  const std::string& lang_;
  const Names& names_;
  std::vector<Word> said_;
  const Country* lately_ = nullptr;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> retold(std::string_view said, const LocaleResources& locale, const std::string& lang,
                                const Names& names, const Atlas& atlas, const Subject& lately) {
  return Retelling(said, locale, lang, names, atlas, lately).questions();
}

std::vector<std::string> about_lately(std::string_view said, const LocaleResources& locale,
                                      const std::string& lang, const Names& names, const Atlas& atlas,
                                      const Subject& lately) {
  return Retelling(said, locale, lang, names, atlas, lately).about_lately();
}

}  // namespace parley::countries
