#include "written.hpp"

#include <algorithm>

namespace parley::follow_up {

namespace {

std::optional<std::string> listed_for(const Word& word, const LocaleResources& common,
                                      const std::string& lang, std::string_view vocabulary) {
  const auto* const phrases = common.vocabulary(lang, vocabulary);
  if (phrases == nullptr) return std::nullopt;
  const std::size_t length = word.norm.size();
  const auto found = std::find_if(phrases->begin(), phrases->end(), [&](const std::string& phrase) {
    return phrase.size() > length && phrase[length] == ' ' && phrase.starts_with(word.norm);
  });
  if (found == phrases->end()) return std::nullopt;
  return found->substr(length + 1);
}

}  // namespace

std::optional<std::string> written_for(const Word& word, const LocaleResources& common,
                                       const std::string& lang, Written how) {
  if (how == Written::kMaybe)
    if (auto meant = listed_for(word, common, lang, "written_maybe")) return meant;
  return listed_for(word, common, lang, "written");
}

std::string as_written(std::string_view text, const LocaleResources& common, const std::string& lang,
                       Written how) {
  std::string written;
  std::size_t end = 0;  // of what has been copied
  for (const Word& word : words(text, lang)) {
    const auto meant = written_for(word, common, lang, how);
    if (!meant) continue;
    written += text.substr(end, word.begin - end);
    written += *meant;
    end = word.end;
  }
  written += text.substr(end);
  return written;
}

}  // namespace parley::follow_up
