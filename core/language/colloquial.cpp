#include "language/colloquial.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <parley/text.hpp>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "language/joined.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

/// What is longer is no request; and what this costs is the sender's.
constexpr std::size_t kMostWordsRead = 100;

/// How one language is spoken: section `colloquial` of its file. Immutable once built.
class Colloquial {
 public:
  /// @throws std::runtime_error naming the file and the line
  Colloquial(const std::filesystem::path& file, std::string lang) : lang_(std::move(lang)) {
    read_value_file(file, [this](const YAML::Node& root) {
      const YAML::Node section = root["colloquial"];
      if (!section) return;
      for (const auto& [name, kind] : {std::pair("only", Kind::kOnly), std::pair("spelled", Kind::kSpelled),
                                       std::pair("beside", Kind::kBeside)}) {
        for (const auto& entry : section[name]) add(entry.second, entry.first.as<std::string>(), kind);
      }
      add(section["nothing"], "", Kind::kOnly);
      add(section["keep"], "", Kind::kKeep);
      for (const auto& parts : section["compounds"]) add_compounds(parts, 0, "", "");
    });
  }

  std::string standard(std::string_view text) const {
    if (forms_.empty()) return {};
    const auto said = words(text, lang_);
    if (said.size() > kMostWordsRead) return {};
    std::vector<Found> found;
    for (std::size_t at = 0; at < said.size();) at = look_at(said, at, found);
    std::size_t likely = 0;
    for (const Found& one : found)
      likely += one.form->kind == Kind::kOnly ? kEnough : one.form->kind == Kind::kBeside ? 1 : 0;
    std::erase_if(found, [likely](const Found& one) {
      return one.form->kind == Kind::kKeep || (one.form->kind == Kind::kBeside && likely < kEnough);
    });
    return found.empty() ? std::string() : rewritten(text, said, found);
  }

 private:
  enum class Kind {
    kOnly,     ///< Is nothing else.
    kSpelled,  ///< The same in another spelling: tells nothing about the rest of the sentence.
    kBeside,   ///< May be something else: in a sentence with one that is not, or with another that may.
    kKeep      ///< Has such a form in it, and is none.
  };
  struct Form {
    std::string standard;
    Kind kind;
  };
  struct Found {
    const Form* form;
    std::size_t from, to;  ///< Words.
  };
  static constexpr std::size_t kEnough = 2;

  void add(const YAML::Node& phrases, const std::string& standard, Kind kind) {
    for (const auto& phrase : phrases) add_form(phrase.as<std::string>(), standard, kind);
  }

  void add_form(const std::string& phrase, const std::string& standard, Kind kind) {
    const auto said = words(phrase, lang_);
    if (said.empty()) return;
    auto& longest = longest_[said.front().norm];
    longest = std::max(longest, said.size());
    forms_.try_emplace(joined(said), Form{standard, kind});
  }

  /// All that begin so: one of each part behind it, in their order.
  void add_compounds(const YAML::Node& parts, std::size_t from, const std::string& spoken,
                     const std::string& standard) {
    if (from == parts.size()) {
      if (spoken != standard) add_form(spoken, standard, Kind::kOnly);
      return;
    }
    for (const auto& part : parts[from]) {
      for (const auto& form : part.second)
        add_compounds(parts, from + 1, spoken + form.as<std::string>(),
                      standard + part.first.as<std::string>());
    }
  }

  /// Adds the longest form that begins there; returns where to go on.
  std::size_t look_at(const std::vector<Word>& said, std::size_t at, std::vector<Found>& found) const {
    const auto known = longest_.find(said[at].norm);
    if (known == longest_.end()) return at + 1;
    for (std::size_t length = std::min(known->second, said.size() - at); length > 0; --length) {
      const auto form = forms_.find(joined(std::span(said).subspan(at, length)));
      if (form == forms_.end()) continue;
      found.push_back(Found{&form->second, at, at + length});
      return at + length;
    }
    return at + 1;
  }

  /// With a capital where what was said begins with one: "Lad" is "Lade".
  static std::string as_begun(std::string standard, char first) {
    const bool is_capital = first >= 'A' && first <= 'Z' && !standard.empty();
    if (is_capital && standard[0] >= 'a' && standard[0] <= 'z')
      standard[0] = static_cast<char>(standard[0] - 'a' + 'A');
    return standard;
  }

  std::string rewritten(std::string_view text, const std::vector<Word>& said,
                        const std::vector<Found>& found) const {
    std::string standard;
    std::size_t done = 0;
    for (const Found& one : found) {
      standard += text.substr(done, said[one.from].begin - done);
      standard += as_begun(one.form->standard, text[said[one.from].begin]);
      done = said[one.to - 1].end;
      const bool is_gone = one.form->standard.empty() && done < text.size() && text[done] == ' ';
      if (is_gone) ++done;
    }
    standard += text.substr(done);
    // "Oida!", "heast, wie spät": what stood beside a word that is gone.
    const auto begin = standard.find_first_not_of(" ,;:");
    const auto end = standard.find_last_not_of(' ');
    const bool is_empty = begin == std::string::npos || words(standard, lang_).empty();
    return is_empty ? std::string() : standard.substr(begin, end + 1 - begin);
  }

  std::string lang_;
  std::unordered_map<std::string, Form> forms_;           ///< By normalised words.
  std::unordered_map<std::string, std::size_t> longest_;  ///< Words of the longest form that begins with it.
};

}  // namespace

std::string in_standard_words(std::string_view text, std::string_view lang) {
  const auto* const spoken = words_for<Colloquial>(lang);
  return spoken == nullptr ? std::string() : spoken->standard(text);
}

}  // namespace parley
