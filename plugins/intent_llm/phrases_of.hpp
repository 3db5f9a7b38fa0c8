#pragma once

#include <parley/templates.hpp>
#include <set>
#include <string>
#include <vector>

namespace parley::intent_llm {

/// Every phrase that samples of a vocabulary, an entity or a blacklist stand for, each once.
inline std::vector<std::string> phrases_of(const std::vector<std::string>& samples) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const std::string& sample : samples) {
    const auto read = Template::parse(sample, TemplateOptions::for_phrases());
    if (!read) continue;
    for (std::string& phrase : read->expand())
      if (known.insert(phrase).second) all.push_back(std::move(phrase));
  }
  return all;
}

}  // namespace parley::intent_llm
