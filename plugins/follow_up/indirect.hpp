#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reader.hpp"

namespace parley::follow_up {

/// A question within another, as it is asked directly: "is milk on the list" for "do you know if milk is on
/// the list", "wo ist der Schlüssel" for "weißt du, wo der Schlüssel ist". What it may be, the likeliest
/// first; empty: there is none. By the core's `indirect*.voc`:
///
/// | file | holds |
/// | --- | --- |
/// | `indirect.voc` | what such an utterance begins with: "do you know" |
/// | `indirect_if.voc` | what follows where a yes or a no is asked for: "if" |
/// | `indirect_word.voc` | what follows otherwise: "where" |
/// | `indirect_word_and.voc` | likewise, with another word behind: "how" |
/// | `indirect_subject.voc` | what the subject of such a question may begin with: "the", "it" |
/// | `indirect_verb.voc` | verbs that go to the front, or before the subject; after „ob“ any last word does |
/// | `indirect_ask.dialog` | what else may be asked for a yes or a no: "est-ce que {sentence}" |
std::vector<std::string> asked_directly(std::string_view utterance, const Reader& reader);

}  // namespace parley::follow_up
