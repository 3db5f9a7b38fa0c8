#include <fmt/format.h>
#include <parley/language.hpp>
#include <parley/locale.hpp>

#include <algorithm>

#include "locale/locale_data.hpp"

namespace parley {
namespace {

const LanguageResources* exact(const LocaleResources::Data& data, std::string_view lang) {
  const auto same = [lang](const auto& language) { return same_language(language->tag(), lang); };
  const auto found = std::find_if(data.languages.begin(), data.languages.end(), same);
  return found == data.languages.end() ? nullptr : &(*found)->resources();
}

template <class T>
const T* lookup(const ByName<T>& items, std::string_view name) {
  const auto found = items.find(name);
  return found == items.end() ? nullptr : &found->second;
}

/// The resource in the language itself, else in the closest language that has it.
template <class T>
const T* closest(const LocaleResources::Data& data, ByName<T> LanguageResources::*role, std::string_view lang,
                 std::string_view name) {
  if (const LanguageResources* language = exact(data, lang)) {
    if (const T* found = lookup(language->*role, name)) return found;
  }
  std::vector<std::string> having;
  for (const auto& language : data.languages) {
    if (!is_close(language->tag(), lang)) continue;  // and need not be read
    if (lookup(language->resources().*role, name) != nullptr) having.push_back(language->tag());
  }
  const std::optional<std::string> tag = closest_language(lang, having);
  const LanguageResources* const language = tag ? exact(data, *tag) : nullptr;
  return language == nullptr ? nullptr : lookup(language->*role, name);
}

template <class T>
std::vector<std::string> names_of(const ByName<T>& items) {
  std::vector<std::string> names;
  for (const auto& [name, item] : items) names.push_back(name);
  return names;
}

}  // namespace

bool is_close(std::string_view a, std::string_view b) {
  return primary_language(a) == primary_language(b);
}

std::string to_string(const LocaleProblem& problem) {
  std::string place = problem.file.string();
  if (problem.line != 0) place += fmt::format(":{}", problem.line);
  if (problem.line != 0 && problem.column != 0) place += fmt::format(":{}", problem.column);
  const bool error = problem.severity == LocaleProblem::Severity::kError;
  return fmt::format("{}: {}: {}", place, error ? "error" : "warning", problem.message);
}

LocaleResources::LocaleResources() : data_(std::make_shared<const Data>()) {}

LocaleResources::LocaleResources(const LocaleFolders& folders, const std::vector<std::string>& spoken,
                                 const std::vector<std::string>& at_once) {
  auto data = std::make_shared<Data>();
  LocaleProblems problems;
  std::vector<const LocaleLanguage*> read;
  for (LanguageFiles& files : find_locale_files(folders, problems)) {
    data->all.push_back(files.tag);
    const auto& language = data->languages.emplace_back(std::make_unique<LocaleLanguage>(std::move(files)));
    const auto is_among = [&](const std::vector<std::string>& tags) {
      return tags.empty() || std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) {
               return is_close(tag, language->tag());
             });
    };
    if (!is_among(spoken)) continue;
    data->spoken.push_back(language->tag());
    if (!is_among(at_once)) continue;
    problems.add(language->problems());
    read.push_back(language.get());
  }
  check_parity(read, problems);
  data->problems = problems.take();
  data_ = std::move(data);
}

const std::vector<LocaleProblem>& LocaleResources::problems() const noexcept {
  return data_->problems;
}
const std::vector<LocaleProblem>& LocaleResources::problems_in(std::string_view lang) const {
  static const std::vector<LocaleProblem>* const none = new std::vector<LocaleProblem>();
  const auto same = [lang](const auto& language) { return same_language(language->tag(), lang); };
  const auto found = std::find_if(data_->languages.begin(), data_->languages.end(), same);
  return found == data_->languages.end() ? *none : (*found)->problems();
}
const std::vector<std::string>& LocaleResources::languages() const noexcept {
  return data_->spoken;
}
const std::vector<std::string>& LocaleResources::all_languages() const noexcept {
  return data_->all;
}

std::vector<std::string> LocaleResources::intent_names(std::string_view lang) const {
  const LanguageResources* language = exact(*data_, lang);
  return language == nullptr ? std::vector<std::string>() : names_of(language->intents);
}

const IntentResource* LocaleResources::intent(std::string_view lang, std::string_view name) const {
  const LanguageResources* language = exact(*data_, lang);
  return language == nullptr ? nullptr : lookup(language->intents, name);
}

const std::vector<std::string>* LocaleResources::entity(std::string_view lang, std::string_view name) const {
  const LanguageResources* language = exact(*data_, lang);
  return language == nullptr ? nullptr : lookup(language->entities, name);
}

const std::vector<std::string>* LocaleResources::vocabulary(std::string_view lang,
                                                            std::string_view name) const {
  const auto* const found = closest(*data_, &LanguageResources::vocabularies, lang, name);
  return found == nullptr ? nullptr : &(*found)->phrases();
}

const std::vector<std::string>* LocaleResources::vocabulary_lines(std::string_view lang,
                                                                  std::string_view name) const {
  const auto* const found = closest(*data_, &LanguageResources::vocabularies, lang, name);
  return found == nullptr ? nullptr : &(*found)->lines();
}

bool LocaleResources::vocabulary_occurs(std::string_view lang, std::string_view name,
                                        std::span<const Word> said) const {
  const auto* const found = closest(*data_, &LanguageResources::vocabularies, lang, name);
  return found != nullptr && (*found)->set().occurs_in(said);
}

bool LocaleResources::vocabulary_equals(std::string_view lang, std::string_view name,
                                        std::span<const Word> said) const {
  const auto* const found = closest(*data_, &LanguageResources::vocabularies, lang, name);
  return found != nullptr && (*found)->set().equals(said);
}

const std::string* LocaleResources::prompt(std::string_view lang, std::string_view name) const {
  return closest(*data_, &LanguageResources::prompts, lang, name);
}

}  // namespace parley
