#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::evidence {

/// The words of a text as the index has them: stems of its language, without accents. From any thread.
std::string index_terms(std::string_view text, std::string_view lang);

/// What is looked for: of each word that says anything, its stems in the languages that objects may be in.
/// @param lang  of the question: decides which words say nothing. When all do, none is left out
std::vector<std::vector<std::string>> query_terms(std::string_view text, std::string_view lang);

}  // namespace parley::evidence
