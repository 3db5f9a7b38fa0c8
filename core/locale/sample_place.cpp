#include "locale/sample_place.hpp"

#include <algorithm>
#include <parley/language.hpp>
#include <parley/templates.hpp>

#include "locale/locale_data.hpp"

namespace parley {

std::optional<SamplePlace> find_sample(const LocaleFolders& folders, const std::string& lang,
                                       const std::string& intent, const std::string& sample) {
  LocaleProblems ignored;  // told when they were loaded
  const auto all = find_locale_files(folders, ignored);
  const auto files = std::find_if(all.begin(), all.end(),
                                  [&](const LanguageFiles& one) { return same_language(one.tag, lang); });
  if (files == all.end()) return std::nullopt;
  const ResourceFile* const file = files->find(Role::kIntent, intent);
  if (file == nullptr) return std::nullopt;
  Vocabularies vocabularies;
  if (const auto role = files->files.find(Role::kVocabulary); role != files->files.end()) {
    for (const auto& [name, voc] : role->second) {
      for (ResourceLine& line : read_lines(voc.path, ignored)) vocabularies.add(name, std::move(line.text));
    }
  }
  for (const ResourceLine& line : read_lines(file->path, ignored)) {
    const auto parsed =
        Template::parse(line.text, TemplateOptions::for_teaching().with(vocabularies.lookup()));
    if (parsed && parsed->without_vocabularies() == sample) return SamplePlace(file->path, line.number);
  }
  return std::nullopt;
}

}  // namespace parley
