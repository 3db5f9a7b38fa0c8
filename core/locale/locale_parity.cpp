#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "locale/locale_data.hpp"

namespace parley {
namespace {

bool ships(const LanguageFiles& language) {
  for (const auto& [role, files] : language.files) {
    for (const auto& [name, file] : files) {
      if (file.origin != ResourceFile::Origin::kCore) return true;
    }
  }
  return false;
}

void check_files(const LanguageFiles& has, const LanguageFiles& lacks, LocaleProblems& problems) {
  for (const auto& [role, files] : has.files) {
    if (role == Role::kBlacklist || role == Role::kPrompt) continue;
    for (const auto& [name, file] : files) {
      if (file.origin == ResourceFile::Origin::kCore || lacks.find(role, name) != nullptr) continue;
      problems.warning(lacks.folder,
                       fmt::format("{}{} is missing here: {} has it", name, ending_of(role), has.tag));
    }
  }
}

void check_slots(const LocaleLanguage& has, const LocaleLanguage& lacks, LocaleProblems& problems) {
  const auto& others = lacks.resources().intents;
  for (const auto& [name, intent] : has.resources().intents) {
    const auto other = others.find(name);
    if (other == others.end()) continue;
    std::vector<std::string> missing;
    std::set_difference(intent.slots.begin(), intent.slots.end(), other->second.slots.begin(),
                        other->second.slots.end(), std::back_inserter(missing));
    if (missing.empty()) continue;
    problems.warning(lacks.files().find(Role::kIntent, name)->path,
                     fmt::format("the intent declares no slot {{{}}} here: {} does",
                                 fmt::join(missing, "}, {"), has.tag()));
  }
}

}  // namespace

void check_parity(const std::vector<const LocaleLanguage*>& languages, LocaleProblems& problems) {
  for (const LocaleLanguage* const lacks : languages) {
    if (!ships(lacks->files())) continue;
    for (const LocaleLanguage* const has : languages) {
      if (has == lacks) continue;
      check_files(has->files(), lacks->files(), problems);
      check_slots(*has, *lacks, problems);
    }
  }
}

}  // namespace parley
