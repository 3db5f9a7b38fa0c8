#include <parley/lists.hpp>

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>

#include "language/value_file.hpp"

namespace parley {
namespace {

/// What stands between the things of a list, in one language.
struct ListWords {
  ListWords(const std::filesystem::path& file, const std::string& lang) {
    std::vector<std::string> phrases;
    read_value_file(file, [&](const YAML::Node& root) {
      if (!root["lists"]) return;
      for (const auto& phrase : root["lists"]["and"]) phrases.push_back(phrase.as<std::string>());
    });
    between = PhraseSet(phrases, lang);
    for (const auto& phrase : phrases) longest = std::max(longest, words(phrase, lang).size());
  }

  PhraseSet between;
  std::size_t longest = 1;  ///< Words.
};

class ListSplitter {
 public:
  ListSplitter(std::string_view text, std::string_view lang)
      : text_(text), lang_(lang), said_(words(text, lang)), words_(words_for<ListWords>(lang)) {}

  std::vector<std::string> split() {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < said_.size();) {
      if (at > begin && sign_before(at)) {
        add(begin, at);
        begin = at;
      }
      const std::size_t length = between_at(at);
      if (length > 0 && at + length < said_.size() && !of_an_amount(begin, at, at + length)) {
        add(begin, at);
        begin = at + length;
      }
      at += std::max(length, std::size_t{1});
    }
    add(begin, said_.size());
    return std::move(things_);
  }

 private:
  void add(std::size_t from, std::size_t to) {
    if (from < to) things_.emplace_back(part(from, to));
  }

  std::string_view part(std::size_t from, std::size_t to) const {
    return surface(text_, std::span(said_).subspan(from, to - from));
  }

  /// Whether a comma or the like stands between this word and the one before it.
  bool sign_before(std::size_t at) const {
    const auto gap = text_.substr(said_[at - 1].end, said_[at].begin - said_[at - 1].end);
    return gap.find_first_of(",;") != std::string_view::npos;
  }

  std::size_t between_at(std::size_t at) const {
    if (words_ == nullptr) return 0;
    for (std::size_t length = std::min(words_->longest, said_.size() - at); length > 0; --length) {
      if (words_->between.equals(std::span(said_).subspan(at, length))) return length;
    }
    return 0;
  }

  std::optional<double> number(std::size_t from, std::size_t to) const {
    if (from >= to) return std::nullopt;
    const auto value = read_value(SlotType::kNumber, part(from, to), lang_, {});
    return value ? std::optional(value->number()) : std::nullopt;
  }

  /// "Two and a half", "dos kilos y medio": a number before, or a fraction behind.
  bool of_an_amount(std::size_t begin, std::size_t at, std::size_t behind) const {
    constexpr std::size_t kWordsOfFraction = 2;
    if (number(begin, at)) return true;
    for (std::size_t count = 1; count <= kWordsOfFraction && behind + count <= said_.size(); ++count) {
      const auto fraction = number(behind, behind + count);
      // "Half a melon" is a thing; "and a half" ends an amount, or something of it follows.
      if (fraction && *fraction > 0 && *fraction < 1 && number(begin, begin + 1)) return true;
    }
    return false;
  }

  std::string_view text_;
  std::string_view lang_;
  std::vector<Word> said_;
  const ListWords* words_;
  std::vector<std::string> things_;
};

}  // namespace

std::vector<std::string> split_list(std::string_view text, std::string_view lang) {
  return ListSplitter(text, lang).split();
}

}  // namespace parley
