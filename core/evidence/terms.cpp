#include "evidence/terms.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <set>
#include <unordered_map>
#include <utility>

namespace parley::evidence {
namespace {

constexpr std::array<const char*, 5> kLanguages{"en", "de", "fr", "es", "pt"};
/// Of one question; what comes after them is not looked for.
constexpr std::size_t kMostTerms = 32;

/// The folded stems of one language's words. Keeps those of some words: most of what is said is a few of
/// them.
class Stems {
 public:
  explicit Stems(const std::string& language) : stemmer_(sb_stemmer_new(language.c_str(), "UTF_8")) {}

  bool is_known() const noexcept { return stemmer_ != nullptr; }

  /// Until the next one.
  const std::string& of(const std::string& word) {
    constexpr std::size_t kMostKept = 16384;
    constexpr std::size_t kLongestKept = 32;
    if (word.size() > kLongestKept) return long_one_ = stem(word);
    if (const auto found = kept_.find(word); found != kept_.end()) return found->second;
    if (kept_.size() == kMostKept) kept_.clear();
    return kept_.emplace(word, stem(word)).first->second;
  }

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const noexcept { sb_stemmer_delete(stemmer); }
  };

  std::string stem(const std::string& word) const {
    if (stemmer_ == nullptr) return text::fold(word);
    const sb_symbol* const stem = sb_stemmer_stem(
        stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (stem == nullptr) return text::fold(word);  // out of memory
    const auto size = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    return text::fold(std::string_view(reinterpret_cast<const char*>(stem), size));
  }

  std::unique_ptr<sb_stemmer, Delete> stemmer_;  ///< Null: it has none for the language.
  std::unordered_map<std::string, std::string> kept_;
  std::string long_one_;
};

/// A stemmer is for one thread at a time: each has its own. Languages come from outside: those that there is
/// no stemmer for share what folds their words.
const std::string& stem_of(const std::string& word, const std::string& language) {
  thread_local std::map<std::string, Stems> made;
  auto found = made.find(language);
  if (found == made.end()) {
    Stems stems(language);
    found = made.try_emplace(stems.is_known() ? language : std::string(), std::move(stems)).first;
  }
  return found->second.of(word);
}

/// What the index takes for a part of a word. `_` is none: it keeps domains and words apart.
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_plain(const std::string& stem) {
  return !stem.empty() && std::all_of(stem.begin(), stem.end(), is_of_word);
}

/// Numbers keep their points when they are read; the index has letters and digits alone.
void add_terms(const std::string& word, const std::string& language, std::vector<std::string>& to) {
  const std::string& stem = stem_of(word, language);
  if (is_plain(stem)) return to.push_back(stem);
  std::string part;
  for (const char c : stem + ' ') {
    if (is_of_word(c)) {
      part += c;
    } else if (!part.empty()) {
      to.push_back(std::move(part));
      part.clear();
    }
  }
}

constexpr std::string_view kEnglish =
    " a an the and or but of to in on at by for from with as is are was were be been am do does did has have "
    "had i me my you your he him his she her it its we us our they them their this that these those what "
    "which who whom when where why how would could should will can may might there here not no so if then "
    "than about into out up down over just some any all ";
constexpr std::string_view kGerman =
    " der die das den dem des ein eine einen einem einer eines und oder aber von zu im in auf an bei fur aus "
    "mit als ist sind war waren sein bin habe hat haben hatte ich mich mir mein meine du dich dir dein er "
    "ihn "
    "sie ihr es wir uns unser was welche wer wen wem wann wo warum wie wurde konnte kann nicht so wenn dann "
    "uber da hier ";
constexpr std::string_view kFrench =
    " le la les l un une des du de d et ou mais a au aux en dans sur par pour avec comme est sont etait etre "
    "ai as a avons ont avait je j me m mon ma mes tu te t ton ta il elle on nous vous ils elles ce cet cette "
    "ces que qu quel quelle qui quand ou pourquoi comment ne pas si ";
constexpr std::string_view kSpanish =
    " el la los las un una unos unas y o pero de del a al en por para con como es son era ser estar esta he "
    "ha han habia yo me mi mis tu te tus el ella nosotros ellos lo le se que cual quien cuando donde porque "
    "como no si ";
constexpr std::string_view kPortuguese =
    " o a os as um uma uns umas e ou mas de do da dos das em no na nos nas por para com como e sao era ser "
    "estar esta tem ha eu me meu minha tu te teu ele ela nos eles se que qual quem quando onde porque nao ";

std::string_view silent_words(std::string_view lang) {
  const std::string language = primary_language(std::string(lang));
  if (language == "de") return kGerman;
  if (language == "fr") return kFrench;
  if (language == "es") return kSpanish;
  if (language == "pt") return kPortuguese;
  return language == "en" ? kEnglish : std::string_view();
}

bool is_silent(const std::string& folded, std::string_view list) {
  return list.find(' ' + folded + ' ') != std::string_view::npos;
}

}  // namespace

std::string index_terms(std::string_view text, std::string_view lang) {
  const std::string language = primary_language(std::string(lang));
  std::vector<std::string> stems;
  for (const auto& word : words(text, lang)) add_terms(word.norm, language, stems);
  std::string terms;
  for (const auto& stem : stems) terms += (terms.empty() ? "" : " ") + stem;
  return terms;
}

std::vector<std::vector<std::string>> query_terms(std::string_view text, std::string_view lang) {
  const auto said = words(text, lang);
  const std::string_view silent = silent_words(lang);
  const bool all_silent = std::all_of(
      said.begin(), said.end(), [&](const Word& word) { return is_silent(text::fold(word.norm), silent); });
  std::vector<std::vector<std::string>> terms;
  std::set<std::vector<std::string>> seen;
  for (const auto& word : said) {
    if (terms.size() == kMostTerms) break;
    if (!all_silent && is_silent(text::fold(word.norm), silent)) continue;
    std::vector<std::string> stems;
    add_terms(word.norm, primary_language(std::string(lang)), stems);
    for (const char* const language : kLanguages) add_terms(word.norm, language, stems);
    std::sort(stems.begin(), stems.end());
    stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
    if (!stems.empty() && seen.insert(stems).second) terms.push_back(std::move(stems));
  }
  return terms;
}

}  // namespace parley::evidence
