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

void check_slots(const LanguageResources& has, const LanguageResources& lacks, const LanguageFiles& lacking,
                 LocaleProblems& problems) {
  for (const auto& [name, intent] : has.intents) {
    const auto other = lacks.intents.find(name);
    if (other == lacks.intents.end()) continue;
    std::vector<std::string> missing;
    std::set_difference(intent.slots.begin(), intent.slots.end(), other->second.slots.begin(),
                        other->second.slots.end(), std::back_inserter(missing));
    if (missing.empty()) continue;
    problems.warning(
        lacking.find(Role::kIntent, name)->path,
        fmt::format("the intent declares no slot {{{}}} here: {} does", fmt::join(missing, "}, {"), has.tag));
  }
}

}  // namespace

void check_parity(const std::vector<LanguageFiles>& files, const std::vector<LanguageResources>& languages,
                  LocaleProblems& problems) {
  for (std::size_t lacks = 0; lacks < files.size(); ++lacks) {
    if (!ships(files[lacks])) continue;
    for (std::size_t has = 0; has < files.size(); ++has) {
      if (has == lacks) continue;
      check_files(files[has], files[lacks], problems);
      check_slots(languages[has], languages[lacks], files[lacks], problems);
    }
  }
}

}  // namespace parley
