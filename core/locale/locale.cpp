#include <fmt/format.h>
#include <parley/language.hpp>
#include <parley/locale.hpp>

#include <algorithm>

#include "locale/locale_data.hpp"

namespace parley {
namespace {

const LanguageResources* exact(const LocaleResources::Data& data, std::string_view lang) {
  const auto same = [lang](const LanguageResources& language) { return same_language(language.tag, lang); };
  const auto found = std::find_if(data.languages.begin(), data.languages.end(), same);
  return found == data.languages.end() ? nullptr : &*found;
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
  for (const LanguageResources& language : data.languages) {
    if (lookup(language.*role, name) != nullptr) having.push_back(language.tag);
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

std::string to_string(const LocaleProblem& problem) {
  std::string place = problem.file.string();
  if (problem.line != 0) place += fmt::format(":{}", problem.line);
  if (problem.line != 0 && problem.column != 0) place += fmt::format(":{}", problem.column);
  const bool error = problem.severity == LocaleProblem::Severity::kError;
  return fmt::format("{}: {}: {}", place, error ? "error" : "warning", problem.message);
}

LocaleResources::LocaleResources() : data_(std::make_shared<const Data>()) {}

LocaleResources::LocaleResources(const LocaleFolders& folders) {
  auto data = std::make_shared<Data>();
  LocaleProblems problems;
  const std::vector<LanguageFiles> found = find_locale_files(folders, problems);
  for (const LanguageFiles& files : found) {
    data->tags.push_back(files.tag);
    data->languages.push_back(build_language(files, problems));
  }
  check_parity(found, data->languages, problems);
  data->problems = problems.take();
  data_ = std::move(data);
}

const std::vector<LocaleProblem>& LocaleResources::problems() const noexcept {
  return data_->problems;
}
const std::vector<std::string>& LocaleResources::languages() const noexcept {
  return data_->tags;
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
